package ngcore

import "golang.org/x/sys/unix"

// dirAccess needs no read permission on the directory.
const dirAccess = unix.O_PATH

// openWithoutLinks is the one system call for the common case of a path without any link.
// Whatever it refuses, old kernels and sandboxes included, openInDir decides.
func openWithoutLinks(path string, flag int) (fd int, ok bool) {
	how := unix.OpenHow{Flags: uint64(flag | noFollow), Resolve: unix.RESOLVE_NO_SYMLINKS}
	if flag&unix.O_CREAT != 0 {
		how.Mode = uint64(ownerOnly)
	}
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &how)
	return fd, err == nil
}
