package ngvet_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/internal/ngvet"
)

// mutation changes one side of one contract of this repository.
type mutation struct {
	name     string
	file     string // relative to the module
	old, new string // of the first occurrence; without old the file is new
	rule     string
	sides    []string // what the report must name besides the file that changed
}

// mutations has every kind of contract at least once on each side.
var mutations = []mutation{
	{"version in Go", "plugin/handshake.go", `Version = "1"`, `Version = "2"`, "mirror/differs", []string{"plugin/nightgauge/handshake.js:"}},
	{"version in JS", "plugin/nightgauge/handshake.js", `PLUGIN_VERSION = "1"`, `PLUGIN_VERSION = "l"`, "mirror/differs", []string{"plugin/handshake.go:"}},
	{"hook name in Go", "plugin/handshake.go", `"permission.ask"`, `"permission.asked"`, "mirror/differs", []string{"plugin/nightgauge/handshake.js:"}},
	{"hook name in JS", "plugin/nightgauge/handshake.js", `  "tool.execute.after",`, `  "tool.execute.After",`, "mirror/differs", []string{"plugin/handshake.go:"}},
	{"hook order in Go", "plugin/handshake.go", "\t\"tool.execute.before\",\n\t\"tool.execute.after\",", "\t\"tool.execute.after\",\n\t\"tool.execute.before\",", "mirror/differs", []string{"plugin/nightgauge/handshake.js:"}},
	{"hook order in JS", "plugin/nightgauge/handshake.js", "  \"tool.execute.before\",\n  \"tool.execute.after\",", "  \"tool.execute.after\",\n  \"tool.execute.before\",", "mirror/differs", []string{"plugin/handshake.go:"}},
	{"registered hook in JS", "plugin/nightgauge.js", `    event: report`, `    events: report`, "hookname/declared", nil},
	{"event kind in Go", "plugin/events.go", `"stop_verify", "permission_ask"`, `"stop_verified", "permission_ask"`, "mirror/differs", []string{"plugin/nightgauge/events.js:"}},
	{"event kind in JS", "plugin/nightgauge/events.js", `"compaction", "idle"`, `"compactions", "idle"`, "mirror/differs", []string{"plugin/events.go:"}},
	{"event kind of a call in JS", "plugin/nightgauge/session.js", `appendEvent("idle"`, `appendEvent("Idle"`, "eventdetail/unknownkind", nil},
	{"truncated kind in Go", "plugin/events.go", `EventTruncatedKind = "truncated"`, `EventTruncatedKind = "truncate"`, "mirror/differs", []string{"plugin/nightgauge/events.js:"}},
	{"file name in Go", "plugin/events.go", `"opencode-events-"`, `"opencode-event-"`, "mirror/differs", []string{"plugin/nightgauge/events.js:"}},
	{"file name in JS", "plugin/nightgauge/events.js", "`opencode-events-${runID}.jsonl`", "`opencode-events-${runID}.json`", "mirror/differs", []string{"plugin/events.go:"}},
	{"cap in Go", "plugin/events.go", `EventsMaxBytes = 1 << 20`, `EventsMaxBytes = 1 << 21`, "mirror/differs", []string{"plugin/nightgauge/append.js:"}},
	{"cap in JS", "plugin/nightgauge/append.js", `EVENTS_MAX_BYTES = 1024 * 1024`, `EVENTS_MAX_BYTES = 1024 * 1025`, "mirror/differs", []string{"plugin/events.go:"}},
	{"environment name in Go", "plugin/env.go", `"NIGHTGAUGE_RUN_ID"`, `"NIGHTGAUGE_RUNID"`, "mirror/differs", []string{"plugin/nightgauge/env.js:"}},
	{"environment name in JS", "plugin/nightgauge/env.js", `process.env.NIGHTGAUGE_RUN_ID`, `process.env.NIGHTGAUGE_RUN`, "mirror/differs", []string{"plugin/env.go:"}},
	{"removed environment name in JS", "plugin/nightgauge/env.js", `delete process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONCE`, `delete process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONSE`, "mirror/differs", []string{"plugin/env.go:"}},
	{"entry in Go", "plugin/embed.go", `EntryFile = "nightgauge.js"`, `EntryFile = "nightgauges.js"`, "mirror/differs", []string{"plugin/nightgauge/env.js:"}},
	{"timeout in JS", "plugin/nightgauge/judge.js", `GATE_TIMEOUT_MS = 10_000`, `GATE_TIMEOUT_MS = 1_000`, "mirror/differs", []string{"plugin/gate.go:"}},
	{"pattern in Go", "plugin/receipts.go", `[a-z0-9_]{0,63}`, `[a-z0-9_]{0,64}`, "mirror/differs", []string{"plugin/nightgauge/receipts.js:"}},
	{"renamed constant in JS", "plugin/nightgauge/handshake.js", `export const SENTINEL_FORMAT`, `export const SENTINEL_FORMATS`, "mirror/missing", []string{"plugin/handshake.go:"}},
	{"text key of a call in JS", "plugin/nightgauge/session.js", `detail: { source: "command",`, `detail: { text: command, source: "command",`, "eventdetail/bannedkey", nil},
	{"model text of a call in JS", "plugin/nightgauge/session.js", `skill: sanitizeEventID(args?.name)`, `skill: args?.name`, "eventdetail/freetext", nil},
	{"free text in Go", "ngcore/detail_mutant.go", "", "package ngcore\n\nfunc mutant(msg string) Event {\n\treturn Event{Kind: \"idle\", Detail: map[string]any{\"text\": msg}}\n}\n", "eventdetail/bannedkey", nil},
	{"archive version in Go", "ngcore/deps.go", `DepsVersion = "1.18.30"`, `DepsVersion = "1.18.31"`, "mirror/differs", []string{"ngcore/deps/opencode-plugin-1.18.30.txtar:"}},
}

// TestMutationsOfThisRepository changes each contract of a copy of this repository, one
// side at a time.
func TestMutationsOfThisRepository(t *testing.T) {
	t.Parallel()
	clean := t.TempDir()
	for _, dir := range []string{"plugin", "ngcore"} {
		copyTree(t, filepath.Join("..", "..", dir), filepath.Join(clean, dir))
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		copyFile(t, filepath.Join("..", "..", name), filepath.Join(clean, name))
	}
	if status, out := check(t, clean, "./plugin", "./ngcore"); status != ngvet.ExitClean || out != "" {
		t.Fatalf("unchanged copy: exit status %d, output:\n%s", status, out)
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			path := filepath.Join(clean, filepath.FromSlash(m.file))
			before, err := os.ReadFile(path)
			if err != nil && m.old != "" {
				t.Fatal(err)
			}
			if !strings.Contains(string(before), m.old) {
				t.Fatalf("%s does not hold %q", m.file, m.old)
			}
			writeFile(t, path, strings.Replace(string(before), m.old, m.new, 1))
			if m.old == "" {
				defer os.Remove(path)
			} else {
				defer writeFile(t, path, string(before))
			}

			status, out := check(t, clean, "./"+strings.Split(m.file, "/")[0])
			if status != ngvet.ExitFindings {
				t.Fatalf("exit status %d, want %d; output:\n%s", status, ngvet.ExitFindings, out)
			}
			place := regexp.MustCompile(regexp.QuoteMeta(m.file) + `:\d+:\d+`)
			if !place.MatchString(out) || !strings.Contains(out, "("+m.rule+")") {
				t.Errorf("report does not name %s and %s:\n%s", m.file, m.rule, out)
			}
			if n := strings.Count(out, "("+m.rule+")"); n != 1 {
				t.Errorf("%d findings of %s, want 1:\n%s", n, m.rule, out)
			}
			for _, side := range m.sides {
				if !regexp.MustCompile(regexp.QuoteMeta(side) + `\d+:\d+`).MatchString(out) {
					t.Errorf("report does not name %s:\n%s", side, out)
				}
			}
		})
	}
}

// check runs ngvet in dir and returns its exit status and output.
func check(t *testing.T, dir string, targets ...string) (status int, out string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = ngvet.Main(t.Context(), ngvet.Invocation{Args: targets, Dir: dir, Stdout: &stdout, Stderr: &stderr})
	return status, stdout.String() + stderr.String()
}

// copyTree copies the files that are no tests.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(from, path)
		if err == nil {
			copyFile(t, path, filepath.Join(to, rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, to, string(data))
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
