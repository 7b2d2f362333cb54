package nightgauge

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

const (
	// stopVerifyBound is the time that one call has in all.
	stopVerifyBound = 5 * time.Second

	// verifyBound is when the verdict is reported without waiting any longer for what is
	// being verified: a file system that hangs, a process that cannot be killed.
	verifyBound = 4500 * time.Millisecond
)

const stopVerifyHelp = `nightgauge hook stop-verify verifies a run whose agent has stopped, in at most 5 s.
The plugin starts it when the root session goes idle.

  --emit-event     append the verdict to the run's events file instead of printing it
  --workdir DIR    absolute directory in which to verify
  --session-id ID  the session that went idle
  --child          the session is a sub-agent's

What is verified comes from the environment; what is not set is not verified:

  NIGHTGAUGE_PLAN               Markdown file, relative to DIR: no task box "- [ ]" may be open
  NIGHTGAUGE_STOP_VERIFY        command that must exit 0: words split as a shell does it
                                but nothing expanded, or a JSON array of strings
  NIGHTGAUGE_STOP_VERIFY_SHELL  "1": run the command through sh -c instead
  NIGHTGAUGE_OUTPUT_FILE, NIGHTGAUGE_RUN_ID  tell where the events file is

The verdict is complete, blocked (open boxes, or the command failed), timeout (the command
had 4 s and was killed with all it started, or the rest took too long) or error (it could
not be verified). It comes with a code, the numbers of open and done boxes and the
command's exit status.

Exit status: 0 complete, 1 any other verdict or the verdict could not be reported, 2 usage
or environment.
`

func hookStopVerifyCommand() command {
	return command{
		name:    strings.Join(plugin.StopVerifyVerb, " "),
		args:    "[--emit-event] --workdir DIR --session-id ID [--child]",
		summary: "verify a run that has stopped (called by the plugin)",
		run:     runStopVerify,
	}
}

// stopVerify is one call of the verb.
type stopVerify struct {
	emit      bool
	workdir   string
	sessionID string
	child     bool
	getenv    func(string) string
}

func runStopVerify(ctx context.Context, inv Invocation) int {
	// An interrupted verification still has its verdict to report.
	bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopVerifyBound)
	defer cancel()
	call, err := parseStopVerify(inv)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(inv.Stdout, stopVerifyHelp)
		return ExitOK
	}
	var path string
	if err == nil && call.emit {
		path, err = call.eventsPath()
	}
	if err != nil {
		fmt.Fprintf(inv.Stderr, "error: %v\nhint: nightgauge hook stop-verify -h explains the flags and the environment\n", err)
		return ExitUsage
	}
	limit, cancelLimit := context.WithTimeout(bound, verifyBound)
	defer cancelLimit()
	found := call.verifyWithin(limit, ctx)
	// A writer near the events file's cap may have to wait longer for its turn than this
	// process may live.
	err, ok := within(bound, func() error { return call.report(found, path, inv.Stdout) })
	if !ok {
		err = fmt.Errorf("gave up after %v: %w", stopVerifyBound, bound.Err())
	}
	if err != nil {
		fmt.Fprintf(inv.Stderr, "error: report the verdict %s: %v\n", found.Verdict, err)
		return ExitFail
	}
	if found.Verdict != plugin.VerdictComplete {
		return ExitFail
	}
	return ExitOK
}

func parseStopVerify(inv Invocation) (stopVerify, error) {
	call := stopVerify{getenv: inv.Getenv}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&call.emit, flagName(plugin.StopVerifyFlagEmit), false, "")
	flags.StringVar(&call.workdir, flagName(plugin.StopVerifyFlagWorkdir), "", "")
	flags.StringVar(&call.sessionID, flagName(plugin.StopVerifyFlagSession), "", "")
	flags.BoolVar(&call.child, "child", false, "")
	if err := flags.Parse(inv.Args); err != nil {
		return call, err
	}
	switch {
	case flags.NArg() > 0:
		return call, fmt.Errorf("expected flags only, found %q", flags.Arg(0))
	case !filepath.IsAbs(call.workdir):
		return call, fmt.Errorf("--workdir is %q: expected an absolute directory", call.workdir)
	case ngcore.SanitizeEventID(call.sessionID) == "":
		return call, fmt.Errorf("--session-id is %q: expected at most 128 letters, digits and ._:-", call.sessionID)
	}
	return call, nil
}

// flagName turns a flag as the plugin spells it into a name for package flag.
func flagName(spelled string) string {
	return strings.TrimLeft(spelled, "-")
}

func (call stopVerify) eventsPath() (string, error) {
	outputFile, runID := call.getenv(plugin.EnvOutputFile), call.getenv(plugin.EnvRunID)
	path, ok := ngcore.EventsPath(outputFile, runID)
	if !ok {
		return "", fmt.Errorf("%s is %q and %s is %q: expected an absolute path and a plain name for --emit-event",
			plugin.EnvOutputFile, outputFile, plugin.EnvRunID, runID)
	}
	return path, nil
}

// report appends the verdict to the events file at path, or prints it when path is empty.
func (call stopVerify) report(found verdict, path string, stdout io.Writer) error {
	if path == "" {
		return json.NewEncoder(stdout).Encode(found)
	}
	detail := map[string]any{
		"verdict": found.Verdict,
		"code":    found.Code,
		"open":    found.Open,
		"done":    found.Done,
	}
	if found.Exit != nil {
		detail["exit"] = *found.Exit
	}
	return ngcore.AppendRunEvent(path, ngcore.Event{
		Kind:      plugin.EventVerdictKind,
		SessionID: ngcore.SanitizeEventID(call.sessionID),
		Child:     call.child,
		Detail:    detail,
	})
}

// within returns what f returns, or false when ctx is done first. Then f is left running.
func within[T any](ctx context.Context, f func() T) (result T, ok bool) {
	done := make(chan T, 1)
	go func() { done <- f() }()
	select {
	case result = <-done:
		return result, true
	case <-ctx.Done():
		return result, false
	}
}
