package embedtree_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/internal/embedtree"
)

// TestModules follows the rules of the go command for patterns.
func TestModules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"tree/a.js", "tree/b.ts", "tree/c.d.ts", "tree/d.txt", "tree/_hidden.js", "tree/.hidden.js",
		"tree/_dir/e.js", "tree/sub/f.mjs", "tree/module/g.js", "tree/module/go.mod", "top.js", "with space.js",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name, patterns string
		want           []string
	}{
		{"directory without hidden files and other modules", "tree", []string{"tree/a.js", "tree/b.ts", "tree/sub/f.mjs"}},
		{"all", "all:tree", []string{"tree/.hidden.js", "tree/_dir/e.js", "tree/_hidden.js", "tree/a.js", "tree/b.ts", "tree/sub/f.mjs"}},
		{"glob names hidden files", "tree/*", []string{"tree/.hidden.js", "tree/_dir/e.js", "tree/_hidden.js", "tree/a.js", "tree/b.ts", "tree/sub/f.mjs"}},
		{"file and file", "top.js tree/a.js", []string{"top.js", "tree/a.js"}},
		{"quoted", `"with space.js" ` + "`top.js`", []string{"top.js", "with space.js"}},
		{"twice", "top.js top.js", []string{"top.js"}},
		{"nothing", "gone", nil},
		{"no module", "tree/d.txt tree/c.d.ts", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fset := token.NewFileSet()
			src := "package p\n\nimport _ \"embed\"\n\n//go:embed " + tc.patterns + "\nvar f string\n"
			file, err := parser.ParseFile(fset, filepath.Join(dir, "p.go"), src, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			got, err := embedtree.Modules(fset, []*ast.File{file})
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				rel, err := filepath.Rel(dir, got[i])
				if err != nil {
					t.Fatal(err)
				}
				got[i] = filepath.ToSlash(rel)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("modules (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPatterns: what only its name keeps out is listed, and each pattern has its place.
func TestPatterns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"tree/a.js", "tree/_b.js", "tree/sub/.c/d.txt", "tree/.git/config", "tree/data.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const src = "package p\n\nimport _ \"embed\"\n\n//go:embed \"tree\" all:tree\nvar f string\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join(dir, "p.go"), src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := embedtree.Patterns(fset, []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	type selection struct{ Written, Files, Dropped string }
	relative := func(paths []string) string {
		var out []string
		for _, path := range paths {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, filepath.ToSlash(rel))
		}
		return strings.Join(out, " ")
	}
	var got []selection
	for _, p := range patterns {
		from, to := fset.Position(p.Pos).Offset, fset.Position(p.End).Offset
		got = append(got, selection{src[from:to], relative(p.Files), relative(p.Dropped)})
	}
	want := []selection{
		{`"tree"`, "tree/a.js tree/data.txt", "tree/_b.js tree/sub/.c/d.txt"},
		{"all:tree", "tree/_b.js tree/a.js tree/data.txt tree/sub/.c/d.txt", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("patterns (-want +got):\n%s", diff)
	}
}
