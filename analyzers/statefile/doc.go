// Package statefile finds Go code that loses, breaks or misplaces the files in which a run
// keeps its state.
//
// An agent run has several processes at one set of files: the CLI, the plugin, children that
// outlive both, and the next run. What is safe in one process loses updates between two,
// and only under load, so that tests do not show it.
//
// The check follows values and the flow of control within one package and into its helpers.
// What a helper in another package of the main module, or of a module that is replaced by a
// directory, does comes from facts about that package. Two paths are the same when they are
// one value, equal constants, one field of one struct, or the same filepath.Join (or other
// pure expression, or pure function) of such. Any other function is known by its name alone:
// one with "lock" in it counts as locking, which only ever makes a rule silent. Tests are
// left alone.
//
// # statefile/lostupdate
//
// A file is read, and what was read flows into what is written back to it, with no lock
// around both. Of two processes that do so at once one loses its change.
//
// Bad:
//
//	data, err := os.ReadFile(path)
//	...
//	return os.WriteFile(path, append(data, line...), 0o600)
//
// Good:
//
//	unlock, err := lock(path + ".lock")
//	if err != nil {
//		return err
//	}
//	defer unlock()
//	data, err := os.ReadFile(path)
//
// Writes through a helper that takes the path count, by rename too: a rename does not make
// the update safe. Silent where the function, a function around it, or each of its callers in
// the package locks: a mutex, an O_EXCL file, flock. A mutex protects one process only, and
// what goes through an interface is not followed. Off by default: a tool that one person runs
// at a time needs no lock, and the code does not say which tool is one.
//
// # statefile/inplace
//
// A file that one function reads is written in place by another. Between the truncation
// and the last write a reader sees nothing or a part, and a crash leaves it so.
//
// Bad:
//
//	func (s *store) save(data []byte) error { return os.WriteFile(s.path, data, 0o600) }
//
// Good:
//
//	func (s *store) save(data []byte) error { return writeAtomically(s.path, data) } // temp file, rename
//
// Off by default. Only for paths that are the same field of the same type, or equal
// constants, without a lock. Whether reader and writer ever run at once is not known.
//
// # statefile/tempelsewhere
//
// A temporary file is made in the system's directory and renamed to another one. That is
// often another file system (tmpfs, a container's volume), where every rename fails with
// EXDEV: the state is never written.
//
// Bad:
//
//	f, err := os.CreateTemp("", "state")
//	...
//	return os.Rename(f.Name(), path)
//
// Good:
//
//	f, err := os.CreateTemp(filepath.Dir(path), "state")
//	...
//	return os.Rename(f.Name(), path)
//
// Silent when the function copies after a rename, or the target is temporary as well.
//
// # statefile/statcreate
//
// A file is created because os.Stat did not find it. Another process that created it in
// between loses its content.
//
// Bad:
//
//	if _, err := os.Stat(path); os.IsNotExist(err) {
//		return os.WriteFile(path, initial, 0o600)
//	}
//
// Good:
//
//	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
//	if errors.Is(err, fs.ErrExist) {
//		return nil
//	}
//
// Both must be in one function, the creation there or in a helper that it calls, under a test
// of the error for a missing file, without a lock.
//
// # statefile/locksteal
//
// A lock file that could not be created is removed, on its age or on nothing, without a look
// at who owns it. Two processes that find it stale remove it one after the other, the second
// that of the first, and both go on.
//
// Bad:
//
//	f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
//	if errors.Is(err, fs.ErrExist) && time.Since(modTime(lock)) > time.Minute {
//		os.Remove(lock)
//	}
//
// Good:
//
//	owner, err := os.ReadFile(lock) // a token that its owner wrote
//	if err == nil && isDead(owner) {
//		os.Rename(lock, lock+"."+string(owner)) // fails for all but one
//	}
//
// Anything that reads the lock between the two counts as a look at its owner; whether it is
// a good one is not judged.
//
// # statefile/dirtyflag
//
// A flag that says that something is to be written is cleared, and then the write may fail.
// The change is not written until the next one, or never.
//
// Bad:
//
//	if !s.dirty {
//		return nil
//	}
//	s.dirty = false
//	return os.WriteFile(s.path, s.data, 0o600)
//
// Good:
//
//	if err := os.WriteFile(s.path, s.data, 0o600); err != nil {
//		return err
//	}
//	s.dirty = false
//
// The flag is a bool field that the function tests before it is cleared; nothing after the
// write sets it again.
//
// # statefile/splitrecord
//
// A record and its newline go into an O_APPEND file in two writes. One append is atomic on
// a local file system, two are not: another writer's record comes in between, and two records
// become one bad line and an empty one.
//
// Bad:
//
//	f.Write(record)
//	f.Write([]byte("\n"))
//
// Good:
//
//	f.Write(append(record, '\n'))
//
// The file is opened in the same function, and nothing in it locks.
//
// # statefile/scanner
//
// Lines that are decoded as JSON come from a bufio.Scanner with its default buffer. It stops
// for good at the first line of more than 64 KiB: one tool result with a large output, and
// the rest of the run is not seen. Without a look at Err the end looks regular.
//
// Bad:
//
//	s := bufio.NewScanner(stdout)
//
// Good:
//
//	s := bufio.NewScanner(stdout)
//	s.Buffer(nil, 16<<20)
//
// Silent for a scanner that another function gets, and for one with a Split of its own.
//
// # statefile/database
//
// The database of OpenCode is opened with immutable=1, or for writing. With immutable=1 SQLite
// ignores locks and the write-ahead log while OpenCode writes both: rows are missing or wrong.
// A writer blocks OpenCode, or changes the schema under it.
//
// Bad:
//
//	sql.Open("sqlite", filepath.Join(data, "opencode.db"))
//
// Good:
//
//	sql.Open("sqlite", "file:"+filepath.Join(data, "opencode.db")+"?mode=ro")
//
// The name must be a constant part of the data source in the same function.
//
// # statefile/prefix
//
// strings.HasPrefix decides whether a path is inside a directory. Without a separator at the
// end of the directory /srv/run-other is inside of /srv/run.
//
// Bad:
//
//	if !strings.HasPrefix(filepath.Clean(path), root) {
//
// Good:
//
//	rel, err := filepath.Rel(root, path)
//	if err != nil || !filepath.IsLocal(rel) {
//
// The first operand must be the result of a function that makes paths, the second too, or a
// parameter or field named as a root or dir. Silent when the function looks at bytes of the
// path, or uses filepath.Rel or filepath.IsLocal. The fix compares with the root and a
// separator; for the root "/" alone it refuses everything below.
//
// # statefile/outside
//
// A name from an HTTP request or an archive is joined to a directory and opened, with no look
// at the name. With .. in it, or through a symbolic link, it leaves the directory.
//
// Bad:
//
//	f, err := os.Open(filepath.Join(root, r.PathValue("name")))
//
// Good:
//
//	dir, err := os.OpenRoot(root)
//	...
//	f, err := dir.Open(r.PathValue("name"))
//
// Any look at the name or the joined path counts as a check, in a helper or another package
// too: IsLocal, Rel, HasPrefix, Base, a path cleaned as an absolute one. A symbolic link passes
// those; that is not reported.
package statefile
