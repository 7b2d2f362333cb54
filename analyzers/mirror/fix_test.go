package mirror_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fixCase is a contract whose sides differ, and what the fix makes of the wrong side, "" if
// there is none. NAME stands for the name of the declarations.
type fixCase struct {
	name, goDecl, jsDecl, want string
}

// jsFixes are cases in which the JavaScript side is wrong.
var jsFixes = []fixCase{
	// Strings keep their quotes.
	{"double quotes", `const NAME = "it's"`, `const NAME = "its"`, `const NAME = "it's"`},
	{"single quotes", `const NAME = "it's \"x\""`, `const NAME = 'its'`, `const NAME = 'it\'s "x"'`},
	{"template", `const NAME = "it's"`, "const NAME = `its`", "const NAME = `it's`"},
	{"template with a back quote", "const NAME = \"a`b\"", "const NAME = `ab`", ""},
	{"template with a hole", `const NAME = "${x}"`, "const NAME = `x`", ""},
	{"tagged template", `const NAME = "b"`, "const NAME = String.raw`a`", ""},
	{"escapes", `const NAME = "a\n\t\\b"`, `const NAME = "ab"`, `const NAME = "a\n\t\\b"`},
	{"no escape that JavaScript reads otherwise", `const NAME = "\a"`, `const NAME = "a"`, ""},
	{"no escape beyond a unit", `const NAME = "\U000E0001"`, `const NAME = "a"`, ""},
	{"letters of all kinds", `const NAME = "é😀"`, `const NAME = "e"`, `const NAME = "é😀"`},

	// Numbers keep their base, the case of their digits and their groups.
	{"decimal", "const NAME = 12", "const NAME = 11", "const NAME = 12"},
	{"groups of three", "const NAME = 2500000", "const NAME = 1_000_000", "const NAME = 2_500_000"},
	{"groups that become one", "const NAME = 999", "const NAME = 1_000", "const NAME = 999"},
	{"hex", "const NAME = 0xBEEF", "const NAME = 0xbeee", "const NAME = 0xbeef"},
	{"hex in capitals", "const NAME = 0xbeef", "const NAME = 0xBEEE", "const NAME = 0xBEEF"},
	{"hex with a capital X", "const NAME = 255", "const NAME = 0XFE", "const NAME = 0XFF"},
	{"hex with groups", "const NAME = 0x12345678", "const NAME = 0x1234_5677", "const NAME = 0x1234_5678"},
	{"octal", "const NAME = 0o755", "const NAME = 0o644", "const NAME = 0o755"},
	{"binary", "const NAME = 0b101", "const NAME = 0b100", "const NAME = 0b101"},
	{"bigint", "const NAME = 9007199254740993", "const NAME = 1n", "const NAME = 9007199254740993n"},
	{"number that cannot hold it", "const NAME = 9007199254740993", "const NAME = 1", ""},
	{"negative", "const NAME = -12", "const NAME = -11", ""},
	{"fraction", "const NAME = 2.5", "const NAME = 1.5", "const NAME = 2.5"},
	{"exponent", "const NAME = 2500", "const NAME = 1e3", "const NAME = 2500"},
	{"boolean", "const NAME = true", "const NAME = false", "const NAME = true"},

	// A product keeps its second factor.
	{"product", "const NAME = 128 << 10", "const NAME = 64 * 1024", "const NAME = 128 * 1024"},
	{"product without spaces", "const NAME = 128 << 10", "const NAME = 64*1024", "const NAME = 128*1024"},
	{"product with groups", "const NAME = 2000 * 1024", "const NAME = 1_000 * 1_024", "const NAME = 2_000 * 1_024"},
	{"product in hex", "const NAME = 0x20 * 1024", "const NAME = 0x10 * 0x400", "const NAME = 0x20 * 0x400"},
	{"product that does not divide", "const NAME = 1000", "const NAME = 64 * 1024", ""},
	{"product of three", "const NAME = 1 << 21", "const NAME = 1 * 1024 * 1024", ""},
	{"shift", "const NAME = 1 << 21", "const NAME = 1 << 20", ""},
	{"named", "const NAME = 2", "const BASE = 1; const NAME = BASE", "const BASE = 2; const NAME = BASE"},

	// Within lists, objects and formulas only the element changes.
	{"element", `var NAME = []string{"a", "b"}`, `const NAME = ["a", 'c'] // c`, `const NAME = ["a", 'b'] // c`},
	{"value of a key", `var NAME = map[string]int{"a": 0x20}`, `const NAME = { a: 0x1F /* 0x1F */ }`, `const NAME = { a: 0x20 /* 0x1F */ }`},
	{"part of a sum", `func NAME(id string) string { return "a-" + id + ".x" }`, `const NAME = (id) => 'b-' + id + ".x"`, `const NAME = (id) => 'a-' + id + ".x"`},
	{"duration", "const NAME = 2 * time.Second", "const NAME = 1_000", ""},
}

// goFixes are cases with source=js: the Go side is wrong.
var goFixes = []fixCase{
	{"string", `const NAME = "b"`, `const NAME = 'it\'s "a"'`, `const NAME = "it's \"a\""`},
	{"raw string", "const NAME = `b`", `const NAME = "a\\b"`, ""},
	{"raw string without escapes", "const NAME = `b`", `const NAME = "a b"`, "const NAME = `a b`"},
	{"groups", "const NAME = 1_000_000", "const NAME = 2500000", "const NAME = 2_500_000"},
	{"hex", "const NAME = 0xFE", "const NAME = 255", "const NAME = 0xFF"},
	{"old octal", "const NAME = 0644", "const NAME = 0o755", "const NAME = 0755"},
	{"octal", "const NAME = 0o644", "const NAME = 0o755", "const NAME = 0o755"},
	{"bigint on the other side", "const NAME = 1", "const NAME = 9007199254740993n", "const NAME = 9007199254740993"},
	{"product", "const NAME = 64 * 1024", "const NAME = 1 << 17", "const NAME = 128 * 1024"},
	{"typed", "const NAME uint8 = 1", "const NAME = 2", "const NAME uint8 = 2"},
	{"typed, out of range", "const NAME uint8 = 1", "const NAME = 256", ""},
	{"float", "const NAME = 1.5", "const NAME = 2.5", "const NAME = 2.5"},
	{"float of a whole number", "const NAME = 1.5", "const NAME = 2", "const NAME = 2.0"},
	{"rune", "const NAME = 'a'", "const NAME = 98", ""},
	{"shift", "const NAME = 1 << 20", "const NAME = 1 << 21", ""},
	{"duration", "const NAME = 2 * time.Second", "const NAME = 3000", ""},
	{"boolean", "const NAME = true", "const NAME = false", "const NAME = false"},
	{"element", `var NAME = []string{"a", "b"} // "b"`, `const NAME = ["a", "c"]`, `var NAME = []string{"a", "c"} // "b"`},
	{"part of a sum", `func NAME(id string) string { return "a-" + id + ".x" }`, "const NAME = (id) => `b-${id}.x`", `func NAME(id string) string { return "b-" + id + ".x" }`},
}

func TestFixesInJavaScript(t *testing.T) {
	t.Parallel()
	testFixes(t, jsFixes, "r%d.js", "", func(c fixCase) string { return c.jsDecl })
}

func TestFixesInGo(t *testing.T) {
	t.Parallel()
	testFixes(t, goFixes, "r%d.go", " source=js", func(c fixCase) string { return c.goDecl })
}

// testFixes applies the fix of every case, compares what it makes of the declaration, and
// looks that nothing is found any more.
func testFixes(t *testing.T, cases []fixCase, file, options string, wrong func(fixCase) string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	for i, c := range cases {
		replace := strings.NewReplacer("NAME", fmt.Sprintf("R%dx", i)).Replace
		as := ""
		if strings.Contains(c.goDecl, "time.") {
			as = " as=ms"
		}
		directive := fmt.Sprintf("//ngvet:mirror r%d.js#NAME%s%s\n", i, as, options)
		writeContract(t, dir, i, replace(directive+c.goDecl), fmt.Sprintf("r%d.js", i), replace(c.jsDecl))
	}
	before := make([]string, len(cases))
	for i := range cases {
		before[i] = read(t, dir, fmt.Sprintf(file, i))
	}
	applyEdits(t, analyze(t, dir))
	after := byRow(t, analyze(t, dir))
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			replace := strings.NewReplacer("NAME", fmt.Sprintf("R%dx", i)).Replace
			want := before[i]
			if c.want != "" {
				want = strings.Replace(want, replace(wrong(c)), replace(c.want), 1)
			}
			if diff := cmp.Diff(want, read(t, dir, fmt.Sprintf(file, i))); diff != "" {
				t.Errorf("fixed (-want +got):\n%s", diff)
			}
			if clean := len(after[i]) == 0; clean != (c.want != "") {
				t.Errorf("findings after the fix: %q", after[i])
			}
		})
	}
}

// applyEdits makes the changes of all findings, the last ones first.
func applyEdits(t *testing.T, found []diagnostic) {
	t.Helper()
	var edits []edit
	for _, d := range found {
		edits = append(edits, d.edits...)
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
	for _, e := range edits {
		dir, name := filepath.Split(e.file)
		text := read(t, dir, name)
		write(t, dir, name, text[:e.start]+e.text+text[e.end:])
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
