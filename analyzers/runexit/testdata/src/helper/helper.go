package helper

import (
	"os/exec"
	"time"
)

const Name = "opencode"

// Command prepares a run.
func Command(args ...string) *exec.Cmd {
	cmd := exec.Command(Name, args...)
	cmd.WaitDelay = time.Second
	return cmd
}

// Success takes a run whose children linger for one that went well.
func Success(err error) bool { return err == nil }
