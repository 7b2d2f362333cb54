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
	switch {
	case errors.Is(err, fs.ErrNotExist):
		absent := differs(SentinelAbsent, cfg.PluginPath, "the plugin did not load, or not whole", "the sentinel "+cfg.SentinelPath, "no file")
		absent.Err = fs.ErrNotExist // err names the path once more
		return nil, absent
	case err != nil:
		return nil, unproven(SentinelUnreadable, cfg.PluginPath, "the sentinel cannot be read", err)
	}
	s, err := decodeSentinel(found.content)
	if err != nil {
		return nil, unproven(SentinelMalformed, cfg.PluginPath, "the sentinel "+cfg.SentinelPath+" is malformed", err)
	}
	if err := compareSentinel(cfg, s); err != nil {
		return nil, err
	}
	return found, nil
}

func openSentinel(cfg HandshakeConfig) (*sentinelFile, error) {
	f, err := openRegular(cfg.SentinelPath, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > plugin.SentinelMaxBytes {
		return nil, fmt.Errorf("%s: expected at most %d bytes, found %d", cfg.SentinelPath, plugin.SentinelMaxBytes, info.Size())
	}
	content, err := io.ReadAll(io.LimitReader(f, plugin.SentinelMaxBytes)) // it may be growing
	if err != nil {
		return nil, err
	}
	return &sentinelFile{cfg: cfg, info: info, content: content}, nil
}

// decodeSentinel is strict: exact keys, each once, none missing, none unknown, valid
// UTF-8, nothing after the object. JavaScript and Go must not be able to read one file in
// two ways (BUGS.md B34).
func decodeSentinel(content []byte) (plugin.Sentinel, error) {
	var s plugin.Sentinel
	// One object with one list, and no name in it has a bracket. To refuse other shapes
	// first keeps a hostile one cheap.
	if n := bytes.Count(content, []byte("{")) + bytes.Count(content, []byte("[")); n > 2 {
		return s, fmt.Errorf("expected one object and one list, found %d opening brackets", n)
	}
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
	switch {
	case s.Nonce != cfg.Nonce:
		return differs(NonceDiffers, cfg.PluginPath, "the sentinel answers another run: nonce", quote(cfg.Nonce), quote(s.Nonce))
	case s.PluginVersion != plugin.Version:
		return differs(VersionDiffers, cfg.PluginPath, "another plugin answered: plugin version", quote(plugin.Version), quote(s.PluginVersion))
	case !slices.Equal(s.Hooks, plugin.HookNames):
		expected, found := firstDifference(plugin.HookNames, s.Hooks)
		return differs(HooksDiffer, cfg.PluginPath, "the plugin registered other hooks", expected, found)
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
	what := ""
	switch {
	case !bytes.Equal(f.content, before.content):
		what = "the sentinel's content changed after it was verified"
	case !os.SameFile(f.info, before.info), !f.info.ModTime().Equal(before.info.ModTime()):
		what = "the sentinel was written again after it was verified"
	default:
		return nil
	}
	return differs(SentinelReplaced, f.cfg.PluginPath, what,
		"the file of "+stamp(before.info.ModTime()), "one of "+stamp(f.info.ModTime()))
}

// notAfter refuses a sentinel that was written after the first tool was used.
func (f *sentinelFile) notAfter(firstToolUse time.Time) error {
	written := f.info.ModTime()
	if !written.After(firstToolUse.Add(clockTolerance(written))) {
		return nil
	}
	return differs(SentinelLate, f.cfg.PluginPath, "the sentinel was written after a tool had been used",
		"a file from before "+stamp(firstToolUse), "one of "+stamp(written))
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
