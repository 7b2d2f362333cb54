package hookname_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/ngvet/ngvet/analyzers/hookname"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// FuzzCheck: on any module that parses, the check ends without a panic, every finding has a
// rule of the check and a place in the module, and so has every edit of a fix.
func FuzzCheck(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*")
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
			return
		}
		inside := func(at finding.Place) bool {
			return at.Module != nil && 0 <= at.Span.Start && at.Span.Start <= at.Span.End && at.Span.End <= len(at.Module.Source())
		}
		for _, found := range hookname.Check.JS(prog, entry, finding.Options{Host: version}) {
			if _, ok := hookname.Check.Rule(found.Rule); !ok || !inside(found.At) || found.Message == "" {
				t.Errorf("finding %+v has no rule, place or message", found)
			}
			for _, fix := range found.Fixes {
				for _, e := range fix.Edits {
					if !inside(e.At) {
						t.Errorf("edit %+v lies outside the module", e)
					}
				}
			}
		}
	})
}
