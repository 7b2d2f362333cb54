package js_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ngvet/ngvet/internal/js"
)

// root is the directory of the files of a test; absolute on every system.
var root = filepath.Join(os.TempDir(), "js")

// program returns a program over files in memory, named by slash paths below root.
func program(files map[string]string) *js.Program {
	p := js.NewProgram(func(name string) ([]byte, error) {
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return nil, err
		}
		src, ok := files[filepath.ToSlash(rel)]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return []byte(src), nil
	})
	p.List = func(dir string) ([]string, error) {
		var names []string
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return nil, err
		}
		for name := range files {
			if rest, ok := strings.CutPrefix(name, filepath.ToSlash(rel)+"/"); ok && !strings.Contains(rest, "/") {
				names = append(names, rest)
			}
		}
		if names == nil {
			return nil, fs.ErrNotExist
		}
		return names, nil
	}
	return p
}

func path(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }

// load parses one file of a program.
func load(t *testing.T, p *js.Program, name string) *js.Module {
	t.Helper()
	m, err := p.Load(path(name))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// module parses src alone, as a file of that name.
func module(t *testing.T, name, src string) (*js.Program, *js.Module) {
	t.Helper()
	p := program(map[string]string{name: src})
	return p, load(t, p, name)
}

// texts returns the source of every node of a type, in the order of the tree.
func texts(m *js.Module, want js.Type) []string {
	var list []string
	js.Walk(m.Root(), func(n *js.Node) bool {
		if n.Type == want && n.Flags&js.Synthetic == 0 {
			list = append(list, m.Text(n.Span))
		}
		return true
	})
	return list
}

func diff(t *testing.T, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestSpans(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		file string
		src  string
		typ  js.Type
		want []string
	}{
		{"multi-byte text before", "a.js", `const é = "ü💥"; f(é, "x");`, js.CallExpr, []string{`f(é, "x")`}},
		{"byte order mark and hashbang", "a.mjs", "\uFEFF#!/usr/bin/env node\nf(1)", js.CallExpr, []string{"f(1)"}},
		{"parentheses around a callee", "a.js", "((a))(b); (x, y).z()", js.CallExpr, []string{"((a))(b)", "(x, y).z()"}},
		{"parentheses around operands", "a.js", "k = (a) + ((b))", js.Binary, []string{"(a) + ((b))"}},
		{"parentheses of the call are not the operand's", "a.js", "f((a) + b)", js.Binary, []string{"(a) + b"}},
		{"await of parentheses", "a.js", "async () => { await (x()) }", js.Await, []string{"await (x())"}},
		{"statements reach over semicolons", "a.js", "a();\nb()\n;(c)()", js.ExprStmt, []string{"a();", "b()\n;", "(c)()"}},
		{"if has its keyword", "a.js", "{ if (((a))) b; else c }", js.If, []string{"if (((a))) b; else c"}},
		{"do while", "a.js", "do { a } while (b);", js.DoWhile, []string{"do { a } while (b);"}},
		{"var in a loop head", "a.js", "for (var i = 0; i < 2; i++) {}\nfor (var k in o) {}", js.VarDecl, []string{"var i = 0", "var k"}},
		{"for await", "a.js", "async () => { for await (const x of y) z(x) }", js.ForOf, []string{"for await (const x of y) z(x)"}},
		{"postfix with a space", "a.js", "a ++", js.Update, []string{"a ++"}},
		{"arrow with parentheses around its body", "a.js", "f = async (a) => ({ a })", js.FuncLit, []string{"async (a) => ({ a })"}},
		{"exported functions start at function", "a.js", "export default async function () {}", js.FuncLit, []string{"async function () {}"}},
		{"methods", "a.js", "({ async a() { await 1 }, *g() { yield 1 }, get b() { return 1 }, 'c d'() {}, [e]: 1, f })", js.Property,
			[]string{"async a() { await 1 }", "*g() { yield 1 }", "get b() { return 1 }", "'c d'() {}", "[e]: 1", "f"}},
		{"class members", "a.js", "class A { static b = 1; #p; get x() { return 1 } static { f() } async *g() {} }", js.ClassMember,
			[]string{"static b = 1;", "#p;", "get x() { return 1 }", "static { f() }", "async *g() {}"}},
		{"class fields with the names of keywords", "a.js", "class A { get = 1; static set = (a) => a; async = 2; static async = 3 } get = 1; set = 2", js.ClassMember,
			[]string{"get = 1;", "static set = (a) => a;", "async = 2;", "static async = 3"}},
		{"template text", "a.js", "x = `é${`b${c}`}d`", js.TemplateText, []string{"é", "b", "", "d"}},
		{"identifier with an escape", "a.js", `\u0061b(1); ab\u{63}(2)`, js.Ident, []string{`\u0061b`, `ab\u{63}`}},
		{"regular expressions", "a.js", "a = b / c / /[/\\]]+/g.exec(d)[0]; if (x) /y/.test(z); ({}) / 2; v = x++ / 2 / y", js.RegExpLit, []string{"/[/\\]]+/g", "/y/"}},
		{"import attributes", "a.js", `import a from "./a.json" with { type: "json" }; b()`, js.ImportDecl, []string{`import a from "./a.json" with { type: "json" };`}},

		{"types between parameter and body", "a.ts", "const f = (a: (x: string) => void): { b: string } => { g(a) }", js.FuncLit,
			[]string{"(a: (x: string) => void): { b: string } => { g(a) }"}},
		{"calls with type arguments", "a.ts", "f<A, B>(x as any)!.g?.(y!);", js.CallExpr, []string{"f<A, B>(x as any)!.g?.(y!)", "f<A, B>(x as any)"}},
		{"arrow without parentheses", "a.ts", "x.map(a => ({ k: a }))", js.FuncLit, []string{"a => ({ k: a })"}},
		{"renamed locals keep their names", "a.ts", "namespace N { export const a = 1; { const a = 2; f(a) } }\nlet b: number; { let b = 1; f(b) }", js.CallExpr, []string{"f(a)", "f(b)"}},
		{"respelled literals", "a.ts", "f(0x10, 1_000, 'it', `t`, 1e3)", js.NumberLit, []string{"0x10", "1_000", "1e3"}},
		{"exports of types are gone", "a.ts", "export type T = 1; export interface I {} export { a as b, type T as U }; const a = 1", js.ExportSpec, []string{"a as b"}},
		{"calls in a namespace", "a.ts", "export namespace N { export const f = (a: { b: string }) => a; export function g(x: string): void { f({ b: x }); h(x) } }", js.CallExpr, []string{"f({ b: x })", "h(x)"}},
		{"multi-byte text in types", "a.ts", "type É = 'é💥'; const x: É = f('💥')", js.CallExpr, []string{"f('💥')"}},
		{"type-only constructs are gone", "a.ts", "declare const x: number; abstract class A { abstract m(): void; private n(): void {} }", js.ClassMember, []string{"n(): void {}"}},
		{"jsx", "a.tsx", "const a = <div id={f(1)}>don't {g(2)}</div>", js.CallExpr, []string{"f(1)", "g(2)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, m := module(t, tt.file, tt.src)
			diff(t, tt.want, texts(m, tt.typ))
		})
	}
}

func TestIdentifiersAreThoseOfTheSource(t *testing.T) {
	t.Parallel()
	src := "const a = 1;\nfunction f(a: number) { { let a = 2; return a } }\nclass K<T> { m(this: K<T>, v?: T) { return v } }\nexport { f as g }\n"
	_, m := module(t, "a.ts", src)
	js.Walk(m.Root(), func(n *js.Node) bool {
		if (n.Type == js.Ident || n.Type == js.Name) && n.Text != m.Text(n.Span) {
			t.Errorf("%q at %d reads %q in the source", n.Text, n.Span.Start, m.Text(n.Span))
		}
		return true
	})
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("(", 30000)
	tests := []struct {
		name, file, src, want string
	}{
		{"syntax error of JavaScript", "a.js", "let x = ;\n", "a.js:1:9: unexpected \";\""},
		{"syntax error of TypeScript", "a.ts", "const x: number =\n  }", "a.ts:2:3: unexpected \"}\""},
		{"column in bytes", "a.js", "/* é */ let = = 1", "a.js:1:16: unexpected \"=\""},
		{"not UTF-8", "a.js", "let x = '\xff'", "a.js:1:10: not UTF-8"},
		{"nested too deeply", "a.js", deep, "a.js:1:4001: code nests more than 20000 tokens deep"},
		{"prefix operators without end", "a.js", strings.Repeat("!", 30000) + "a", "a.js:1:20001: code nests more than 20000 tokens deep"},
		{"else if without end", "a.js", strings.Repeat("if(a){}else ", 4000) + "b", "code nests more than 20000 tokens deep"},
		{"blocks without end", "a.js", strings.Repeat("{", 500), "a.js:1:401: blocks and functions nest more than 400 deep"},
		{"curried arrows without end", "a.js", strings.Repeat("a=>", 500) + "b", "blocks and functions nest more than 400 deep"},
		{"arrows in parameters", "a.js", strings.Repeat("(a=", 10) + "b" + strings.Repeat(")=>0", 10), "arrow functions nest more than 6 deep in parameters"},
		{"unknown extension", "a.css", "a {}", `a.css: file name extension ".css", want a JavaScript, TypeScript or JSON one`},
		{"JSON with a comment", "a.json", "{\"a\": 1, // no\n}", "a.json:1:10: invalid character '/'"},
		{"empty JSON", "a.json", "", "unexpected end of JSON input"},
		{"unterminated template", "a.js", "a = `b${", "a.js:1:9: unexpected end of file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := program(map[string]string{tt.file: tt.src}).Load(path(tt.file))
			var e *js.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *js.Error", err)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want it to contain %q", err, tt.want)
			}
		})
	}
}

func TestLoadOfMissingFile(t *testing.T) {
	t.Parallel()
	_, err := program(nil).Load(path("a.js"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "file does not exist") {
		t.Errorf("got %v", err)
	}
}

func TestLongButFlatCodeIsRead(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"statements without semicolons": strings.Repeat("f()\n", 30000),
		"minified functions":            strings.Repeat("function f(){return 1}", 2000),
		"a long array":                  "x=[" + strings.Repeat("{a:1,b:[2]},", 5000) + "]",
		"a long sum":                    "x=1" + strings.Repeat("+1", 5000),
		"a long else if chain":          strings.Repeat("if(a){b()}else ", 1000) + "c()",
		"a long method chain":           "x" + strings.Repeat(".y()", 2000),
	}
	for name, src := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			module(t, "a.js", src)
			module(t, "a.ts", src)
		})
	}
}

// The deepest code that is accepted must not exhaust the stack of either parser.
func TestDeepCodeIsRead(t *testing.T) {
	t.Parallel()
	nest := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	for name, src := range map[string]string{
		"arrays":       "x=" + nest("[", "1", "]", 3900),
		"objects":      "x=" + nest("{a:", "1", "}", 390),
		"parentheses":  "x=" + nest("(", "1", ")", 3900),
		"calls":        nest("f(", "1", ")", 2800),
		"blocks":       nest("{", "a", "}", 390),
		"functions":    nest("function f(){", "a", "}", 200),
		"arrow bodies": "x=" + nest("()=>{return ", "1", "}", 190),
		"templates":    "x=" + nest("`${", "1", "}`", 3900),
		"unary":        "x=" + strings.Repeat("!", 4000) + "a",
		"ternaries":    "x=" + strings.Repeat("a?b:", 4900) + "c",
		"assignments":  strings.Repeat("a=", 4000) + "b",
		"arrows":       "x=" + strings.Repeat("a=>", 390) + "b",
		"powers":       "x=2" + strings.Repeat("**2", 4000),
		"sums":         "x=2" + strings.Repeat("+2", 9900),
		"members":      "x" + strings.Repeat(".a", 9900),
		"calls behind": "x" + strings.Repeat("()", 9900),
		"ifs":          strings.Repeat("if(a)", 300) + "b",
		"else ifs":     strings.Repeat("if(a)b;else ", 2800) + "c",
		"loops":        strings.Repeat("for(;;)", 3000) + "b",
		"labels": func() (s string) {
			for i := range 2000 {
				s += fmt.Sprintf("l%d:", i)
			}
			return s + "a"
		}(),
		"awaits":   "async()=>{" + strings.Repeat("await ", 9900) + "a}",
		"new":      strings.Repeat("new ", 3000) + "A",
		"classes":  nest("class A{static{", "a", "}}", 190),
		"generics": "let x: " + nest("A<", "b", ">", 6000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, file := range []string{"a.js", "a.ts"} {
				m, err := program(map[string]string{file: src}).Load(path(file))
				if file == "a.js" && name == "generics" {
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", file, err)
					continue
				}
				p := program(nil)
				js.Walk(m.Root(), func(n *js.Node) bool {
					return true
				})
				_, _ = p.Lookup(m, "x")
				_, _ = p.Hooks(m)
			}
		})
	}
}

func TestPosition(t *testing.T) {
	t.Parallel()
	_, m := module(t, "a.js", "a\r\né;b\nc\u2028d")
	tests := []struct{ off, line, col int }{{0, 1, 1}, {1, 1, 2}, {3, 2, 1}, {6, 2, 4}, {8, 3, 1}, {12, 3, 5}, {99, 3, 6}, {-1, 1, 1}}
	for _, tt := range tests {
		if line, col := m.Position(tt.off); line != tt.line || col != tt.col {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", tt.off, line, col, tt.line, tt.col)
		}
	}
}

func TestBindings(t *testing.T) {
	t.Parallel()
	src := `
import d, { a as b } from "./x";
var v = 1; var v = 2;
let w; w = 3; [w] = [4]; w++;
function f(p, { q: [r], ...s } = {}, ...t) { var v; { let w = p } for (const i of s) { i } return v }
const g = function self() { self(r, t) };
try { f() } catch ({ message }) { message }
label: for (;;) { continue label }
class C { static m() { return C } ["x" + d]() { return w } }
`
	_, m := module(t, "a.js", src)
	var got []string
	js.Walk(m.Root(), func(n *js.Node) bool {
		if b := m.BindingOf(n); b != nil && n == b.Decl {
			got = append(got, fmt.Sprintf("%s refs=%d writes=%d param=%d", b.Name, len(b.Refs), len(b.Writes), b.Param()))
		}
		return true
	})
	diff(t, []string{
		"d refs=1 writes=0 param=-1", "b refs=0 writes=0 param=-1", "v refs=1 writes=1 param=-1", "w refs=4 writes=3 param=-1",
		"f refs=1 writes=0 param=-1", "v refs=1 writes=0 param=-1", "w refs=0 writes=0 param=-1", "i refs=1 writes=0 param=-1",
		"p refs=1 writes=0 param=0", "r refs=0 writes=0 param=1", "s refs=1 writes=0 param=1", "t refs=0 writes=0 param=2",
		"g refs=0 writes=0 param=-1", "self refs=1 writes=0 param=-1", "message refs=1 writes=0 param=-1", "C refs=1 writes=0 param=-1",
	}, got)
}
