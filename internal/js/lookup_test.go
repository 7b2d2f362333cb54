package js_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/internal/js"
)

// source is a module with one of everything that a path can name.
const source = `
import { BASE, deep } from "./other";
import * as other from "./other";
import data from "./data.json";
import { missing } from "./nowhere";
export const VERSION = "1";
const KINDS = Object.freeze(["a", 'b', ` + "`c`" + `]);
export { KINDS as kinds, BASE as base };
export const LIMIT = 64 * 1024, SHIFT = 1 << 20, PLAIN = 4096, SUM = 1 + 2;
const nested = { outer: { "inner key": [1, { x: "deep" }] }, fn: () => 1, get acc() { return 1 }, run: Date.now() };
export default { id: "x", opts: { n: 2 } };
class Config { static MAX = 10; static ["QUOTED"] = 11; static get now() { return 1 } static f() { return "f" } inst = 1 }
let counter = 0; counter++;
const list = []; list.push(1);
const table = { a: 1 }; table.b = 2;
const frozen = Object.freeze({ a: { b: 1 } }); frozen.x = 1;
const frozenDeep = Object.freeze({ a: { b: 1 } }); frozenDeep.a.b = 2;
const set = new Set([1]); set.add(2);
const moved = BASE + "/x", whole = other.deep, json = data.list;
const { outer: { "inner key": [first, { x: picked }] } } = nested, { id = 1 } = nested;
const loop = loop2, loop2 = loop;
const conditional = flag ? 1 : 2, called = f(1), unknown = someGlobal;
const name = (id) => ` + "`events-${id}.jsonl`" + `;
function file(run) { const pre = "gate-"; return pre + run.id + ".jsonl" }
function constant() { return "fixed" }
function two(x) { if (x) return "a"; return ` + "`b${x}`" + ` }
async function later(x) { return ` + "`b${x}`" + ` }
const joined = "a" + VERSION + someGlobal + "b", composed = ` + "`${moved}${joined}!`" + `;
function result(a) { if (!a) return null; const r = { ok: true, count: a }; return r }
const sub = () => ({ ...base(), z: 1 });
function spreadOf() { return { ...nested, z: 1 } }
function viaGlobal() { return someGlobal }
const lone = "\ud83d", re = /a\/b/gi;
`

var files = map[string]string{
	"a.js":      source,
	"other.ts":  "export const BASE: string = 'base';\nexport const deep = { n: 1 } as const;\nexport * from './more';\n",
	"more.mjs":  "export let more = 5;",
	"data.json": `{"list": [1, "two"], "__proto__": 3}`,
}

func TestLookup(t *testing.T) {
	t.Parallel()
	p := program(files)
	m := load(t, p, "a.js")
	tests := []struct {
		path    string
		want    string // as show writes it
		text    string // the source of the span
		file    string // of the span, when another
		literal bool
		product bool
	}{
		{"VERSION", "s:31", `"1"`, "", true, false},
		{"KINDS", "array[s:61,s:62,s:63]", "[\"a\", 'b', `c`]", "", false, false},
		{"kinds", "array[s:61,s:62,s:63]", "[\"a\", 'b', `c`]", "", false, false},
		{"KINDS[1]", "s:62", "'b'", "", true, false},
		{"KINDS.2", "s:63", "`c`", "", true, false},
		{"LIMIT", "40f0000000000000", "64 * 1024", "", false, true},
		{"SHIFT", "4130000000000000", "1 << 20", "", false, true},
		{"PLAIN", "40b0000000000000", "4096", "", true, false},
		{"SUM", "4008000000000000", "1 + 2", "", false, false},
		{`nested.outer["inner key"][1].x`, "s:" + units("deep"), `"deep"`, "", true, false},
		{`nested["outer"]['inner key'][0]`, "3ff0000000000000", "1", "", true, false},
		{"nested.fn", "function", "() => 1", "", false, false},
		{"default.id", "s:78", `"x"`, "", true, false},
		{"default.opts.n", "4000000000000000", "2", "", true, false},
		{"Config.MAX", "4024000000000000", "10", "", true, false},
		{"Config.QUOTED", "4026000000000000", "11", "", true, false},
		{"base", "s:" + units("base"), "'base'", "other.ts", true, false},
		{"BASE", "s:" + units("base"), "'base'", "other.ts", true, false},
		{"moved", "s:" + units("base/x"), `BASE + "/x"`, "", false, false},
		{"whole.n", "3ff0000000000000", "1", "other.ts", true, false},
		{"json", "array[3ff0000000000000,s:" + units("two") + "]", `[1, "two"]`, "data.json", false, false},
		{"data.__proto__", "4008000000000000", "3", "data.json", true, false},
		{"first", "3ff0000000000000", "1", "", true, false},
		{"picked", "s:" + units("deep"), `"deep"`, "", true, false},
		{"frozen.a.b", "3ff0000000000000", "1", "", true, false},
		{"lone", "s:d83d", `"\ud83d"`, "", true, false},
		{"re", `/a\/b/gi`, `/a\/b/gi`, "", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			v, err := p.Lookup(m, tt.path)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(v); got != tt.want {
				t.Errorf("value %s, want %s", got, tt.want)
			}
			if got := v.Module.Text(v.Span); got != tt.text {
				t.Errorf("place %q, want %q", got, tt.text)
			}
			if want := path("a.js"); tt.file == "" && v.Module.Path() != want || tt.file != "" && v.Module.Path() != path(tt.file) {
				t.Errorf("module %s", v.Module.Path())
			}
			if v.Literal != tt.literal || v.Product != tt.product {
				t.Errorf("literal %t, product %t; want %t, %t", v.Literal, v.Product, tt.literal, tt.product)
			}
		})
	}
}

// formula writes the parts of a formula: text in quotes, holes in braces.
func formula(v js.Value) string {
	var b strings.Builder
	for _, p := range v.Parts {
		if p.Hole {
			fmt.Fprintf(&b, "{%s}", p.Name)
		} else {
			fmt.Fprintf(&b, "%q", p.Text)
		}
	}
	return b.String()
}

func TestLookupOfFormulas(t *testing.T) {
	t.Parallel()
	p := program(files)
	m := load(t, p, "a.js")
	for path, want := range map[string]string{
		"name":     `"events-"{id}".jsonl"`,
		"file":     `"gate-"{run.id}".jsonl"`,
		"constant": `"fixed"`,
		"joined":   `"a1"{someGlobal}"b"`,
		"composed": `"base/xa1"{someGlobal}"b!"`,
		"Config.f": `"f"`,
	} {
		v, err := p.Lookup(m, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got := formula(v); v.Kind != js.Formula || got != want {
			t.Errorf("%s: %v %s, want %s", path, v.Kind, got, want)
		}
	}
	for _, path := range []string{"two", "later"} {
		if v, err := p.Lookup(m, path); err != nil || v.Kind != js.Function {
			t.Errorf("%s: %v, %v; want a function without a formula", path, v.Kind, err)
		}
	}
}

func TestLookupOfWhatIsNotConstant(t *testing.T) {
	t.Parallel()
	p := program(files)
	m := load(t, p, "a.js")
	tests := []struct{ path, text, reason string }{
		{"counter", "counter", "counter is assigned to again"},
		{"list", "list.push", "list is changed here"},
		{"table", "table.b", "table is changed here"},
		{"frozenDeep", "frozenDeep.a.b", "frozenDeep is changed here"},
		{"set", "set.add", "set is changed here"},
		{"conditional", "flag ? 1 : 2", "a conditional is decided at run time"},
		{"called", "f(1)", "the result of a call is known at run time only"},
		{"unknown", "someGlobal", "someGlobal is a global"},
		{"nested.acc", "get acc() { return 1 }", "the property is an accessor"},
		{"nested.run", "Date.now()", "the result of a call is known at run time only"},
		{"Config.now", "static get now() { return 1 }", "now is an accessor"},
		{"loop", "loop2", "it refers to itself"},
		{"id", "id", "id is taken out of a pattern in a way that is not followed"},
		{"other", "other", "other is a whole module"},
		{"missing", "missing", `missing comes from "./nowhere"`},
		{"nested.toString", "", "toString is inherited"},
		{"calls(two)", "", ""},
		{"returned(viaGlobal)", "someGlobal", "someGlobal is a global"},
		{"returned(sub)", "base()", "the result of a call is known at run time only"},
		{"returned(VERSION)", "VERSION", "VERSION is no function that can be followed"},
		{"returned(constant)", `"fixed"`, "what is returned is no object"},
		{"cases(constant)", "", "constant has no switch"},
		{"cases(VERSION)", "VERSION", "VERSION is no function that can be followed"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			v, err := p.Lookup(m, tt.path)
			var not *js.NotConstError
			if tt.reason == "" {
				return
			}
			if !errors.As(err, &not) {
				t.Fatalf("got %s, %v; want a *js.NotConstError", show(v), err)
			}
			if !strings.Contains(not.Reason, tt.reason) {
				t.Errorf("reason %q, want %q", not.Reason, tt.reason)
			}
			if got := not.Module.Text(not.Span); tt.text != "" && got != tt.text {
				t.Errorf("place %q, want %q", got, tt.text)
			}
		})
	}
}

func TestLookupOfWhatIsMissing(t *testing.T) {
	t.Parallel()
	p := program(files)
	m := load(t, p, "a.js")
	tests := []struct {
		path, name string
		nearest    []string
	}{
		{"VERSOIN", "VERSOIN", []string{"VERSION"}},
		{"nested.outre", "outre", []string{"outer"}},
		{"Config.MAXX", "MAXX", []string{"MAX"}},
		{"Config.inst", "inst", []string{"inst"}},
		{"KINDS[7]", "7", nil},
		{"calls(basee)", "basee", []string{"base"}},
		{"returned(resultt)", "resultt", []string{"result"}},
		{"default.idd", "idd", []string{"id"}},
	}
	for _, tt := range tests {
		v, err := p.Lookup(m, tt.path)
		var not *js.NotFoundError
		if !errors.As(err, &not) {
			t.Errorf("%s: got %s, %v; want a *js.NotFoundError", tt.path, show(v), err)
			continue
		}
		if not.Name != tt.name || len(tt.nearest) > 0 && (len(not.Nearest) == 0 || not.Nearest[0] != tt.nearest[0]) {
			t.Errorf("%s: name %q, nearest %q; want %q, %q", tt.path, not.Name, not.Nearest, tt.name, tt.nearest)
		}
	}
}

func TestLookupOfMalformedPaths(t *testing.T) {
	t.Parallel()
	p, m := module(t, "a.js", "export const a = 1")
	for path, offset := range map[string]int{
		"": 0, ".a": 0, "a.": 1, "a..b": 1, "a[": 1, "a[x]": 1, `a["x"`: 1, "a b": 1, "calls(": 6, "calls()": 6, "calls(f": 7, "calls(f).x": 7, "calls(a.b)": 7,
		"unknown(f)": 0, "a['\\u{zz}']": 1, "a-b": 1, "a()": 0, "env.X": 99,
	} {
		_, err := p.Lookup(m, path)
		var bad *js.PathError
		if path == "env.X" { // a binding named env is reachable by its properties
			var not *js.NotFoundError
			if !errors.As(err, &not) {
				t.Errorf("%s: %v, want a *js.NotFoundError", path, err)
			}
			continue
		}
		if !errors.As(err, &bad) || bad.Offset != offset {
			t.Errorf("%q: %v, want a *js.PathError at %d", path, err, offset)
		}
	}
}

func TestLookupOfQueries(t *testing.T) {
	t.Parallel()
	src := `
import process2, { env as environment } from "node:process";
import { KIND } from "./kinds.js";
const { A, B: renamed = "d", ["C"]: c } = process.env;
const alias = process.env; alias.D; alias["E"]; environment.F; process2.env.G;
process.env.WRITTEN = "x"; delete process.env.DELETED; process.env.H ??= "x";
function f(env = process.env) { return env.I ?? "" }
if ("J" in process.env || globalThis.process.env.A || process?.env?.K) {}
const other = { env: { NOT: 1 } }; other.env.NOT;
append("one", { detail: 1 }); this.log?.append(KIND, {}); append("one"); x["append"](` + "`three`" + `);
const args = ["hook", "stop"]; if (c) args.push("--child", id); args.unshift("first");
spawn(bin, [...args, "--dir=" + c, ` + "`--id=${c}`" + `, c ? "--yes" : "--no", ...(c ? ["--maybe"] : []), c && "--and", 5], { stdio: "ignore" });
spawn(bin, ["hook"].concat("extra", ["--more"]));
function made(a) { if (!a) return null; if (a > 1) return { first: 1, third: a }; return Object.freeze({ first: 2, second: a, method() {} }) }
const arrow = async () => ({ x: 1, ...{ y: 2 } });
function chosen(k) { for (;;) switch (k) { case "one": case KIND: return () => { switch (k) { case "other": } }; default: break; case ("three"): } }
`
	p := program(map[string]string{"a.js": src, "kinds.js": "export const KIND = 'two'"})
	m := load(t, p, "a.js")
	for path, want := range map[string][]string{
		"env":             {"A", "B", "C", "D", "E", "F", "G", "DELETED", "H", "I", "J", "K"},
		"calls(append)":   {"one", "two", "three"},
		"argv(spawn)":     {"hook", "stop", "--child", "first", "--dir", "--id", "--yes", "--no", "--maybe", "--and", "extra", "--more"},
		"returned(made)":  {"first", "third", "second", "method"},
		"returned(arrow)": {"x", "y"},
		"cases(chosen)":   {"one", "two", "three"},
	} {
		v, err := p.Lookup(m, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var got []string
		for _, e := range v.Elems {
			got = append(got, e.Str)
			if at := e.Module.Text(e.Span); !strings.Contains(at, strings.TrimPrefix(e.Str, "--")) && e.Str != "two" {
				t.Errorf("%s: %q is placed at %q", path, e.Str, at)
			}
		}
		for _, e := range v.Entries {
			got = append(got, e.Key.Str)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	var refs []string
	for _, r := range m.EnvReads() {
		refs = append(refs, r.Name+"="+m.Text(r.Span))
	}
	diff(t, []string{"A=A", "B=B", `C="C"`, "D=D", `E="E"`, "F=F", "G=G", "DELETED=DELETED", "H=H", "I=I", `J="J"`, "A=A", "K=K"}, refs)
}

func TestLookupRefusesWhatItCannotList(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, path, reason string }{
		{"process.env[name]", "env", "the name of the environment variable is computed"},
		{"append(kind)", "calls(append)", "kind is a global"},
		{"append()", "calls(append)", "the call has no argument"},
		{"spawn(bin, args)", "argv(spawn)", "no argument is an array that can be followed"},
	}
	for _, tt := range tests {
		p, m := module(t, "a.js", tt.src)
		_, err := p.Lookup(m, tt.path)
		var not *js.NotConstError
		if !errors.As(err, &not) || not.Reason != tt.reason {
			t.Errorf("%s of %s: %v, want the reason %q", tt.path, tt.src, err, tt.reason)
		}
	}
}

func TestLookupOfEnums(t *testing.T) {
	t.Parallel()
	p, m := module(t, "a.ts", `export enum Kind { A = "a", "B C" = "b", C = 1 << 2, D }
const enum Small { X = 7 }
const used = Kind.A, both = [Kind.A, Small.X];`)
	v, err := p.Lookup(m, "Kind")
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "object{s:41:s:61,s:42 20 43:s:62,s:43:4010000000000000,s:44:4014000000000000}", show(v))
	var places []string
	for _, e := range v.Entries {
		places = append(places, fmt.Sprintf("%s=%s %t", m.Text(e.KeySpan), m.Text(e.Value.Span), e.Value.Literal))
	}
	diff(t, []string{`A="a" true`, `"B C"="b" true`, "C=1 false", "D=D false"}, places)
	used, err := p.Lookup(m, "used")
	if err != nil {
		t.Fatal(err)
	}
	if used.Literal || used.Str != "a" {
		t.Errorf("Kind.A: %q, literal %t; want \"a\", which no fix may replace there", used.Str, used.Literal)
	}
}

func TestLookupThroughCircles(t *testing.T) {
	t.Parallel()
	p := program(map[string]string{
		"a.js": `export { x, y } from "./b"; import { z } from "./b"; export { z }; export * from "./b"; export const own = 1, late = fromB; import { fromB } from "./b";`,
		"b.js": `export { x, z } from "./a"; export const y = 7; export * from "./a"; import { late } from "./a"; export const fromB = late;`,
	})
	m := load(t, p, "a.js")
	if v, err := p.Lookup(m, "y"); err != nil || v.Num != 7 {
		t.Errorf("y: %v, %v; want 7", v.Num, err)
	}
	for _, name := range []string{"x", "z", "late"} {
		if v, err := p.Lookup(m, name); err == nil {
			t.Errorf("%s: got %s, want an error", name, show(v))
		}
	}
	if _, err := p.Hooks(m); err != nil {
		t.Errorf("hooks: %v", err)
	}
}

// Every name below leads back to itself, or doubles what the one before it holds.
func TestFollowingIsBounded(t *testing.T) {
	t.Parallel()
	double := "const d0 = { k: 1 }, l0 = ['w'];"
	for i := range 60 {
		double += fmt.Sprintf("const d%d = { ...d%d, ...d%d }, l%d = c ? [...l%d, ...l%d] : l%d;", i+1, i, i, i+1, i, i, i)
	}
	src := "const a = a.b, { b } = b, [e] = e, c1 = c2.x, c2 = { x: c1.x }, o = { ...o, ...o }, l = [...l, ...l], w = w ? w : w;" + double +
		"f(a, b, e, c1, c2.x, o, l, w, d60, l60); f(a.x.y, o.k, c1.x.x); export default { server: a }; export const P = () => o, Q = () => ({ ...Q() }), R = () => R(), S = d60, T = () => d60;"
	p, m := module(t, "a.js", src)
	for _, call := range p.Calls(m, "f") {
		for _, arg := range call.Args {
			p.Follow(arg)
			arg.Object()
			m.OriginOf(arg.Node)
			_, _ = p.Eval(arg)
		}
	}
	for _, query := range []string{"argv(f)", "calls(f)", "returned(P)", "returned(R)", "env", "a.b", "o.k", "default.server"} {
		_, _ = p.Lookup(m, query)
	}
	if _, err := p.Hooks(m); err != nil {
		t.Error(err)
	}
}

func TestEvalIsBounded(t *testing.T) {
	t.Parallel()
	double := func(first, each string) string {
		src := "const a0 = " + first + ";"
		for i := range 60 {
			src += strings.ReplaceAll(strings.ReplaceAll("const aNEXT = "+each+";", "NEXT", fmt.Sprint(i+1)), "PREV", fmt.Sprint(i))
		}
		return src
	}
	for name, src := range map[string]string{
		"strings":      double(`"x"`, "aPREV + aPREV"),
		"arrays":       double("[1]", "[...aPREV, ...aPREV]"),
		"nested":       double("[1]", "[aPREV, aPREV]"),
		"objects":      double("({})", "({ l: aPREV, r: aPREV })"),
		"bigints":      double("2n ** 60000n", "aPREV * aPREV"),
		"shift":        "const a60 = 1n << 99999999999n",
		"power":        "const a60 = 10n ** 99999999n",
		"templates":    double("`x`", "`${aPREV}${aPREV}`"),
		"destructured": double("({ a: 1 })", "({ ...aPREV, k: [aPREV, aPREV] })"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, m := module(t, "a.js", src)
			v, err := p.Lookup(m, "a60")
			var not *js.NotConstError
			if err != nil && !errors.As(err, &not) {
				t.Errorf("got %v", err)
			}
			if err == nil && len(v.Str) > 1<<20 {
				t.Errorf("a string of %d bytes", len(v.Str))
			}
		})
	}
}
