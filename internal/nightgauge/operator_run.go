package nightgauge

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// pipeBound is how long a killed command's output may stay open. The command gets no pipe
// (its streams are the null device), so this is a second line only.
const pipeBound = 300 * time.Millisecond

// runOperator runs argv in dir and returns its exit status, -1 when a signal ended it.
// When ctx ends first it kills the command with all it started and returns ctx's error; a
// command that cannot start is any other error. Nothing that stays in the command's process
// group outlives the call.
func runOperator(ctx context.Context, argv []string, dir string) (int, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.WaitDelay = pipeBound
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	err := cmd.Wait()
	killGroup(cmd)
	var exit *exec.ExitError
	switch {
	case cmd.ProcessState == nil:
		return 0, err
	case ctx.Err() != nil && !cmd.ProcessState.Success():
		return 0, ctx.Err()
	case err == nil, errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return cmd.ProcessState.ExitCode(), nil
	}
	return 0, err
}
