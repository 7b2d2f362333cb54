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
	for _, i := range invariants {
		for _, m := range i.mutations {
			t.Run(m.name, func(t *testing.T) { testMutation(t, clean, m) })
		}
	}
}

// testMutation applies a mutation to the copy, expects its one finding and takes it back.
func testMutation(t *testing.T, clean string, m mutation) {
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
