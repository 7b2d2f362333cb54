// Package hookname finds keys of a plugin's hooks object that OpenCode never calls, and
// events that it never publishes.
//
// OpenCode looks its hooks up by name in the object that a plugin factory returns. A name
// that it does not look for is ignored without a word: the plugin loads, the run goes on,
// and the feature behind the hook does not exist. The same holds for an event handler that
// waits for a type which is never published.
//
// Only the object that the factory really returns counts, also when it comes through a
// local variable, a spread or a later assignment. The names are those of the version that
// --host names, by default 1.18.30. Events are judged only on a version on which they
// were measured.
//
// # hookname/unknown
//
// A key of the hooks object is no hook of this version, nor of a later one. Event names are
// no hooks: OpenCode hands every event to the hook event. The fix renames a key to the
// hook that it nearly is.
//
//	return {
//	  "session.idle": async () => notify(),     // bad: never called
//	  "tool.execute.befor": async () => {},     // bad: never called
//	}
//
//	return {
//	  event: async ({ event }) => {             // good
//	    if (event.type === "session.idle") await notify()
//	  },
//	  "tool.execute.before": async () => {},    // good
//	}
//
// A key that holds no function and is like no hook or event, such as name: "my-plugin", is
// ignored by OpenCode and by this rule: nothing is lost with it. A module that the entry
// re-exports from and that cannot be read is reported too, for it may hold hooks.
//
// # hookname/dead
//
// A hook that the types of OpenCode declare and that this version never calls, or one that
// only later versions call. A permission decision in permission.ask is never made.
//
//	return {
//	  "permission.ask": async (input, output) => { output.status = "deny" },  // bad
//	}
//
//	return {
//	  "tool.execute.before": async (input, output) => { throw new Error("no") },  // good
//	}
//
// # hookname/notfunction
//
// The value of a hook is not of the kind that OpenCode uses. It calls every hook but tool,
// auth and provider, which it reads as objects. An object for event hangs the run without a
// word; a function for tool offers no tool.
//
//	return { event: { "session.idle": notify } }   // bad
//	return { tool: () => ({ search }) }            // bad
//
//	return { event: async ({ event }) => {} }      // good
//	return { tool: { search } }                    // good
//
// # hookname/declared
//
// The list of hooks that the plugin reports in its handshake differs from the keys that it
// returns, in its members or in their order. The list is a constant array named HOOK_NAMES
// in the entry or in a module that it imports by a relative path, or the member hooks of an
// object literal that also has the member nonce. The host side then refuses a plugin that
// works, or trusts a hook that is not there. A list that is computed from the returned
// object, such as Object.keys(hooks), is always right and needs no check.
//
//	const HOOK_NAMES = ["event", "tool.execute.before"]
//	return { "tool.execute.before": gate, event }       // bad: another order
//
//	const HOOK_NAMES = ["tool.execute.before", "event"]
//	return { "tool.execute.before": gate, event }       // good
//
// # hookname/eventtype
//
// The event hook compares event.type with a string that OpenCode never publishes, in a
// comparison, a switch, or a set, array, map or record of constants. The code behind it
// never runs. Functions that the hook hands the event to are followed. A type that is gone
// may stay beside its successor, for hosts that still publish it. So may one that is
// compared beside a published type in the same condition, unless it looks misspelled: the
// code runs all the same.
//
//	event: async ({ event }) => {
//	  if (event.type === "permission.updated") ask()   // bad: never published
//	  if (event.type === "permission.asked") ask()     // good
//	}
//
// # hookname/eventfield
//
// Code that runs for one type of event reads a property that this event carries under
// another name today, so it reads undefined. Reading both names is fine.
//
//	if (event.type === "permission.replied") {
//	  if (event.properties.response === "reject") stop()   // bad: undefined
//	  if (event.properties.reply === "reject") stop()      // good
//	}
//
// # hookname/eventparam
//
// The event hook reads type or properties of its parameter. OpenCode passes an object that
// has the event as its member event, so both are undefined and no branch is ever taken.
//
//	event: async (event) => { if (event.type === "session.idle") notify() }      // bad
//	event: async ({ event }) => { if (event.type === "session.idle") notify() }  // good
package hookname
