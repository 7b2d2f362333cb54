package mirror_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// proof is a contract and how its two sides show at run time: an expression of type string
// on each side. NAME stands for the name of the declarations.
type proof struct {
	row     string // of the table in doc.go
	goDecl  string
	jsDecl  string
	options string // after FILE#
	goShows string
	jsShows string
}

const (
	sortedList   = `show(sorted(NAME))`
	sortedValues = `Object.values(NAME).sort().join()`
)

var proofs = []proof{
	{"integer", "const NAME = 1 << 20", "const NAME = 1024 * 1024", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 1 << 31", "const NAME = 1 << 31", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 1 << 31", "const NAME = 2 ** 31", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = -1", "const NAME = ~0", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 1<<32 - 1", "const NAME = -1 >>> 0", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 0o17 + 0b11 + 0xff", "const NAME = 0o17 + 0b11 + 0xFF", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 1<<53 + 1", "const NAME = 9_007_199_254_740_993", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 1<<53 + 1", "const NAME = 9_007_199_254_740_993n", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 1<<53 + 1", "const NAME = 2n ** 53n + 1n", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 3", "const NAME = 7 / 2", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = 3", "const NAME = 7n / 2n", "NAME", "show(NAME)", "`${NAME}`"},
	{"integer", "const NAME = -7 % 3", "const NAME = -7 % 3", "NAME", "show(NAME)", "`${NAME}`"},

	{"float", "const NAME = 0.1 + 0.2", "const NAME = 0.3", "NAME", `strconv.FormatFloat(NAME, 'g', -1, 64)`, "`${NAME}`"},
	{"float", "const NAME = 0.1 + 0.2", "const NAME = 0.1 + 0.2", "NAME", `strconv.FormatFloat(NAME, 'g', -1, 64)`, "`${NAME}`"},
	{"float", "const NAME = 1.0 / 3", "const NAME = 1 / 3", "NAME", `strconv.FormatFloat(NAME, 'g', -1, 64)`, "`${NAME}`"},

	{"string", `const NAME = "é\x00\t\"'"`, `const NAME = '\u00e9\0\t"\''`, "NAME", "NAME", "NAME"},
	{"string", `const NAME = "😀"`, `const NAME = "\ud83d\ude00"`, "NAME", "NAME", "NAME"},
	{"string", "const NAME = `\\n`", "const NAME = String.raw`\\n`", "NAME", "NAME", "NAME"},
	{"string", "const NAME = `\\n`", "const NAME = `\\n`", "NAME", "NAME", "NAME"},
	{"string", `const NAME = "a1"`, "const NAME = `a${1}`", "NAME", "NAME", "NAME"},
	{"string", `const NAME = "12"`, `const NAME = 1 + "2"`, "NAME", "NAME", "NAME"},
	{"string", `const NAME = "a\r\nb"`, "const NAME = `a\r\nb`", "NAME", "NAME", "NAME"},

	{"bool", "const NAME = 1 < 2", "const NAME = !false", "NAME", "show(NAME)", "`${NAME}`"},
	{"bool", "const NAME = true", "const NAME = !true", "NAME", "show(NAME)", "`${NAME}`"},

	{"time.Duration", "const NAME = 90 * time.Second", "const NAME = 90 * 1000", "NAME as=ms", "show(NAME.Milliseconds())", "`${NAME}`"},
	{"time.Duration", "const NAME = 1500 * time.Millisecond", "const NAME = 1.5", "NAME as=s", `strconv.FormatFloat(NAME.Seconds(), 'g', -1, 64)`, "`${NAME}`"},
	{"time.Duration", "const NAME = time.Second", "const NAME = 1e3", "NAME as=us", "show(NAME.Microseconds())", "`${NAME}`"},

	{"slice, array", `var NAME = []string{"a", "b"}`, `const NAME = Object.freeze(["a", "b"])`, "NAME", "show(NAME)", "NAME.join()"},
	{"slice, array", `var NAME = []string{"b", "a"}`, `const NAME = ["a", "b"]`, "NAME", "show(NAME)", "NAME.join()"},
	{"slice, array", `var NAME = []string{"b", "a"}`, `const NAME = ["a", "b"]`, "NAME unordered", "show(sorted(NAME))", "[...NAME].sort().join()"},
	{"slice, array", `var NAME = [...]string{"a", "b"}`, `const NAME = new Set(["a", "b", "a"])`, "NAME", "show(NAME[:])", "[...NAME].join()"},
	{"slice, array", `var NAME = []string{"z", "a", "1"}`, `const NAME = Object.keys({ z: 0, a: 0, 1: 0 })`, "NAME", "show(NAME)", "NAME.join()"},
	{"slice, array", `var NAME = []string{"1", "z", "a"}`, `const NAME = Object.keys({ z: 0, a: 0, 1: 0 })`, "NAME", "show(NAME)", "NAME.join()"},
	{"slice, array", `var NAME = []string{"a", "b"}`, `const BASE = ["a"]; const NAME = [...BASE, "b"]`, "NAME", "show(NAME)", "NAME.join()"},

	{"map", `var NAME = map[string]int{"b": 2, "a": 1}`, `const NAME = { a: 1, ["b"]: 2 }`, "NAME", `show(NAME)`, "mapped(Object.entries(NAME))"},
	{"map", `var NAME = map[string]int{"a": 2}`, `const NAME = { a: 1, "a": 2 }`, "NAME", `show(NAME)`, "mapped(Object.entries(NAME))"},
	{"map", `var NAME = map[string]int{"a": 1}`, `const NAME = { a: 1, "a": 2 }`, "NAME", `show(NAME)`, "mapped(Object.entries(NAME))"},
	{"map", `var NAME = map[string]int{"a": 1, "b": 3}`, `const NAME = { ...{ a: 1, b: 2 }, b: 3 }`, "NAME", `show(NAME)`, "mapped(Object.entries(NAME))"},
	{"map", `var NAME = map[string]int{"a": 1}`, `const NAME = new Map([["a", 1]])`, "NAME", `show(NAME)`, "mapped([...NAME])"},
	{"map", `var NAME = map[string]int{"a": 1}`, `const NAME = new Map([["a", 1], ["b", 1]])`, "NAME", `show(NAME)`, "mapped([...NAME])"},

	{"group of constants", "const (\n\tNAMEA = \"x\"\n\tNAMEB = \"y\"\n)", `const NAME = { B: "y", A: "x" }`, "NAME", `show([]string{NAMEA, NAMEB})`, sortedValues},
	{"group of constants", "const (\n\tNAMEA = \"x\"\n\tNAMEB = \"y\"\n)", `const NAME = { B: "y", A: "z" }`, "NAME", `show([]string{NAMEA, NAMEB})`, sortedValues},
	{"group of constants", "const (\n\tNAMEA = \"x\"\n\tNAMEB = \"y\"\n)", `const NAME = ["y", "x"]`, "NAME", `show([]string{NAMEA, NAMEB})`, sortedValues},

	{"function with one switch", "func NAME(s string) bool {\n\tswitch s {\n\tcase \"a\", \"b\":\n\t\treturn true\n\t}\n\treturn false\n}", `function NAME(s) { switch (s) { case "b": case "a": return true; } return false; }`, "cases(NAME)", "probe(NAME)", "probe(NAME)"},
	{"function with one switch", "func NAME(s string) bool {\n\tswitch s {\n\tcase \"a\", \"b\":\n\t\treturn true\n\t}\n\treturn false\n}", `function NAME(s) { switch (s) { case "a": return true; default: return false; } }`, "cases(NAME)", "probe(NAME)", "probe(NAME)"},
	{"function with one switch", "func NAME(s string) bool {\n\tswitch s {\n\tcase \"a\", \"b\":\n\t\treturn true\n\t}\n\treturn false\n}", `const NAME = ["b", "a"]`, "NAME", "probe(NAME)", "probe((s) => NAME.includes(s))"},

	{"struct with json tags", "type NAME struct {\n\tA int `json:\"a\"`\n\tB string `json:\"b\"`\n\tC bool `json:\"-\"`\n\td int\n}", `const NAME = { b: 1, a: 2 }`, "NAME", "keysOf(NAME{})", "Object.keys(NAME).sort().join()"},
	{"struct with json tags", "type NAME struct {\n\tA int `json:\"-,\"`\n\tB string\n}", `const NAME = { "-": 1, B: 2 }`, "NAME", "keysOf(NAME{})", "Object.keys(NAME).sort().join()"},
	{"struct with json tags", "type NAMEE struct{ Inner int }\n\n//ngvet:mirror FILE#returned(NAME)\ntype NAME struct {\n\tNAMEE\n\tB string `json:\"b\"`\n}", `function NAME() { return { b: 1, Inner: 2 }; }`, "", "keysOf(NAME{})", "Object.keys(NAME()).sort().join()"},
	{"struct with json tags", "type NAMEE struct {\n\tA, B, C int\n\tNAMEF\n}\n\ntype NAMEF struct { D, A int }\n\ntype NAMEG struct { C, E int }\n\n//ngvet:mirror FILE#NAME\ntype NAME struct {\n\t*NAMEE\n\tNAMEG `json:\",omitempty\"`\n\tB string `json:\"b\"`\n\tF int `json:\"f\\\"f\"`\n\tH NAMEF `json:\"h\"`\n}", `const NAME = { A: 1, B: 1, D: 1, E: 1, b: 1, F: 1, h: 1 }`, "", "keysOf(NAME{NAMEE: &NAMEE{}})", "Object.keys(NAME).sort().join()"},
	{"struct with json tags", "type NAMEE struct {\n\tA int `json:\"x\"`\n}\n\ntype NAMEG struct{ X int `json:\"x\"`; Y int }\n\ntype NAMEH struct{ Y int `json:\"Y\"` }\n\n//ngvet:mirror FILE#NAME\ntype NAME struct {\n\tNAMEE\n\tNAMEG\n\tNAMEH `json:\"\"`\n}", `const NAME = { Y: 1 }`, "", "keysOf(NAME{})", "Object.keys(NAME).sort().join()"},
	{"struct with json tags", "type NAME struct {\n\tA int `json:\"a\"`\n}", `function NAME() { return { A: 1 }; }`, "returned(NAME)", "keysOf(NAME{})", "Object.keys(NAME()).sort().join()"},

	{"function with one return", `func NAME(id string, n int) string { return fmt.Sprintf("e-%s-%d%%.x", id, n) }`, "const NAME = (id, n) => `e-${id}-${n}%.x`", "NAME", `NAME("q", 7)`, `NAME("q", 7)`},
	{"function with one return", `func NAME(id string) string { return "a-" + id + ".x" }`, `function NAME(id) { return "a-" + id + ".y"; }`, "NAME", `NAME("q")`, `NAME("q")`},
	{"function with one return", `func NAME(id string) string { return id + "-12" }`, `function NAME(id) { return id + "-" + 1 + 2; }`, "NAME", `NAME("q")`, `NAME("q")`},
	{"function with one return", `func NAME(id string) string { return id + "3" }`, "const NAME = (id) => `${id}${1 + 2}`", "NAME", `NAME("q")`, `NAME("q")`},

	{"regexp.MustCompile", "var NAME = regexp.MustCompile(`^[a-z/]{1,3}$`)", `const NAME = /^[a-z\/]{1,3}$/`, "NAME", "matches(NAME)", "matches(NAME)"},
	{"regexp.MustCompile", "var NAME = regexp.MustCompile(`^[a-z/]{1,3}$`)", `const NAME = new RegExp("^[a-z/]{1,2}$")`, "NAME", "matches(NAME)", "matches(NAME)"},
	{"regexp.MustCompile", "var NAME = regexp.MustCompile(`^\\s$`)", `const NAME = /^\s$/`, "NAME", "matches(NAME)", "matches(NAME)"},
	{"regexp.MustCompile", "var NAME = regexp.MustCompile(`^a.$`)", `const NAME = /^a.$/`, "NAME", "matches(NAME)", "matches(NAME)"},
	{"regexp.MustCompile", "var NAME = regexp.MustCompile(`(?i)^k$`)", `const NAME = /^k$/i`, "NAME", "matches(NAME)", "matches(NAME)"},
	{"regexp.MustCompile", "var NAME = regexp.MustCompile(`^[^a]$`)", `const NAME = /^[^a]$/`, "NAME", "matches(NAME)", "matches(NAME)"},
	{"regexp.MustCompile", "var NAME = regexp.MustCompile(`^[^a]$`)", `const NAME = /^[^a]$/u`, "NAME", "matches(NAME)", "matches(NAME)"},
	{"regexp.MustCompile", "var NAME = regexp.MustCompile(`^(?:\\d+|\\w{2})$`)", `const NAME = /^(?:[0-9]+|[A-Za-z0-9_]{2})$/`, "NAME", "matches(NAME)", "matches(NAME)"},
}

const proofGo = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	_ = strconv.Itoa
	_ time.Duration
)

var samples = []string{SAMPLES}

func show(v any) string {
	switch v := v.(type) {
	case []string:
		return strings.Join(v, ",")
	case map[string]int:
		var out []string
		for k, n := range v {
			out = append(out, fmt.Sprintf("%s:%d", k, n))
		}
		return show(sorted(out))
	}
	return fmt.Sprint(v)
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func keysOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		panic(err)
	}
	var keys []string
	for k := range object {
		keys = append(keys, k)
	}
	return show(sorted(keys))
}

func probe(f func(string) bool) string {
	var out []string
	for _, s := range []string{"a", "b", "c"} {
		out = append(out, show(f(s)))
	}
	return show(out)
}

func matches(re *regexp.Regexp) string {
	var out []string
	for _, s := range samples {
		out = append(out, show(re.MatchString(s)))
	}
	return show(out)
}

func main() {
	json.NewEncoder(os.Stdout).Encode([]string{PROBES})
}
`

const proofJS = `const samples = [SAMPLES];
const mapped = (entries) => entries.map(([k, v]) => k + ":" + v).sort().join();
const probe = (f) => ["a", "b", "c"].map((s) => f(s)).join();
const matches = (re) => samples.map((s) => re.test(s)).join();
console.log(JSON.stringify([PROBES]));
`

// TestProofs runs both sides of every row with the languages themselves: a contract has a
// finding if, and only if, they show differently.
func TestProofs(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is not installed")
		}
		t.Skip("node is not installed")
	}
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	var goProbes, jsProbes []string
	for i, p := range proofs {
		replace := strings.NewReplacer("NAME", fmt.Sprintf("R%dx", i), "FILE", fmt.Sprintf("r%d.js", i)).Replace
		decl := p.goDecl
		if p.options != "" {
			decl = "//ngvet:mirror FILE#" + p.options + "\n" + decl
		}
		writeContract(t, dir, i, replace(decl), fmt.Sprintf("r%d.js", i), replace(p.jsDecl))
		goProbes = append(goProbes, replace(p.goShows))
		jsProbes = append(jsProbes, replace("(() => { "+p.jsDecl+";\nreturn "+p.jsShows+"; })()"))
	}
	samples := `"a", "ab", "a/", "abc", "K", "k", "\u212a", "\u017f", " ", "\v", "\u00a0", "\ufeff", "a\r", "a\u2028", "a\n", "\n", "😀", "é", "7", "77", "_z"`
	fill := func(text string, probes []string) string {
		return strings.NewReplacer("SAMPLES", samples, "PROBES", strings.Join(probes, ",\n")).Replace(text)
	}
	write(t, dir, "main.go", fill(proofGo, goProbes))
	write(t, dir, "proof.mjs", fill(proofJS, jsProbes))
	goShown := output(t, dir, "go", "run", ".")
	jsShown := output(t, dir, node, "proof.mjs")
	found := byRow(t, analyze(t, dir))
	for i, p := range proofs {
		t.Run(fmt.Sprintf("%s_%d", p.row, i), func(t *testing.T) {
			if same, clean := goShown[i] == jsShown[i], len(found[i]) == 0; same != clean {
				t.Errorf("%s against %s: findings %q, but Go shows %q and Node %q", p.goDecl, p.jsDecl, found[i], goShown[i], jsShown[i])
			}
		})
	}
}

// TestEveryRowIsProven compares the rows of the proofs with the table in the documentation.
func TestEveryRowIsProven(t *testing.T) {
	t.Parallel()
	for _, p := range proofs {
		if !strings.Contains(mirrorDoc(t), "\n//	"+p.row+" ") {
			t.Errorf("the table in doc.go has no row %q", p.row)
		}
	}
	_, table, _ := strings.Cut(mirrorDoc(t), "JavaScript\n")
	table, _, _ = strings.Cut(table, "\n//\n")
	for line := range strings.Lines(table) {
		row, _, _ := strings.Cut(strings.TrimPrefix(line, "//	"), "  ")
		proven := false
		for _, p := range proofs {
			proven = proven || p.row == row
		}
		if !proven {
			t.Errorf("row %q of the table in doc.go has no proof", row)
		}
	}
}

func mirrorDoc(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// output runs a command that prints a list of strings.
func output(t *testing.T, dir, name string, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(name), err)
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatalf("%s: %v: %s", filepath.Base(name), err, text)
	}
	return list
}
