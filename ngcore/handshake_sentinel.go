package ngcore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/ngvet/ngvet/plugin"
)

// sentinelFile is one state of the file: what it said and which file it was.
type sentinelFile struct {
	cfg     HandshakeConfig
	info    fs.FileInfo
	content []byte
}

// readSentinel reads the sentinel and checks all that does not depend on time. Every
// error is an *IncompatibleError.
func readSentinel(cfg HandshakeConfig) (*sentinelFile, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	found, err := openSentinel(cfg)
	if err != nil {
		return nil, err
	}
	s, err := decodeSentinel(found.content)
	if err != nil {
		return nil, &IncompatibleError{
			Code:       SentinelMalformed,
			Reason:     "the sentinel " + cfg.SentinelPath + " is malformed",
			PluginPath: cfg.PluginPath,
			Err:        err,
		}
	}
	if err := compareSentinel(cfg, s); err != nil {
		return nil, err
	}
	return found, nil
}

func openSentinel(cfg HandshakeConfig) (*sentinelFile, error) {
	fail := func(err error) (*sentinelFile, error) {
		e := &IncompatibleError{
			Code:       SentinelUnreadable,
			Reason:     "the sentinel cannot be read",
			PluginPath: cfg.PluginPath,
			Err:        err,
		}
		if errors.Is(err, fs.ErrNotExist) {
			e.Code, e.Reason = SentinelAbsent, "the plugin did not load, or not whole"
			e.Expected, e.Found = "the sentinel "+cfg.SentinelPath, "no file"
		}
		return nil, e
	}
	f, err := openRegular(cfg.SentinelPath, os.O_RDONLY)
	if err != nil {
		return fail(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fail(err)
	}
	content, err := io.ReadAll(io.LimitReader(f, plugin.SentinelMaxBytes+1))
	if err != nil {
		return fail(err)
	}
	if len(content) > plugin.SentinelMaxBytes {
		return fail(fmt.Errorf("read %s: expected at most %d bytes, found %d", cfg.SentinelPath, plugin.SentinelMaxBytes, info.Size()))
	}
	return &sentinelFile{cfg: cfg, info: info, content: content}, nil
}

// decodeSentinel is strict: exact keys, each once, none missing, none unknown, valid
// UTF-8, nothing after the object. JavaScript and Go must not be able to read one file in
// two ways (BUGS.md B34).
func decodeSentinel(content []byte) (plugin.Sentinel, error) {
	var s plugin.Sentinel
	if err := json.Unmarshal(content, &s, json.RejectUnknownMembers(true)); err != nil {
		return s, err
	}
	switch {
	case s.V != plugin.SentinelFormat:
		return s, fmt.Errorf("v: expected %d, found %d", plugin.SentinelFormat, s.V)
	case s.Nonce == "":
		return s, errors.New("nonce: expected a value, found none")
	case s.PluginVersion == "":
		return s, errors.New("plugin_version: expected a value, found none")
	case s.Hooks == nil:
		return s, errors.New("hooks: expected a list, found none")
	case s.PID <= 0:
		return s, fmt.Errorf("pid: expected a positive number, found %d", s.PID)
	}
	if _, err := time.Parse(time.RFC3339, s.TS); err != nil {
		return s, fmt.Errorf("ts: %w", err)
	}
	return s, nil
}

func compareSentinel(cfg HandshakeConfig, s plugin.Sentinel) error {
	differ := func(code IncompatibleCode, reason, expected, found string) error {
		return &IncompatibleError{
			Code: code, Reason: reason, Expected: expected, Found: found, PluginPath: cfg.PluginPath,
		}
	}
	switch {
	case s.Nonce != cfg.Nonce:
		return differ(NonceDiffers, "the sentinel answers another run: nonce", quote(cfg.Nonce), quote(s.Nonce))
	case s.PluginVersion != plugin.Version:
		return differ(VersionDiffers, "another plugin answered: plugin version", quote(plugin.Version), quote(s.PluginVersion))
	case !slices.Equal(s.Hooks, plugin.HookNames):
		expected, found := firstDifference(plugin.HookNames, s.Hooks)
		return differ(HooksDiffer, "the plugin registered other hooks", expected, found)
	}
	return nil
}

// firstDifference names the first place where two lists part.
func firstDifference(want, got []string) (expected, found string) {
	at := func(list []string, i int) string {
		if i >= len(list) {
			return "the end of " + strconv.Itoa(len(list)) + " hooks"
		}
		return quote(list[i])
	}
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	return at(want, i) + " as hook " + strconv.Itoa(i+1), at(got, i)
}

// sameAs refuses a file that is not the one verified before, even when it says the same:
// nobody has a reason to write it again.
func (f *sentinelFile) sameAs(before *sentinelFile) error {
	reason := ""
	switch {
	case !bytes.Equal(f.content, before.content):
		reason = "the sentinel's content changed after it was verified"
	case !os.SameFile(f.info, before.info), !f.info.ModTime().Equal(before.info.ModTime()):
		reason = "the sentinel was written again after it was verified"
	default:
		return nil
	}
	return &IncompatibleError{
		Code:       SentinelReplaced,
		Reason:     reason,
		Expected:   "the file of " + stamp(before.info.ModTime()),
		Found:      "one of " + stamp(f.info.ModTime()),
		PluginPath: f.cfg.PluginPath,
	}
}

// notAfter refuses a sentinel that was written after the first tool was used.
func (f *sentinelFile) notAfter(firstToolUse time.Time) error {
	written := f.info.ModTime()
	if !written.After(firstToolUse.Add(clockTolerance(written))) {
		return nil
	}
	return &IncompatibleError{
		Code:       SentinelLate,
		Reason:     "the sentinel was written after a tool had been used",
		Expected:   "a file from before " + stamp(firstToolUse),
		Found:      "one of " + stamp(written),
		PluginPath: f.cfg.PluginPath,
	}
}

// clockTolerance is how far a file's time may be past a moment that it really preceded.
//
// The stream cuts its times to whole milliseconds, and a kernel stamps files with the
// time of its last tick, up to 4 ms away. Coarser file systems are recognised by the time
// that they stored, not assumed everywhere: a fixed wide window would hide a real
// replacement (BUGS.md B39, B40). FAT has 2 s and rounds up on some systems, exFAT 10 ms.
func clockTolerance(stored time.Time) time.Duration {
	const clocks = 5 * time.Millisecond
	switch ns := time.Duration(stored.Nanosecond()); {
	case ns == 0:
		return clocks + 2*time.Second
	case ns%(10*time.Millisecond) == 0:
		return clocks + 10*time.Millisecond
	default:
		return clocks
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
