package stateuser

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"

	fu "fileutil"
)

func update(dir string) error {
	data := fu.Load(true, fu.StatePath(dir, "state"))
	return fu.Replace(fu.StatePath(dir, "state"), append(data, 'x')) // want `without a lock`
}

func inPlace(path string) error {
	data := fu.Load(true, path)
	return fu.Store(append(data, 'x'), path) // want `without a lock`
}

func generic(path string) error {
	data, _ := os.ReadFile(path)
	return fu.Dir[string]{}.Write(path, string(data)+"x") // want `without a lock`
}

func other(dir string) error {
	data := fu.Load(true, fu.NextPath(dir))
	return fu.Replace(fu.NextPath(dir), append(data, 'x')) // OK: two files
}

func noted(path string) error {
	fu.Note("update")
	data := fu.Load(true, path)
	return fu.Replace(path, append(data, 'x')) // want `without a lock`
}

func guarded(path string) error {
	release, err := fu.Guard(path + ".guard")
	if err != nil {
		return err
	}
	defer release()
	data := fu.Load(true, path)
	return fu.Replace(path, append(data, 'x')) // OK: the helper locks
}

func within(f *os.File, path string) error {
	return fu.Within(f, func() error {
		data := fu.Load(true, path)
		return fu.Replace(path, append(data, 'x')) // OK: runs under a lock
	})
}

func initial(path string, data []byte) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fu.Store(data, path) // want `this overwrites a file that another process created`
	}
	return nil
}

type store struct {
	path  string
	data  []byte
	dirty bool
}

func (s *store) save() error { return fu.Store(s.data, s.path) } // want `another function reads this file while it is written in place`

func (s *store) load() { s.data = fu.Load(false, s.path) }

func release() error {
	return fu.Store([]byte("1"), "VERSION") // OK: what edit reads it writes back
}

func bump() { edit("VERSION") }

func edit(name string) {
	_ = fu.Store(append(fu.Load(true, name), '+'), name) // want `without a lock`
}

func (s *store) flush() error {
	if !s.dirty {
		return nil
	}
	s.dirty = false // want `the flag is cleared before the write`
	return fu.Replace(s.path, s.data)
}

func steal(lock string) error {
	if _, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		if len(fu.Load(false, lock)) == 0 {
			return os.Remove(lock) // OK: the owner was read
		}
	}
	return nil
}

func lines(r io.Reader) (n int) {
	s := bufio.NewScanner(r) // want `the scanner stops for good at the first line of more than 64 KiB`
	for s.Scan() {
		if _, err := fu.Parse(s.Bytes()); err == nil {
			n++
		}
	}
	return n
}
