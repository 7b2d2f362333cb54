// Package pathguard finds guards of paths that let something through, and hooks that make
// every call of the model slower or dearer.
//
// A guard is a handler of tool.execute.before, with the functions of the plugin that it
// calls, that can throw. The rules about symbolic links and prefixes look into the tools of a
// plugin as well, which often have the same guard. Functions are followed through the modules
// of the plugin, not into packages.
//
// Counted by hand on 22 public plugins (November 2026), true of reported: transformio 3 of 3.
// The other rules found nothing there: few plugins guard paths.
//
// # pathguard/norealpath
//
// A guard compares the text of a path with that of a directory, by startsWith or
// path.relative, and nothing that it calls resolves symbolic links. A link in the work tree
// that leads out of it passes, and the model can make one.
//
//	const file = path.resolve(directory, output.args.filePath)
//	if (path.relative(directory, file).startsWith("..")) throw new Error("outside")                // bad
//
//	const real = realpathSync(deepestExisting(file))
//	if (path.relative(realpathSync(directory), real).startsWith("..")) throw new Error("outside")  // good
//
// A guard is left alone if one of the modules that it reaches names realpath, lstat or
// anything canonical, whatever that is applied to; what realpath is applied to in vain is
// the subject of the next rule.
//
// # pathguard/realpathifexists
//
// A path is resolved only if it exists, and taken as it is otherwise. A new file below a
// link, link/new.txt, does not exist, so that its text is compared and it is written outside.
//
//	const real = existsSync(file) ? realpathSync(file) : path.resolve(file)                 // bad
//	try { return realpathSync(file) } catch { return path.resolve(file) }                   // bad
//
//	function real(file) {                                                                   // good
//	  try { return realpathSync(file) } catch { return path.join(real(path.dirname(file)), path.basename(file)) }
//	}
//
// A function that looks at the directory of the path, by dirname, a loop or itself, is taken
// to do it right. The path of directory or worktree itself always exists. Only functions that a
// guard or tool with a comparison of paths reaches are looked at.
//
// # pathguard/prefix
//
// A path counts as inside a directory because it starts with its name: with a root
// /work/app, /work/app-secrets/key passes. The fix adds the separator.
//
//	if (!file.startsWith(root)) throw new Error("outside")                              // bad
//	if (file !== root && !file.startsWith(root + path.sep)) throw new Error("outside")  // good
//
// The argument must be a directory as far as local variables show: directory or worktree,
// the working or home directory, the result of path.resolve, join, dirname or realpath, or a
// parameter that is called so (root, base, dir, parent, workspace). A text that ends with
// a separator is fine, and so is a test that only denies.
//
// # pathguard/toolgap
//
// A guard names some of the tools that touch files and leaves out others by which the same
// file can be reached: a guard of edit and write does not see apply_patch, which some models
// get instead of them, nor bash.
//
//	if (["edit", "write"].includes(input.tool)) check(output.args.filePath)                          // bad
//	if (["edit", "write", "apply_patch", "bash"].includes(input.tool)) check(pathsOf(output.args))   // good
//
// It must name at least two of read, edit, write, grep, glob, list, apply_patch and bash, in
// tests of the tool that lead to a throw. Where it names one that writes, those of edit,
// write, apply_patch and bash are expected; where it names one that reads, read, grep, glob, list and
// bash. A guard that throws without a test of the tool covers all.
//
// # pathguard/unstableprompt
//
// Something that differs from call to call is put into the system prompt, a message or the
// definition of a tool: the time, a random number, the order of readdir. Providers cache a
// prompt as far as it is the same; from there on, every call of the model is computed and
// paid for anew.
//
//	output.system.push(`Now: ${new Date().toISOString()}`)                // bad
//	output.system.push(`Today: ${new Date().toISOString().slice(0, 10)}`) // good: once a day
//
// Handlers of experimental.chat.system.transform, experimental.chat.messages.transform and
// tool.definition are looked at. A value that is kept outside of the handler is stable. What
// a function of the plugin returns is followed; what is read from a file or a service is not.
//
// # pathguard/transformio
//
// A hook that runs before every call of the model does slow work each time: it reads or
// writes files, asks a server or runs a program. The model waits for it, and tool.definition
// runs once for every tool.
//
//	"experimental.chat.system.transform": async (input, output) => {
//	  output.system.push(await readFile("rules.md", "utf8"))             // bad
//	  rules ??= await readFile("rules.md", "utf8"); output.system.push(rules) // good
//	}
//
// The hooks are chat.params, chat.headers, the transforms and tool.definition, with the
// functions that they call. Only work that is done each time counts: nothing but a test
// whether a file exists, whether there is something at all, or of the plugin's configuration
// stands before it. A test of something that is kept outside of the hook, such as a cache,
// or of the messages, is taken to make it rare. Asking whether a file exists is no work.
package pathguard
