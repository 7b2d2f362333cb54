package delay

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

var errBusy = errors.New("busy")

func run(name string) error {
	cmd := exec.Command(name)
	cmd.Stdout = new(bytes.Buffer)
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil { // want `the command may have exited with 0`
		return fmt.Errorf("run: %w", err)
	}
	return nil
}

func output(name string) bool {
	cmd := exec.Command(name)
	cmd.WaitDelay = time.Second
	_, err := cmd.Output()
	return err == nil // want `the command may have exited with 0`
}

func aware(name string) error {
	cmd := exec.Command(name)
	cmd.Stdout = new(bytes.Buffer)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) { // OK
		return err
	}
	return nil
}

func state(name string) (int, error) {
	cmd := exec.Command(name)
	cmd.Stdout = new(bytes.Buffer)
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil && !cmd.ProcessState.Success() { // OK: the state decides
		return 0, err
	}
	return 1, nil
}

func helped(name string) error {
	cmd := exec.Command(name)
	cmd.Stdout = new(bytes.Buffer)
	cmd.WaitDelay = time.Second
	err := real(cmd.Run())
	if err != nil { // OK: real leaves it out
		return err
	}
	return nil
}

func real(err error) error {
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

func none(name string) error {
	cmd := exec.Command(name)
	if err := cmd.Run(); err != nil { // OK: no delay
		return err
	}
	cmd = exec.Command(name)
	cmd.WaitDelay = 0
	if err := cmd.Run(); err != nil { // OK: the same as none
		return errBusy
	}
	return nil
}

func noPipe(name string) error {
	cmd := exec.Command(name)
	cmd.WaitDelay = time.Second
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil { // OK: no goroutine copies, so nothing is waited for
		return err
	}
	return nil
}

func input(name string) error {
	cmd := exec.Command(name)
	cmd.WaitDelay = time.Second
	cmd.Stdin = bytes.NewReader(nil)
	if err := cmd.Run(); err != nil { // want `the command may have exited with 0`
		return err
	}
	return nil
}
