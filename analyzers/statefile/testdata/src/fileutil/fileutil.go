// Package fileutil has helpers around files.
package fileutil

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

func StatePath(dir, name string) string { // want StatePath:"^is pure$"
	return filepath.Join(dir, name+".json")
}

func NextPath(dir string) string { // not pure: each call gives another
	count++
	return filepath.Join(dir, string(rune('a'+count)))
}

var count int

func Load(strict bool, path string) []byte { // want Load:"^reads a file, reads the file at argument 1$"
	data, err := os.ReadFile(path)
	if err != nil && strict {
		panic(err)
	}
	return data
}

func Store(data []byte, path string) error { // want Store:"^writes a file, writes the file at argument 1$"
	return os.WriteFile(path, data, 0o600)
}

func Replace(path string, data []byte) error { // want Replace:"^moves a file to argument 0, writes a file$"
	tmp := path + ".tmp"
	if err := Store(data, tmp); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// Dir is a directory with files of one type.
type Dir[T any] struct{ Root string }

func (d Dir[T]) Write(path string, v T) error { // want Write:"moves a file to argument 1, writes a file"
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return Replace(path, data)
}

func Guard(path string) (func() error, error) { // want Guard:"^locks$"
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return func() error { return os.Remove(f.Name()) }, nil
}

func Within(f *os.File, do func() error) error { // want Within:"^locks$"
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	return do()
}

var mu sync.Mutex

// Note guards its own work alone.
func Note(text string) { // want Note:"^writes a file$"
	mu.Lock()
	defer mu.Unlock()
	os.Stderr.WriteString(text)
}

type Record struct{ Kind string }

func Parse(line []byte) (r Record, err error) { // want Parse:"^decodes JSON from argument 0$"
	err = json.Unmarshal(bytes.TrimSpace(line), &r)
	return r, err
}
