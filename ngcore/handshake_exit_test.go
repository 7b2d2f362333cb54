package ngcore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

// run is one run as a stage prepares it: a written tree and a place for the sentinel.
type run struct {
	cfg  ngcore.HandshakeConfig
	dir  string
	tree string
}

func newRun(t *testing.T) run {
	t.Helper()
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	entry, err := ngcore.Write(tree)
	if err != nil {
		t.Fatal(err)
	}
	return run{
		dir:  dir,
		tree: tree,
		cfg: ngcore.HandshakeConfig{
			Nonce:        strings.Repeat("a", 32),
			SentinelPath: ngcore.SentinelPath(filepath.Join(dir, "out.json"), dir, "r1"),
			PluginPath:   entry,
		},
	}
}

func (r run) sentinel() string {
	return `{"v":1,"nonce":"` + r.cfg.Nonce + `","plugin_version":"` + ngcore.PluginVersion + `","hooks":["` +
		strings.Join(ngcore.HookNames, `","`) + `"],"pid":4711,"ts":"2026-11-30T12:00:00.000Z"}` + "\n"
}

// answer writes the sentinel the way the plugin does, with a file time of its own.
func (r run) answer(t *testing.T, written time.Time) {
	t.Helper()
	temp := r.cfg.SentinelPath + ".tmp"
	if err := os.WriteFile(temp, []byte(r.sentinel()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(temp, time.Time{}, written); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(temp, r.cfg.SentinelPath); err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, want ngcore.IncompatibleCode) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("unexpected error: %v", err)
		}
		return
	}
	var incompatible *ngcore.IncompatibleError
	if !errors.As(err, &incompatible) {
		t.Errorf("error = %v, want an *IncompatibleError", err)
		return
	}
	if incompatible.Code != want {
		t.Errorf("code = %q, want %q (%v)", incompatible.Code, want, err)
	}
}

// A moment on a file system with nanoseconds, and moments as coarser ones store them.
var (
	firstUse    = time.Date(2026, 11, 30, 12, 0, 0, 123_000_000, time.UTC)
	fineClock   = 456_789 * time.Nanosecond
	wholeSecond = time.Date(2026, 11, 30, 12, 0, 1, 0, time.UTC)
)

func TestVerifyNotLateByClock(t *testing.T) {
	t.Parallel()
	const late = ngcore.SentinelLate
	for _, tc := range []struct {
		name    string
		written time.Time
		use     time.Time
		want    ngcore.IncompatibleCode
	}{
		{"long before", firstUse.Add(-time.Hour + fineClock), firstUse, ""},
		{"a tick before", firstUse.Add(-3*time.Millisecond + fineClock), firstUse, ""},
		{"2.6 ms before, as a kernel's coarse clock stamps a later write", firstUse.Add(-2600 * time.Microsecond), firstUse, ""},
		{"the same moment", firstUse.Add(0), firstUse, ""},
		{"the same millisecond, which the stream cuts", firstUse.Add(fineClock), firstUse, ""},
		{"a tick after", firstUse.Add(3*time.Millisecond + fineClock), firstUse, ""},
		{"past the tick", firstUse.Add(5*time.Millisecond + fineClock), firstUse, late},
		{"1.5 s after with nanoseconds", firstUse.Add(1500*time.Millisecond + fineClock), firstUse, late},
		{"an hour after: a shared mount with a clock ahead", firstUse.Add(time.Hour + fineClock), firstUse, late},
		{"whole second, the use 1.5 s before it", wholeSecond, wholeSecond.Add(-1500 * time.Millisecond), ""},
		{"whole second, the use 2.1 s before it", wholeSecond, wholeSecond.Add(-2100 * time.Millisecond), late},
		{"10 ms steps, the use 14 ms before it", wholeSecond.Add(20 * time.Millisecond), wholeSecond.Add(6 * time.Millisecond), ""},
		{"10 ms steps, the use 16 ms before it", wholeSecond.Add(20 * time.Millisecond), wholeSecond.Add(4 * time.Millisecond), late},
		{"in another zone", firstUse.Add(-time.Second), firstUse.In(time.FixedZone("east", 9*3600)), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := newRun(t)
			r.answer(t, tc.written)
			wantCode(t, ngcore.VerifyNotLate(r.cfg, tc.use), tc.want)
		})
	}
}

func TestVerifyNotLateWithoutToolUse(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	wantCode(t, ngcore.VerifyNotLate(r.cfg, time.Time{}), "")
	wantCode(t, ngcore.VerifyNotLate(ngcore.HandshakeConfig{}, time.Time{}), ngcore.NotConfigured)
	wantCode(t, ngcore.VerifyNotLate(r.cfg, firstUse), ngcore.SentinelAbsent)
}

func TestVerifyNotLateReadsTheContent(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	r.answer(t, firstUse.Add(-time.Hour))
	other := r.cfg
	other.Nonce = strings.Repeat("b", 32)
	wantCode(t, ngcore.VerifyNotLate(other, firstUse), ngcore.NonceDiffers)
}

// The steps of a run, in the order in which a stage sees them.
func TestHandshakeOverARun(t *testing.T) {
	t.Parallel()
	now := time.Now()
	hourAhead := now.Add(time.Hour) // still ahead when a busy machine comes to the row
	replace := func(edit func(string) string) func(*testing.T, run) {
		return func(t *testing.T, r run) {
			if err := os.WriteFile(r.cfg.SentinelPath, []byte(edit(r.sentinel())), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(t *testing.T, r run) {
		if err := os.Remove(r.cfg.SentinelPath); err != nil {
			t.Fatal(err)
		}
	}
	link := func(t *testing.T, r run) {
		real := r.cfg.SentinelPath + ".real"
		if err := os.Rename(r.cfg.SentinelPath, real); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(real, r.cfg.SentinelPath); err != nil {
			t.Skip("this system has no symbolic links: ", err)
		}
	}
	answer := func(at time.Time) func(*testing.T, run) {
		return func(t *testing.T, r run) { r.answer(t, at) }
	}
	editGate := func(t *testing.T, r run) {
		if err := os.WriteFile(filepath.Join(r.tree, "nightgauge", "gates.js"), []byte("// open\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name      string
		before    func(*testing.T, run) // before step_start
		stepStart bool
		between   func(*testing.T, run) // between step_start and the first tool
		use       time.Time             // start of the first tool; zero: none
		after     func(*testing.T, run) // before the exit
		want      ngcore.IncompatibleCode
	}{
		{name: "good", before: answer(now), stepStart: true, use: hourAhead},
		{name: "good without a tool", before: answer(now), stepStart: true},
		{name: "good and seen at exit only", before: answer(now)},
		{name: "good without step_start", before: answer(now), use: hourAhead},
		{name: "good with the clock set back between start and tool", before: answer(hourAhead.Add(time.Hour)), stepStart: true, use: hourAhead},
		{name: "good on a shared mount whose clock is ahead", before: answer(hourAhead.Add(time.Hour + fineClock)), stepStart: true, use: hourAhead},
		{name: "good with a coarse clock", before: answer(now.Truncate(time.Second)), use: now.Truncate(time.Second).Add(-time.Second)},
		{name: "touched but the same file: refused", before: answer(now), stepStart: true, use: hourAhead, want: ngcore.SentinelReplaced,
			after: func(t *testing.T, r run) {
				if err := os.Chtimes(r.cfg.SentinelPath, time.Time{}, hourAhead); err != nil {
					t.Fatal(err)
				}
			}},
		{name: "never answered", before: func(*testing.T, run) {}, stepStart: true, want: ngcore.SentinelAbsent},
		{name: "never answered and never asked", before: func(*testing.T, run) {}, want: ngcore.SentinelAbsent},
		{name: "answered after step_start", before: func(*testing.T, run) {}, stepStart: true, between: answer(now), use: hourAhead, want: ngcore.SentinelAbsent},
		{name: "answered after the first tool", before: answer(now), use: now.Add(-time.Minute), want: ngcore.SentinelLate},
		{name: "written again with the same content", before: answer(now), stepStart: true, after: answer(now.Add(time.Second)), want: ngcore.SentinelReplaced},
		{name: "removed and written again in the same moment", before: answer(now), stepStart: true, want: ngcore.SentinelReplaced,
			after: func(t *testing.T, r run) {
				// The old file keeps its inode alive, so that the new one has another.
				if err := os.Rename(r.cfg.SentinelPath, r.cfg.SentinelPath+".old"); err != nil {
					t.Fatal(err)
				}
				r.answer(t, now)
			}},
		{name: "another pid after the load", before: answer(now), stepStart: true, want: ngcore.SentinelReplaced,
			after: replace(func(s string) string { return strings.Replace(s, "4711", "4712", 1) })},
		{name: "another pid after the load with the time put back", before: answer(now), stepStart: true, want: ngcore.SentinelReplaced,
			after: func(t *testing.T, r run) {
				replace(func(s string) string { return strings.Replace(s, "4711", "4712", 1) })(t, r)
				if err := os.Chtimes(r.cfg.SentinelPath, time.Time{}, now); err != nil {
					t.Fatal(err)
				}
			}},
		{name: "another nonce after the load", before: answer(now), stepStart: true, want: ngcore.NonceDiffers,
			after: replace(func(s string) string { return strings.Replace(s, "aaaa", "bbbb", 1) })},
		{name: "emptied after the load", before: answer(now), stepStart: true, want: ngcore.SentinelMalformed,
			after: replace(func(string) string { return "" })},
		{name: "deleted after the load", before: answer(now), stepStart: true, after: remove, want: ngcore.SentinelAbsent},
		{name: "replaced by a link after the load", before: answer(now), stepStart: true, after: link, want: ngcore.SentinelUnreadable},
		{name: "gate edited during the run", before: answer(now), stepStart: true, use: hourAhead, after: editGate, want: ngcore.TreeChanged},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := newRun(t)
			h, err := ngcore.NewHandshake(r.cfg)
			if err != nil {
				t.Fatal(err)
			}
			tc.before(t, r)
			if tc.stepStart {
				err = h.StepStart()
			}
			if err == nil && tc.between != nil {
				tc.between(t, r)
			}
			if err == nil && !tc.use.IsZero() {
				err = h.ToolUse(tc.use)
			}
			if err == nil && tc.after != nil {
				tc.after(t, r)
			}
			if err == nil {
				err = h.Exit()
			}
			wantCode(t, err, tc.want)
			if again := h.Exit(); tc.want != "" && again != err {
				t.Errorf("Exit after a failure = %v, want the first error %v", again, err)
			}
		})
	}
}

func TestNewHandshakeRefusesPartialConfigurations(t *testing.T) {
	t.Parallel()
	_, err := ngcore.NewHandshake(ngcore.HandshakeConfig{Nonce: "n"})
	wantCode(t, err, ngcore.NotConfigured)
}

// Parallel calls end in any order; the one that started first decides.
func TestHandshakeRemembersTheEarliestToolUse(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	now := time.Now()
	r.answer(t, now)
	h, err := ngcore.NewHandshake(r.cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []time.Time{now.Add(time.Hour), now.Add(-time.Minute), now.Add(2 * time.Hour)} {
		if err := h.ToolUse(start); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, h.Exit(), ngcore.SentinelLate)
}

func TestHandshakeIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	r.answer(t, time.Now())
	h, err := ngcore.NewHandshake(r.cfg)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if err := errors.Join(h.StepStart(), h.ToolUse(time.Now().Add(time.Duration(i)*time.Hour))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	wantCode(t, h.Exit(), "")
}

// A late answer must not turn a failed start into a good run.
func TestHandshakeFailureIsFinal(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	h, err := ngcore.NewHandshake(r.cfg)
	if err != nil {
		t.Fatal(err)
	}
	first := h.StepStart()
	wantCode(t, first, ngcore.SentinelAbsent)
	if !errors.Is(first, fs.ErrNotExist) {
		t.Errorf("errors.Is(%v, fs.ErrNotExist) = false", first)
	}
	r.answer(t, time.Now())
	if err := h.StepStart(); err != first {
		t.Errorf("second StepStart = %v, want the first error", err)
	}
	if err := h.ToolUse(time.Now()); err != first {
		t.Errorf("ToolUse = %v, want the first error", err)
	}
}
