//go:build unix && !linux

package ngcore

import "golang.org/x/sys/unix"

const dirAccess = unix.O_RDONLY

// openWithoutLinks has no counterpart here; openInDir does it all.
func openWithoutLinks(string, int) (fd int, ok bool) { return -1, false }
