//go:build unix && !linux

package stage

import (
	"os/exec"
	"syscall"
)

// start starts cmd in a process group of its own. Here nothing ends it when this process
// is killed.
func start(cmd *exec.Cmd) (release func(), err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {}, cmd.Start()
}

// killSurvivors kills what is left of the process group and returns 0 when nothing was. A
// process that has left the group is not found without /proc.
func killSurvivors(cmd *exec.Cmd, _ string) int {
	if syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) != nil {
		return 0
	}
	return 1
}
