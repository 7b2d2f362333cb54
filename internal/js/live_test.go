package js_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/internal/js"
)

// live returns the arguments of the calls of mark in live code, sorted.
func live(t *testing.T, files map[string]string) string {
	t.Helper()
	p := program(files)
	var got []string
	p.WalkLive(load(t, p, "a.js"), func(m *js.Module, n *js.Node) bool {
		if n.Type == js.CallExpr && js.CalleeName(n) == "mark" {
			got = append(got, n.Kids[1].Text)
		}
		return n.Type != js.Property || n.Kids[0].Text != "skipped"
	})
	slices.Sort(got)
	return strings.Join(got, " ")
}

func TestWalkLive(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"exports and the top level", map[string]string{"a.js": `mark("top"); export default () => mark("f"); function cli() { mark("cli") }`}, "f top"},
		{"named from live code, also as a value", map[string]string{"a.js": `
			export async function server() { helper(); on("x", listener); return { tool: tools } }
			function helper() { inner(); function inner() { mark("inner") } function unused() { mark("unused") } }
			const listener = () => mark("listener"), tools = { run() { mark("tool") } }, other = { run() { mark("other") } };
			class K { m() { mark("k") } }`}, "inner listener tool"},
		{"classes", map[string]string{"a.js": `export const f = () => new K(); class K extends B { m() { mark("k") } } class B { n() { mark("b") } } class C { o() { mark("c") } }`}, "b k"},
		{"recursion", map[string]string{"a.js": `export const f = () => { mark("f"); g() }, g = () => f()`}, "f"},
		{"imports", map[string]string{
			"a.js": `import { used } from "./b"; import * as ns from "./c"; import d from "./d.js"; import "./e"; import "zod"; export default () => { used(); ns.one(); d() }`,
			"b.js": `mark("b"); export function used() { mark("used") } export function unused() { mark("unused") } export * from "./f"`,
			"c.ts": `export function one() { mark("one") } export const two = () => mark("two")`,
			"d.js": `export default function () { mark("default") }`,
			"e.js": `mark("effect")`,
			"f.js": `mark("star"); export const g = () => mark("g")`,
		}, "b default effect one star used"},
		{"whole modules", map[string]string{
			"a.js": `import * as ns from "./b"; export default async () => { keys(ns); await import("./c"); require("./d") }`,
			"b.js": `export const x = () => mark("x"); export * from "./b"`,
			"c.js": `export const y = () => mark("y")`,
			"d.js": `exports.z = () => mark("z")`,
		}, "x y z"},
		{"re-exports", map[string]string{
			"a.js": `export { x as default } from "./b"; export * from "./c"`,
			"b.js": `export const x = () => mark("x"), y = () => mark("y")`,
			"c.js": `export const z = () => mark("z")`,
		}, "x z"},
		{"bundles", map[string]string{"a.js": `
			var exports_lib = {}; __export(exports_lib, { a: () => a, b: () => b });
			var exports_other = {}; __export(exports_other, { c: () => c });
			function a() { mark("a") } function b() { mark("b") } function c() { mark("c") }
			var require_x = __commonJS({ "x"(exports) { mark("x") } }), require_y = __commonJS({ "y"(exports) { mark("y") } });
			export default () => { list(exports_lib); require_x() }`}, "a b x"},
		{"programs", map[string]string{"a.js": `
			if (import.meta.main) main(); else mark("module");
			if (require.main === module) { mark("required") }
			if (!import.meta.main) mark("imported");
			if (process.argv[1] === fileURLToPath(import.meta.url)) mark("argv");
			function main() { mark("main") }`}, "imported module"},
		{"what f leaves out", map[string]string{"a.js": `export default { skipped: () => { mark("skipped"); helper() }, other: () => mark("other") }; function helper() { mark("helper") }`}, "other"},
		{"a missing module", map[string]string{"a.js": `import { x } from "./nowhere"; mark("a"); x()`}, "a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := live(t, row.files); got != row.want {
				t.Errorf("live: %q, want %q", got, row.want)
			}
		})
	}
}
