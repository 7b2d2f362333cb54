package js_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/internal/js"
)

// show writes a value in a form that the script below writes as well.
func show(v js.Value) string {
	var parts []string
	switch v.Kind {
	case js.Undefined, js.Null:
		return v.Kind.String()
	case js.Bool:
		return strconv.FormatBool(v.Bool)
	case js.Number:
		if v.Num == 0 && math.Signbit(v.Num) {
			return "-0"
		}
		return fmt.Sprintf("%016x", math.Float64bits(v.Num)&^nanBits(v.Num))
	case js.BigInt:
		return v.Big.String() + "n"
	case js.String:
		return "s:" + units(v.Str)
	case js.Array, js.Set:
		for _, e := range v.Elems {
			parts = append(parts, show(e))
		}
		return v.Kind.String() + "[" + strings.Join(parts, ",") + "]"
	case js.Object, js.Map:
		for _, e := range v.Entries {
			parts = append(parts, show(e.Key)+":"+show(e.Value))
		}
		return v.Kind.String() + "{" + strings.Join(parts, ",") + "}"
	case js.RegExp:
		return "/" + v.Pattern + "/" + v.Flags
	case js.Function:
		return "function"
	}
	return v.Kind.String()
}

// nanBits clears what tells one NaN from another.
func nanBits(f float64) uint64 {
	if math.IsNaN(f) {
		return 0x8007ffffffffffff
	}
	return 0
}

// units writes the UTF-16 units of a string in hexadecimal.
func units(s string) string {
	var list []string
	for i := 0; i < len(s); {
		c := rune(s[i])
		switch {
		case c < 0x80:
			i++
		case c < 0xE0:
			c = c&0x1F<<6 | rune(s[i+1]&0x3F)
			i += 2
		case c < 0xF0:
			c = c&0xF<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F)
			i += 3
		default:
			c = c&7<<18 | rune(s[i+1]&0x3F)<<12 | rune(s[i+2]&0x3F)<<6 | rune(s[i+3]&0x3F)
			i += 4
			list = append(list, fmt.Sprintf("%x", 0xD7C0+c>>10))
			c = 0xDC00 | c&0x3FF
		}
		list = append(list, fmt.Sprintf("%x", c))
	}
	return strings.Join(list, " ")
}

// nodeShow is show in JavaScript.
const nodeShow = `
const bits = (f) => { const d = new DataView(new ArrayBuffer(8)); d.setFloat64(0, f); return d.getBigUint64(0).toString(16).padStart(16, "0"); };
const units = (s) => Array.from({ length: s.length }, (_, i) => s.charCodeAt(i).toString(16)).join(" ");
function show(v) {
  if (v === null) return "null";
  switch (typeof v) {
    case "undefined": return "undefined";
    case "boolean": return String(v);
    case "number": return Object.is(v, -0) ? "-0" : Number.isNaN(v) ? "7ff8000000000000" : bits(v);
    case "bigint": return v + "n";
    case "string": return "s:" + units(v);
    case "function": return "function";
  }
  if (Array.isArray(v)) return "array[" + Array.from(v, show).join(",") + "]";
  if (v instanceof Set) return "Set[" + [...v].map(show).join(",") + "]";
  if (v instanceof Map) return "Map{" + [...v].map(([k, x]) => show(k) + ":" + show(x)).join(",") + "}";
  if (v instanceof RegExp) return "/" + v.source + "/" + v.flags;
  return "object{" + Object.entries(v).map(([k, x]) => show(k) + ":" + show(x)).join(",") + "}";
}
const list = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(list.map((src) => show(eval("(" + src + ")")))));
`

// expressions are constants on which JavaScript and Go differ, or which show a rule.
var expressions = []string{
	"1 << 31", "1 << 32", "1 << 20", "-1 >>> 0", "-1 >>> 28", "-1 >> 1", "1 << -1", "5 & 3", "5 | 8", "5 ^ 1", "~0", "~~3.7", "2**31 | 0", "2**32 >> 1",
	"4294967295 | 0", "1e21 | 0", "-2147483649 | 0", "NaN | 0", "Infinity >>> 0", "1.9 << 1", "-1.9 | 0",
	"2 ** 20", "2 ** -3", "1 ? 1 : 2", "(-2) ** 3", "3 ** 20", "0 ** 0", "NaN ** 0", "1 ** Infinity", "(-1) ** Infinity", "0 ** -1", "10 ** 15", "0.5 ** 4", "4 ** -2",
	"64 * 1024", "0.1 + 0.2", "9007199254740993", "9007199254740992 + 1", "2**53 + 2", "1 / 0", "-1 / 0", "0 / 0", "-0", "0 * -1", "5 % 3", "-5 % 3", "5.5 % -2", "1 % 0",
	"1_048_576", "0xFF", "0b1010", "0o17", ".5", "5.", "1e3", "1E-7", "1e400", "0xFFFFFFFFFFFFFFFF", "123456789012345680000", "5e-324", "1.7976931348623157e308",
	"10n ** 20n", "1n << 70n", "-5n / 2n", "-5n % 2n", "5n & 3n", "~5n", "-5n", "-1n >> 3n", "0xFFn", "1_000n", "2n ** 64n - 1n", "5n | -8n", "5n ^ 3n",
	`"a" + 1`, `1 + "a"`, `1 + 2 + "a"`, `"a" + 1 + 2`, `"" + null`, `"" + undefined`, `"" + true`, `"" + 0.1`, `"" + 1e21`, `"" + 1e-7`, `"" + 123456789012345680000`, `"" + -0`, `"" + 1e300`, `"" + 0.000001`, `"" + 5n`, `"" + NaN`,
	`"" + 100`, `"" + 1.5e25`, `"" + 4.35`, `"" + (0.1 + 0.2)`, `"" + 5e-324`, `"" + 0xff`,
	`"5" * 1`, `"0x10" * 1`, `" 12 " * 1`, `"" * 1`, `"1e3" - 0`, `"abc" * 1`, `"1_0" * 1`, `"-0x10" * 1`, `"Infinity" * 1`, `"-Infinity" * 1`, `"inf" * 1`, `"0b11" * 1`, `"+5" * 1`, `"--5" * 1`, `"." * 1`, `"5." * 1`, `".5" * 1`, `"1n" * 1`, `"\u00a05\ufeff" * 1`, `"0x" * 1`, `"08" * 1`, `"1e1000" * 1`, `"nan" * 1`, `"0x1p3" * 1`,
	"true + 1", "null + 1", "undefined + 1", "+true", "+null", `+"5"`, "-undefined", "!0", `!""`, `!"a"`, "!null", "!NaN", "!0n", "![]", "void 0", "typeof 1", `typeof "a"`, "typeof null", "typeof undefined", "typeof 1n", "typeof {}", "typeof (() => 1)", "typeof []", "typeof true",
	"`a${1}b${'c'}`", "`a\\n\\x41\\u{1F4A5}\\u00e9`", "`a\r\nb`", `"\u{1F4A5}"`, `"\ud83d\udca5"`, `"\ud83d"`, `"\udca5x"`, `"\0"`, `"\v\b\f\t"`, `"a\
b"`, `'it\'s'`, `"é"`, "`${`${1}`}`", `"\ud83d" + "\udca5"`, `"\u2028"`,
	"String.raw`a\\n${1}\\u0041`", "String.raw`a\r\nb`", `"abc".length`, `"💥".length`, `[1, 2].length`, `[1, , 2]`, `[, ].length`, "[...'a💥b']", "[...[1, 2], 3]", "[...new Set([1, 1, 2])]", "[...new Map([[1, 2]])]",
	"({ a: 1, b: { c: [2] } })", "({ b: 1, 2: 2, a: 3, 1: 4 })", "({ a: 1, ...{ b: 2, a: 3 }, c: 4 })", "({ a: 1, a: 2, b: 3 })", "({ ['a' + 1]: 2, [3]: 4, 'x y': 5, 0x10: 6, 1e3: 7, 1n: 8 })", "({ ...null, ...undefined, ...1 })", "({ f() {}, g: () => 1, h: class {} })",
	"Object.freeze([1, 2])", "Object.freeze({ a: 1 })", "Object.keys({ b: 1, 1: 2 })", "Object.values({ a: 1, b: 'x' })", "Object.entries({ a: 1 })", "Object.fromEntries([['a', 1], ['b', 2], ['a', 3]])",
	"new Set(['a', 'b', 'a'])", "new Set([NaN, NaN, 0, -0])", "new Set()", "new Set(null)", "new Set('aab')", "new Set([1, '1', 1n, true, 'true'])", "new Map([['a', 1], ['a', 2], [1, 'x']])", "new Map(Object.entries({ a: 1 }))",
	"/a[/]b/gi", `new RegExp("a+", "g")`, `new RegExp(/x/y, "i")`, `RegExp("q")`,
	"Number.MAX_SAFE_INTEGER", "Number.MAX_SAFE_INTEGER + 2", "Number.MIN_VALUE", "Number.MAX_VALUE", "Number.EPSILON", `Number("12px")`, `Number(" 7 ")`, "Number(12n)", "String(12)", "String(1e21)", "String(null)", "BigInt(2 ** 53)", "BigInt(5n)",
	"1 < 2", "'a' < 'b'", "'a' < 'B'", `"\ud83d\udca5" < "\uffff"`, `"a" < "ab"`, "NaN < 1", "NaN >= 1", "1 === 1", "'1' === '1'", "NaN === NaN", "NaN !== NaN", "0 === -0", "2 >= 2", "3 <= 2",
	"null ?? 'a'", "0 ?? 1", "0 || 'x'", "'a' && 'b'", "'' && 'b'", "undefined ?? null", "1 || 2", "({ a: { b: 7 } }).a.b", "({ a: 1 })['a']", "[10, 20][1]", "[10][5]", "({}).x", "new Set([1, 2]).size",
}

// isConditional picks the expressions that RULES.md has no constants of.
func isConditional(src string) bool { return strings.Contains(src, " ? ") }

func TestEvalAgreesWithNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("node is not installed")
		}
		t.Skip("node is not installed")
	}
	input, err := json.Marshal(expressions)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "-e", nodeShow)
	cmd.Stdin = strings.NewReader(string(input))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, exitText(err))
	}
	var want []string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, src := range expressions {
		for _, file := range []string{"a.js", "a.ts"} {
			p, m := module(t, file, "const v = ("+src+");")
			v, err := p.Lookup(m, "v")
			if isConditional(src) {
				if err == nil {
					t.Errorf("%s: %s: got %s, want no constant", file, src, show(v))
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s: %v, want %s", file, src, err, want[i])
				continue
			}
			if got := show(v); got != want[i] {
				t.Errorf("%s: %s: got %s, want %s", file, src, got, want[i])
			}
		}
	}
}

func exitText(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}
