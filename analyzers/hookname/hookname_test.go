package hookname_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/analyzers/hookname"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
	"github.com/ngvet/ngvet/internal/js"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := hookname.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, hookname.Check, "testdata/*")
}

// check runs the check on one source.
func check(t *testing.T, src string, opts finding.Options) []finding.Finding {
	t.Helper()
	return findingtest.Check(t, hookname.Check, src, opts)
}

func TestRenameFix(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, src, want string }{
		{"double quotes", `"tool.execute.befor": f`, `"tool.execute.before": f`},
		{"single quotes", `'tool.execute.befor': f`, `'tool.execute.before': f`},
		{"bare name to dotted", `toolExecuteBefore: f`, `"tool.execute.before": f`},
		{"bare name to bare name", `events: f`, `event: f`},
		{"method", `async events() {}`, `async event() {}`},
		{"method to dotted", `async chatMessage() {}`, `async "chat.message"() {}`},
		{"shorthand", `events`, `"event": events`},
		{"ending", `"close": f`, `"dispose": f`},
		{"multi-byte text before", `/* 日本語 */ "tool.execute.befor": f`, `/* 日本語 */ "tool.execute.before": f`},
		{"the hook is there already", `events: f, event: f`, ``},
		{"the value is of the other kind", `tools: f`, ``},
		{"an object for an object", `tools: {}`, `tool: {}`},
		{"computed from a string", `["tool.execute.befor"]: f`, `["tool.execute.before"]: f`},
		{"computed from a name", `[name]: f`, ``},
		{"an event", `"session.idle": f`, ``},
		{"nothing near", `whatever: f`, ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			const head, tail = "const f = async () => {}, events = f, name = \"events\"\nexport default async () => ({ ", " })\n"
			src := head + row.src + tail
			want := head + cmp.Or(row.want, row.src) + tail
			findings := check(t, src, finding.Options{})
			if len(findings) != 1 {
				t.Fatalf("%d findings, want 1: %v", len(findings), findings)
			}
			if diff := gocmp.Diff(want, findingtest.Fixed(src, findings)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRenameFixOfAssignments(t *testing.T) {
	t.Parallel()
	const src = `export default async () => {
  const h = {}
  h["tool.execute.befor"] = async () => {}
  h.chatMessage = async () => {}
  return h
}
`
	want := strings.Replace(src, "befor", "before", 1) // h.chatMessage cannot hold a dotted name
	findings := check(t, src, finding.Options{})
	if len(findings) != 2 {
		t.Fatalf("%d findings, want 2: %v", len(findings), findings)
	}
	if diff := gocmp.Diff(want, findingtest.Fixed(src, findings)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestUnknownHostIsAFinding(t *testing.T) {
	t.Parallel()
	findings := check(t, `export default async () => ({})`, finding.Options{Host: "9.0.0"})
	if len(findings) != 1 || !strings.Contains(findings[0].Message, "9.0.0 is outside of the known range 1.3.2 to 1.18.33") {
		t.Errorf("findings %v, want one that names both versions", findings)
	}
}

func TestModulesThatCannotBeReadAreFindings(t *testing.T) {
	t.Parallel()
	const src = `export { A } from "./a"
export * from "./b"
export { C } from "pkg"
export const D = async () => ({ event: async () => {} })
`
	var got []string
	for _, f := range check(t, src, finding.Options{}) {
		subject, _, _ := strings.Cut(f.Message, " names no file")
		got = append(got, f.Rule+": "+subject)
	}
	want := []string{
		`unknown: hooks of b cannot be checked: import "./b"`,
		`unknown: hooks of a cannot be checked: import "./a"`,
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A finding spans exactly the key, or the value where the value is wrong.
func TestSpans(t *testing.T) {
	t.Parallel()
	const src = `export default async () => ({ /* ä */ "session.idle": async () => {}, event: {} })`
	var got []string
	for _, f := range check(t, src, finding.Options{}) {
		got = append(got, f.Rule+" "+src[f.At.Span.Start:f.At.Span.End])
	}
	if diff := gocmp.Diff([]string{`unknown "session.idle"`, `notfunction {}`}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// The cost of the check on a bundle of about 2.4 MB, beside that of reading it.
func BenchmarkCheck(b *testing.B) {
	var src strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&src, "function f%d(event) { if (event.type === \"session.idle\") return { nonce: %d, event }; return f%d(event); }\n", i, i, i/2)
	}
	src.WriteString("export default async () => ({ event: async ({ event }) => f19999(event), \"session.idle\": f1 });\n")
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
			if n := len(hookname.Check.JS(prog, entry, finding.Options{})); n != 1 {
				b.Fatalf("%d findings, want 1", n)
			}
		}
	})
}
