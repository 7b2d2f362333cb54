package gate_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/ngvet/ngvet/ngcore/gate"
)

// labelled is one call of a corpus file with the decision that is right for it.
type labelled struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	Want gate.Decision  `json:"want"`
	Why  string         `json:"why"`
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("corpus files: %v, %v", files, err)
	}
	policy := gate.Careful()
	ws := newWorkspace(t)
	for _, file := range files {
		for n, c := range readCorpus(t, file) {
			v := gate.Decide(policy, gate.Call{Tool: c.Tool, Args: c.Args}, ws)
			if v.Decision != c.Want || v.Code == "" || v.Reason == "" {
				t.Errorf("%s:%d: %s %v\n  got %s (%s: %s)\n  want %s: %s", file, n+1, c.Tool, c.Args, v.Decision, v.Code, v.Reason, c.Want, c.Why)
			}
		}
	}
}

func readCorpus(t testing.TB, file string) []labelled {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []labelled
	for line := range bytes.Lines(data) {
		var c labelled
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s:%d: %v", file, len(list)+1, err)
		}
		list = append(list, c)
	}
	return list
}

// newWorkspace makes the workspace that the corpus is about: a source file, a link to a
// directory inside and one to a directory outside.
func newWorkspace(t testing.TB) gate.Workspace {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(base, "work")
	for _, dir := range []string{"work/src", "work/build", "work/.git", "outside", "home", "tmp", "run/plugin"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"work/src/a.go", "work/src/a.txt", "work/opencode.json", "outside/a.txt"} {
		if err := os.WriteFile(filepath.Join(base, file), []byte("a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"link-out": "../outside", "link-in": "src", "link-git": ".git"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := gate.NewWorkspace(gate.WorkspaceConfig{
		Root: root, Dir: root, Home: filepath.Join(base, "home"), Temp: filepath.Join(base, "tmp"),
		Protected: []string{filepath.Join(base, "run/plugin"), filepath.Join(root, "plugin-tree")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return ws
}
