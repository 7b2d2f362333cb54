package ngcore

import (
	"errors"
	"io/fs"
	"os"

	"github.com/ngvet/ngvet/plugin"
)

// openSealed opens the events file, sealed if its size is in the lock zone. The caller has
// the turn.
func openSealed(path string) (*os.File, int64, error) {
	f, size, err := openForAppend(path)
	if err != nil {
		return nil, 0, err
	}
	if size < lockZoneStart || size >= plugin.EventsMaxBytes {
		return f, size, nil
	}
	sealed, err := isSealed(path, f)
	if err == nil && sealed {
		return f, size, nil
	}
	if err == nil {
		err = seal(path, f)
	}
	f.Close()
	if err != nil {
		return nil, 0, err
	}
	return openForAppend(path)
}

// isSealed reports whether f, open at path, is the copy that a seal made: it has a second
// name.
func isSealed(path string, f *os.File) (bool, error) {
	named, err := os.Lstat(plugin.EventsSealName(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	opened, err := f.Stat()
	return err == nil && os.SameFile(named, opened), err
}

// seal replaces the events file by a copy of it. A writer that looked at the old file
// before and wakes up late writes into the old one, which nobody reads any more; it sees
// the seal afterwards and comes back for a turn.
//
// What a killed predecessor left behind is made anew: until the rename, the old file is
// the file.
func seal(path string, f *os.File) error {
	name := plugin.EventsSealName(path)
	staged := name + ".new"
	if err := errors.Join(removeIfThere(name), removeIfThere(staged)); err != nil {
		return err
	}
	// Made before the file is read: see isSealing.
	dst, err := openRegular(name, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	if err := errors.Join(copyLines(dst, f), dst.Sync(), dst.Close()); err != nil {
		return err
	}
	if err := os.Link(name, staged); err != nil {
		return err
	}
	return os.Rename(staged, path)
}

// copyLines copies what the file holds now, and ends it with a newline.
func copyLines(dst, src *os.File) error {
	info, err := src.Stat()
	if err != nil {
		return err
	}
	lines, err := readRange(src, 0, info.Size())
	if err != nil {
		return err
	}
	if len(lines) > 0 && lines[len(lines)-1] != '\n' {
		lines = append(lines, '\n')
	}
	_, err = dst.Write(lines)
	return err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
