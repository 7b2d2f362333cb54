// Package hookio finds what hooks of a plugin read from and write to their arguments in vain.
//
// OpenCode calls most hooks with an input, to be read, and an output, to be changed. Which
// fields there are, and how a change is read back, differs from hook to hook and is told
// nowhere: what is written in the wrong way is lost without a word, and a guard that reads
// a field which is not there lets everything pass.
//
// Arguments are followed through aliases, destructuring and calls of the plugin's own
// functions. The tables are those of the version that --host names, by default 1.18.30. A
// hook that is never called is the subject of hookname.
//
// # hookio/reassign
//
// A field of the output gets another object, where OpenCode keeps the one that it passed. It
// runs the tool with the old arguments, or sends the old messages; reading the field back
// in the plugin shows the new ones. The fix changes the old object in place.
//
//	"tool.execute.before": async (input, output) => {
//	  output.args = { ...output.args, command: "true" }               // bad: the tool runs as before
//	  Object.assign(output.args, { ...output.args, command: "true" }) // good
//	}
//
// The fields are args of tool.execute.before; message and parts of chat.message; parts of
// command.execute.before; messages and system of the experimental transforms.
//
// # hookio/rebind
//
// The parameter itself is assigned to, or a variable that destructuring made of a field of
// it. That changes a variable of the function and nothing that OpenCode sees.
//
//	"chat.params": async (input, output) => { output = { temperature: 0 } }    // bad
//	"chat.params": async (input, { temperature }) => { temperature = 0 }       // bad
//
//	"chat.params": async (input, output) => { output.temperature = 0 }         // good
//
// # hookio/unread
//
// A field of the output is set that OpenCode does not read, and the plugin does not either.
//
//	"tool.execute.before": async (input, output) => {
//	  output.cancel = true                         // bad: the tool runs
//	  throw new Error("not in this directory")     // good: the model gets the message
//	}
//
// # hookio/ignoredreturn
//
// A hook returns an object. OpenCode ignores what hooks return; it looks at output.
//
//	"experimental.session.compacting": async () => ({ context: ["keep the plan"] })   // bad
//
//	"experimental.session.compacting": async (input, output) => {
//	  output.context.push("keep the plan")                                            // good
//	}
//
// Only an object that is written in the return counts. A handler that the plugin also
// calls itself, or that is made in several places, may return what it likes; the same holds
// for what it puts into its output.
//
// # hookio/inputargs
//
// A handler of tool.execute.before reads input.args, which only tool.execute.after has. It
// is undefined, so that a check of it lets every call pass.
//
//	"tool.execute.before": async (input, output) => {
//	  if (input.args?.command?.includes("rm")) throw new Error("no")    // bad: never true
//	  if (output.args?.command?.includes("rm")) throw new Error("no")   // good
//	}
//
// Reading both, as in output.args ?? input.args, is fine.
//
// # hookio/aftershape
//
// A handler of tool.execute.after uses a member of output.output, output.title or
// output.metadata with no test before it. After an MCP tool the output is the raw result
// with content instead of these, and after a command that failed it can be undefined: the
// handler throws, and the call that had worked becomes an error. Any test of the tool or of
// the output around or before the place counts as a guard; whether it suffices is not
// judged.
//
//	"tool.execute.after": async (input, output) => {
//	  output.output = output.output.trim()                                         // bad
//	  if (typeof output?.output === "string") output.output = output.output.trim() // good
//	}
package hookio
