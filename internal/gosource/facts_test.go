package gosource_test

import (
	"errors"
	"go/ast"
	"go/token"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/ngvet/ngvet/internal/gosource"
)

// loadFacts loads the one package that matches a pattern for an analyzer with facts.
func loadFacts(t *testing.T, dir, pattern string) (*packages.Package, error) {
	t.Helper()
	listed, err := gosource.List(t.Context(), dir, []string{pattern})
	if err != nil {
		return nil, err
	}
	if len(listed) != 1 {
		t.Fatalf("%s lists %d packages, want 1", pattern, len(listed))
	}
	units := []gosource.Unit{{Package: listed[0], Depth: gosource.Bodies, Facts: true}}
	pkgs, err := gosource.NewLoader(token.NewFileSet(), dir).Load(t.Context(), units)
	if err != nil {
		return nil, err
	}
	return pkgs[0], nil
}

// bodies returns the functions that have bodies, by package, of what a package imports.
func bodies(root *packages.Package) map[string][]string {
	out := make(map[string][]string)
	packages.Visit([]*packages.Package{root}, nil, func(p *packages.Package) {
		if p == root {
			return
		}
		names := []string{}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					names = append(names, fn.Name.Name)
				}
			}
		}
		slices.Sort(names)
		out[p.PkgPath] = names
	})
	return out
}

// TestFacts: of the local packages that a package imports come the bodies of what is
// called, at any distance, and nothing of what is not local.
func TestFacts(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n\nrequire example.com/r v1.0.0\n\nreplace example.com/r => ./replaced\n",
		"m.go": `package m

import (
	"strings"

	"example.com/m/a"
	"example.com/r"
)

func F(t a.T) string { return strings.ToUpper(a.Called() + t.Method() + r.Replaced()) }
`,
		"a/a.go": `package a

import (
	"os"

	"example.com/m/b"
)

type T struct{}

func (T) Method() string { return helper() }

func Called() string { return b.Deep() }

func helper() string { return "h" }

func uncalled() *os.File { return undefined }
`,
		"b/b.go":          "package b\n\nfunc Deep() string { return \"b\" }\n\nfunc Other() {}\n",
		"replaced/go.mod": "module example.com/r\n\ngo 1.26\n",
		"replaced/r.go":   "package r\n\nfunc Replaced() string { return \"r\" }\n",
	})
	root, err := loadFacts(t, dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"example.com/m/a": {"Called", "Method", "helper"},
		"example.com/m/b": {"Deep"},
		"example.com/r":   {"Replaced"},
	}
	if diff := cmp.Diff(want, bodies(root)); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
	if err := sameTypes(root); err != nil {
		t.Error(err)
	}
}

// sameTypes verifies that a package and what is loaded of its imports agree on what a
// package is: facts are found by the identity of objects.
func sameTypes(root *packages.Package) error {
	var errs []error
	packages.Visit([]*packages.Package{root}, nil, func(p *packages.Package) {
		for _, imported := range p.Types.Imports() {
			if dep := p.Imports[imported.Path()]; dep != nil && dep.Types != imported {
				errs = append(errs, errors.New(p.PkgPath+" sees another "+imported.Path()))
			}
		}
	})
	return errors.Join(errs...)
}

// TestFactsErrors: what is called must be sound, as for the compiler.
func TestFactsErrors(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"m.go":   "package m\n\nimport \"example.com/m/a\"\n\nvar V = a.F()\n",
		"a/a.go": "package a\n\nfunc F() int { return undefined }\n",
	})
	_, err := loadFacts(t, dir, ".")
	var loadErr *gosource.LoadError
	if !errors.As(err, &loadErr) || !strings.Contains(err.Error(), "a.go:3:23: undefined: undefined") {
		t.Errorf("error is %v, want a LoadError at a.go:3:23", err)
	}
}

// TestFactsCgo: a package with cgo that is imported keeps its declarations, and one that
// is asked for has its local imports from go/packages, with bodies.
func TestFactsCgo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler here")
	}
	dir := tree(t, map[string]string{
		"m.go":   "package m\n\nimport \"example.com/m/c\"\n\nvar V = c.N()\n",
		"c/c.go": "package c\n\n// int n;\nimport \"C\"\n\nimport \"example.com/m/a\"\n\nfunc N() int { return int(C.n) + a.F() }\n",
		"a/a.go": "package a\n\nfunc F() int { return 1 }\n",
	})
	for pattern, want := range map[string]map[string][]string{
		".":   {},
		"./c": {"example.com/m/a": {"F"}},
	} {
		root, err := loadFacts(t, dir, pattern)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, bodies(root)); diff != "" {
			t.Errorf("%s: bodies (-want +got):\n%s", pattern, diff)
		}
		if err := sameTypes(root); err != nil {
			t.Error(err)
		}
	}
}
