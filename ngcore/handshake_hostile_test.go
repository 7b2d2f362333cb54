//go:build unix

package ngcore_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ngvet/ngvet/ngcore"
)

const (
	testNonce   = "0123456789abcdef0123456789abcdef"
	goodHooks   = `["tool.execute.before","tool.execute.after","command.execute.before","permission.ask","event","experimental.session.compacting","experimental.compaction.autocontinue"]`
	goodContent = `{"v":1,"nonce":"` + testNonce + `","plugin_version":"1","hooks":` + goodHooks + `,"pid":4711,"ts":"2026-11-30T12:00:00.000Z"}` + "\n"
)

// place is where one test case puts its sentinel.
type place struct {
	dir  string
	path string
}

func (p place) config() ngcore.HandshakeConfig {
	return ngcore.HandshakeConfig{Nonce: testNonce, SentinelPath: p.path, PluginPath: "/run/nightgauge.js"}
}

func newPlace(t testing.TB) place {
	t.Helper()
	dir := t.TempDir()
	return place{dir: dir, path: filepath.Join(dir, ".opencode-plugin-r1.json")}
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

type hostileCase struct {
	name  string
	plant func(t testing.TB, p place)
	cfg   func(p place, cfg *ngcore.HandshakeConfig) // nil: p.config() as it is
	want  ngcore.IncompatibleCode
	text  []string // parts of the error's text
	cause error    // errors.Is, when not nil
}

// holds plants a regular file with this content.
func holds(content string) func(testing.TB, place) {
	return func(t testing.TB, p place) { writeFile(t, p.path, content) }
}

// edited plants a good sentinel in which one part is replaced.
func edited(old, new string) func(testing.TB, place) {
	return func(t testing.TB, p place) {
		content := strings.Replace(goodContent, old, new, 1)
		if content == goodContent {
			t.Fatalf("the good sentinel has no %q", old)
		}
		writeFile(t, p.path, content)
	}
}

func nothing(testing.TB, place) {}

func at(path func(p place) string) func(place, *ngcore.HandshakeConfig) {
	return func(p place, cfg *ngcore.HandshakeConfig) { cfg.SentinelPath = path(p) }
}

func TestVerifyLoadedRefusesHostileSentinels(t *testing.T) {
	t.Parallel()
	cases := hostileCases()
	if len(cases) < 60 {
		t.Fatalf("the table has %d cases, want at least 60", len(cases))
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			tc.plant(t, p)
			cfg := p.config()
			if tc.cfg != nil {
				tc.cfg(p, &cfg)
			}
			err := ngcore.VerifyLoaded(cfg)
			var incompatible *ngcore.IncompatibleError
			if !errors.As(err, &incompatible) {
				t.Fatalf("VerifyLoaded = %v, want an *IncompatibleError", err)
			}
			if incompatible.Code != tc.want {
				t.Errorf("code = %q, want %q (%v)", incompatible.Code, tc.want, err)
			}
			if incompatible.Kind() != "adapter_incompatible" {
				t.Errorf("Kind() = %q", incompatible.Kind())
			}
			if incompatible.PluginPath != cfg.PluginPath {
				t.Errorf("PluginPath = %q, want %q", incompatible.PluginPath, cfg.PluginPath)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			for _, part := range tc.text {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not contain %q", err, part)
				}
			}
			if tc.cause != nil && !errors.Is(err, tc.cause) {
				t.Errorf("errors.Is(%v, %v) = false", err, tc.cause)
			}
		})
	}
}

// Each case is read in less than a millisecond; the longest are those of 64 KiB.
func BenchmarkVerifyLoadedHostile(b *testing.B) {
	for _, tc := range hostileCases() {
		b.Run(tc.name, func(b *testing.B) {
			p := newPlace(b)
			tc.plant(b, p)
			cfg := p.config()
			if tc.cfg != nil {
				tc.cfg(p, &cfg)
			}
			b.ReportAllocs()
			for b.Loop() {
				if ngcore.VerifyLoaded(cfg) == nil {
					b.Fatal("accepted")
				}
			}
		})
	}
}

func hostileCases() []hostileCase {
	return slices.Concat(hostileConfigs(), hostileFiles(), hostileDocuments(), hostileValues())
}

func hostileConfigs() []hostileCase {
	set := func(change func(*ngcore.HandshakeConfig)) func(place, *ngcore.HandshakeConfig) {
		return func(_ place, cfg *ngcore.HandshakeConfig) { change(cfg) }
	}
	good := holds(goodContent)
	return []hostileCase{
		{name: "empty configuration", plant: good, want: ngcore.NotConfigured,
			cfg: set(func(c *ngcore.HandshakeConfig) { *c = ngcore.HandshakeConfig{} })},
		{name: "no nonce", plant: good, want: ngcore.NotConfigured, text: []string{ngcore.EnvNonce},
			cfg: set(func(c *ngcore.HandshakeConfig) { c.Nonce = "" })},
		{name: "no nonce on either side", plant: edited(testNonce, ""), want: ngcore.NotConfigured,
			cfg: set(func(c *ngcore.HandshakeConfig) { c.Nonce = "" })},
		{name: "no sentinel path", plant: good, want: ngcore.NotConfigured, text: []string{ngcore.EnvSentinel},
			cfg: set(func(c *ngcore.HandshakeConfig) { c.SentinelPath = "" })},
		{name: "no plugin path", plant: good, want: ngcore.NotConfigured, text: []string{ngcore.EnvPluginPath},
			cfg: set(func(c *ngcore.HandshakeConfig) { c.PluginPath = "" })},
		{name: "relative sentinel path", plant: good, want: ngcore.NotConfigured, text: []string{"an absolute path", `"sentinel.json"`},
			cfg: set(func(c *ngcore.HandshakeConfig) { c.SentinelPath = "sentinel.json" })},
	}
}

func hostileFiles() []hostileCase {
	symlink := func(t testing.TB, target, link string) {
		t.Helper()
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	absent, unreadable := ngcore.SentinelAbsent, ngcore.SentinelUnreadable
	return []hostileCase{
		{name: "missing", plant: nothing, want: absent, text: []string{"did not load", ".opencode-plugin-r1.json", "/run/nightgauge.js"}, cause: fs.ErrNotExist},
		{name: "missing directory", plant: nothing, want: absent, cause: fs.ErrNotExist,
			cfg: at(func(p place) string { return filepath.Join(p.dir, "none", "s.json") })},
		{name: "only the temporary file of a start that was killed", want: absent,
			plant: func(t testing.TB, p place) { writeFile(t, p.path+".00112233.tmp", goodContent) }},
		{name: "a file in place of the directory", plant: holds(goodContent), want: unreadable, cause: unix.ENOTDIR,
			cfg: at(func(p place) string { return filepath.Join(p.path, "s.json") })},
		{name: "a name that is too long", plant: nothing, want: unreadable, cause: unix.ENAMETOOLONG,
			cfg: at(func(p place) string { return filepath.Join(p.dir, strings.Repeat("s", 300)) })},
		{name: "a path with NUL", plant: nothing, want: unreadable,
			cfg: at(func(p place) string { return p.path + "\x00.json" })},
		{name: "directory", want: unreadable, text: []string{"found a directory"}, plant: func(t testing.TB, p place) {
			if err := os.Mkdir(p.path, 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "pipe without a writer", want: unreadable, text: []string{"found a FIFO"}, plant: func(t testing.TB, p place) {
			if err := unix.Mkfifo(p.path, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "pipe with a silent writer", want: unreadable, plant: func(t testing.TB, p place) {
			if err := unix.Mkfifo(p.path, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(p.path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
		}},
		{name: "socket", want: unreadable, plant: func(t testing.TB, p place) {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: p.path, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { l.Close() })
		}},
		{name: "device without an end", plant: nothing, want: unreadable,
			cfg: at(func(place) string { return "/dev/zero" })},
		{name: "symbolic link to a good sentinel", want: unreadable, text: []string{"symbolic link"}, plant: func(t testing.TB, p place) {
			writeFile(t, p.path+".real", goodContent)
			symlink(t, p.path+".real", p.path)
		}},
		{name: "symbolic link to nothing", want: unreadable, plant: func(t testing.TB, p place) { symlink(t, p.path+".none", p.path) }},
		{name: "symbolic link to itself", want: unreadable, plant: func(t testing.TB, p place) { symlink(t, p.path, p.path) }},
		{name: "symbolic link to a device", want: unreadable, plant: func(t testing.TB, p place) { symlink(t, "/dev/zero", p.path) }},
		{name: "directory that is a symbolic link", want: unreadable,
			cfg: at(func(p place) string { return filepath.Join(p.dir, "link", "s.json") }),
			plant: func(t testing.TB, p place) {
				real := filepath.Join(p.dir, "real")
				if err := os.Mkdir(real, 0o700); err != nil {
					t.Fatal(err)
				}
				writeFile(t, filepath.Join(real, "s.json"), goodContent)
				symlink(t, real, filepath.Join(p.dir, "link"))
			}},
		{name: "one byte over the bound", want: unreadable, text: []string{"at most 65536 bytes"},
			plant: holds(goodContent + strings.Repeat(" ", 64<<10+1-len(goodContent)))},
		{name: "a gigabyte", want: unreadable, plant: func(t testing.TB, p place) {
			writeFile(t, p.path, goodContent)
			if err := os.Truncate(p.path, 1<<30); err != nil {
				t.Fatal(err)
			}
		}},
	}
}

func hostileDocuments() []hostileCase {
	object := strings.TrimSpace(goodContent)
	malformed := func(name string, plant func(testing.TB, place), text ...string) hostileCase {
		return hostileCase{name: name, plant: plant, want: ngcore.SentinelMalformed, text: text}
	}
	return []hostileCase{
		malformed("empty", holds("")),
		malformed("white space", holds(" \n\t")),
		malformed("no JSON", holds("loaded\n")),
		malformed("cut", holds(object[:len(object)-2])),
		malformed("NUL bytes", holds(strings.Repeat("\x00", 300))),
		malformed("null", holds("null")),
		malformed("true", holds("true")),
		malformed("number", holds("1")),
		malformed("string", holds(`"`+testNonce+`"`)),
		malformed("array", holds("["+object+"]")),
		malformed("two objects", holds(object+object)),
		malformed("garbage after the object", holds(goodContent+"x")),
		malformed("comma at the end", edited(`Z"}`, `Z",}`)),
		malformed("comment", holds("// loaded\n"+goodContent)),
		malformed("single quotes", holds(strings.ReplaceAll(goodContent, `"`, `'`))),
		malformed("byte order mark", holds("\ufeff"+goodContent)),
		malformed("UTF-16", holds("{\x00\"\x00v\x00\"\x00:\x001\x00}\x00")),
		malformed("invalid UTF-8 in the nonce", edited(testNonce, testNonce+"\xff")),
		malformed("invalid UTF-8 in a key", edited(`"pid"`, "\"pid\xc3\"")),
		malformed("lone surrogate in the nonce", edited(testNonce, testNonce+`\ud800`)),
		malformed("nonce twice", edited(`{"v"`, `{"nonce":"`+strings.Repeat("f", 32)+`","v"`), "nonce"),
		malformed("nonce twice with the right one twice", edited(`{"v"`, `{"nonce":"`+testNonce+`","v"`)),
		malformed("nonce twice, once escaped", edited(`{"v"`, `{"\u006eonce":"`+testNonce+`","v"`)),
		malformed("hooks twice", edited(`"pid"`, `"hooks":[],"pid"`)),
		malformed("key in another case", edited(`"nonce"`, `"Nonce"`)),
		malformed("key in both cases", edited(`"pid"`, `"NONCE":"x","pid"`)),
		malformed("unknown key", edited(`"pid"`, `"extra":1,"pid"`), "extra"),
		malformed("prototype key", edited(`"pid"`, `"__proto__":{},"pid"`)),
		malformed("deep nesting", edited(`"pid"`, `"extra":`+strings.Repeat("[", 20000)+`,"pid"`)),
		malformed("deep nesting in a known key", edited(goodHooks, strings.Repeat("[", 20000)+strings.Repeat("]", 20000))),
		malformed("no v", edited(`"v":1,`, ``), "v: expected 1, found 0"),
		malformed("no nonce", edited(`"nonce":"`+testNonce+`",`, ``), "nonce: expected a value"),
		malformed("no plugin version", edited(`"plugin_version":"1",`, ``), "plugin_version"),
		malformed("no hooks", edited(`"hooks":`+goodHooks+`,`, ``), "hooks: expected a list"),
		malformed("no pid", edited(`"pid":4711,`, ``), "pid"),
		malformed("no time", edited(`,"ts":"2026-11-30T12:00:00.000Z"`, ``), "ts"),
		malformed("empty object", holds("{}")),
		malformed("v of another format", edited(`"v":1`, `"v":2`), "v: expected 1, found 2"),
		malformed("v as a string", edited(`"v":1`, `"v":"1"`)),
		malformed("v as a fraction", edited(`"v":1`, `"v":1.5`)),
		malformed("nonce as a number", edited(`"`+testNonce+`"`, `1`)),
		malformed("nonce null", edited(`"`+testNonce+`"`, `null`)),
		malformed("nonce in a list", edited(`"`+testNonce+`"`, `["`+testNonce+`"]`)),
		malformed("plugin version as a number", edited(`"plugin_version":"1"`, `"plugin_version":1`)),
		malformed("hooks null", edited(goodHooks, `null`)),
		malformed("hooks as an object", edited(goodHooks, `{"0":"event"}`)),
		malformed("hooks as a string", edited(goodHooks, `"event"`)),
		malformed("hook that is a number", edited(`"event"`, `7`)),
		malformed("pid as a string", edited(`4711`, `"4711"`)),
		malformed("pid zero", edited(`4711`, `0`)),
		malformed("pid negative", edited(`4711`, `-1`)),
		malformed("pid past every integer", edited(`4711`, `1e400`)),
		malformed("time that is none", edited(`2026-11-30T12:00:00.000Z`, `yesterday`), "ts"),
		malformed("time as a number", edited(`"2026-11-30T12:00:00.000Z"`, `1`)),
	}
}

func hostileValues() []hostileCase {
	nonce, version, hooks := ngcore.NonceDiffers, ngcore.VersionDiffers, ngcore.HooksDiffer
	other := strings.Repeat("f", 32)
	return []hostileCase{
		{name: "nonce of another run", plant: edited(testNonce, other), want: nonce, text: []string{testNonce, other}},
		{name: "nonce in another case", plant: edited(testNonce, strings.ToUpper(testNonce)), want: nonce},
		{name: "nonce cut", plant: edited(testNonce, testNonce[:31]), want: nonce},
		{name: "nonce with a newline", plant: edited(testNonce, testNonce+`\n`), want: nonce, text: []string{`\n`}},
		{name: "nonce that floods the log", plant: edited(testNonce, strings.Repeat("f", 60<<10)), want: nonce, text: []string{"61440 bytes"}},
		{name: "newer plugin", plant: edited(`"plugin_version":"1"`, `"plugin_version":"2"`), want: version, text: []string{`expected "1", found "2"`}},
		{name: "plugin version with a space", plant: edited(`"plugin_version":"1"`, `"plugin_version":"1 "`), want: version},
		{name: "plugin version with a zero", plant: edited(`"plugin_version":"1"`, `"plugin_version":"1.0"`), want: version},
		{name: "wrong nonce and wrong version", want: nonce,
			plant: edited(`"nonce":"`+testNonce+`","plugin_version":"1"`, `"nonce":"x","plugin_version":"2"`)},
		{name: "no hook at all", plant: edited(goodHooks, `[]`), want: hooks, text: []string{`"tool.execute.before" as hook 1`, "the end of 0 hooks"}},
		{name: "hooks in another order", want: hooks, text: []string{`expected "tool.execute.before" as hook 1, found "tool.execute.after"`},
			plant: edited(`"tool.execute.before","tool.execute.after"`, `"tool.execute.after","tool.execute.before"`)},
		{name: "gate hook missing", plant: edited(`"tool.execute.before",`, ``), want: hooks},
		{name: "last hook missing", plant: edited(`,"experimental.compaction.autocontinue"`, ``), want: hooks, text: []string{"the end of 6 hooks"}},
		{name: "one hook more", plant: edited(`autocontinue"]`, `autocontinue","dispose"]`), want: hooks, text: []string{"the end of 7 hooks", `"dispose"`}},
		{name: "hook twice", plant: edited(`"event"`, `"event","event"`), want: hooks},
		{name: "hook misspelled", plant: edited(`tool.execute.before`, `tool.execute.befor`), want: hooks, text: []string{`"tool.execute.befor"`}},
		{name: "hook in another case", plant: edited(`"event"`, `"Event"`), want: hooks},
		{name: "empty hook name", plant: edited(`"event"`, `""`), want: hooks},
	}
}

func TestVerifyLoadedAcceptsTheGoodSentinel(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		content string
	}{
		{"as the plugin writes it", goodContent},
		{"without a newline", strings.TrimSpace(goodContent)},
		{"with white space", strings.ReplaceAll(goodContent, `,"`, ",\r\n  \""+"")},
		{"keys in another order", `{"ts":"2026-11-30T12:00:00Z","pid":1,"hooks":` + goodHooks + `,"plugin_version":"1","nonce":"` + testNonce + `","v":1}`},
		{"exactly at the bound", goodContent + strings.Repeat(" ", 64<<10-len(goodContent))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			writeFile(t, p.path, tc.content)
			if err := ngcore.VerifyLoaded(p.config()); err != nil {
				t.Fatal(err)
			}
		})
	}
}
