package typeparams

import (
	"os/exec"

	"github.com/ngvet/ngvet/ngcore"
)

func after[T any](cmd *exec.Cmd, path string, then func([]ngcore.Event) T) T {
	_ = cmd.Wait()
	events, _ := ngcore.ReadRunEvents(path) // want `the events are read as soon as`
	return then(events)
}

func run[T any](v T, f func() error) T {
	_ = f()
	return v
}

func generic(path string) {
	_ = run(1, exec.Command("opencode", "run").Run) // a method value that another function calls
	_, _ = ngcore.ReadRunEvents(path)
}

type command = exec.Cmd

func alias(cmd *command, path string) {
	_ = cmd.Run()
	_, _ = ngcore.ReadRunEvents(path) // want `the events are read as soon as`
}
