package ngvet_test

import (
	"bytes"
	"cmp"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/internal/ngvet"
)

// mutated are the parts of this repository that mutations change, with what they import.
var mutated = []string{"plugin", "ngcore", "internal/nightgauge", "internal/shellword", "internal/tasklist", "internal/modelserver", "scripts/reprobe"}

// TestMutationsOfThisRepository changes each contract of a copy of this repository, one
// side at a time. There are as many copies as mutations run at once.
func TestMutationsOfThisRepository(t *testing.T) {
	t.Parallel()
	copies := make(chan string, runtime.GOMAXPROCS(0))
	for range cap(copies) {
		copies <- copyRepository(t)
	}
	clean := <-copies
	if status, out := check(t, clean, "./..."); status != ngvet.ExitClean || out != "" {
		t.Fatalf("unchanged copy: exit status %d, output:\n%s", status, out)
	}
	copies <- clean
	for _, i := range invariants {
		for _, m := range i.mutations {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				dir := <-copies
				defer func() { copies <- dir }()
				testMutation(t, dir, m)
			})
		}
	}
}

// copyRepository returns a copy that git would take for its own: only there line ends matter.
func copyRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range mutated {
		copyTree(t, filepath.Join("..", "..", part), filepath.Join(dir, part))
	}
	for _, name := range []string{"go.mod", "go.sum", ".gitattributes"} {
		copyFile(t, filepath.Join("..", "..", name), filepath.Join(dir, name))
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// testMutation applies a mutation to a copy, expects its findings and nothing else, and
// takes it back.
func testMutation(t *testing.T, dir string, m mutation) {
	if len(m.before) > 0 {
		for _, e := range m.before {
			defer e.apply(t, dir)()
		}
		if status, out := check(t, dir, m.target()); status != ngvet.ExitClean {
			t.Fatalf("without the mutation: exit status %d, output:\n%s", status, out)
		}
	}
	defer m.apply(t, dir)()
	status, out := check(t, dir, m.target())
	if status != ngvet.ExitFindings {
		t.Fatalf("exit status %d, want %d; output:\n%s", status, ngvet.ExitFindings, out)
	}
	var found []string
	for _, f := range regexp.MustCompile(`(?m)^\S.* \(([a-z]+/[a-z0-9]+)\)$`).FindAllStringSubmatch(out, -1) {
		found = append(found, f[1])
	}
	slices.Sort(found)
	if diff := gocmp.Diff(m.rules(), found); diff != "" {
		t.Errorf("rules that report (-want +got):\n%s%s", diff, out)
	}
	for _, side := range append(m.sides, cmp.Or(m.where, m.file+":")) {
		if !regexp.MustCompile(regexp.QuoteMeta(side) + `\d+:\d+`).MatchString(out) {
			t.Errorf("report does not name %s:\n%s", side, out)
		}
	}
}

// rules are those of the findings, sorted.
func (m mutation) rules() []string {
	return slices.Sorted(slices.Values(append(slices.Repeat([]string{m.rule}, m.count), m.also...)))
}

// target is the package that a mutation is found in.
func (m mutation) target() string {
	switch path.Ext(m.file) {
	case ".go", ".json":
		return "./" + path.Dir(m.file)
	}
	return "./plugin"
}

// apply makes an edit in a copy and returns the function that takes it back.
func (e edit) apply(t *testing.T, dir string) (undo func()) {
	t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(e.file))
	if e.old == "" {
		writeFile(t, name, e.new)
		return func() { os.Remove(name) }
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(before), e.old) {
		t.Fatalf("%s does not hold %q", e.file, e.old)
	}
	writeFile(t, name, strings.Replace(string(before), e.old, e.new, 1))
	return func() { writeFile(t, name, string(before)) }
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
