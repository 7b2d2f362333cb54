package a

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"time"

	ng "github.com/ngvet/ngvet/ngcore"
)

func early(cmd *exec.Cmd, path string) ([]ng.Event, error) {
	if err := cmd.Wait(); err != nil {
		return nil, err
	}
	return ng.ReadRunEvents(path) // want `the events are read as soon as the process has ended`
}

func earlyThroughHelper(cmd *exec.Cmd, path string) ([]ng.Event, error) {
	_ = finish(cmd)
	return ng.ReadRunEvents(path) // want `the events are read as soon as`
}

func finish(cmd *exec.Cmd) error { return cmd.Run() }

func earlyOnOneWay(cmd *exec.Cmd, path string, wait bool) ([]ng.Event, error) {
	_ = cmd.Wait()
	if wait {
		_, _ = ng.WaitForRunEvent(path, "stop_verify", time.Second)
	}
	return ng.ReadRunEvents(path) // want `the events are read as soon as`
}

func earlyMethodValue(cmd *exec.Cmd, path string) ([]ng.Event, error) {
	wait := cmd.Wait
	_ = wait()
	read := ng.ReadRunEvents
	return read(path) // want `the events are read as soon as`
}

func waited(cmd *exec.Cmd, path string) ([]ng.Event, error) {
	_ = cmd.Wait()
	if _, err := ng.WaitForRunEvent(path, "stop_verify", time.Second); err != nil {
		return nil, err
	}
	return ng.ReadRunEvents(path) // OK: the verdict was waited for
}

func waitedInHelper(cmd *exec.Cmd, path string) ([]ng.Event, error) {
	_ = cmd.Wait()
	verdict(path)
	return ng.ReadRunEvents(path) // OK: the helper waits
}

func verdict(path string) { _, _ = ng.WaitForRunEvent(path, "stop_verify", time.Second) }

func before(cmd *exec.Cmd, path string) error {
	_, _ = ng.ReadRunEvents(path) // OK: of an earlier run
	return cmd.Wait()
}

func deferred(cmd *exec.Cmd, path string) ([]ng.Event, error) {
	defer cmd.Wait()
	return ng.ReadRunEvents(path) // OK: the process still runs
}

func piped(ctx context.Context) (string, error) {
	var buf bytes.Buffer
	cmd := exec.CommandContext(ctx, "opencode", "run", "hello")
	cmd.Stdout = &buf
	err := cmd.Run() // want `this waits until every process that OpenCode left behind`
	return buf.String(), err
}

func output(ctx context.Context) ([]byte, error) {
	return exec.CommandContext(ctx, "/usr/local/bin/opencode", "run", "x").Output() // want `this waits until every process`
}

func looked(ctx context.Context, w io.Writer) error {
	bin, err := exec.LookPath("opencode")
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, bin, "run")
	cmd.Stderr = io.MultiWriter(os.Stderr, &bytes.Buffer{})
	return cmd.Run() // OK: what MultiWriter returns is not known to be no file
}

func lookedBuffer(ctx context.Context) error {
	bin, _ := exec.LookPath("opencode")
	cmd := exec.CommandContext(ctx, bin, "run")
	cmd.Stderr = new(bytes.Buffer)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Wait() // want `this waits until every process`
}

func unnamed(ctx context.Context, bin, prompt string) ([]byte, error) {
	return exec.CommandContext(ctx, bin, "run", "--format", "json", prompt).Output() // want `this waits until every process`
}

func unnamedOther(ctx context.Context, bin string) ([]byte, error) {
	return exec.CommandContext(ctx, bin, "run", "--rm").Output() // OK: not known to be OpenCode
}

func files(ctx context.Context, f *os.File) error {
	cmd := exec.CommandContext(ctx, "opencode", "run")
	cmd.Stdout = f
	return cmd.Run() // OK: a file needs no pipe
}

func delayed(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "opencode", "run")
	cmd.WaitDelay = time.Second
	return cmd.Output() // OK
}

func prepared(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "opencode", "run")
	prepare(cmd)
	return cmd.Output() // OK: prepare may set it
}

func prepare(cmd *exec.Cmd) { cmd.WaitDelay = time.Second }

func other(ctx context.Context) ([]byte, error) {
	return exec.CommandContext(ctx, "git", "status").Output() // OK: leaves nothing behind
}

func endless() error {
	cmd := exec.Command("opencode", "run", "x")
	return cmd.Run() // want `nothing ends this run of OpenCode`
}

func endlessContext() error {
	cmd := exec.CommandContext(context.WithValue(context.Background(), 1, 2), "opencode", "run", "x")
	return cmd.Run() // want `nothing ends this run of OpenCode`
}

func bounded() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return exec.CommandContext(ctx, "opencode", "run", "x").Run() // OK
}

func killed() error {
	cmd := exec.Command("opencode", "run", "x")
	if err := cmd.Start(); err != nil {
		return err
	}
	t := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer t.Stop()
	return cmd.Wait() // OK: killed in time
}

func version() ([]byte, error) {
	return exec.Command("opencode", "--version").Output() // OK: ends by itself
}

func passed(args []string) error {
	return exec.Command("opencode", args...).Run() // want `nothing ends this run of OpenCode`
}
