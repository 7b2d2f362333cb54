// Package findingtest tests checks of plugins on small plugins with comments that say what
// is to be found, as analysistest does for checks of Go packages.
package findingtest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

var (
	wantComment = regexp.MustCompile(`^([\w/]+) "(.*)"\s*$`)
	hostComment = regexp.MustCompile(`(?m)^// host (\S+)$`)
)

// Run runs a check on each directory that the pattern matches: a plugin whose entry is
// plugin.js or plugin.ts. A comment at the end of a line, want RULE "TEXT", stands for one
// finding of the rule there whose message holds the text. A comment line, host VERSION, in
// the entry chooses the version.
func Run(t *testing.T, check *finding.Check, pattern string) {
	t.Helper()
	run(t, pattern, func(prog *js.Program, entry *js.Module, host string) []finding.Finding {
		return check.JS(prog, entry, finding.Options{Host: host, Enable: all(check)})
	})
}

// RunAll is [Run] with several checks at once. Comments name rules in full, as in
// hookio/reassign.
func RunAll(t *testing.T, checks []*finding.Check, pattern string) {
	t.Helper()
	run(t, pattern, func(prog *js.Program, entry *js.Module, host string) []finding.Finding {
		var found []finding.Finding
		for _, check := range checks {
			if check.JS == nil {
				continue
			}
			for _, f := range check.JS(prog, entry, finding.Options{Host: host, Enable: all(check)}) {
				f.Rule = check.Name() + "/" + f.Rule
				found = append(found, f)
			}
		}
		return found
	})
}

func run(t *testing.T, pattern string, findings func(prog *js.Program, entry *js.Module, host string) []finding.Finding) {
	t.Helper()
	dirs, err := filepath.Glob(pattern)
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			prog := js.NewProgram(os.ReadFile)
			entry := load(t, prog, dir)
			var host string
			if m := hostComment.FindSubmatch(entry.Source()); m != nil {
				host = string(m[1])
			}
			compare(t, dir, findings(prog, entry, host))
		})
	}
}

// RunDirs runs the part of a check that looks at whole directories on each directory that
// the pattern matches. Comments are those of [Run], in the .js, .ts and .mjs files at any
// depth; in package.json, which has no comments, a member "// want" of the top object holds
// what is wanted anywhere in the file.
func RunDirs(t *testing.T, check *finding.Check, pattern string) {
	t.Helper()
	dirs, err := filepath.Glob(pattern)
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, dir, check.Dir(js.NewProgram(finding.ReadFile), dir, finding.Options{}))
		})
	}
}

// all names every rule of a check, so that those that are off report as well.
func all(check *finding.Check) []string {
	var names []string
	for _, r := range check.Rules {
		names = append(names, check.Name()+"/"+r.Name)
	}
	return names
}

func compare(t *testing.T, dir string, found []finding.Finding) {
	t.Helper()
	wants := readWants(t, dir)
	for _, f := range found {
		line, _ := f.At.Module.Position(f.At.Span.Start)
		name, err := filepath.Rel(dir, f.At.Module.Path())
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("%s:%d", filepath.ToSlash(name), line)
		if !wants.take(at, f) && !wants.take(filepath.ToSlash(name), f) {
			t.Errorf("%s: unexpected %s: %s", at, f.Rule, f.Message)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(wants)) {
		t.Errorf("%s: no finding for %v", at, wants[at])
	}
}

func load(t *testing.T, prog *js.Program, dir string) *js.Module {
	t.Helper()
	for _, name := range []string{"plugin.js", "plugin.ts"} {
		entry, err := prog.Load(filepath.Join(dir, name))
		if err == nil {
			return entry
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	t.Fatalf("%s has no plugin.js and no plugin.ts", dir)
	return nil
}

type want struct{ rule, text string }

// wants holds the findings that are still missing, by file:line, or by file for any line.
type wants map[string][]want

func readWants(t *testing.T, dir string) wants {
	t.Helper()
	w := wants{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		w.read(t, filepath.ToSlash(name), string(src))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w wants) read(t *testing.T, name, src string) {
	t.Helper()
	for i, line := range strings.Split(src, "\n") {
		at := fmt.Sprintf("%s:%d", name, i+1)
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), `"// want": "`); ok {
			at, line = name, "// want "+strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(text, ","), `"`), `\"`, `"`)
		}
		for _, comment := range strings.Split(line, "// want ")[1:] {
			m := wantComment.FindStringSubmatch(comment)
			if m == nil {
				t.Fatalf("%s: malformed comment: want %s", at, comment)
			}
			w[at] = append(w[at], want{m[1], m[2]})
		}
	}
}

func (w wants) take(at string, f finding.Finding) bool {
	i := slices.IndexFunc(w[at], func(x want) bool { return x.rule == f.Rule && strings.Contains(f.Message, x.text) })
	if i < 0 {
		return false
	}
	if w[at] = slices.Delete(w[at], i, i+1); len(w[at]) == 0 {
		delete(w, at)
	}
	return true
}

// Check runs a check on one source, plugin.ts in a directory of its own.
func Check(t *testing.T, check *finding.Check, src string, opts finding.Options) []finding.Finding {
	t.Helper()
	prog := js.NewProgram(func(string) ([]byte, error) { return nil, fs.ErrNotExist })
	entry, err := prog.LoadSource(filepath.Join(t.TempDir(), "plugin.ts"), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return check.JS(prog, entry, opts)
}

// Fuzz runs a check of plugins on any module, with the files that the pattern matches as
// seeds. The check never panics, and every finding has a rule of the check and a place in
// the module, as has every edit of a fix.
func Fuzz(f *testing.F, check *finding.Check, pattern string) {
	f.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src), "")
	}
	f.Add(`export default async () => ({ event: (e) => e.type })`, "1.3.2")
	f.Fuzz(func(t *testing.T, src, version string) {
		prog := js.NewProgram(func(string) ([]byte, error) { return nil, fs.ErrNotExist })
		entry, err := prog.LoadSource(filepath.Join(t.TempDir(), "plugin.ts"), []byte(src))
		if err != nil {
			return // not JavaScript: no check runs on it
		}
		for _, found := range check.JS(prog, entry, finding.Options{Host: version, Enable: all(check)}) {
			if _, ok := check.Rule(found.Rule); !ok || !isInside(found.At) || found.Message == "" {
				t.Errorf("finding %+v has no rule, place or message", found)
			}
			for _, fix := range found.Fixes {
				for _, e := range fix.Edits {
					if !isInside(e.At) {
						t.Errorf("edit %+v lies outside the module", e)
					}
				}
			}
		}
	})
}

func isInside(at finding.Place) bool {
	return at.Module != nil && 0 <= at.Span.Start && at.Span.Start <= at.Span.End && at.Span.End <= len(at.Module.Source())
}

// Fixed applies the first fix of every finding to the source that they are in.
func Fixed(src string, findings []finding.Finding) string {
	var edits []finding.Edit
	for _, f := range findings {
		if len(f.Fixes) > 0 {
			edits = append(edits, f.Fixes[0].Edits...)
		}
	}
	slices.SortFunc(edits, func(a, b finding.Edit) int { return cmp.Compare(b.At.Span.Start, a.At.Span.Start) })
	for _, e := range edits {
		src = src[:e.At.Span.Start] + e.New + src[e.At.Span.End:]
	}
	return src
}
