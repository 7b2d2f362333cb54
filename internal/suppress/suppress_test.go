package suppress_test

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/internal/suppress"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := suppress.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

// set returns the suppressions of a Go source.
func set(t testing.TB, src string) *suppress.Set {
	t.Helper()
	fset := token.NewFileSet()
	// What of a broken file could be parsed counts as well.
	file, err := parser.ParseFile(fset, "x.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		t.Fatal(err)
	}
	s := suppress.NewSet(func(rule string) bool { return rule == "a/b" || rule == "a/c" })
	s.AddGo(fset, file)
	return s
}

// TestLines: a line of src that ends in "// covered" is one that the directive covers.
func TestLines(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, src string }{
		{"end of line", "package p\n\nvar x = f( //ngvet:ignore a/b why //covered\n\t1)\n"},
		{"above a declaration", "package p\n\n//ngvet:ignore a/b why\nvar x = []int{ //covered\n\t1, //covered\n}//covered\n\nvar y = 1\n"},
		{"above a statement", "package p\n\nfunc f() {\n\tg()\n\t//ngvet:ignore a/b why\n\tg( //covered\n\t\t1) //covered\n\tg()\n}\n"},
		{"above an element", "package p\n\nvar x = []T{\n\t{1},\n\t//ngvet:ignore a/b why\n\t{ //covered\n\t\t2, //covered\n\t}, //covered\n\t{3},\n}\n"},
		{"above a function", "package p\n\n//ngvet:ignore a/b why\nfunc f( //covered\n\tx int) { //covered\n\tg()\n}\n"},
		{"in the doc of one of a group", "package p\n\nconst (\n\tA = 1\n\t// B is.\n\t//\n\t//ngvet:ignore a/b why\n\tB = 2 //covered\n\tC = 3\n)\n"},
		{"the whole file", "//ngvet:file-ignore a/b why\n\npackage p //covered\n\nvar x = 1 //covered\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := set(t, tc.src)
			for i, line := range strings.Split(tc.src, "\n") {
				if strings.HasPrefix(strings.TrimSpace(line), "//ngvet:") || line == "" {
					continue
				}
				got := s.Match("a/b", token.Position{Filename: "x.go", Line: i + 1})
				if want := strings.Contains(line, "//covered"); got != want {
					t.Errorf("line %d %q: covered is %v, want %v", i+1, line, got, want)
				}
			}
		})
	}
}

func TestMatchNeedsRuleAndFile(t *testing.T) {
	t.Parallel()
	s := set(t, "package p\n\n//ngvet:ignore a/b,a/c why\nvar x = 1\n")
	for _, tc := range []struct {
		rule, file string
		want       bool
	}{{"a/b", "x.go", true}, {"a/c", "x.go", true}, {"a/d", "x.go", false}, {"a/b", "y.go", false}} {
		if got := s.Match(tc.rule, token.Position{Filename: tc.file, Line: 4}); got != tc.want {
			t.Errorf("%s in %s: %v, want %v", tc.rule, tc.file, got, tc.want)
		}
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, comment string
		want          []string
	}{
		{"no rule", "//ngvet:ignore", []string{"noreason"}},
		{"no reason", "//ngvet:ignore a/b", []string{"noreason"}},
		{"blank reason", "//ngvet:ignore a/b   ", []string{"noreason"}},
		{"unknown rule", "//ngvet:ignore a/x why", []string{"unknownrule"}},
		{"one of two unknown", "//ngvet:ignore a/b,a/x why", []string{"unknownrule", "unused"}},
		{"own rule", "//ngvet:ignore ngvet/unused why", []string{"unknownrule"}},
		{"unused", "//ngvet:ignore a/b why", []string{"unused"}},
		{"space", "// ngvet:ignore a/b why", []string{"nearmiss"}},
		{"typing error", "//ngvet:ignores a/b why", []string{"nearmiss"}},
		{"file-ignore too late", "//ngvet:file-ignore a/b why", []string{"nearmiss"}},
		{"prose", "// ngvet: a linter", nil},
		{"prose about a directive", "// Use ngvet:ignore for that.", nil},
		{"code in a comment", "//\t//ngvet:ignore a/b", nil},
		{"another directive", "//ngvet:mirror x.js#A", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := set(t, "package p\n\n"+tc.comment+"\nvar x = 1\n")
			var got []string
			for _, d := range s.Problems(func(string) bool { return false }) {
				got = append(got, d.Category)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzAddGo(f *testing.F) {
	f.Add("package p\n\n//ngvet:ignore a/b why\nvar x = 1\n")
	f.Add("//ngvet:file-ignore a/b why\npackage p //ngvet:ignore a/b why\n// ngvet:ignore\nfunc f() { g() } //ngvet:x\n")
	f.Fuzz(func(t *testing.T, src string) {
		s := set(t, src)
		s.Match("a/b", token.Position{Filename: "x.go", Line: 1})
		for _, d := range s.Problems(func(string) bool { return false }) {
			if !d.Pos.IsValid() || d.End < d.Pos || d.Message == "" {
				t.Errorf("problem %+v", d)
			}
		}
	})
}
