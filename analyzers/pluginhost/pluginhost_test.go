package pluginhost_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/analyzers/pluginhost"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
	"github.com/ngvet/ngvet/internal/js"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := pluginhost.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, pluginhost.Check, "testdata/*")
}

func TestStdoutFix(t *testing.T) {
	t.Parallel()
	const rest = "\n  return { event: async () => {} };\n};\n"
	for _, row := range []struct{ name, src, want string }{
		{"a line of its own", "\n  console.log(\"x\", name, { a: [1] });", ""},
		{"several lines", "\n  console.log(\n    `x ${name}`,\n  );", ""},
		{"beside another statement", "\n  go(); console.log(1);", "\n  go(); "},
		{"with a comment behind it", "\n  console.log(1); // why", "\n   // why"},
		{"an argument that does something", "\n  console.log(next());", "\n  console.log(next());"},
		{"an argument that changes something", "\n  console.log(n++, a = 1);", "\n  console.log(n++, a = 1);"},
		{"the body of an if", "\n  if (name) console.log(1);", "\n  if (name) console.log(1);"},
		{"all of a block", "\n  try { go() } catch (err) { console.log(err) }", "\n  try { go() } catch (err) { console.log(err) }"},
		{"a value", "\n  const x = console.log(1);", "\n  const x = console.log(1);"},
		{"CRLF", "\r\n  console.log(1);\r", "\r"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			const head = "export default async () => {"
			src := head + row.src + rest
			findings := findingtest.Check(t, pluginhost.Check, src, finding.Options{})
			if len(findings) != 1 || findings[0].Rule != "stdout" {
				t.Fatalf("found %v, want one stdout", findings)
			}
			if diff := gocmp.Diff(head+row.want+rest, findingtest.Fixed(src, findings)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A minified module is reported once for a stream, however much it prints.
func TestMinifiedOnce(t *testing.T) {
	t.Parallel()
	src := "export default async()=>{" + strings.Repeat(`console.log("x");console.error("y");`, 40) + "return{event:async()=>{}}}"
	var got []string
	for _, f := range findingtest.Check(t, pluginhost.Check, src, finding.Options{}) {
		words := strings.Fields(f.Message)
		got = append(got, f.Rule+" "+words[0])
	}
	if diff := gocmp.Diff([]string{"stdout 40", "stderr 40"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// hookname reports a version without tables: this check has nothing to say then.
func TestUnknownHost(t *testing.T) {
	t.Parallel()
	if found := findingtest.Check(t, pluginhost.Check, `console.log(1)`, finding.Options{Host: "9.0.0"}); len(found) > 0 {
		t.Errorf("found %v, want nothing", found)
	}
}

func FuzzCheck(f *testing.F) { findingtest.Fuzz(f, pluginhost.Check, "testdata/*/*") }

// The cost of the check on a bundle of about 2.4 MB, beside that of reading it.
func BenchmarkCheck(b *testing.B) {
	var src strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&src, "function f%d(a) { if (a.debug) console.log(a); const x = a.map((v) => fs.basename(v)); return x.length > 2 ? f%d(x) : f%d(x) }\n", i, 2*i, 2*i+1)
	}
	src.WriteString("export default async ({ directory }) => ({ event: async (input) => { console.log(f1(input)) } })\n")
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
		b.ReportAllocs()
		b.SetBytes(int64(src.Len()))
		for b.Loop() {
			read()
		}
	})
	b.Run("check", func(b *testing.B) {
		prog, entry := read()
		b.ReportAllocs()
		b.SetBytes(int64(src.Len()))
		for b.Loop() {
			if n := len(pluginhost.Check.JS(prog, entry, finding.Options{})); n != 1 {
				b.Fatalf("%d findings, want 1", n)
			}
		}
	})
}
