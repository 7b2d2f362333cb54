package gosource

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlankBodiesKeepsDeclarations compares the declarations of files of the standard
// library before and after, with their places.
func TestBlankBodiesKeepsDeclarations(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"os", "net/http", "go/types", "reflect", "encoding/json", "text/template", "internal/poll", "regexp/syntax"} {
		files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(dir), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("files of %s: %v %v", dir, files, err)
		}
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(outline(t, name, src), outline(t, name, blankBodies(src))); diff != "" {
				t.Errorf("%s (-before +after):\n%s", name, diff)
			}
		}
	}
}

// outline lists every node outside bodies with its place.
func outline(t *testing.T, name string, src []byte) []string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, decl := range file.Decls {
		ast.Inspect(decl, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			out = append(out, fset.Position(n.Pos()).String()+" "+fset.Position(n.End()).String())
			_, isBody := n.(*ast.BlockStmt)
			return !isBody
		})
	}
	return out
}

func TestBlankBodies(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, src, gone, kept string }{
		{"plain", "package p\n\nfunc f() {\n\tgone()\n}\n\nvar kept = 1\n", "gone", "kept"},
		{"brace in a string", "package p\n\nfunc f() {\n\tgone(\"}\\\"}\", `}`, '}')\n}\n\nvar kept = 1\n", "gone", "kept"},
		{"brace in a comment", "package p\n\nfunc f() {\n\t// }\n\t/* } */\n\tgone()\n}\n\nvar kept = 1\n", "gone", "kept"},
		{"parameters over lines", "package p\n\nfunc f(\n\ta int,\n) {\n\tgone()\n}\n\nvar kept = 1\n", "gone", "kept"},
		{"interface in the result", "package p\n\nfunc f() interface {\n\tkept()\n} {\n\tother()\n}\n", "", "kept"},
		{"no body", "package p\n\nfunc f()\n\nvar kept = 1\n", "", "kept"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := blankBodies([]byte(tc.src))
			if len(got) != len(tc.src) || bytes.Count(got, []byte("\n")) != strings.Count(tc.src, "\n") {
				t.Fatalf("the layout changed: %q", got)
			}
			if tc.gone != "" && bytes.Contains(got, []byte(tc.gone)) || !bytes.Contains(got, []byte(tc.kept)) {
				t.Errorf("blanked source is %q", got)
			}
		})
	}
}

func FuzzBlankBodies(f *testing.F) {
	f.Add([]byte("package p\n\nfunc f() {\n\t\"}\"\n}\n"))
	f.Add([]byte("\nfunc (\nfunc {\n'"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if got := blankBodies(src); len(got) != len(src) {
			t.Errorf("%d bytes of %d", len(got), len(src))
		}
	})
}
