package ngvet

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/finding"
)

// edit replaces the bytes [start, end) of a file.
type edit struct {
	start, end int
	text       string
}

// edits returns the edits of the first fix of every problem, by file, and what of it was
// left out. Fixes that overlap leave their file alone: half of one is worse than none.
func (r *report) edits() (byFile map[string][]edit, skipped []problem) {
	byFile = make(map[string][]edit)
	for _, p := range r.problems {
		if len(p.diag.SuggestedFixes) == 0 {
			continue
		}
		for _, e := range p.diag.SuggestedFixes[0].TextEdits {
			start, end := finding.Position(r.fset, e.Pos), finding.Position(r.fset, cmp.Or(e.End, e.Pos))
			byFile[start.Filename] = append(byFile[start.Filename], edit{start.Offset, end.Offset, string(e.NewText)})
		}
	}
	bad := make(map[string]bool)
	for name, list := range byFile {
		slices.SortFunc(list, func(a, b edit) int {
			return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.text, b.text))
		})
		byFile[name] = slices.Compact(list)
		for i, e := range byFile[name][1:] {
			bad[name] = bad[name] || e.start < byFile[name][i].end || e.start == byFile[name][i].start
		}
	}
	// A fix is applied whole: where one of its files is left alone, so are the others.
	for changed := true; changed; {
		changed = false
		for _, p := range r.problems {
			changed = r.spread(p, bad) || changed
		}
	}
	for _, p := range r.problems {
		if fixes := p.diag.SuggestedFixes; len(fixes) > 0 && r.touches(fixes[0], bad) {
			skipped = append(skipped, p)
		}
	}
	for name := range bad {
		if bad[name] {
			delete(byFile, name)
		}
	}
	return byFile, skipped
}

func (r *report) touches(f analysis.SuggestedFix, files map[string]bool) bool {
	return slices.ContainsFunc(f.TextEdits, func(e analysis.TextEdit) bool {
		return files[finding.Position(r.fset, e.Pos).Filename]
	})
}

// spread marks every file of a fix that touches a marked one.
func (r *report) spread(p problem, bad map[string]bool) bool {
	fixes := p.diag.SuggestedFixes
	if len(fixes) == 0 || !r.touches(fixes[0], bad) {
		return false
	}
	before := len(bad)
	for _, e := range fixes[0].TextEdits {
		bad[finding.Position(r.fset, e.Pos).Filename] = true
	}
	return len(bad) > before
}

// fixed is one file with its fixes applied.
type fixed struct {
	name        string
	before, new []byte
}

// fixAll applies fixes in memory. It refuses a file that is no longer what was checked.
func (r *report) fixAll() (files []fixed, skipped []problem, err error) {
	sizes := make(map[string]int)
	r.fset.Iterate(func(f *token.File) bool {
		sizes[f.Name()] = f.Size()
		return true
	})
	byFile, skipped := r.edits()
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		before, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		if len(before) != sizes[name] {
			return nil, nil, fmt.Errorf("file %s changed while it was checked: it had %d bytes and has %d", name, sizes[name], len(before))
		}
		var after []byte
		at := 0
		for _, e := range byFile[name] {
			after = append(append(after, before[at:e.start]...), e.text...)
			at = e.end
		}
		files = append(files, fixed{name, before, append(after, before[at:]...)})
	}
	return files, skipped, nil
}

// writeDiff writes what the fixes would change.
func writeDiff(w io.Writer, dir string, files []fixed) error {
	for _, f := range files {
		name := relative(dir, f.name)
		if _, err := w.Write(diff.Diff(name, f.before, name+" (fixed)", f.new)); err != nil {
			return err
		}
	}
	return nil
}

// write replaces the file as a whole and keeps its mode; a link stays a link.
func (f fixed) write() error {
	name, err := filepath.EvalSymlinks(f.name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".ngvet-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone after the rename
	_, err = tmp.Write(f.new)
	if err = cmp.Or(err, tmp.Chmod(info.Mode().Perm()), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
