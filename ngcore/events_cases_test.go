package ngcore_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

// appendCase is one row of testdata/append_cases.json, which both writers must satisfy.
type appendCase struct {
	Name   string         `json:"name"`
	Before fileState      `json:"before"`
	Append []ngcore.Event `json:"append"`
	Status []string       `json:"status"` // of each event, as the plugin names it

	// After holds the lines that follow the filling; null when the file is as before.
	// Times are TS, and "b64:" precedes a line that is not text.
	After []string `json:"after"`
}

// fileState says what is at the path before the first event: nothing, Text, Base64, Fill
// bytes of events that end with Tail, or something of a Type that no writer may touch.
type fileState struct {
	Text   *string     `json:"text"`
	Base64 []byte      `json:"base64"`
	Fill   int         `json:"fill"`
	Tail   string      `json:"tail"`
	Mode   fs.FileMode `json:"mode"`
	Type   string      `json:"type"`
}

func TestWritersAgree(t *testing.T) {
	t.Parallel()
	cases := readAppendCases(t)
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				site := prepare(t, t.TempDir(), c.Before)
				var status []string
				for _, ev := range c.Append {
					status = append(status, statusOf(ngcore.AppendRunEvent(site.path, ev)))
				}
				site.check(t, c, status)
			})
		}
	})
	t.Run("JS", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		sites := make([]site, len(cases))
		for i, c := range cases {
			sites[i] = prepare(t, filepath.Join(dir, fmt.Sprint(i)), c.Before)
		}
		for i, status := range runInNode(t, cases, sites) {
			t.Run(cases[i].Name, func(t *testing.T) { sites[i].check(t, cases[i], status) })
		}
	})
}

// statusOf names the outcome of AppendRunEvent as the plugin does.
func statusOf(err error) string {
	switch {
	case err == nil:
		return "written"
	case errors.Is(err, ngcore.ErrEventsTruncated):
		return "truncated"
	case errors.Is(err, ngcore.ErrEventRefused):
		return "refused"
	default:
		return "failed"
	}
}

func readAppendCases(t *testing.T) []appendCase {
	t.Helper()
	data, err := os.ReadFile("testdata/append_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []appendCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// runInNode returns the statuses of every case. The events go to Node as the table spells
// them: Go would repair what is not Unicode on the way.
func runInNode(t *testing.T, cases []appendCase, sites []site) [][]string {
	t.Helper()
	table, err := os.ReadFile("testdata/append_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var runs []map[string]json.RawMessage
	if err := json.Unmarshal(table, &runs); err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		runs[i]["path"], _ = json.Marshal(sites[i].path)
	}
	input, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "runs.json")
	if err := os.WriteFile(file, input, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), nodePath(t), "testdata/append_cases.mjs", "../plugin/nightgauge/events.js", file)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var statuses [][]string
	if err := json.Unmarshal(out, &statuses); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(statuses) != len(cases) {
		t.Fatalf("node ran %d of %d cases", len(statuses), len(cases))
	}
	return statuses
}

// nodePath finds Node. On a developer's machine it may be absent, in CI it must not.
func nodePath(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err == nil {
		return node
	}
	if os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	t.Skipf("the plugin's writer needs Node: %v", err)
	return ""
}

// site is a path with something at it.
type site struct {
	path   string
	state  fileState
	prefix []byte // the filling, which no writer changes
	victim string // file that a link leads to
}

const victimText = "not yours\n"

func prepare(t *testing.T, dir string, state fileState) site {
	t.Helper()
	s := site{path: filepath.Join(dir, "real", ngcore.EventsFileName("run")), state: state, victim: filepath.Join(dir, "victim")}
	must(t, os.MkdirAll(filepath.Dir(s.path), 0o700))
	must(t, os.WriteFile(s.victim, []byte(victimText), 0o644))
	switch {
	case state.Type != "":
		s.placeOther(t)
	case state.Fill > 0:
		s.prefix = filling(state.Fill - len(state.Tail))
		must(t, os.WriteFile(s.path, append(s.prefix, state.Tail...), 0o600))
	case state.Text != nil:
		must(t, os.WriteFile(s.path, []byte(*state.Text), 0o600))
	case state.Base64 != nil:
		must(t, os.WriteFile(s.path, state.Base64, 0o600))
	}
	if state.Mode != 0 {
		must(t, os.Chmod(s.path, state.Mode))
	}
	return s
}

func (s *site) placeOther(t *testing.T) {
	t.Helper()
	dir := filepath.Dir(s.path)
	switch s.state.Type {
	case "symlink":
		must(t, os.Symlink(s.victim, s.path))
	case "dangling":
		must(t, os.Symlink(s.victim+"2", s.path))
	case "dir":
		must(t, os.Mkdir(s.path, 0o700))
	case "fifo":
		must(t, makeFIFO(s.path))
	case "socket":
		// A socket's path is at most 108 bytes, which a test's directory may exceed.
		short, err := os.MkdirTemp("", "")
		must(t, err)
		l, err := net.Listen("unix", filepath.Join(short, "s"))
		must(t, err)
		t.Cleanup(func() { errors.Join(l.Close(), os.RemoveAll(short)) })
		must(t, os.Rename(filepath.Join(short, "s"), s.path))
	case "device":
		s.path = os.DevNull
	case "nodir":
		must(t, os.Remove(dir))
	case "linkdir":
		must(t, os.Rename(dir, dir+"2"))
		must(t, os.Symlink(dir+"2", dir))
	default:
		t.Fatalf("unknown type %q", s.state.Type)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// filling returns events of n bytes in all.
func filling(n int) []byte {
	const plain = `{"v":1,"ts":"2026-11-30T12:00:00.000Z","kind":"idle"}` + "\n"
	const shortest = len(plain) + len(`,"session_id":"a"`)
	var out []byte
	for n > 0 {
		size := n
		if n > shortest+100 {
			size = min(169, n-shortest)
		}
		id := strings.Repeat("a", size-shortest+1)
		out = fmt.Appendf(out, "%s,\"session_id\":%q}\n", plain[:len(plain)-2], id)
		n -= size
	}
	return out
}

var timestamps = regexp.MustCompile(`"ts":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`)

func (s *site) check(t *testing.T, c appendCase, status []string) {
	t.Helper()
	if diff := cmp.Diff(c.Status, status); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	if got, err := os.ReadFile(s.victim); err != nil || string(got) != victimText {
		t.Errorf("victim holds %q (%v), want %q", got, err, victimText)
	}
	if c.Before.Type != "" {
		return
	}
	content, err := os.ReadFile(s.path)
	if c.After == nil {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a refused event left %q (%v)", content, err)
		}
		return
	}
	must(t, err)
	if !bytes.HasPrefix(content, s.prefix) {
		t.Fatalf("the first %d bytes changed", len(s.prefix))
	}
	if diff := cmp.Diff(c.After, linesOf(content[len(s.prefix):])); diff != "" && len(c.After) > 0 {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if len(c.After) == 0 && len(content) != c.Before.Fill {
		t.Errorf("size is %d, want %d as before", len(content), c.Before.Fill)
	}
	s.checkFile(t)
}

// checkFile checks what holds for every file afterwards.
func (s *site) checkFile(t *testing.T) {
	t.Helper()
	info, err := os.Stat(s.path)
	must(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v, want 0600", info.Mode().Perm())
	}
	if info.Size() > max(plugin.EventsMaxBytes, int64(s.state.Fill)) {
		t.Errorf("size is %d, want at most %d", info.Size(), plugin.EventsMaxBytes)
	}
	entries, err := os.ReadDir(filepath.Dir(s.path))
	must(t, err)
	for _, e := range entries {
		if name := filepath.Join(filepath.Dir(s.path), e.Name()); name != s.path && name != plugin.EventsSealName(s.path) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func linesOf(content []byte) []string {
	var lines []string
	for line := range bytes.Lines(timestamps.ReplaceAll(content, []byte(`"ts":"TS"`))) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if strings.ToValidUTF8(string(line), "") != string(line) {
			line = []byte("b64:" + base64.StdEncoding.EncodeToString(line))
		}
		lines = append(lines, string(line))
	}
	return lines
}
