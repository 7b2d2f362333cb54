// Package pluginload finds plugins that OpenCode does not load, loads twice, or dies of.
//
// A plugin that fails to load fails open: the run goes on without it, gates included, and
// ends with status 0. An error of its exports or of its factory leaves one line in a log
// file; an error while the module is imported, or a missing file, leaves no trace.
//
// There are two kinds of entry. When the default export is an object { id, server },
// OpenCode calls server and ignores other exports. Otherwise it calls every export, each
// function once, and drops the whole plugin when one of them is no function. An entry that
// no factory or import shows to be a plugin is not judged.
//
// # pluginload/valueexport
//
// An entry whose exports are all called exports something that is no function: a constant, a
// class, an enum, an object without server. The plugin is not loaded. The fix drops the word
// export.
//
//	export const VERSION = "1.0.0"                             // bad: nothing is loaded
//	export default async () => ({ event: async () => {} })
//
//	const VERSION = "1.0.0"                                    // good
//	export default async () => ({ event: async () => {} })
//
// # pluginload/helperexport
//
// An entry whose exports are all called exports a function that is no plugin, beside one
// that is. It is called at every start with what a plugin gets. When it returns undefined or
// null, the run dies with exit status 1. The fix drops the word export.
//
//	export function retry(job) { for (;;) job() }              // bad: called as a plugin
//	export default async () => ({ event: async () => {} })
//
//	import { retry } from "./retry.js"                         // good
//	export default async () => ({ event: async () => {} })
//
// A function that may return hooks, an empty object, or what nobody knows is no helper.
//
// # pluginload/v1shape
//
// The default export is an object that OpenCode does not load: it has no server, server is
// no function, it has server and tui together, or it lies at a path and has no id with text
// in it. A package brings its own name, and an object with only tui or only setup is for
// somebody else.
//
//	export default { server, tui }             // bad
//	export default { id: " ", server }         // bad
//
//	export default { id: "notify", server }    // good
//
// # pluginload/doublefactory
//
// Two exports are different functions that return the same hooks. OpenCode calls a function
// once, however often it is exported, but these both: every hook runs twice.
//
//	const create = () => async () => ({ event })
//	export const Notify = create()
//	export default create()                    // bad: another function
//
//	export const Notify = create()
//	export default Notify                      // good: the same one
//
// # pluginload/unbounddefault
//
// The default export is a name that the module does not declare, so that loading it throws
// and no trace is left; or it, or server, is a method that uses this and is taken off its
// object, so that it throws when it is called.
//
//	export default NotifyPlugin                               // bad: declared nowhere
//	export default new Notify().start                         // bad: this is undefined in start
//
//	const notify = new Notify()
//	export default async (input) => notify.start(input)       // good
//
// # pluginload/notdiscoverable
//
// A plugin lies in the directory plugin or plugins of a configuration directory where
// OpenCode does not find it: it takes only the .js and .ts files directly in there. One that
// opencode.json names, or that a plugin imports, is found.
//
//	.opencode/plugin/notify.mjs        bad
//	.opencode/plugin/notify/index.ts   bad
//
//	.opencode/plugin/notify.ts         good
//
// # pluginload/packageentry
//
// The package.json of a plugin leads OpenCode to nothing: exports has no "./server" and
// there is no main, the file that they name does not exist, or engines.opencode excludes the
// version.
//
//	{ "exports": { ".": "./plugin.js" } }                             bad: never loaded
//
//	{ "main": "./plugin.js", "exports": { ".": "./plugin.js" } }      good
//
// # pluginload/returnsnothing
//
// A path through the factory ends without a value, or with null. OpenCode then dies at the
// next hook with exit status 1.
//
//	export default async ({ directory }) => {
//	  if (!enabled(directory)) return          // bad: the run dies
//	  if (!enabled(directory)) return {}       // good
//	  return { event }
//	}
//
// # pluginload/throwsatinit
//
// The factory, or the top of the entry, throws. OpenCode drops the plugin and goes on
// without it: what it should have stopped is let through. Only throw statements of the
// factory itself count, outside of a try that catches, and none that hand on what a catch
// got.
//
//	export default async () => {
//	  if (!process.env.TOKEN) throw new Error("TOKEN is not set")                  // bad: no gate
//	  return { "tool.execute.before": gate }
//	}
//
//	export default async () => ({                                                  // good
//	  "tool.execute.before": process.env.TOKEN ? gate : () => { throw new Error("TOKEN is not set") },
//	})
//
// # pluginload/swallowedimport
//
// A module of the plugin itself is imported at run time, and a failure is caught and
// forgotten. A file that was not packed, or a mistake in it, takes a part of the plugin away
// without a word. Several imports in one function count as each other's fallback. Plugins
// also do so on purpose, where they work without the module: the rule is off unless --enable
// names it.
//
//	const gate = await import("./gate.js").catch(() => null)   // bad
//
//	import * as gate from "./gate.js"                          // good
package pluginload
