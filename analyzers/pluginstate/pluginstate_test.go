package pluginstate_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/analyzers/pluginstate"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
	"github.com/ngvet/ngvet/internal/js"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := pluginstate.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, pluginstate.Check, "testdata/*")
}

func TestSplitAppendFix(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, src, want string }{
		{"a call of stringify", "a(f, JSON.stringify(e));\n  a(f, \"\\n\");", "a(f, JSON.stringify(e) + \"\\n\");"},
		{"a template", "a(f, `${e.type}`); a(f, '\\n')", "a(f, `${e.type}` + '\\n');"},
		{"bytes are left alone", `a(f, e.bytes); a(f, "\n");`, `a(f, e.bytes); a(f, "\n");`},
		{"the line break first", `a(f, "\n"); a(f, JSON.stringify(e));`, `a(f, "\n"); a(f, JSON.stringify(e));`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			const head, tail = "import { appendFileSync as a } from \"node:fs\";\nconst f = \"/var/log/x\";\nexport default async () => ({ event: async (e) => {\n  ", "\n} });\n"
			src := head + row.src + tail
			findings := findingtest.Check(t, pluginstate.Check, src, finding.Options{})
			if len(findings) != 1 {
				t.Fatalf("found %v, want one", findings)
			}
			if diff := gocmp.Diff(head+row.want+tail, findingtest.Fixed(src, findings)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// hookname reports a version without tables: this check has nothing to say then.
func TestUnknownHost(t *testing.T) {
	t.Parallel()
	if found := findingtest.Check(t, pluginstate.Check, `export default async () => ({})`, finding.Options{Host: "9.0.0"}); len(found) > 0 {
		t.Errorf("found %v, want nothing", found)
	}
}

// Names that branch at every step, and functions that call each other, take no longer.
func TestBoundedWork(t *testing.T) {
	t.Parallel()
	var src strings.Builder
	src.WriteString("import fs from \"node:fs\";\nconst p0 = process.argv[2];\n")
	for i := range 60 {
		fmt.Fprintf(&src, "const p%d = p%d + p%d;\nfunction f%d(a) { fs.writeFileSync(a, p%d); f%d(a + a); f%d(a) }\n", i+1, i, i, i, i, i+1, (i+30)%60)
	}
	src.WriteString("function f60() {}\nexport default async () => ({ event: async () => { f0(p60) } })\n")
	if found := findingtest.Check(t, pluginstate.Check, src.String(), finding.Options{}); len(found) > 0 {
		t.Errorf("found %v, want nothing", found)
	}
}

func FuzzCheck(f *testing.F) { findingtest.Fuzz(f, pluginstate.Check, "testdata/*/*") }

// The cost of the check on a bundle of about 2.4 MB, beside that of reading it.
func BenchmarkCheck(b *testing.B) {
	var src strings.Builder
	src.WriteString("import fs from \"node:fs\";\n")
	for i := range 20_000 {
		text := "a.text"
		if i%20 == 0 {
			text = fmt.Sprintf("fs.readFileSync(`/x/%d/${a}.txt`)", i)
		}
		fmt.Fprintf(&src, "function f%d(a) { const t = %s; if (a.debug) note(a, t); return t.length > 2 && t.includes('x') ? f%d(t) : f%d(t) }\n", i, text, 2*i, 2*i+1)
	}
	src.WriteString("const seen = new Set();\nexport default async () => ({ event: async ({ event }) => { seen.add(event.properties.info.id); f1(event.type) } })\n")
	path := filepath.Join(b.TempDir(), "bundle.js")
	read := func() (*js.Program, *js.Module) {
		prog := js.NewProgram(func(string) ([]byte, error) { return nil, fs.ErrNotExist })
		entry, err := prog.LoadSource(path, []byte(src.String()))
		if err != nil {
			b.Fatal(err)
		}
		return prog, entry
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(src.Len()))
		b.ReportAllocs()
		for b.Loop() {
			read()
		}
	})
	b.Run("check", func(b *testing.B) {
		prog, entry := read()
		b.SetBytes(int64(src.Len()))
		b.ReportAllocs()
		for b.Loop() {
			if n := len(pluginstate.Check.JS(prog, entry, finding.Options{})); n != 1 {
				b.Fatalf("%d findings, want 1", n)
			}
		}
	})
}
