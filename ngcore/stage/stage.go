package stage

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/ngcore/host"
)

const (
	// versionBound is how long "opencode --version" may take; 1.3 s were measured.
	versionBound = time.Minute

	// pipeBound is how long a process that has left OpenCode may hold its output open
	// (BUGS.md B70).
	pipeBound = 500 * time.Millisecond
)

// Run runs OpenCode once and waits for its end and for the verdict. Whatever the agent did
// and however OpenCode ended, the outcome is a Result. An error means that nothing was
// started: cfg cannot be used, the work tree holds code that OpenCode would load
// (*ForeignCodeError), or the run's files cannot be written.
//
// When ctx is done the run is ended and reported as Interrupted. Nothing that OpenCode
// started outlives Run on Linux; elsewhere, nothing that stayed in its process group. On
// Linux OpenCode also ends when this process is killed.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if err := platformFault(); err != nil {
		return Result{}, err
	}
	p, err := prepare(cfg)
	if err != nil {
		return Result{}, err
	}
	defer p.removeScratch()
	handshake, err := ngcore.NewHandshake(p.handshake)
	if err != nil {
		return Result{}, err
	}
	s := &supervisor{prepared: p, handshake: handshake, result: Result{
		RunID:    p.id,
		ExitCode: -1,
		Start:    time.Now(),
		Calls:    []Call{},
		Notes:    p.notes,
		Files:    p.files,
	}}
	if err := s.attempt(ctx); err != nil {
		p.discard()
		return Result{}, err
	}
	s.result.DurationMS = time.Since(s.result.Start).Milliseconds()
	return s.result, nil
}

// attempt runs OpenCode if its version permits.
func (s *supervisor) attempt(ctx context.Context) error {
	if err := s.askVersion(ctx); err != nil && ctx.Err() != nil {
		s.conclude(Interrupted, fmt.Errorf("interrupted before OpenCode was started: %w", context.Cause(ctx)))
		return nil
	} else if err != nil {
		return err
	}
	if err := s.checkVersion(); err != nil {
		s.conclude(Incompatible, err)
		return nil
	}
	return s.run(ctx)
}

// supervisor is one run under way.
type supervisor struct {
	*prepared
	handshake *ngcore.Handshake
	cancel    context.CancelCauseFunc
	observing sync.Mutex
	result    Result
	uses      []ngcore.ToolUse
	failing   bool // the stream's last word was an error: no step followed
}

func (s *supervisor) observe(u Update) {
	if s.cfg.Observe == nil {
		return
	}
	s.observing.Lock()
	defer s.observing.Unlock()
	s.cfg.Observe(u)
}

// conclude sets the class unless one is set already: the first finding is the reason.
func (s *supervisor) conclude(class Class, err error) {
	if s.result.Class == "" {
		s.result.Class, s.result.Reason, s.result.Err = class, err.Error(), err
	}
}

func (s *supervisor) note(format string, args ...any) {
	s.result.Notes = append(s.result.Notes, fmt.Sprintf(format, args...))
}

func (s *supervisor) askVersion(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, versionBound)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.cfg.OpenCode, "--version")
	cmd.Env = ngcore.HandshakeConfig{}.ChildEnv(s.env) // nothing may answer for the run yet
	cmd.Dir = s.dirs.home
	cmd.WaitDelay = pipeBound
	out, err := cmd.Output()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("ask %s for its version: %w", s.cfg.OpenCode, err)
	}
	s.result.OpenCodeVersion = strings.TrimSpace(string(out))
	return nil
}

// checkVersion refuses an OpenCode that the plugin was not made for before it can run
// without it: a plugin of version 1's form does not load in version 2, silently (BUGS.md
// B26).
func (s *supervisor) checkVersion() error {
	_, err := host.Lookup(s.result.OpenCodeVersion)
	if err == nil || s.cfg.AnyVersion {
		return nil
	}
	return err
}
