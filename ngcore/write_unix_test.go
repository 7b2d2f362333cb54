//go:build unix

package ngcore_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Not parallel: the umask is the whole process's.
func TestWriteIgnoresTheUmask(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tree")
	writeTree(t, dir)
	old := unix.Umask(0o277)
	defer unix.Umask(old)
	writeTree(t, dir)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err == nil && info.Mode() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
