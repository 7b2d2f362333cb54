//go:build unix

package ngcore

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// createTurn makes the lock. A symbolic link is made together with its text: there is no
// moment at which the lock has no owner.
func createTurn(lock, owner string) error { return os.Symlink(owner, lock) }

func readTurn(lock string) (owner string, err error) {
	owner, err = os.Readlink(lock)
	if errors.Is(err, unix.EINVAL) {
		return "", nil // not a link, so nobody's turn
	}
	return owner, err
}

func processExists(pid int) bool {
	return !errors.Is(unix.Kill(pid, 0), unix.ESRCH)
}
