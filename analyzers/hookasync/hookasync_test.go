package hookasync_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/analyzers/hookasync"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
	"github.com/ngvet/ngvet/internal/js"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := hookasync.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, hookasync.Check, "testdata/*")
}

func TestSyncEventFix(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, src, want string }{
		{"arrow", `export const P = async () => ({ event: ({ event }) => { throw event } })`, `export const P = async () => ({ event: async ({ event }) => { throw event } })`},
		{"method", `export const P = async () => ({ event(input) { throw input } })`, `export const P = async () => ({ async event(input) { throw input } })`},
		{"quoted method", `export const P = async () => ({ "event"(input) { throw input } })`, `export const P = async () => ({ async "event"(input) { throw input } })`},
		{"function", `export const P = async () => ({ event: function (input) { throw input } })`, `export const P = async () => ({ event: async function (input) { throw input } })`},
		{"declaration", "function on(input) { throw input }\nexport const P = async () => ({ event: on })", "async function on(input) { throw input }\nexport const P = async () => ({ event: on })"},
		{"variable", "const on = (input) => { throw input }\nexport const P = async () => ({ event: on })", "const on = async (input) => { throw input }\nexport const P = async () => ({ event: on })"},
		{"used elsewhere as well", "const on = (input) => { throw input }\nexport const P = async () => { on({}); return { event: on } }", ""},
		{"member of a class", "class C { on(input) { throw input } }\nconst c = new C()\nexport const P = async () => ({ event: (input) => c.on(input) })", "class C { on(input) { throw input } }\nconst c = new C()\nexport const P = async () => ({ event: async (input) => c.on(input) })"},
		{"multi-byte text before", `export const P = async () => ({ /* 日本語 */ event: (e) => { throw e } })`, `export const P = async () => ({ /* 日本語 */ event: async (e) => { throw e } })`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			findings := findingtest.Check(t, hookasync.Check, row.src, finding.Options{})
			if len(findings) != 1 || findings[0].Rule != "syncevent" {
				t.Fatalf("found %v, want one syncevent", findings)
			}
			want := row.want
			if want == "" {
				want = row.src
			}
			fixed := findingtest.Fixed(row.src, findings)
			if diff := gocmp.Diff(want, fixed); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if row.want == "" {
				return
			}
			if again := findingtest.Check(t, hookasync.Check, fixed, finding.Options{}); len(again) > 0 {
				t.Errorf("found %v after the fix, want nothing", again)
			}
		})
	}
}

// A version before dispose has no hook that the host waits for.
func TestDisposeOfOlderHost(t *testing.T) {
	t.Parallel()
	const src = `import { writeFile } from "node:fs/promises"
export default async () => ({
  event: async ({ event }) => { if (event.type === "session.idle") await writeFile("x", "y") },
  dispose: async () => {},
})`
	for host, want := range map[string]int{"1.18.30": 0, "1.14.41": 1} {
		if found := findingtest.Check(t, hookasync.Check, src, finding.Options{Host: host}); len(found) != want {
			t.Errorf("host %s: found %v, want %d findings", host, found, want)
		}
	}
}

// hookname reports a version without tables: this check has nothing to say then.
func TestUnknownHost(t *testing.T) {
	t.Parallel()
	const src = `export const P = async () => ({ event: () => { throw 1 } })`
	if found := findingtest.Check(t, hookasync.Check, src, finding.Options{Host: "9.0.0"}); len(found) > 0 {
		t.Errorf("found %v, want nothing", found)
	}
}

func FuzzCheck(f *testing.F) { findingtest.Fuzz(f, hookasync.Check, "testdata/*/*") }

func BenchmarkCheck(b *testing.B) {
	var src strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&src, "async function f%d(a) { try { await a.load() } catch (err) { a.log(err) } const x = a.map((v) => fs.stat(v)); return x.length > 2 ? f%d(x) : f%d(x) }\n", i, 2*i, 2*i+1)
	}
	src.WriteString("export default async () => ({ event: async ({ event }) => { await f1(event); await fetch(event.type) }, \"tool.execute.before\": async (input, output) => { f1(output.args) } })\n")
	path := filepath.Join(b.TempDir(), "bundle.js")
	prog := js.NewProgram(func(string) ([]byte, error) { return nil, fs.ErrNotExist })
	entry, err := prog.LoadSource(path, []byte(src.String()))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(src.Len()))
	for b.Loop() {
		if n := len(hookasync.Check.JS(prog, entry, finding.Options{})); n != 1 {
			b.Fatalf("%d findings, want 1", n)
		}
	}
}
