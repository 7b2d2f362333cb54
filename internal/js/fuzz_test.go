package js_test

import (
	"testing"

	"github.com/ngvet/ngvet/internal/js"
)

// FuzzLoad shows that no input makes the reader panic or report a place outside the file.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		source, "", "\uFEFF#!x", "enum E { A, B = 'x' }", "namespace N { export const a = 1 }", "export { a as b, c as default } from 'x' with { type: 'json' }",
		"for await (const x of y) { using z = x }", "@dec class A { accessor x = 1; constructor(private y) {} }", "import d, * as n from 'x'; import('y')",
		"`a${`b${c}`}`", "a?.[b]?.(c)", "/[/]/u", "<div>{x}</div>", "({ async *a() {}, get [b]() {}, ...c })", "const { a: [b = 1], ...c } = d", `{"a": [1, {"b": null}]}`,
		"//ngvet:ignore a b\nx", "process.env[a]", "label: do { break label } while (0)", "\xff", "x = '\u2028'", "(((((", "a => b => c => d", "class { static { await } }",
	} {
		f.Add(uint8(0), seed)
		f.Add(uint8(1), seed)
	}
	names := []string{"a.js", "a.ts", "a.tsx", "a.cjs", "a.json", "a.mts"}
	f.Fuzz(func(t *testing.T, kind uint8, src string) {
		p := js.NewProgram(nil)
		m, err := p.LoadSource(path(names[int(kind)%len(names)]), []byte(src))
		if err != nil {
			return
		}
		inside := func(s js.Span) {
			if s.Start < 0 || s.End < s.Start || s.End > len(src) {
				t.Fatalf("place %v of a text of %d bytes", s, len(src))
			}
			m.Position(s.Start)
		}
		js.Walk(m.Root(), func(n *js.Node) bool {
			inside(n.Span)
			if n.Type >= js.Block && n.Type <= js.With {
				return true
			}
			e := js.Expr{Module: m, Node: n}
			if v, err := p.Eval(e); err == nil {
				_ = v.Kind.String()
			}
			p.Follow(e)
			e.Object()
			e.Mentions("a")
			m.OriginOf(n)
			return true
		})
		for _, i := range m.Imports() {
			inside(i.Span)
			inside(i.LocalSpan)
		}
		for _, e := range m.Exports() {
			inside(e.Span)
			inside(e.Stmt)
			_, _ = p.Lookup(m, e.Name)
		}
		for _, d := range m.Directives() {
			inside(d.Span)
			inside(d.ArgsSpan)
			inside(d.Stmt)
		}
		for _, r := range m.EnvReads() {
			inside(r.Span)
		}
		_, _ = p.Hooks(m)
		for _, q := range []string{"default", "env", "calls(f)", "argv(f)", "returned(f)", "a.b[0]"} {
			_, _ = p.Lookup(m, q)
		}
	})
}

// FuzzLookup shows that no path makes a lookup panic.
func FuzzLookup(f *testing.F) {
	p := program(files)
	m, err := p.Load(path("a.js"))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"nested.outer[\"inner key\"][1].x", "default.a", "calls(f)", "env", "a['\\u0041']", "a[1e3]", "K[`x`]", "a[\"${"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		v, err := p.Lookup(m, query)
		if err != nil {
			_ = err.Error()
			return
		}
		if v.Module == nil {
			t.Fatalf("%s has no module", query)
		}
	})
}
