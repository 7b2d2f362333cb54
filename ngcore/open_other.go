//go:build !unix

package ngcore

import (
	"io/fs"
	"os"
	"path/filepath"
)

// modeDiffers is false where a mode is not what guards a file: on Windows access follows
// the directory's access list.
func modeDiffers(fs.FileMode) bool { return false }

// openNoFollow asks before it opens and compares afterwards, because there is no flag that
// refuses a link. os.Root holds the directory meanwhile.
func openNoFollow(path string, flag int) (*os.File, error) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &UnsafeFileError{Path: path, Found: "a directory that is a link"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	before, err := root.Lstat(base)
	if err == nil && !before.Mode().IsRegular() {
		return nil, &UnsafeFileError{Path: path, Found: describeType(before.Mode())}
	}
	f, err := root.OpenFile(base, flag, ownerOnly)
	if err != nil {
		return nil, err
	}
	if err := sameAsNamed(root, base, f, path); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func sameAsNamed(root *os.Root, base string, f *os.File, path string) error {
	named, err := root.Lstat(base)
	if err != nil {
		return err
	}
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(named, opened) {
		return &UnsafeFileError{Path: path, Found: "a name that changed while it was opened"}
	}
	return nil
}
