package nightgauge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/ngvet/ngvet/internal/tasklist"
	"github.com/ngvet/ngvet/plugin"
)

const (
	// commandBound is the time that the operator's command has. What is left of
	// stopVerifyBound is for its end and for the verdict.
	commandBound = 4 * time.Second

	planMaxBytes = 256 << 10
)

// verdict is what stop-verify found out: codes and counts, never text.
type verdict struct {
	Verdict plugin.Verdict `json:"verdict"`
	Code    verdictCode    `json:"code"`
	Open    int            `json:"open"`           // open task boxes of the plan
	Done    int            `json:"done"`           // ticked ones
	Exit    *int           `json:"exit,omitempty"` // the command's status, -1: a signal ended it
}

// verdictCode tells why a verdict is what it is.
type verdictCode string

const (
	codeNothingToVerify verdictCode = "nothing_to_verify" // complete: neither plan nor command is set
	codePlanDone        verdictCode = "plan_done"         // complete: no box is open
	codeCommandPassed   verdictCode = "command_passed"    // complete: and the command exited 0
	codeOpenBoxes       verdictCode = "open_boxes"        // blocked
	codeCommandFailed   verdictCode = "command_failed"    // blocked
	codeCommandTimeout  verdictCode = "command_timeout"   // timeout
	codeVerifyTimeout   verdictCode = "verify_timeout"    // timeout: not even the plan, or the kill, came to an end
	codeWorkdirMissing  verdictCode = "workdir_missing"   // error, as all below
	codePlanUnreadable  verdictCode = "plan_unreadable"
	codePlanNoBoxes     verdictCode = "plan_without_boxes"
	codeCommandInvalid  verdictCode = "command_invalid"
	codeCommandNoStart  verdictCode = "command_not_started"
	codeInterrupted     verdictCode = "interrupted"
)

// verifyWithin verifies until limit is done. When ctx is done the command is killed, and
// that is the verdict.
func (call stopVerify) verifyWithin(limit, ctx context.Context) verdict {
	found, ok := within(limit, func() verdict { return call.verify(ctx) })
	if !ok {
		return verdict{Verdict: plugin.VerdictTimeout, Code: codeVerifyTimeout}
	}
	return found
}

// verify checks the plan first: it costs nothing, and an open box needs no command.
func (call stopVerify) verify(ctx context.Context) verdict {
	if info, err := os.Stat(call.workdir); err != nil || !info.IsDir() {
		return verdict{Verdict: plugin.VerdictError, Code: codeWorkdirMissing}
	}
	found := verdict{Verdict: plugin.VerdictComplete, Code: codeNothingToVerify}
	if plan := call.getenv(plugin.EnvPlan); plan != "" {
		found = call.verifyPlan(plan)
	}
	if command := call.getenv(plugin.EnvStopVerify); command != "" && found.Verdict == plugin.VerdictComplete {
		return call.verifyCommand(ctx, command, found)
	}
	return found
}

// verifyPlan counts the plan's boxes. A plan without any proves nothing: an agent that
// emptied it must not be done.
func (call stopVerify) verifyPlan(plan string) verdict {
	if !filepath.IsAbs(plan) {
		plan = filepath.Join(call.workdir, plan)
	}
	text, err := readPlan(plan)
	if err != nil {
		return verdict{Verdict: plugin.VerdictError, Code: codePlanUnreadable}
	}
	n := tasklist.Count(text)
	found := verdict{Verdict: plugin.VerdictComplete, Code: codePlanDone, Open: n.Open, Done: n.Done}
	switch {
	case n.Open > 0:
		found.Verdict, found.Code = plugin.VerdictBlocked, codeOpenBoxes
	case n.Done == 0:
		found.Verdict, found.Code = plugin.VerdictError, codePlanNoBoxes
	}
	return found
}

// readPlan reads a regular file of bounded size; a named pipe in its place must not hold
// the verification up.
func readPlan(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("plan %s is %s: expected a regular file", path, info.Mode().Type())
	}
	text, err := io.ReadAll(io.LimitReader(file, planMaxBytes+1))
	if err == nil && len(text) > planMaxBytes {
		err = fmt.Errorf("plan %s: expected at most %d bytes", path, planMaxBytes)
	}
	return string(text), err
}

// verifyCommand runs the operator's command. plan is what the plan has shown.
func (call stopVerify) verifyCommand(ctx context.Context, command string, plan verdict) verdict {
	found := verdict{Verdict: plugin.VerdictError, Code: codeCommandInvalid, Done: plan.Done}
	shell := call.getenv(plugin.EnvStopVerifyShell)
	if shell != "" && shell != "0" && shell != "1" {
		return found
	}
	argv, err := operatorArgv(command, shell == "1")
	if err != nil {
		return found
	}
	ctx, cancel := context.WithTimeout(ctx, commandBound)
	defer cancel()
	status, err := runOperator(ctx, argv, call.workdir)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		found.Verdict, found.Code = plugin.VerdictTimeout, codeCommandTimeout
	case errors.Is(err, context.Canceled):
		found.Code = codeInterrupted
	case err != nil:
		found.Code = codeCommandNoStart
	case status != 0:
		found.Verdict, found.Code, found.Exit = plugin.VerdictBlocked, codeCommandFailed, &status
	default:
		found.Verdict, found.Code, found.Exit = plugin.VerdictComplete, codeCommandPassed, &status
	}
	return found
}
