package js_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/internal/js"
)

func TestImports(t *testing.T) {
	t.Parallel()
	src := `import "./effect";
import d, { a as b, "quoted name" as q, type T } from "./x";
import type { Gone } from "./types";
import * as ns from 'node:fs';
import e, * as both from "./y";
const dyn = await import("./z"), req = require("./w"), other = import(name);
`
	_, m := module(t, "a.ts", src)
	var got []string
	for _, i := range m.Imports() {
		got = append(got, fmt.Sprintf("%s %s %s %s %s %t", i.Specifier, m.Text(i.Span), i.Imported, i.Local, m.Text(i.LocalSpan), i.Dynamic))
	}
	diff(t, []string{
		`./effect "./effect"    false`,
		`./x "./x" default d d false`, `./x "./x" a b b false`, `./x "./x" quoted name q q false`,
		`node:fs 'node:fs' * ns ns false`,
		`./y "./y" default e e false`, `./y "./y" * both both false`,
		`./z "./z" *   true`, `./w "./w" *   true`,
	}, got)
}

func TestExports(t *testing.T) {
	t.Parallel()
	kinds := map[js.ExportKind]string{
		js.ExportUnknown: "unknown", js.ExportFunction: "function", js.ExportClass: "class", js.ExportConst: "const",
		js.ExportObject: "object", js.ExportReexport: "reexport", js.ExportStar: "star",
	}
	tests := []struct {
		name, file, src string
		want            []string // name kind text-of-span local specifier
	}{
		{"declarations", "a.js", "export const a = 1, { b, c: [d] } = x; export function f() {} export class K {} export let u;",
			[]string{"a const a a ", "b unknown b b ", "d unknown d d ", "f function f  ", "K class K  ", "u unknown u u "}},
		{"lists", "a.js", "const a = () => 1, o = { x: 1 }; export { a, a as b, o as default, a as 'quoted' };",
			[]string{"a function a a ", "b function b a ", "default object default o ", "quoted function 'quoted' a "}},
		{"default function", "a.js", "export default async function () {}", []string{"default function default  "}},
		{"default object", "a.js", "export  default { id: 1 }", []string{"default object default  "}},
		{"default name", "a.js", "const p = async () => ({}); export default p", []string{"default function default p "}},
		{"default class", "a.ts", "export default class<T> {}", []string{"default class default  "}},
		{"re-exports", "a.js", `import { i } from "./i"; export { i as j }; export { x, y as z, default } from "./x"; export * from "./s"; export * as ns from "./n";`,
			[]string{"j reexport j i ./i", "x reexport x x ./x", "z reexport z y ./x", "default reexport default default ./x", `* star "./s"  ./s`, `ns star ns  ./n`}},
		{"kinds", "a.js", `export const s = new Set(), c = f(), t = ` + "`x${1}`" + `, n = -1, r = /x/, l = [], z = Object.freeze({}), g = a || b, w = await x, nf = new Function("x")`,
			[]string{"s const s s ", "c unknown c c ", "t const t t ", "n const n n ", "r const r r ", "l const l l ", "z object z z ", "g unknown g g ", "w unknown w w ", "nf unknown nf nf "}},
		{"types are none", "a.ts", "export type T = 1; export interface I {} export declare const d: 1; export const v: T = 1; export type { X } from './x'; export { type Y, v as w }",
			[]string{"v const v v ", "w const w v "}},
		{"enums", "a.ts", "export enum E { A }", []string{"E object E E "}},
		{"CommonJS", "a.cjs", "exports.a = 1; module.exports.b = function () {}; module.exports = { c: 1 };",
			[]string{"a const a  ", "b function b  ", "default object module.exports  "}},
		{"JSON", "a.json", `{"a": 1}`, []string{`default object {"a": 1}  `}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, m := module(t, tt.file, tt.src)
			var got []string
			for _, e := range m.Exports() {
				got = append(got, fmt.Sprintf("%s %s %s %s %s", e.Name, kinds[e.Kind], m.Text(e.Span), e.Local, e.Specifier))
			}
			diff(t, tt.want, got)
		})
	}
}

func TestDirectives(t *testing.T) {
	t.Parallel()
	src := `//ngvet:file-ignore a/b the whole file
const a = 1; // ngvet:ignore x/y trailing  reason
// ngvet:ignore p/q above
//ngvet:ignore r/s both
export const b = {
  // ngvet:ignore k/l on a property
  "permission.ask": async () => { // ngvet:ignore m/n on its line
    f("//ngvet:not in a string", ` + "`//ngvet:nor ${'//ngvet:here'}`" + `, /\/\/ngvet:nor here/);
  }, // ngvet:ignore o/o on the end of a member
  /* //ngvet:nor in a block */
};
class K {
  //ngvet:ignore c/d member
  m() {}
}
//ngvet:retention
`
	for _, file := range []string{"a.js", "a.ts"} {
		_, m := module(t, file, src)
		var got []string
		for _, d := range m.Directives() {
			stmt, _, _ := strings.Cut(m.Text(d.Stmt), "\n")
			if m.Text(d.ArgsSpan) != d.Args || !strings.HasPrefix(m.Text(d.Span), "//") {
				t.Errorf("%s: places %q, %q of %q", file, m.Text(d.Span), m.Text(d.ArgsSpan), d.Args)
			}
			got = append(got, fmt.Sprintf("%s|%s|%t %t|%d %s", d.Verb, d.Args, d.Trailing, d.Spaced, d.StmtLine, stmt))
		}
		diff(t, []string{
			"file-ignore|a/b the whole file|false false|2 const a = 1;",
			"ignore|x/y trailing  reason|true true|2 const a = 1;",
			"ignore|p/q above|false true|5 export const b = {",
			"ignore|r/s both|false false|5 export const b = {",
			`ignore|k/l on a property|false true|7 "permission.ask": async () => { // ngvet:ignore m/n on its line`,
			`ignore|m/n on its line|true true|7 "permission.ask": async () => { // ngvet:ignore m/n on its line`,
			`ignore|o/o on the end of a member|true true|7 "permission.ask": async () => { // ngvet:ignore m/n on its line`,
			"ignore|c/d member|false false|14 m() {}",
			"retention||false false|0 ",
		}, got)
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	src := `const h = async (input, { args, ["x" + 1]: odd, ...others }, ...more) => {
  const { tool: name = "x" } = input, alias = args, first = more[0];
  let changed = input; changed = 1;
  f(input.tool, name, alias.command, args?.list[0].deep, input[key], others.z, first, (await input.p).q, (args ?? {}).r, changed, name.length, global.x, odd);
  return () => { f(input) };
}`
	_, m := module(t, "a.js", src)
	var got []string
	js.Walk(m.Root(), func(n *js.Node) bool {
		if n.Type == js.CallExpr && js.CalleeName(n) == "f" {
			for _, arg := range n.Kids[1:] {
				o, ok := m.OriginOf(arg)
				got = append(got, fmt.Sprintf("%s: %t %d %s", m.Text(arg.Span), ok, o.Param, strings.Join(o.Path, ".")))
			}
		}
		return true
	})
	diff(t, []string{
		"input.tool: true 0 tool", "name: true 0 tool", "alias.command: true 1 args.command", "args?.list[0].deep: true 1 args.list.0.deep",
		"input[key]: true 0 *", "others.z: true 1 *.z", "first: true 2 *.0", "(await input.p).q: true 0 p.q", "(args ?? {}).r: true 1 args.r",
		"changed: false 0 ", "name.length: true 0 tool.length", "global.x: false 0 ", "odd: true 1 *", "input: true 0 ",
	}, got)
}

func TestObject(t *testing.T) {
	t.Parallel()
	src := `const base = { a: 1, "b c": 2 };
const detail = { ...base, [key]: 3, short, m() {}, get g() { return 1 }, ...unknown };
detail.later = 4; detail["last"] = 5;
let twice = {}; twice = { z: 1 };
f(detail, twice, { inline: base }, 7);`
	p, m := module(t, "a.js", src)
	call := p.Calls(m, "f")[0]
	var got []string
	props, ok := call.Args[0].Object()
	for _, prop := range props {
		got = append(got, fmt.Sprintf("%s|%s|%s|%t %t %t %t", prop.Key, m.Text(prop.KeySpan), m.Text(prop.Value.Span()), prop.Computed, prop.Shorthand, prop.Method, prop.Spread))
	}
	diff(t, true, ok)
	diff(t, []string{
		"a|a|1|false false false false", `b c|"b c"|2|false false false false`, "|key|3|true false false false", "short|short|short|false true false false",
		"m|m|m() {}|false false true false", "g|g|get g() { return 1 }|false false true false", "|...unknown|unknown|false false false true",
		"later|later|4|false false false false", `last|"last"|5|true false false false`,
	}, got)
	if _, ok := call.Args[1].Object(); ok {
		t.Error("a variable that is assigned again was followed")
	}
	if _, ok := call.Args[3].Object(); ok {
		t.Error("a number has properties")
	}
	if n := call.Args[2].Mentions("inline", "base"); n == nil || m.Text(n.Span) != "base" {
		t.Error("Mentions does not find the value base, or finds the key inline")
	}
	if n := call.Args[0].Mentions("base"); n != nil {
		t.Error("Mentions looks behind a variable")
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	p := program(map[string]string{
		"src/a.ts": "", "src/b.ts": "", "src/b.js": "", "src/c/index.tsx": "", "src/d.mjs": "", "src/e.ts": "", "src/f/package.json": `{"main": "lib/x"}`, "src/f/lib/x.js": "",
		"node_modules/plain/package.json": `{"main": "./m.js"}`, "node_modules/plain/m.js": "", "node_modules/plain/sub/y.js": "",
		"node_modules/@s/cond/package.json": `{"exports": {".": {"types": "./t.d.ts", "require": "./r.cjs", "import": {"node": "./n.mjs"}, "default": "./z.js"}, "./sub/*": "./dist/*.js", "./no": null}}`,
		"node_modules/@s/cond/n.mjs":        "", "node_modules/@s/cond/dist/k.js": "",
		"node_modules/sugar/package.json": `{"exports": "./only.js"}`, "node_modules/sugar/only.js": "",
		"node_modules/escape/package.json": `{"exports": "./../../src/a.ts", "main": "../plain/m.js"}`,
		"node_modules/bare/index.js":       "", "node_modules/bare/package.json": `{}`,
	})
	from := load(t, p, "src/a.ts")
	for specifier, want := range map[string]string{
		"./b": "src/b.ts", "./b.js": "src/b.js", "./c": "src/c/index.tsx", "./d": "src/d.mjs", "./e.js": "src/e.ts", "../src/d.mjs?x=1": "src/d.mjs", "./f": "src/f/lib/x.js",
		"plain": "node_modules/plain/m.js", "plain/sub/y": "node_modules/plain/sub/y.js", "@s/cond": "node_modules/@s/cond/n.mjs", "@s/cond/sub/k": "node_modules/@s/cond/dist/k.js",
		"sugar": "node_modules/sugar/only.js", "bare": "node_modules/bare/index.js", "file://" + filepath.ToSlash(path("src/b.ts")): "src/b.ts", path("src/b"): "src/b.ts",
	} {
		got, err := p.Resolve(from, specifier)
		if err != nil || got != path(want) {
			t.Errorf("%s: got %s, %v; want %s", specifier, got, err, want)
		}
	}
	for specifier, want := range map[string]string{
		"./nowhere": "names no file", "node:fs": "outside the files", "absent": "is not installed", "sugar/deep": `exports has no "./deep"`, "@s/cond/no": `exports has no "./no"`,
		"escape": "leads out of the package", "": "outside the files", "bun:sqlite": "outside the files",
	} {
		if got, err := p.Resolve(from, specifier); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v; want an error with %q", specifier, got, err, want)
		}
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		dir   string
		files map[string]string
		want  []string
		err   string
	}{
		{"server export", "p", map[string]string{"p/package.json": `{"main": "m.js", "exports": {".": "./x.js", "./server": {"import": "./s.js"}}}`, "p/s.js": "", "p/m.js": "", "p/x.js": ""}, []string{"p/s.js"}, ""},
		{"main", "p", map[string]string{"p/package.json": `{"main": "m", "exports": {".": "./x.js"}}`, "p/m.ts": "", "p/x.js": ""}, []string{"p/m.ts"}, ""},
		{"exports without server loads nothing", "p", map[string]string{"p/package.json": `{"exports": {".": "./x.js"}}`, "p/x.js": "", "p/index.js": ""}, nil, ""},
		{"index", "p", map[string]string{"p/package.json": `{}`, "p/index.ts": ""}, []string{"p/index.ts"}, ""},
		{"missing entry", "p", map[string]string{"p/package.json": `{"main": "dist/x.js"}`}, nil, ""},
		{"broken manifest", "p", map[string]string{"p/package.json": `{`}, nil, "unexpected end of JSON input"},
		{"project", "p", map[string]string{
			"p/.opencode/plugin/a.ts": "", "p/.opencode/plugins/b.js": "", "p/.opencode/plugin/c.mjs": "", "p/.opencode/plugin/d.tsx": "", "p/.opencode/plugin/sub/e.ts": "", "p/plugin/f.ts": "",
			"p/opencode.json":            `{"plugin": ["./own.ts", "npm-package", "./absent.ts"]}`,
			"p/.opencode/opencode.jsonc": "{\n  // comment\n  \"plugin\": [[\"../own.ts\", {}], \"./plugin/a.ts\",],\n}", "p/own.ts": "",
		}, []string{"p/own.ts", "p/.opencode/plugin/a.ts", "p/.opencode/plugins/b.js"}, "absent.ts"},
		{"configuration directory", "p/.opencode", map[string]string{"p/.opencode/plugin/a.ts": ""}, []string{"p/.opencode/plugin/a.ts"}, ""},
		{"nothing", "p", nil, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := program(tt.files).Entries(path(tt.dir))
			var want []string
			for _, name := range tt.want {
				want = append(want, path(name))
			}
			diff(t, want, got)
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func TestPackageEntry(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, manifest, named, found string }{
		{"server", `{"main": "m.js", "exports": {"./server": {"bun": "./s.js"}}}`, "./s.js", "p/s.js"},
		{"server that is missing hides main", `{"main": "m.js", "exports": {"./server": "./absent.js"}}`, "./absent.js", ""},
		{"main", `{"main": "m", "exports": {".": "./x.js"}}`, "m", "p/m.js"},
		{"exports only", `{"exports": "./x.js"}`, "", "p/index.js"},
		{"no server", `{"exports": {".": "./x.js"}}`, "", ""},
		{"neither", `{}`, "", "p/index.js"},
		{"out of the package", `{"main": "../m.js"}`, "../m.js", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := program(map[string]string{"p/package.json": row.manifest, "p/m.js": "", "p/s.js": "", "p/index.js": "", "m.js": ""}).PackageEntry(path("p"))
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if row.found != "" {
				want = path(row.found)
			}
			if got.Path != want || got.Named.Str != row.named {
				t.Errorf("entry %q named by %q, want %q by %q", got.Path, got.Named.Str, want, row.named)
			}
		})
	}
}

func TestEntryExports(t *testing.T) {
	t.Parallel()
	p := program(map[string]string{
		"e.js": `export * from "./a"; export const x = 1; export { y as z } from "./a"; export * as ns from "./a"; export default () => {}; import { w } from "./a"; export { w }; export { T } from "./types"; export * from "./none"`,
		"a.js": `export const x = 2, y = 3, w = 4; export default 5; export * from "./b"`, "b.js": `export const b = 6`, "types.ts": `export interface T {}`,
	})
	m, err := p.Load(path("e.js"))
	if err != nil {
		t.Fatal(err)
	}
	exports, err := p.EntryExports(m)
	if err == nil || !strings.Contains(err.Error(), `import "./none" names no file`) {
		t.Errorf("error %v, want one about ./none", err)
	}
	var got []string
	for _, e := range exports {
		text := "?"
		if e.Namespace {
			text = "module"
		} else if v := p.Follow(e.Value); v.Node != nil {
			text = v.Module.Text(v.Span())
		}
		got = append(got, e.Name+"="+text+" via "+e.Via.Name)
	}
	diff(t, []string{"x=1 via x", "z=3 via z", "ns=module via ns", "default=() => {} via default", "w=4 via w", "T=? via T", "y=3 via *", "b=6 via *"}, got)
}

func TestHooks(t *testing.T) {
	t.Parallel()
	factories := map[js.FactoryKind]string{js.FactoryServer: "server", js.FactoryDefault: "default", js.FactoryLegacy: "legacy"}
	tests := []struct {
		name string
		src  string
		want []string // factory export: keys
	}{
		{"V1", `export default { id: "x", server: async () => ({ event: f, "tool.execute.before": g }) }; export const P = async () => ({ not: 1 })`, []string{"server default: event tool.execute.before"}},
		{"V1 by name", `const server = async () => { return { event: f } }; const plugin = { id: "x", server }; export default plugin;`, []string{"server default: event"}},
		{"V1 with a method", `export default { id: "x", async server() { return { event() {} } } }`, []string{"server default: event"}},
		{"V2 has none", `export default { id: "x", setup: async () => ({ event: f }) }`, nil},
		{"default function", `export default async function () { return { event: f } }`, []string{"default default: event"}},
		{"legacy", `export const A = async (ctx) => ({ event: f }); export function B() { return { config: g } }; export const C = A; export const N = 1; export class K { m() { return { event: 1 } } }`, []string{"legacy A: event", "legacy B: config"}},
		{"through a variable", `export const A = async () => { const hooks = { event: f }; hooks["chat.params"] = g; hooks.config = h; return hooks }`, []string{"legacy A: event chat.params config"}},
		{"spread of a local call", `function more() { return { config: g } } export const A = async () => ({ event: f, ...more(), ...(await later()), ...gone(), auth: x }); const later = async () => ({ tool: t })`, []string{"legacy A: event config tool ... auth"}},
		{"conditional spread", `export const A = async (c) => ({ ...(c.x ? { event: f } : {}), ...(c.y && { config: g }) })`, []string{"legacy A: event config"}},
		{"several returns", `export const A = async (c) => { if (!c) return {}; const inner = () => { return { not: 1 } }; return { event: f } }`, []string{"legacy A: ", "legacy A: event"}},
		{"result of a local call", `const make = (c) => ({ event: f }); export const A = async (c) => make(c)`, []string{"legacy A: event"}},
		{"across modules", `import { hooks, make } from "./lib"; export const A = async () => ({ ...hooks, ...make() }); export { Other as B } from "./lib"; export * from "./lib"`, []string{"legacy A: config auth", "legacy B: tool", "legacy make: auth"}},
		{"list", `const A = async () => ({ event: f }); export { A as default }`, []string{"default default: event"}},
		{"nothing else", `const table = { event: f, "tool.execute.before": g }; register(table); function helper() { return { event: f } } export const A = async () => { helper(); return null }`, nil},
		{"types of a re-export", `export { Gone } from "./lib"; export { Far } from "far-away"; export const A = async () => ({ event: f })`, []string{"legacy A: event"}},
	}
	lib := `export const hooks = { config: 1 }; export function make() { return { auth: 1 } } export const Other = async () => ({ tool: {} }); export interface Gone {}`
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := program(map[string]string{"a.ts": tt.src, "lib.ts": lib})
			m := load(t, p, "a.ts")
			objects, err := p.Hooks(m)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range objects {
				var keys []string
				for _, prop := range o.Props {
					key := prop.Key
					if prop.Spread {
						key = "..."
					}
					if !prop.Spread && strings.Trim(prop.Module.Text(prop.KeySpan), `"`) != key {
						t.Errorf("key %q is placed at %q", key, prop.Module.Text(prop.KeySpan))
					}
					keys = append(keys, key)
				}
				got = append(got, factories[o.Factory]+" "+o.Export+": "+strings.Join(keys, " "))
			}
			diff(t, tt.want, got)
		})
	}
}

func TestHooksTellsOfAMissingModule(t *testing.T) {
	t.Parallel()
	p, m := module(t, "a.js", `export { A } from "./nowhere"; export const B = async () => ({ event: f })`)
	objects, err := p.Hooks(m)
	var e *js.Error
	if !errors.As(err, &e) || len(objects) != 1 {
		t.Errorf("got %d objects, %v; want one and an *js.Error", len(objects), err)
	}
}

func TestLoadSource(t *testing.T) {
	t.Parallel()
	p := program(map[string]string{"a.js": `import { v } from "./member.js"; export const w = v + 1`})
	if _, err := p.LoadSource(path("member.js"), []byte("export const v = 1")); err != nil {
		t.Fatal(err)
	}
	v, err := p.Lookup(load(t, p, "a.js"), "w")
	if err != nil || v.Num != 2 {
		t.Errorf("got %v, %v; want 2", v.Num, err)
	}
}
