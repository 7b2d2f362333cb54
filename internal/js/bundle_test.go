package js_test

import (
	"strings"
	"testing"

	"github.com/ngvet/ngvet/internal/js"
)

func TestVendored(t *testing.T) {
	t.Parallel()
	_, m := module(t, "a.js", `const before = 1
// see src/notes.js for more
const prose = 1
// node_modules/zod/index.js
const theirs = 1
var require_x = __commonJS({
  // node_modules/x/lib/a.cjs
  "x"() { const wrapped = 1 }
})
const trailing = 1 // src/b.ts
// src/own.ts
const own = 1 // node_modules/y/index.js
const still = 1
// ../../node_modules/.pnpm/z@1.0.0/node_modules/z/z.mjs
const hoisted = 1
`)
	for name, want := range map[string]bool{
		"before": false, "prose": false, "theirs": true, "wrapped": true, "trailing": true, "own": false, "still": false, "hoisted": true,
	} {
		if got := m.Vendored(strings.Index(string(m.Source()), name)); got != want {
			t.Errorf("Vendored(%s) = %t, want %t", name, got, want)
		}
	}
}

func TestMinified(t *testing.T) {
	t.Parallel()
	line := "const x = 'a line of ordinary length';\n"
	for _, row := range []struct {
		name, src string
		want      bool
	}{
		{"written", strings.Repeat(line, 100), false},
		{"one long string in it", strings.Repeat(line, 100) + "const s = '" + strings.Repeat("x", 9000) + "'\n", false},
		{"minified", strings.ReplaceAll(strings.Repeat(line, 100), "\n", ""), true},
		{"short", "x()", false},
	} {
		if _, m := module(t, "a.js", strings.ReplaceAll(row.src, "const", "var")); m.Minified() != row.want {
			t.Errorf("%s: Minified = %t, want %t", row.name, m.Minified(), row.want)
		}
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, src, want string }{
		{"none", `mark()`, ""},
		{"then and else", `if (a) { if (b) {} else mark() }`, "!b a"},
		{"the test itself", `if (mark()) x()`, ""},
		{"operators", `a && (b || (c ?? mark()))`, "!c !b a"},
		{"conditional", `a ? mark() : x`, "a"},
		{"early exits", `function f() { if (a) return; if (b) { x(); throw y } if (c) x(); mark() }`, "!a !b"},
		{"an else that leaves", `function f() { if (a) x(); else return; mark() }`, "a"},
		{"exits after it", `function f() { mark(); if (a) return }`, ""},
		{"through functions", `if (a) list.map((x) => x && mark())`, "x a"},
		{"loops", `for (const x of y) { if (!x) continue; while (b) mark() }`, "b !!x"},
		{"switch", `switch (a) { case 1: if (b) break; mark() }`, "!b a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, m := module(t, "a.js", row.src)
			var got []string
			js.Walk(m.Root(), func(n *js.Node) bool {
				if n.Type == js.CallExpr && js.CalleeName(n) == "mark" {
					for _, c := range js.Conditions(n) {
						text := m.Text(c.Test.Span)
						if !c.Holds {
							text = "!" + text
						}
						got = append(got, text)
					}
				}
				return true
			})
			if text := strings.Join(got, " "); text != row.want {
				t.Errorf("conditions %q, want %q", text, row.want)
			}
		})
	}
}
