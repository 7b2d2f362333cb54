//go:build unix

package nightgauge

import (
	"os/exec"
	"syscall"
)

// openNonblock keeps the open of a named pipe from waiting for its other end.
const openNonblock = syscall.O_NONBLOCK

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup kills every process of cmd's group. That none is left is no error.
func killGroup(cmd *exec.Cmd) error {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		return err
	}
	return nil
}
