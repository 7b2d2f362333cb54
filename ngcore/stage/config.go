package stage

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// DefaultIdleTimeout is how long a run may print nothing before it counts as hung. A tool
// call is printed when it has ended, so that this also bounds the longest call.
const DefaultIdleTimeout = 15 * time.Minute

// Config is one run. All paths are absolute. Only what is marked as optional may be empty.
type Config struct {
	OpenCode string // the opencode executable, version 1
	HookBin  string // the nightgauge binary whose hook verbs the plugin calls
	WorkDir  string // where the agent works; OpenCode cannot do with "%20" and the like in it
	Prompt   string // what it is asked to do, at most 120 KiB

	Model      string // optional: "provider/model"; else the configuration decides
	HostConfig []byte // optional: content of an opencode.json; every key of it is kept

	GatePolicy string // optional: the operator's policy file, else the built-in one
	StageName  string // optional: the stage whose rules of the policy apply

	Plan            string // optional: Markdown file without open boxes at the end; may be relative to WorkDir
	StopVerify      string // optional: command that must exit 0 at the end
	StopVerifyShell bool   // run StopVerify through sh -c

	// RunRoot is where the run's files go, outside of WorkDir; "" makes a new directory
	// below os.TempDir. It stays after the run, for it holds the evidence.
	RunRoot string

	// RunID is part of the names of the run's files, "" makes a new one. One id cannot be
	// used twice in one RunRoot.
	RunID string

	// Env is the environment to start from, nil is os.Environ(). Of it every NIGHTGAUGE_
	// variable is dropped, and whatever decides what code OpenCode loads.
	Env []string

	Timeout     time.Duration // optional: of the whole run, from OpenCode's start
	IdleTimeout time.Duration // optional: DefaultIdleTimeout

	// AnyVersion runs an OpenCode that this module has no tables of. The handshake and
	// the receipts are then all that shows that the plugin works.
	AnyVersion bool

	// Observe, if not nil, is told what happens as it happens, one call at a time. The
	// run waits for it.
	Observe func(Update)
}

// promptMaxBytes leaves room in the 128 KiB that Linux allows one argument.
const promptMaxBytes = 120 << 10

// isTestBinary reports a Go test binary by its name: it would run its suite once more when
// the plugin calls it.
func isTestBinary(path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(path), ".exe"), ".test")
}

func (cfg *Config) check() error {
	if err := checkProgram("OpenCode", cfg.OpenCode); err != nil {
		return err
	}
	if err := checkProgram("hook binary", cfg.HookBin); err != nil {
		return err
	}
	info, err := os.Stat(cfg.WorkDir)
	switch {
	case isTestBinary(cfg.HookBin):
		return fmt.Errorf("hook binary %s: expected the nightgauge binary, found a Go test binary", cfg.HookBin)
	case !filepath.IsAbs(cfg.WorkDir):
		return fmt.Errorf("working directory: expected an absolute path, found %q", cfg.WorkDir)
	case err != nil:
		return fmt.Errorf("working directory: %w", err)
	case !info.IsDir():
		return fmt.Errorf("working directory %s: expected a directory, found a file", cfg.WorkDir)
	case strings.TrimSpace(cfg.Prompt) == "":
		return errors.New("prompt: expected text, found none")
	case len(cfg.Prompt) > promptMaxBytes:
		return fmt.Errorf("prompt: expected at most %d bytes, found %d; put it into a file and name that", promptMaxBytes, len(cfg.Prompt))
	case strings.ContainsRune(cfg.Prompt, 0):
		return errors.New("prompt: expected text, found a NUL byte")
	case cfg.GatePolicy != "" && !filepath.IsAbs(cfg.GatePolicy):
		return fmt.Errorf("gate policy: expected an absolute path, found %q", cfg.GatePolicy)
	case cfg.Timeout < 0 || cfg.IdleTimeout < 0:
		return errors.New("time limits: expected none below zero")
	}
	return nil
}

// isPercentEncoded reports whether decoding changes dir. OpenCode 1.18.30 decodes the name
// of its directory (measured; BUGS.md B25).
func isPercentEncoded(dir string) bool {
	decoded, err := url.PathUnescape(dir)
	return err == nil && decoded != dir
}

func checkProgram(what, path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%s: expected an absolute path, found %q", what, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s %s: expected an executable file, found mode %s", what, path, info.Mode())
	}
	return nil
}
