package gosource_test

import (
	"errors"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/ngvet/ngvet/internal/gosource"
)

// tree writes a module and returns its directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" {
		files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load loads the packages that match patterns at one depth.
func load(t *testing.T, dir string, depth gosource.Depth, patterns ...string) ([]*packages.Package, error) {
	t.Helper()
	listed, err := gosource.List(t.Context(), dir, patterns)
	if err != nil {
		return nil, err
	}
	var units []gosource.Unit
	for _, p := range listed {
		units = append(units, gosource.Unit{Package: p, Depth: depth})
	}
	return gosource.NewLoader(token.NewFileSet(), dir).Load(t.Context(), units)
}

// TestDeclarations: the value of a declaration with a directive is known, wherever its
// parts are declared, and nothing else is looked at.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"m.go": `package m

import (
	"net/http"
	"time"

	. "example.com/m/dot"
	other "example.com/m/o"
)

//ngvet:mirror x.js#A
const A = other.Base + 1

//ngvet:mirror x.js#B
const B = http.StatusTeapot

//ngvet:mirror x.js#C
const C = 2 * time.Second

//ngvet:mirror x.js#D
const D = Dotted + "x"

const (
	//ngvet:mirror x.js#E
	E = iota + len(table)
)

var table = [...]int{1, 2, 3}

//ngvet:mirror x.js#F
var F other.List = other.List{"a"}

func ignored() { undefined.Name() }
`,
		"dot/d.go": "package dot\n\nconst Dotted = `d`\n",
		"o/o.go":   "package o\n\nimport \"os\"\n\nconst Base = half * 2\n\nconst half = 20\n\ntype List []string\n\nfunc (List) Write(f *os.File) {}\n",
	})
	pkgs, err := load(t, dir, gosource.Declarations, ".")
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		obj, ok := pkgs[0].Types.Scope().Lookup(name).(*types.Const)
		if !ok || obj.Val().Kind() == constant.Unknown {
			t.Errorf("constant %s is not known: %v", name, obj)
			continue
		}
		got[name] = obj.Val().ExactString()
	}
	want := map[string]string{"A": "41", "B": "418", "C": "2000000000", "D": `"dx"`, "E": "3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("constants (-want +got):\n%s", diff)
	}
	if pkgs[0].Types.Scope().Lookup("ignored") != nil {
		t.Error("a function without a directive was checked")
	}
}

// TestBodiesAgreeWithGoPackages compares every expression of real packages.
func TestBodiesAgreeWithGoPackages(t *testing.T) {
	t.Parallel()
	patterns := []string{"github.com/ngvet/ngvet/internal/embedtree", "github.com/ngvet/ngvet/internal/gosource"}
	got, err := load(t, ".", gosource.Bodies, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	want, err := packages.Load(&packages.Config{Context: t.Context(), Mode: packages.LoadSyntax}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if diff := cmp.Diff(expressions(want[i]), expressions(got[i])); diff != "" {
			t.Errorf("types of %s (-want +got):\n%s", want[i].PkgPath, diff)
		}
	}
}

// expressions renders the type and value of every expression of a package by its place.
func expressions(p *packages.Package) map[string]string {
	out := make(map[string]string)
	for e, tv := range p.TypesInfo.Types {
		at := p.Fset.Position(e.Pos())
		key := filepath.Base(at.String()) + " " + types.ExprString(e)
		out[key] = types.TypeString(tv.Type, nil)
		if tv.Value != nil {
			out[key] += " = " + tv.Value.ExactString()
		}
	}
	return out
}

func TestErrors(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"typeerror/t.go": "package typeerror\n\n//ngvet:mirror x.js#A\nconst A = nothing\n",
		"missing/m.go":   "package missing\n\nimport \"example.com/m/gone\"\n\n//ngvet:mirror x.js#A\nconst A = gone.A\n",
		"indirect/i.go":  "package indirect\n\nimport \"example.com/m/missing\"\n\nvar V = missing.A\n",
		"cycle/a/a.go":   "package a\n\nimport \"example.com/m/cycle/b\"\n\n//ngvet:mirror x.js#A\nconst A = b.B\n",
		"cycle/b/b.go":   "package b\n\nimport \"example.com/m/cycle/a\"\n\nconst B = a.A\n",
	})
	for _, tc := range []struct {
		pattern, want string
		depth         gosource.Depth
	}{
		{"./typeerror", "undefined: nothing", gosource.Declarations},
		{"./missing", "missing/m.go:3:8: no required module provides package example.com/m/gone", gosource.Declarations},
		{"./indirect", "missing/m.go:3:8: no required module provides package example.com/m/gone", gosource.Bodies},
		{"./cycle/a", "cycle", gosource.Declarations},
	} {
		t.Run(tc.pattern, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, dir, tc.depth, tc.pattern)
			var loadErr *gosource.LoadError
			if !errors.As(err, &loadErr) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v, want a LoadError with %q", err, tc.want)
			}
		})
	}
	if _, err := load(t, dir, gosource.Declarations, "./nothing/..."); !errors.Is(err, gosource.ErrNoMatch) {
		t.Errorf("error is %v, want %v", err, gosource.ErrNoMatch)
	}
}

// TestCgo: a package that needs cgo is loaded by go/packages.
func TestCgo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler here")
	}
	dir := tree(t, map[string]string{
		"m.go": "package m\n\n// int n;\nimport \"C\"\n\n//ngvet:mirror x.js#A\nconst A = 3\n\nfunc N() C.int { return C.n }\n",
	})
	pkgs, err := load(t, dir, gosource.Declarations, ".")
	if err != nil {
		t.Fatal(err)
	}
	if obj, ok := pkgs[0].Types.Scope().Lookup("A").(*types.Const); !ok || obj.Val().ExactString() != "3" {
		t.Errorf("constant A is %v", obj)
	}
}

// BenchmarkLoad loads the packages of two large closures, ours beside go/packages from
// source and go/packages from the build cache.
func BenchmarkLoad(b *testing.B) {
	patterns := []string{"golang.org/x/tools/go/packages", "golang.org/x/tools/go/analysis/unitchecker"}
	ours := func(b *testing.B) error {
		listed, err := gosource.List(b.Context(), ".", patterns)
		if err != nil {
			return err
		}
		var units []gosource.Unit
		for _, p := range listed {
			units = append(units, gosource.Unit{Package: p, Depth: gosource.Bodies})
		}
		_, err = gosource.NewLoader(token.NewFileSet(), ".").Load(b.Context(), units)
		return err
	}
	baseline := func(mode packages.LoadMode) func(b *testing.B) error {
		return func(b *testing.B) error {
			_, err := packages.Load(&packages.Config{Context: b.Context(), Mode: mode}, patterns...)
			return err
		}
	}
	for _, tc := range []struct {
		name string
		load func(b *testing.B) error
	}{
		{"ours", ours},
		{"go_packages_source", baseline(packages.LoadAllSyntax)},
		{"go_packages_export", baseline(packages.LoadSyntax)},
	} {
		b.Run(tc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := tc.load(b); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
