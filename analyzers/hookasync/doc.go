// Package hookasync finds what goes wrong between hooks of a plugin and a host that waits
// for some of them and not for others.
//
// OpenCode awaits the factory, tool.execute.before and dispose, without a limit. It calls
// event, drops the promise, and opencode run exits about 0.1 s after session.idle. In
// tool.execute.before an exception is what stops a tool; in other hooks it stops more. All of
// this was measured on OpenCode 1.18.30.
//
// Calls are followed through the modules of the plugin, never into packages, and code that
// a bundler has taken from other packages is left out. What cannot be followed is not
// reported. The rules ran over 40 public plugins (November 2026) and every finding was read:
// idlework 4 of 4 right, after wrong kinds had been mended on the same plugins; floating 1 of
// 1, guardfailopen 1 of 1, fatalthrow 4 of 6. The others found nothing there, so that their
// precision is not known.
//
// # hookasync/syncevent
//
// The event handler is not async and something in it can throw. The exception reaches
// OpenCode itself: on session.idle or session.status, opencode run hangs for ever without a
// word. In an async handler it is a rejection, which costs a line on standard error. The
// fix makes the handler async.
//
//	event: ({ event }) => { appendFileSync(log, event.type) }        // bad
//	event: async ({ event }) => { appendFileSync(log, event.type) }  // good
//
// What counts is a throw, a synchronous function of Node that works on files or programs, a
// parser such as JSON.parse, a function of another package, and what the plugin's own
// functions do of these. Methods of values are trusted, and so is what a try with a catch
// stands around, or a handler that another function wraps.
//
// # hookasync/idlework
//
// On session.idle, an event handler changes files in the background, or writes, fetches or
// starts a program only after an await, in .then or in a timer. OpenCode does not wait, so
// that in opencode run the work is lost: of 20 lines that were written that way none arrived.
//
//	if (event.type === "session.idle") {
//	  await appendFile(log, line)       // bad
//	  appendFileSync(log, line)         // good
//	  spawn("hook", [], { detached: true, stdio: "ignore" }).unref()  // good: before any await
//	}
//
// An await of a function of the plugin that waits for nothing, or only under a condition, does
// not count, nor does work for other events, under a test that says nothing of the type, in an
// interval, of a log, or more than two calls behind the first place that comes too late. A plugin with a dispose hook is left alone: OpenCode waits for that. The finding is at
// the first place that comes too late, once for a function.
//
// # hookasync/guardswallow
//
// A guard in tool.execute.before refuses a call by an exception, and a catch, or .catch, of the
// same handler ends it. The tool runs.
//
//	try {
//	  if (output.args.command.includes("rm -rf")) throw new Error("blocked")
//	} catch (err) {                                                    // bad
//	  await client.app.log({ body: { service: "guard", level: "error", message: String(err) } })
//	}
//
//	if (output.args.command.includes("rm -rf")) throw new Error("blocked") // good
//
// The throw must depend on the arguments of the handler, be it in the handler or in a
// function of the plugin that it hands them to. A catch that throws anything, or keeps
// something for a throw that comes later, is fine.
//
// # hookasync/guardfailopen
//
// A guard returns ahead of its first throw because it could not judge: in a catch, or because
// an argument is missing. Tools of MCP servers call their arguments what they like, so that
// this is how they pass.
//
//	"tool.execute.before": async (input, output) => {
//	  if (!output.args?.filePath) return                                        // bad
//	  if (output.args.filePath.includes(".env")) throw new Error("no secrets")
//	}
//
//	if (!FILE_TOOLS.has(input.tool)) return                                     // good
//	if (typeof output.args?.filePath !== "string") throw new Error("no path")   // good
//
// Under any test of input.tool a missing argument is not reported. Only the handler itself is
// looked at.
//
// # hookasync/fatalthrow
//
// Off by default: many of the exceptions that it finds guard against what never happens.
// An exception leaves a hook in which OpenCode does not bear it. In chat.message, chat.params
// and the experimental transforms of messages and of the system prompt the run ends with
// status 1; in shell.env and tool.execute.after a tool call that had worked becomes an error.
//
//	"chat.message": async (input, output) => {
//	  if (!ready) throw new Error("not ready")   // bad
//	  if (!ready) return                         // good
//	}
//
// Only a throw that is written in the plugin counts, and only where no catch is on the way.
//
// # hookasync/unboundedwait
//
// The factory, tool.execute.before or dispose waits for an answer that may never come: fetch
// without a signal, exec, execFile or a spawn in a promise without a timeout. OpenCode has no
// limit of its own, so that the run hangs.
//
//	const res = await fetch(url)                                          // bad
//	const res = await fetch(url, { signal: AbortSignal.timeout(5000) })   // good
//
// Options that cannot be read, Promise.race, and a promise that is handed to another function
// count as bounded. Commands of Bun's shell and calls of OpenCode's client are not looked at.
//
// # hookasync/floating
//
// A handler makes a promise that can be rejected and lets go of it: nothing awaits, returns or
// catches it. The hook is over before the work is, and its error reaches nobody. A guard that
// is called so in tool.execute.before stops nothing.
//
//	"tool.execute.after": async (input, output) => {
//	  upload(output.output)               // bad
//	  await upload(output.output)         // good
//	  upload(output.output).catch(report) // good
//	}
//
// Known promises are those of async functions of the plugin in which something can fail, of
// fetch, and of the functions of node:fs/promises that change files. A void in front says that
// somebody thought of it. Calls of the client are left out: they answer with an error.
package hookasync
