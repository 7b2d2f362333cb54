//go:build unix

package ngcore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// noFollow makes open refuse a final link, return at once for a FIFO, and never make a
// terminal the controlling one.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC

func modeDiffers(mode fs.FileMode) bool { return mode.Perm() != ownerOnly }

func openNoFollow(path string, flag int) (*os.File, error) {
	fd, ok := openWithoutLinks(path, flag)
	if !ok {
		var err error
		if fd, err = openInDir(path, flag); err != nil {
			return nil, err
		}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// openInDir holds the directory open while it opens the file in it, so that nobody can
// exchange the directory for a link in between.
func openInDir(path string, flag int) (int, error) {
	dir := filepath.Dir(path)
	dirFD, err := retryInterrupted(func() (int, error) {
		return unix.Open(dir, dirAccess|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return -1, dirError(path, dir, err)
	}
	defer unix.Close(dirFD)
	fd, err := retryInterrupted(func() (int, error) {
		return unix.Openat(dirFD, filepath.Base(path), flag|noFollow, uint32(ownerOnly))
	})
	if err != nil {
		return -1, fileError(path, err)
	}
	return fd, nil
}

// dirError tells a link from a directory that is missing: both give the same errno.
func dirError(path, dir string, err error) error {
	if info, lerr := os.Lstat(dir); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return &UnsafeFileError{Path: path, Found: "a directory that is a symbolic link"}
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

func fileError(path string, err error) error {
	// Besides ELOOP, FreeBSD says EMLINK and NetBSD EFTYPE for a link; ENXIO is a FIFO
	// without a reader or a socket, EISDIR a directory. Lstat puts a name to each.
	if info, lerr := os.Lstat(path); lerr == nil && !info.Mode().IsRegular() {
		return &UnsafeFileError{Path: path, Found: describeType(info.Mode())}
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

func retryInterrupted(open func() (int, error)) (int, error) {
	for {
		fd, err := open()
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}
