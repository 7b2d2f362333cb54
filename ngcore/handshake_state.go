package ngcore

import (
	"sync"
	"time"
)

// Handshake carries the state of one run's checks from the start to the exit, so that
// none of them is forgotten and the file that was verified first is the one that is there
// at the end. Call StepStart, ToolUse and Exit where the stream says so; calling one more
// often, or leaving StepStart out, is harmless. It is safe for concurrent use.
//
// Every error is an *IncompatibleError, and the first one is final: later calls return it
// again.
type Handshake struct {
	cfg HandshakeConfig

	mu         sync.Mutex
	err        error
	loaded     *sentinelFile // the sentinel as it was verified first
	verifiedAt time.Time     // with the reading of the monotonic clock
	firstUse   time.Time     // earliest start of a tool that verifiedAt does not precede
}

// NewHandshake begins the checks of one run. An incomplete cfg is an error.
func NewHandshake(cfg HandshakeConfig) (*Handshake, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	return &Handshake{cfg: cfg}, nil
}

// StepStart verifies the sentinel as VerifyLoaded does, once. Call it at step_start.
func (h *Handshake) StepStart() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.verifyLoaded()
}

// ToolUse verifies the sentinel if StepStart did not, and remembers a tool that started
// before it was verified. start is the call's part.state.time.start; a zero start is the
// present moment.
func (h *Handshake) ToolUse(start time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.verifyLoaded(); err != nil {
		return err
	}
	now := time.Now()
	if start.IsZero() {
		start = now
	}
	if !startedAfter(start, now, now.Sub(h.verifiedAt)) && (h.firstUse.IsZero() || start.Before(h.firstUse)) {
		h.firstUse = start
	}
	return nil
}

// startedAfter reports whether start, by the wall clock as it is now, came after the moment
// that is ago back by the monotonic one: the wall clock may have been set in between.
func startedAfter(start, now time.Time, ago time.Duration) bool {
	return !start.Before(now.Round(0).Add(-ago))
}

// Exit makes the checks that are left once OpenCode has ended: the sentinel was there, is
// still the same file with the same content, and was not written after the first use of a
// tool; and the plugin's tree is unchanged (VerifyTree).
//
// Content decides first. A sentinel that was verified before the first tool started cannot
// be late while it is the same file, so that neither a clock that was set back nor the
// clock of a shared mount can fail that run; only for the others the file's time decides,
// as in VerifyNotLate.
func (h *Handshake) Exit() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.verifyLoaded(); err != nil {
		return err
	}
	h.err = h.verifyExit()
	return h.err
}

func (h *Handshake) verifyLoaded() error {
	if h.err != nil || h.loaded != nil {
		return h.err
	}
	h.loaded, h.err = readSentinel(h.cfg)
	h.verifiedAt = time.Now()
	return h.err
}

func (h *Handshake) verifyExit() error {
	found, err := readSentinel(h.cfg)
	if err != nil {
		return err
	}
	if err := found.sameAs(h.loaded); err != nil {
		return err
	}
	if !h.firstUse.IsZero() {
		if err := found.notAfter(h.firstUse); err != nil {
			return err
		}
	}
	return VerifyTree(h.cfg.PluginPath)
}
