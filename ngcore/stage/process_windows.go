package stage

import (
	"errors"
	"os/exec"
)

// platformFault refuses Windows, which has no process groups: a run that has to be stopped
// would leave the agent's commands behind.
func platformFault() error {
	return errors.New("run a stage: not supported on Windows, where the agent's processes cannot be ended for certain; use WSL")
}

func start(cmd *exec.Cmd) (release func(), err error) { return func() {}, cmd.Start() }

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killSurvivors(*exec.Cmd, string) int { return 0 }

func endedBy(*exec.Cmd) string { return "" }
