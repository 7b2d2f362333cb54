package embedtree_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/txtar"

	"github.com/ngvet/ngvet/analyzers/embedtree"
	"github.com/ngvet/ngvet/internal/ngvet"
)

var update = flag.Bool("update", false, "rewrite the wanted output in testdata/trees")

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := embedtree.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFSPath(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), embedtree.Check.Analyzer, "fspath", "tagged", "typeparams", "fsutil", "fsuser")
}

func TestFSPathFixes(t *testing.T) {
	t.Parallel()
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), embedtree.Check.Analyzer, "fix", "fiximport")
}

// TestTrees runs ngvet on the module in each archive: analysistest sees no finding in a
// file that is not Go. The file "want" is what ngvet prints of this check, "fixed/NAME" what
// -fix leaves of the file NAME.
func TestTrees(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/trees/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			got := lint(t, unpack(t, a))
			if *update {
				rewrite(t, archive, a, got)
				return
			}
			if diff := cmp.Diff(member(a, "want"), got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			fixed(t, a)
		})
	}
}

// fixed compares the files that -fix leaves.
func fixed(t *testing.T, a *txtar.Archive) {
	t.Helper()
	if !slices.ContainsFunc(a.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "fixed/") }) {
		return
	}
	dir := unpack(t, a)
	lint(t, dir, "-fix")
	for _, f := range a.Files {
		name, ok := strings.CutPrefix(f.Name, "fixed/")
		if !ok {
			continue
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(f.Data), string(got)); diff != "" {
			t.Errorf("%s after -fix (-want +got):\n%s", name, diff)
		}
	}
}

func member(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func unpack(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range a.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// lint returns what ngvet prints of this check.
func lint(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := append(flags, "./...")
	status := ngvet.Main(t.Context(), ngvet.Invocation{Args: args, Dir: dir, Stdout: &stdout, Stderr: &stderr})
	if status == ngvet.ExitUsage {
		t.Fatalf("ngvet: %s", stderr.String())
	}
	var out strings.Builder
	ours := false
	for line := range strings.Lines(stdout.String()) {
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, " ") {
			ours = strings.Contains(line, "(embedtree/")
		}
		if ours {
			out.WriteString(line)
		}
	}
	return out.String()
}

func rewrite(t *testing.T, archive string, a *txtar.Archive, want string) {
	t.Helper()
	for i := range a.Files {
		if a.Files[i].Name == "want" {
			a.Files[i].Data = []byte(want)
		}
	}
	if err := os.WriteFile(archive, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
