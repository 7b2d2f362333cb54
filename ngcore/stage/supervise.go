package stage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"sync"
	"time"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

// Bounds of what is kept of OpenCode's output.
const (
	outputMaxBytes = 64 << 20
	stderrMaxBytes = 1 << 20
	hostErrorsMax  = 20
)

// killBound is how long the end of a run's processes is waited for.
const killBound = 2 * time.Second

// Reasons to end a run from here.
var (
	errIdle      = errors.New("no output of OpenCode")
	errTimeLimit = errors.New("time limit of the run")
)

// run starts OpenCode, follows it to its end and concludes. The error is that it could not
// be started.
func (s *supervisor) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	s.cancel = cancel
	cmd, err := s.follow(ctx)
	if err != nil {
		return err
	}
	s.result.ExitCode, s.result.Signal = cmd.ProcessState.ExitCode(), endedBy(cmd)
	s.judge(parent, context.Cause(ctx))
	s.endSurvivors(cmd)
	return nil
}

// follow runs OpenCode until it has ended and its output is read.
func (s *supervisor) follow(ctx context.Context) (*exec.Cmd, error) {
	output, err := createCapped(s.files.Output, outputMaxBytes)
	if err != nil {
		return nil, err
	}
	defer output.close()
	stderr, err := createCapped(s.files.Stderr, stderrMaxBytes)
	if err != nil {
		return nil, err
	}
	defer stderr.close()
	watchdog := time.AfterFunc(math.MaxInt64, func() { s.cancel(errIdle) })
	defer watchdog.Stop()
	activity := writerFunc(func(p []byte) (int, error) {
		watchdog.Reset(s.cfg.IdleTimeout)
		return len(p), nil
	})
	stream, feed := io.Pipe()
	cmd := s.command(ctx, io.MultiWriter(activity, output, feed), stderr)

	s.observe(Update{Kind: UpdateStart, Version: s.result.OpenCodeVersion, Root: s.files.Root})
	release, err := start(cmd)
	if err != nil {
		release()
		return nil, fmt.Errorf("start OpenCode: %w", err)
	}
	// Both limits are OpenCode's: a busy machine may take longer than them to start it.
	watchdog.Reset(s.cfg.IdleTimeout)
	if s.cfg.Timeout > 0 {
		limit := time.AfterFunc(s.cfg.Timeout, func() { s.cancel(errTimeLimit) })
		defer limit.Stop()
	}
	stop := s.watch(ctx, stream)
	err = cmd.Wait()
	release()
	killGroup(cmd) // what OpenCode left in its group
	feed.Close()
	stop()
	if errors.Is(err, exec.ErrWaitDelay) {
		s.note("a process that OpenCode started held its output open after its end")
	}
	if !output.close() || !stderr.close() {
		s.note("the copy of OpenCode's output is not complete")
	}
	return cmd, nil
}

// watch follows what OpenCode says in every place. stop ends that once the stream has ended.
func (s *supervisor) watch(ctx context.Context, stream io.Reader) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	watchers.Go(func() { s.readStream(stream) })
	watchers.Go(func() { s.tailEvents(ctx) })
	watchers.Go(func() { s.watchFirstRequest(ctx) })
	return func() {
		cancel()
		watchers.Wait()
	}
}

func (s *supervisor) command(ctx context.Context, stdout, stderr io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.cfg.OpenCode, s.arguments()...)
	cmd.Dir = s.cfg.WorkDir
	cmd.Env = s.env
	cmd.Stdout, cmd.Stderr = stdout, stderr // no Stdin: OpenCode would read one to its end
	cmd.WaitDelay = pipeBound
	cmd.Cancel = func() error { return killGroup(cmd) }
	return cmd
}

func (s *supervisor) arguments() []string {
	args := []string{"run", "--format", "json", "--title", s.id}
	if s.cfg.Model != "" {
		args = append(args, "--model", s.cfg.Model)
	}
	return append(args, "--", s.cfg.Prompt)
}

// readStream acts on the stream's events until its end. A fault of the handshake ends the
// run at once: the agent would go on ungated.
func (s *supervisor) readStream(r io.Reader) {
	stream := NewStreamReader(r)
	for {
		ev, err := stream.Next()
		if err != nil {
			s.result.SkippedLines = stream.Skipped()
			return
		}
		if s.result.SessionID == "" {
			s.result.SessionID = ev.SessionID
		}
		if err := s.take(ev); err != nil {
			s.cancel(err)
		}
	}
}

func (s *supervisor) take(ev StreamEvent) error {
	switch ev.Type {
	case typeStepStart:
		s.result.Steps++
		s.failing = false
		s.observe(Update{Kind: UpdateStep, Step: s.result.Steps})
		return s.handshake.StepStart()
	case typeToolUse:
		return s.takeCall(ev)
	case typeStepFinish:
		s.result.Tokens.add(ev.Tokens)
		s.result.Cost += ev.Cost
	case typeText:
		s.observe(Update{Kind: UpdateText, Text: ev.Text})
	case typeError:
		s.failing = true
		text := ev.ErrName + ": " + ev.Text
		if errs := s.result.HostErrors; len(errs) == hostErrorsMax {
			s.result.HostErrors = errs[1:]
		}
		s.result.HostErrors = append(s.result.HostErrors, text)
		s.observe(Update{Kind: UpdateError, Text: text})
	}
	return nil
}

func (s *supervisor) takeCall(ev StreamEvent) error {
	use := ngcore.ToolUse{SessionID: ev.SessionID, CallID: ev.CallID, Tool: ev.Tool, Completed: ev.Status == "completed"}
	s.uses = append(s.uses, use)
	s.result.Calls = append(s.result.Calls, Call{CallID: ev.CallID, Tool: ev.Tool, Status: ev.Status})
	update := Update{Kind: UpdateCall, Tool: ev.Tool, Status: ev.Status, Text: ev.Text}
	if !use.Completed && s.cfg.Observe != nil {
		receipts, _ := ngcore.ReadReceipts(s.files.Receipts) // an error is found at the end
		update.Denied = decisionOf(use, receipts).Decision == plugin.DecisionDeny
	}
	s.observe(update)
	return s.handshake.ToolUse(ev.Start)
}

// tailEvents tells the observer what only the events file says.
func (s *supervisor) tailEvents(ctx context.Context) {
	if s.cfg.Observe == nil {
		return
	}
	for ev, err := range ngcore.Tail(ctx, s.files.Events) {
		switch {
		case err != nil:
		case ev.Kind == "compaction":
			s.observe(Update{Kind: UpdateCompaction})
		case ev.Kind == "permission_ask":
			s.observe(Update{Kind: UpdatePermission})
		}
	}
}

// endSurvivors repeats the kill until nothing of the run is left: a process that was
// forked in the instant of a kill escapes it (BUGS.md B75).
func (s *supervisor) endSurvivors(cmd *exec.Cmd) {
	marker := plugin.EnvPluginPath + "=" + s.files.Plugin
	for end := time.Now().Add(killBound); ; time.Sleep(20 * time.Millisecond) {
		n := killSurvivors(cmd, marker)
		if n == 0 {
			return
		}
		if time.Now().After(end) {
			s.note("%d processes of the run could not be ended", n)
			return
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
