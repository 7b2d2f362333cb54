package update

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

func appendLine(path string, line []byte) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, line...), 0o600) // want `this file was read before and is written back without a lock`
}

type state struct{ Runs int }

func count(dir string) error {
	data, _ := os.ReadFile(filepath.Join(dir, "state.json"))
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	s.Runs++
	out, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "state.json"), out, 0o600) // want `without a lock`
}

func atomic(path string) error {
	data, _ := os.ReadFile(path)
	return replace(path, append(data, 'x')) // want `without a lock`
}

func replace(path string, data []byte) error {
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

func load(path string) (state, error) {
	var s state
	data, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(data, &s)
}

func viaHelpers(path string) error {
	s, err := load(path)
	if err != nil {
		return err
	}
	s.Runs++
	out, _ := json.Marshal(s)
	return replace(path, out) // want `without a lock`
}

type store struct {
	mu   sync.Mutex
	path string
}

func (s *store) path2() string { return filepath.Join(s.path, "x") }

func (s *store) method() error {
	data, _ := os.ReadFile(s.path2())
	return os.WriteFile(s.path2(), append(data, 1), 0o600) // want `without a lock`
}

func (s *store) guarded() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add() // its helper runs under the lock
}

func (s *store) add() error {
	data, _ := os.ReadFile(s.path)
	return os.WriteFile(s.path, append(data, 1), 0o600) // OK: each caller locks
}

func flocked(f *os.File, path string) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	data, _ := os.ReadFile(path)
	return os.WriteFile(path, append(data, 1), 0o600) // OK
}

func lockFile(path string) error {
	l, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer l.Close()
	data, _ := os.ReadFile(path)
	return os.WriteFile(path, append(data, 1), 0o600) // OK
}

func copied(from, to string) error {
	data, _ := os.ReadFile(from)
	return os.WriteFile(to, data, 0o600) // OK: another file
}

func independent(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && len(old) > 0 {
		return nil
	}
	return os.WriteFile(path, data, 0o600) // OK: what was read does not flow back
}

func later(path string, data []byte) ([]byte, error) {
	if err := os.WriteFile(path, data, 0o600); err != nil { // OK: the read comes after
		return nil, err
	}
	return os.ReadFile(path)
}

func renamed(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "x")
	if err != nil {
		return err
	}
	if _, err := f.Write(append(data, 'x')); err != nil {
		return err
	}
	return os.Rename(f.Name(), path) // want `without a lock`
}

func rotated(path string, fresh []byte) error {
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return err
	}
	if err := os.WriteFile(path+".new", fresh, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path) // OK: what was read does not flow back
}
