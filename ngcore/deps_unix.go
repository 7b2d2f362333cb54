//go:build unix

package ngcore

import "golang.org/x/sys/unix"

// writable asks the system as OpenCode does, with the real user id.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }
