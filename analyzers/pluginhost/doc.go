// Package pluginhost finds what a plugin does to the process that it shares with OpenCode.
//
// A plugin is no process of its own. What it prints stands in OpenCode's output, where it
// exits OpenCode exits, and while it waits nothing else runs. All modules that the entry
// imports are read, as far as something in them can run: a function that nothing names, such
// as the command line of a bundle, is left out. So is code that bundlers have taken from
// other packages, except where a rule says otherwise; the comments that they leave tell.
//
// Counted by hand on 22 public plugins (November 2026), true of reported: stdout 21 of 23,
// stderr 84 of 84, hostexit 2 of 2, bunonly 25 of 25. The other rules found nothing there.
//
// # pluginhost/stdout
//
// The plugin writes to standard output: console.log, info, debug and the like,
// process.stdout.write. In opencode run --format json the text stands between the lines of
// JSON, and whoever reads them fails; in the terminal interface it is painted over the
// screen. The fix removes a statement that does nothing else.
//
//	console.log("plugin loaded")                                                             // bad
//	await client.app.log({ body: { service: "x", level: "info", message: "plugin loaded" } }) // good
//
// A call under a test of a debug or verbose switch, or of an environment variable, is what
// somebody has asked for; one where import.meta.main holds is no part of the plugin; one in
// the authorize of an auth hook talks to somebody who logs in; and one for when there is no
// client does not run in OpenCode. None of them counts, nor a method that the plugin replaces.
// Calls in the code of other packages, and in a minified module, are reported once for a
// module, at the first.
//
// # pluginhost/stderr
//
// The same for standard error: console.error, warn and trace, process.stderr.write. Standard
// output stays whole, but the text is painted over the terminal interface. The code of other
// packages does not count here.
//
//	console.error("cannot reach the server", err)                                              // bad
//	await client.app.log({ body: { service: "x", level: "error", message: String(err) } })     // good
//
// # pluginhost/hostexit
//
// The plugin ends the process: process.exit, process.abort, process.kill(process.pid). It
// ends OpenCode in the middle of whatever it does, and opencode run exits with that status.
//
//	if (!token) process.exit(1)                    // bad: no run at all, and no word why
//	if (!token) throw new Error("TOKEN is not set") // good: in server(), the plugin is dropped
//
// # pluginhost/deadexithook
//
// A listener of beforeExit is never called, because OpenCode ends with process.exit. In a
// listener of exit, nothing runs that comes after an await, and nothing that Node does in the
// background is done. What was to be saved there is lost.
//
//	process.on("beforeExit", save)                              // bad
//	process.on("exit", async () => { await writeFile(f, data) }) // bad
//
//	process.on("exit", () => writeFileSync(f, data))            // good
//	return { dispose: save }                                    // good: OpenCode 1.18 waits for it
//
// A listener that is registered for exit as well is fine.
//
// # pluginhost/syncspawn
//
// A hook, or a tool of the plugin, runs a program and waits for it without letting anything
// else run: spawnSync, execSync, execFileSync, Bun.spawnSync. The interface, the stream of
// the model and all other calls stand still for as long.
//
//	"tool.execute.after": async () => { execSync("npm run lint") }          // bad
//	"tool.execute.after": async () => { await promisify(exec)("npm run lint") } // good
//
// The functions that the hook calls count. Two places may wait: config and dispose, which
// run when nothing else does, and tool.execute.before where the call has a timeout, because
// the tool has to wait for a judgement anyway. A call that happens once, because what is
// tested before it is kept outside of the hook, is left out as well.
//
// # pluginhost/bunonly
//
// The plugin needs Bun: a member of Bun, an import of bun or bun:sqlite, import.meta.require.
// OpenCode's desktop application runs plugins under Node. There an import fails and the
// plugin is not loaded, without a trace; a member fails where it is used.
//
//	const text = await Bun.file(name).text()       // bad
//	const text = await readFile(name, "utf8")      // good: node:fs/promises is in both
//
// Uses under a test of Bun, or in a try, are fine, and so is the shell $ that OpenCode passes.
//
// # pluginhost/sideeffect
//
// Merely starting OpenCode in a repository changes it: the factory, or what it calls,
// writes below directory or worktree, or runs a git command that changes something. That
// happens in every repository, for sub-commands that run no model as well, and a run that
// checks for a clean tree fails.
//
//	export default async ({ directory }) => {
//	  mkdirSync(join(directory, ".notes"))                              // bad
//	  return { tool: { note: tool({ execute: () => mkdirSync(...) }) } } // good: when there is something to write
//	}
//
// A path counts when it is made of directory, worktree or the working directory as far as
// local variables and parameters show. Below .git nothing shows, so that writing there is
// fine, and so is what runs only where a file or a setting is there already.
//
// # pluginhost/autoapprove
//
// The plugin answers permissions itself without looking at what is asked for: it sets
// status to "allow", replies "always" or "once" to permission.asked, or sets OpenCode's
// permission configuration to "allow". Every command of the model then runs.
//
//	"permission.ask": async (input, output) => { output.status = "allow" } // bad
//	"permission.ask": async (input, output) => {
//	  if (input.type === "edit" && isBelow(docs, input.pattern)) output.status = "allow" // good
//	}
//
// Any test of the permission around or before the answer counts as a look, except of the
// type of the event; whether it suffices is not judged. A test of a setting, such as an
// environment variable, counts as well: somebody has asked for it.
package pluginhost
