package procuser

import (
	"os/exec"
	"strings"
	"time"

	p "proc"

	"github.com/ngvet/ngvet/ngcore"
)

func early(cmd *exec.Cmd, path string) ([]ngcore.Event, error) {
	if err := p.Finish(cmd); err != nil {
		return nil, err
	}
	return ngcore.ReadRunEvents(path) // want `the events are read as soon as the process has ended`
}

func earlyGeneric(cmd *exec.Cmd, path string) ([]ngcore.Event, error) {
	_ = p.Runner[int]{}.Run(cmd)
	return ngcore.ReadRunEvents(path) // want `the events are read as soon as the process has ended`
}

func waited(cmd *exec.Cmd, path string) ([]ngcore.Event, error) {
	_ = p.Finish(cmd)
	_ = p.Await(path)
	return ngcore.ReadRunEvents(path) // OK: the helper waits
}

func whole(cmd *exec.Cmd, path string) ([]ngcore.Event, error) {
	_ = p.Complete(cmd, path)
	return ngcore.ReadRunEvents(path) // OK: ends and waits
}

func elsewhere(path string) ([]ngcore.Event, error) {
	if _, err := p.Branch(); err != nil {
		return nil, err
	}
	_ = exec.Command("git", "status").Run()
	return ngcore.ReadRunEvents(path) // OK: no run has ended
}

func real(name string) error {
	cmd := exec.Command(name)
	cmd.Stdout = new(strings.Builder)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if p.Real(err) != nil {
		return err
	}
	if err != nil { // OK: the helper leaves it out
		return err
	}
	return nil
}

func logged(name string) error {
	cmd := exec.Command(name)
	cmd.Stdout = new(strings.Builder)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	p.Log(err)
	if err != nil { // want `the command may have exited with 0`
		return err
	}
	return nil
}
