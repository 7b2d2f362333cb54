// Package proc has helpers around processes.
package proc

import (
	"errors"
	"os/exec"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

func Finish(cmd *exec.Cmd) error { // want Finish:"^ends a run$"
	wait := cmd.Wait
	return wait()
}

type Runner[T any] struct{ Result T }

func (r Runner[T]) Run(cmd *exec.Cmd) error { return Finish(cmd) } // want Run:"^ends a run$"

func Branch() ([]byte, error) { // another program, and not a run
	return exec.Command("git", "branch", "--show-current").Output()
}

func Await(path string) error { // want Await:"^waits for an event$"
	_, err := ngcore.WaitForRunEvent(path, "stop_verify", time.Minute)
	return err
}

func Complete(cmd *exec.Cmd, path string) error { // want Complete:"^ends a run, waits for an event$"
	return errors.Join(Finish(cmd), Await(path))
}

func Real(err error) error { // want Real:"^knows exec.ErrWaitDelay$"
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

func Log(err error) error { return err }
