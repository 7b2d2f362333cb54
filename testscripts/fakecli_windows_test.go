package testscripts

import (
	"errors"
	"os/exec"
)

// detach has nothing to do: a child on Windows outlives its parent.
func detach(*exec.Cmd) {}

func limitFileSize(int64) error {
	return errors.New("Windows cannot bound the size of the files that a process writes")
}
