package create

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

func tempDir(target string, data []byte) error {
	dir, err := os.MkdirTemp("", "x")
	if err != nil {
		return err
	}
	tmp := filepath.Join(dir, "f")
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, target) // want `the temporary file is in the system's directory`
}

func joined(target string) error {
	tmp := filepath.Join(os.TempDir(), "state")
	return os.Rename(tmp, target) // want `the temporary file is in the system's directory`
}

func beside(target string) error {
	f, err := os.CreateTemp(filepath.Dir(target), "x")
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), target) // OK
}

func copying(target string) error {
	f, err := os.CreateTemp("", "x")
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), target); err == nil { // OK: copies when that fails
		return nil
	}
	out, err := os.Create(target)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, f)
	return err
}

func both() error {
	dir, _ := os.MkdirTemp("", "x")
	return os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b")) // OK: one directory
}

func initial(path string, data []byte) error {
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return os.WriteFile(path, data, 0o600) // want `this overwrites a file that another process created`
	}
	return nil
}

func initialNegated(path string) error {
	_, err := os.Lstat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.Create(path) // want `this overwrites a file`
	if err != nil {
		return err
	}
	return f.Close()
}

func exclusive(path string) error {
	if _, err := os.Stat(path); os.IsNotExist(err) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // OK
		if err != nil {
			return err
		}
		return f.Close()
	}
	return nil
}

func existing(path string, data []byte) error {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600) // OK: replaces what is there
}

func parent(path string, data []byte) error {
	if _, err := os.Stat(filepath.Dir(path)); os.IsNotExist(err) {
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	return os.WriteFile(path, data, 0o600) // OK: another path
}

func steal(lock string) (*os.File, error) {
	f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		return f, nil
	}
	info, err := os.Stat(lock)
	if err == nil && time.Since(info.ModTime()) > time.Minute {
		_ = os.Remove(lock) // want `this removes the lock of another process`
	}
	return nil, fs.ErrExist
}

func stealOnExist(dir string) error {
	for range 3 {
		f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			os.Remove(filepath.Join(dir, "lock")) // want `this removes the lock of another process`
			continue
		}
		return f.Close()
	}
	return nil
}

func owned(lock, token string) error {
	f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		owner, readErr := os.ReadFile(lock)
		if readErr == nil && string(owner) == token {
			return os.Remove(lock) // OK: reads whose it is
		}
		return err
	}
	_ = f.Close()
	return os.Remove(lock) // OK: its own
}

func cleanup(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		_ = os.Remove(path) // OK: its own file
		return err
	}
	return f.Close()
}

type cache struct {
	dirty bool
	path  string
	data  []byte
}

func (c *cache) flush() error {
	if !c.dirty {
		return nil
	}
	c.dirty = false // want `the flag is cleared before the write`
	return os.WriteFile(c.path, c.data, 0o600)
}

func (c *cache) flushHelper() error {
	if c.dirty {
		c.dirty = false // want `the flag is cleared before the write`
		return c.write()
	}
	return nil
}

func (c *cache) write() error { return os.WriteFile(c.path, c.data, 0o600) }

func (c *cache) flushAfter() error {
	if !c.dirty {
		return nil
	}
	if err := c.write(); err != nil {
		return err
	}
	c.dirty = false // OK
	return nil
}

func (c *cache) flushRestored() error {
	if !c.dirty {
		return nil
	}
	c.dirty = false // OK: set again
	err := c.write()
	if err != nil {
		c.dirty = true
	}
	return err
}

// clip writes whether the flag is set or not.
func (c *cache) clip(short bool) error {
	if c.dirty && short {
		c.dirty = false // OK
	}
	return c.write()
}

// open has an option that is switched off.
func (c *cache) open(readOnly bool) error {
	c.dirty = c.dirty || len(c.data) > 0
	if readOnly {
		c.dirty = false // OK
	}
	return c.write()
}

func (c *cache) reset() error {
	c.dirty = false // OK: nothing tests it here
	return c.write()
}
