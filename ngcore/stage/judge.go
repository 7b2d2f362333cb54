package stage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

// judge classifies the run once OpenCode has ended. cause is why it was ended from here,
// nil when it was not.
func (s *supervisor) judge(ctx context.Context, cause error) {
	s.checkGating(cause)
	s.checkReceipts()
	s.checkForeignCode()
	switch {
	case s.result.Class != "":
	case s.result.Signal != "" && cause != nil:
		s.concludeStopped(cause)
	case s.result.ExitCode != 0, s.failing: // 1.15.13 exits 0 when the model refuses
		s.concludeFailed()
	default:
		s.observe(Update{Kind: UpdateVerify})
		s.awaitVerdict(ctx)
	}
	s.takeEvents()
	if s.result.Class == "" {
		s.concludeVerdict(ctx)
	}
}

// checkGating makes the handshake's last checks. A run that ended badly before its first
// step shows nothing either way: no tool can have run.
func (s *supervisor) checkGating(cause error) {
	var incompatible *ngcore.IncompatibleError
	if !errors.As(cause, &incompatible) {
		began := s.result.Steps > 0 || len(s.result.Calls) > 0
		if !began && s.result.ExitCode != 0 {
			return
		}
		if !errors.As(s.handshake.Exit(), &incompatible) {
			return
		}
	}
	s.conclude(classOf(incompatible.Code), incompatible)
}

// classOf tells a plugin of another version, which needs another binary, from one that
// cannot be shown to have gated.
func classOf(code ngcore.IncompatibleCode) Class {
	switch code {
	case ngcore.VersionDiffers, ngcore.HooksDiffer, ngcore.SentinelMalformed:
		return Incompatible
	}
	return Ungated
}

func (s *supervisor) checkReceipts() {
	receipts, err := ngcore.ReadReceipts(s.files.Receipts)
	if err != nil {
		s.conclude(Ungated, err)
	}
	for _, receipt := range receipts {
		if receipt.Decision == plugin.DecisionAllow {
			s.result.Allowed++
		} else {
			s.result.Denied++
		}
	}
	for i, use := range s.uses {
		receipt := decisionOf(use, receipts)
		s.result.Calls[i].Decision, s.result.Calls[i].Code = receipt.Decision, receipt.Code
	}
	if err := ngcore.CheckReceipts(s.uses, receipts).Err(); err != nil {
		s.conclude(Ungated, err)
	}
}

// checkForeignCode finds code that came while the run was under way, for OpenCode reads its
// configuration again for every directory that it opens.
func (s *supervisor) checkForeignCode() {
	own := []string{filepath.Join(s.dirs.config, "opencode"), filepath.Join(s.dirs.home, ".opencode")}
	if err := findForeignCode(s.cfg.WorkDir, own...); err != nil {
		s.conclude(Ungated, fmt.Errorf("after the run: %w", err))
	}
}

// decisionOf returns the last receipt of a call, or none.
func decisionOf(use ngcore.ToolUse, receipts []ngcore.Receipt) ngcore.Receipt {
	session, call := plugin.ReceiptID(use.SessionID), plugin.ReceiptID(use.CallID)
	for _, r := range slices.Backward(receipts) {
		if r.SessionID == session && r.CallID == call {
			return r
		}
	}
	return ngcore.Receipt{}
}

func (s *supervisor) concludeStopped(cause error) {
	seen := fmt.Sprintf("in step %d, tool calls ended so far: %d", s.result.Steps, len(s.result.Calls))
	if s.result.Steps == 0 {
		// No claim about the plugin: it may not have had its turn (BUGS.md B18).
		seen = "before its first step, which comes after package installs and the start of every plugin"
	}
	switch {
	case errors.Is(cause, errIdle):
		s.conclude(Hung, fmt.Errorf("OpenCode printed nothing for %s, %s", s.cfg.IdleTimeout, seen))
	case errors.Is(cause, errTimeLimit):
		s.conclude(Interrupted, fmt.Errorf("the run reached its time limit of %s, %s", s.cfg.Timeout, seen))
	default:
		s.conclude(Interrupted, fmt.Errorf("%w, %s", cause, seen))
	}
}

// concludeFailed tells a plugin that ended OpenCode from a failure of OpenCode's own. When
// it refuses to start (a configuration that it does not accept) it says "Error:" on stderr
// and prints no event; a plugin that kills the start leaves no sentinel and either an error
// event or nothing at all (measured on 1.18.30).
func (s *supervisor) concludeFailed() {
	how := fmt.Sprintf("exit status %d", s.result.ExitCode)
	if s.result.Signal != "" {
		how = "signal " + s.result.Signal
	}
	if n := len(s.result.HostErrors); n > 0 {
		how += ", " + s.result.HostErrors[n-1]
	}
	refused := len(s.result.HostErrors) == 0 && saysError(s.files.Stderr)
	absent := s.handshake.StepStart()
	switch {
	case s.result.Steps == 0 && absent != nil && !refused:
		s.conclude(PluginFatal, fmt.Errorf("OpenCode ended with %s while it loaded the plugin: %w", how, absent))
	case refused:
		s.conclude(HostError, fmt.Errorf("OpenCode ended with %s; %s says why", how, s.files.Stderr))
	default:
		s.conclude(HostError, fmt.Errorf("OpenCode ended with %s", how))
	}
}

func saysError(stderr string) bool {
	text, err := os.ReadFile(stderr) // has at most stderrMaxBytes
	return err == nil && bytes.Contains(text, []byte("Error: "))
}
