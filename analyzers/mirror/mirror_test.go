package mirror_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/ngvet/ngvet/analyzers/mirror"
	"github.com/ngvet/ngvet/internal/finding"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := mirror.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

// TestGoSide covers what is reported in Go files, and the fixes there.
func TestGoSide(t *testing.T) {
	t.Parallel()
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), mirror.Check.Analyzer, "a", "forms", "prose", "silent", "tracked")
}

// contract is one declaration on each side. NAME stands for the name; the JS declaration
// is of NAME as well.
type contract struct {
	name    string
	goDecl  string
	jsDecl  string
	options string // after FILE#
	want    string // in the message of the only finding; "" for none
}

var contracts = []contract{
	// Integers: the JS side is computed as JavaScript does, then compared exactly.
	{"integer", "const NAME = 1 << 20", "const NAME = 1024 * 1024", "NAME", ""},
	{"integer in hex with groups", "const NAME = 0xFF_FF", "const NAME = 65_535", "NAME", ""},
	{"integer against power", "const NAME = 1 << 20", "const NAME = 2 ** 20", "NAME", ""},
	{"integer against shift past the sign", "const NAME = 1 << 31", "const NAME = 1 << 31", "NAME", "is -2147483648"},
	{"integer from iota", "type NAMET int\nconst (\n\tNAME0 NAMET = iota\n\t//ngvet:mirror FILE#NAME\n\tNAME\n)", "const NAME = 1", "", ""},
	{"integer at the exact limit", "const NAME = 1 << 53", "const NAME = 9007199254740992", "NAME", ""},
	{"integer past the exact limit", "const NAME = 1<<53 + 1", "const NAME = 9007199254740993", "NAME", "exact only up to 2^53"},
	{"integer past the limit against bigint", "const NAME = 1<<53 + 1", "const NAME = 9007199254740993n", "NAME", ""},
	{"integer past the limit against text", "const NAME = 1<<53 + 1", `const NAME = "9007199254740993"`, "NAME", ""},
	{"small integer against text", "const NAME = 5", `const NAME = "5"`, "NAME", `NAME is "5"`},
	{"negative integer", "const NAME = -5", "const NAME = -5", "NAME", ""},
	{"integer against fraction", "const NAME = 1", "const NAME = 1.5", "NAME", "is 1.5"},
	{"integer against infinity", "const NAME = 1", "const NAME = 1 / 0", "NAME", "is +Inf"},

	// Floats: the Go constant is rounded to binary64.
	{"float", "const NAME = 0.1", "const NAME = 0.1", "NAME", ""},
	{"float sum", "const NAME = 0.1 + 0.2", "const NAME = 0.1 + 0.2", "NAME", "0.30000000000000004"},
	{"float without fraction", "const NAME float64 = 2", "const NAME = 2", "NAME", ""},
	{"float against bigint", "const NAME = 2.0", "const NAME = 2n", "NAME", "bigint never equals"},

	// Strings and booleans.
	{"string", `const NAME = "a\tb"`, "const NAME = 'a\\x09b'", "NAME", ""},
	{"string sum", `const NAME = "a" + "b"`, "const NAME = `a` + 'b'", "NAME", ""},
	{"string of a named constant", "const NAMEP = \"v\"\n\n//ngvet:mirror FILE#NAME\nconst NAME = NAMEP + \"1\"", `const NAME = "v1"`, "", ""},
	{"string with a final space", `const NAME = "2"`, `const NAME = "2 "`, "NAME", `NAME is "2 "`},
	{"string against number", `const NAME = "1"`, "const NAME = 1", "NAME", "NAME is 1"},
	{"string with a lone surrogate", `const NAME = "\ufffd"`, `const NAME = "\ud800"`, "NAME", "not Unicode"},
	{"string in a comment only", `const NAME = "2"`, "const NAME = '1'; // '2'", "NAME", `is "1"`},
	{"bool", "const NAME = true", "const NAME = true", "NAME", ""},
	{"bool differs", "const NAME = true", "const NAME = false", "NAME", "NAME is false"},
	{"null", `const NAME = ""`, "const NAME = null", "NAME", "NAME is null"},

	// Durations.
	{"duration in ms", "const NAME = 1500 * time.Millisecond", "const NAME = 1_500", "NAME as=ms", ""},
	{"duration in s", "const NAME = 2 * time.Minute", "const NAME = 120", "NAME as=s", ""},
	{"duration in us", "const NAME = time.Millisecond", "const NAME = 1e3", "NAME as=us", ""},
	{"duration differs", "const NAME = time.Second", "const NAME = 100", "NAME as=ms", "is 100ms"},

	// Lists, sets, maps.
	{"list", `var NAME = []string{"a", "b"}`, `const NAME = Object.freeze(["a", "b"])`, "NAME", ""},
	{"array", `var NAME = [...]int{1, 2}`, `const NAME = new Set([1, 2])`, "NAME", ""},
	{"list lacks", `var NAME = []string{"a", "b"}`, `const NAME = ["a"]`, "NAME", `lacks "b"`},
	{"list has more", `var NAME = []string{"a"}`, `const NAME = ["a", "b"]`, "NAME", `has "b"`},
	{"list element differs", `var NAME = []string{"a", "b"}`, `const NAME = ["a", "c"]`, "NAME", `NAME[1] is "c"`},
	{"list moved", `var NAME = []string{"a", "b", "c"}`, `const NAME = ["b", "a", "c"]`, "NAME", "in the order of"},
	{"list unordered", `var NAME = []string{"a", "b"}`, `const NAME = ["b", "a"]`, "NAME unordered", ""},
	{"list with a repetition", `var NAME = []string{"a", "a"}`, `const NAME = ["a"]`, "NAME", `lacks "a"`},
	{"empty lists", `var NAME = []string{}`, `const NAME = []`, "NAME", ""},
	{"list subset", `var NAME = []string{"a"}`, `const NAME = ["a", "b"]`, "NAME subset", ""},
	{"list subset lacks", `var NAME = []string{"c"}`, `const NAME = ["a", "b"]`, "NAME subset", `lacks "c"`},
	{"list superset", `var NAME = []string{"a", "b"}`, `const NAME = ["b"]`, "NAME superset", ""},
	{"list superset lacks", `var NAME = []string{"a"}`, `const NAME = ["b"]`, "NAME superset", `has "b"`},
	{"list against keys", `var NAME = []string{"a", "b"}`, `const NAME = { a: 1, b: 2 }`, "NAME keys", ""},
	{"list against values", `var NAME = []int{1, 2}`, `const NAME = { a: 1, b: 3 }`, "NAME values", "NAME[1] is 3"},
	{"keys of what is known at run time", `var NAME = []string{"a"}`, `const NAME = { a: Date.now() }`, "NAME keys", ""},
	{"nested lists", `var NAME = [][]int{{1}, {2, 3}}`, `const NAME = [[1], [2, 4]]`, "NAME", "NAME[1][1] is 4"},
	{"map", `var NAME = map[string]int{"a": 1, "b": 2}`, `const NAME = { b: 2, a: 1 }`, "NAME", ""},
	{"map value differs", `var NAME = map[string]int{"a": 1}`, `const NAME = { a: 2 }`, "NAME", `NAME["a"] is 2`},
	{"map lacks", `var NAME = map[string]int{"a": 1, "b": 2}`, `const NAME = { a: 1 }`, "NAME", `lacks "b"`},
	{"map has more", `var NAME = map[string]int{"a": 1}`, `const NAME = { a: 1, b: 2 }`, "NAME", `has "b"`},
	{"map with integer keys", `var NAME = map[int]string{404: "gone"}`, `const NAME = { 404: "gone" }`, "NAME", ""},
	{"map against Map", `var NAME = map[int]string{4: "d"}`, `const NAME = new Map([[4, "d"]])`, "NAME", ""},
	{"set by keys", `var NAME = map[string]struct{}{"a": {}, "b": {}}`, `const NAME = ["b", "a"]`, "NAME keys", ""},
	{"group against values", "const (\n\tNAMEA = \"a\"\n\tNAMEB = \"b\"\n)", `const NAME = Object.freeze({ B: "b", A: "a" })`, "NAME", ""},
	{"group lacks", "const (\n\tNAMEA = \"a\"\n\tNAMEB = \"b\"\n)", `const NAME = ["a"]`, "NAME", `lacks "b"`},
	{"struct against keys", "type NAME struct {\n\tA int `json:\"a\"`\n\tB string `json:\"b,omitempty\"`\n\tc bool\n\tD int `json:\"-\"`\n}", `const NAME = { b: 1, a: 2 }`, "NAME", ""},
	{"struct against returned", "type NAME struct {\n\tA int `json:\"a\"`\n}", "function NAME(x) { return { a: x, b: 1 }; }", "returned(NAME)", `has "b"`},
	{"switch against switch", "func NAME(s string) int {\n\tswitch s {\n\tcase \"a\", \"b\":\n\t\treturn 1\n\tcase \"c\":\n\t}\n\treturn 0\n}", `const NAME = (k) => { switch (k) { case "c": case "b": return 1; case "a": default: } };`, "cases(NAME)", ""},
	{"switch lacks", "func NAME(s string) {\n\tswitch s {\n\tcase \"a\":\n\tcase \"c\":\n\t}\n}", `function NAME(k) { switch (k) { case "a": break; } }`, "cases(NAME)", `lacks "c"`},
	{"switch has more", "func NAME(s string) {\n\tswitch s {\n\tcase \"a\":\n\t}\n}", `function NAME(k) { switch (k) { case "a": break; case "d": break; } }`, "cases(NAME)", `has "d"`},
	{"switch case differs", "func NAME(s string) {\n\tswitch s {\n\tcase \"a\":\n\t}\n}", `function NAME(k) { switch (k) { case "b": } }`, "cases(NAME)", `[0] is "b"`},
	{"switch over named numbers", "func NAME(n time.Month) {\n\tswitch n {\n\tcase time.January, 3:\n\t}\n}", `const NAME = [3, 1];`, "NAME", ""},
	{"switch in a method against values", "type NAMET string\n\n//ngvet:mirror FILE#NAME\nfunc (NAMET) NAME(k NAMET) {\n\tfor {\n\t\tswitch k {\n\t\tcase \"x\":\n\t\t\treturn\n\t\t}\n\t}\n}", `const NAME = { first: "x" };`, "", ""},
	{"group against switch", "const (\n\tNAMEA = 1\n\tNAMEB = 2\n)", `function NAME(k) { switch (k) { case 2: case 1: } }`, "cases(NAME)", ""},

	// Formulas.
	{"formula", `func NAME(id string) string { return "a-" + id + ".x" }`, "const NAME = (id) => `a-${id}.x`", "NAME", ""},
	{"formula with Sprintf", `func NAME(id string, n int) string { return fmt.Sprintf("%s-%d%%", id, n) }`, "function NAME(id, n) { return id + '-' + n + '%'; }", "NAME", ""},
	{"formula with constants", "const NAMEP = \"a-\"\n\n//ngvet:mirror FILE#NAME\nfunc NAME(id string) string { return NAMEP + id }", "const NAMEQ = 'a-'; const NAME = (x) => NAMEQ + x", "", ""},
	{"formula differs", `func NAME(id string) string { return "a-" + id + ".x" }`, "const NAME = (id) => `a_${id}.x`", "NAME", `"a_{id}.x"`},
	{"formula with another hole", `func NAME(id string) string { return "a-" + id }`, "const NAME = (id, n) => `a-${id}${n}`", "NAME", "a-{id}{n}"},

	// Regular expressions.
	{"pattern", "var NAME = regexp.MustCompile(`^[a-z/]{1,3}$`)", `const NAME = /^[a-z\/]{1,3}$/`, "NAME", ""},
	{"pattern differs", "var NAME = regexp.MustCompile(`^[a-z]{1,3}$`)", `const NAME = /^[a-z]{1,4}$/`, "NAME", "match different strings"},
	{"pattern with spaces", "var NAME = regexp.MustCompile(`\\s`)", `const NAME = /\s/`, "NAME", "U+00A0"},
	{"pattern with a dot", "var NAME = regexp.MustCompile(`a.`)", `const NAME = /a./`, "NAME", "U+2028"},
	{"pattern that folds case", "var NAME = regexp.MustCompile(`(?i)k`)", `const NAME = /k/i`, "NAME", "U+212A"},
	{"pattern with look-ahead", "var NAME = regexp.MustCompile(`a`)", `const NAME = /a(?=b)/`, "NAME", "no counterpart"},
	{"pattern that negates units", "var NAME = regexp.MustCompile(`^[^a]$`)", `const NAME = /^[^a]$/`, "NAME", "UTF-16"},
	{"pattern that negates characters", "var NAME = regexp.MustCompile(`^[^a]$`)", `const NAME = /^[^a]$/u`, "NAME", ""},

	// Paths.
	{"environment", "const (\n\tNAMEA = \"A_NAME\"\n\tNAMEB = \"B_NAME\"\n)", `const NAME = process.env.A_NAME + process.env["B_NAME"];`, "env", ""},
	{"environment lacks", "var NAME = []string{\"A_NAME\", \"B_NAME\"}", `const { A_NAME } = process.env;`, "env", `lacks "B_NAME"`},
	{"calls", `var NAME = []string{"a", "b"}`, `NAME("b", 1); x.NAME("a"); NAME("b"); function NAME() {}`, "calls(NAME)", ""},
	{"argument vectors", `var NAME = []string{"run", "--json"}`, `NAME(bin, ["run", "--json"]); function NAME() {}`, "argv(NAME)", ""},
	{"argument vectors lack", `var NAME = []string{"run", "--json"}`, `NAME(bin, ["run"]); function NAME() {}`, "argv(NAME)", `lacks "--json"`},
	{"property", `const NAME = "x"`, `const NAME = { a: { "b-c": "x" } }`, `NAME.a["b-c"]`, ""},
	{"default export", `const NAME = "x"`, `export default { id: "x" }`, "default.id", ""},
	{"static", `const NAME = 3`, `class NAME { static LIMIT = 3 }`, "NAME.LIMIT", ""},
}

// typed are contracts with a side in TypeScript.
var typed = []contract{
	{"constant with types", "const NAME = 3", "export const NAME: number = <number>3 as const;", "NAME", ""},
	{"constant with a type differs", "const NAME = 3", "export const NAME: number = 4 satisfies number;", "NAME", "NAME is 4"},
	{"list", `var NAME = []string{"a", "b"}`, `export const NAME = ["a", "b"] as const satisfies readonly string[];`, "NAME", ""},
	{"enum", `var NAME = []string{"red", "blue"}`, "export enum NAME { Red = \"red\", Blue = `blue` }", "NAME values", ""},
	{"enum differs", `var NAME = []string{"red", "blue"}`, `export const enum NAME { Red = "red", Blue = "green" }`, "NAME values", `is "green"`},
	{"member of an enum that counts", "const NAME = 2", "export enum NAME { Low = 1, High }", "NAME.High", ""},
	{"static of an abstract class", "const NAME = 3", "abstract class NAME { static readonly MAX: number = 3; declare name: string; }", "NAME.MAX", ""},
	{"overloads", `func NAME(id string) string { return "e-" + id + ".x" }`, "export function NAME(id: string): string;\nexport function NAME(id: any) { return `e-${id!}.x`; }", "NAME", ""},
	{"keys of what has a type", `var NAME = []string{"a"}`, "export const NAME: Record<string, number> = { a: 1 };", "NAME keys", ""},
	{"word that is a keyword elsewhere", "const NAME = 1", "const type = 0; const declare = type; function NAMEF(type = 1) { return type; }\nconst NAME = 1;", "NAME", ""},

	// Of these nothing is left at run time.
	{"type", `var NAME = []string{"a", "b"}`, `export type NAME = "a" | "b";`, "NAME", "is a type, of which nothing is left at run time"},
	{"generic type", "const NAME = 1", `type NAME<T> = T[];`, "NAME", "is a type, of which"},
	{"interface", "type NAME struct {\n\tA int `json:\"a\"`\n}", "export interface NAME { a: number }", "NAME", "is an interface, of which"},
	{"declared constant", "const NAME = 3", "export declare const NAME: 3;", "NAME", "is declared without a value, of which"},
	{"declared function", `func NAME(id string) string { return "a-" + id }`, "declare function NAME(id: string): string;", "NAME", "is declared without a value, of which"},
	{"import of types", "const NAME = 3", `import type { Other as NAME } from "./other";`, "NAME", "is imported as a type, of which"},
	{"import of a type among others", "const NAME = 3", `import { type NAME } from "./other";`, "NAME", "is imported as a type, of which"},
	{"namespace", "const NAME = 3", "namespace NAME { export const X = 3; }", "NAME.X", "NAME is a namespace, which is filled at run time"},
	{"type of the same name elsewhere", "const NAME = 3", "function f() { type NAME = 3; }", "NAME", "there is no NAME"},
}

// TestContracts evaluates both sides of every row in one package.
func TestContracts(t *testing.T) {
	t.Parallel()
	for ext, rows := range map[string][]contract{"js": contracts, "ts": typed} {
		t.Run(ext, func(t *testing.T) {
			t.Parallel()
			testContracts(t, ext, rows)
		})
	}
}

func testContracts(t *testing.T, ext string, rows []contract) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	for i, c := range rows {
		decl := c.goDecl
		if c.options != "" {
			decl = "//ngvet:mirror FILE#" + c.options + "\n" + decl
		}
		file := fmt.Sprintf("r%d.%s", i, ext)
		replace := strings.NewReplacer("NAME", fmt.Sprintf("R%dx", i), "FILE", file).Replace
		writeContract(t, dir, i, replace(decl), file, replace(c.jsDecl))
	}
	found := byRow(t, analyze(t, dir))
	for i, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			messages := found[i]
			want := strings.ReplaceAll(c.want, "NAME", fmt.Sprintf("R%dx", i))
			switch {
			case c.want == "" && len(messages) > 0:
				t.Errorf("findings in equal sides: %q", messages)
			case c.want != "" && len(messages) != 1:
				t.Errorf("%d findings, want one with %q: %q", len(messages), want, messages)
			case c.want != "" && !strings.Contains(messages[0], want):
				t.Errorf("message %q does not contain %q", messages[0], want)
			}
		})
	}
}

// writeContract writes the two sides of row i.
func writeContract(t *testing.T, dir string, i int, goDecl, jsFile, jsDecl string) {
	t.Helper()
	var imports string
	for _, pkg := range []string{"fmt", "regexp", "time"} {
		if strings.Contains(goDecl, pkg+".") {
			imports += fmt.Sprintf("import %q\n\n", pkg)
		}
	}
	write(t, dir, fmt.Sprintf("r%d.go", i), "package main\n\n"+imports+goDecl+"\n")
	write(t, dir, jsFile, jsDecl+"\n")
}

// byRow returns the messages of findings by the row in whose files they are.
func byRow(t *testing.T, found []diagnostic) map[int][]string {
	t.Helper()
	out := make(map[int][]string)
	for _, d := range found {
		var row int
		if n, _ := fmt.Sscanf(filepath.Base(d.file), "r%d.", &row); n != 1 {
			t.Errorf("finding in %s: %s", d.file, d.message)
			continue
		}
		out[row] = append(out[row], d.message)
	}
	return out
}

type diagnostic struct {
	file, message string
	edits         []edit // of its first fix
}

// edit replaces the bytes from start to end.
type edit struct {
	file       string
	start, end int
	text       string
}

// analyze runs the analyzer on the package in dir.
func analyze(t *testing.T, dir string) []diagnostic {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Context: t.Context(), Dir: dir, Mode: packages.LoadSyntax}, ".")
	if err != nil {
		t.Fatal(err)
	}
	if n := packages.PrintErrors(pkgs); n > 0 {
		t.Fatalf("%d errors in the packages", n)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{mirror.Check.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []diagnostic
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Fatal(action.Err)
		}
		for _, d := range action.Diagnostics {
			if !mirror.Check.Reports(d.Category, finding.Options{}) {
				continue
			}
			fset := pkgs[0].Fset
			one := diagnostic{file: fset.Position(d.Pos).Filename, message: d.Message}
			if len(d.SuggestedFixes) > 0 {
				for _, e := range d.SuggestedFixes[0].TextEdits {
					from, to := fset.Position(e.Pos), fset.Position(e.End)
					one.edits = append(one.edits, edit{from.Filename, from.Offset, to.Offset, string(e.NewText)})
				}
			}
			out = append(out, one)
		}
	}
	return out
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
