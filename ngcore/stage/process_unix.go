//go:build unix

package stage

import (
	"errors"
	"os/exec"
	"syscall"
)

// platformFault says why Run cannot work here, nil when it can.
func platformFault() error { return nil }

// killGroup kills every process of cmd's group. That none is left is no error.
func killGroup(cmd *exec.Cmd) error {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// endedBy returns the name of the signal that ended the process, "" when none did.
func endedBy(cmd *exec.Cmd) string {
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
