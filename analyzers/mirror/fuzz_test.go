package mirror

import (
	"go/ast"
	"go/constant"
	"regexp"
	"strings"
	"testing"
)

func FuzzDirective(f *testing.F) {
	for _, seed := range []string{
		"//ngvet:mirror a.js#A", "//ngvet:mirror a.js#A keys subset unordered as=ms source=js",
		"//ngvet:mirror \"a b.js#A\" x", "//ngvet:mirror #", "//ngvet:mirror", "// ngvet:mirror a.js#A",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const start = 100
		d, err := parseDirective(&ast.Comment{Slash: start, Text: text})
		if bad, ok := err.(*malformed); ok && (bad.pos < start || bad.end < bad.pos || bad.msg == "") {
			t.Errorf("position %d to %d of %q", bad.pos, bad.end, bad.msg)
		}
		if d != nil && err == nil && (d.file == "" || d.path == "" || d.filePos < start || d.pathPos <= d.filePos) {
			t.Errorf("accepted %q as %+v", text, d)
		}
	})
}

func FuzzFindMember(f *testing.F) {
	f.Add("-- a --\nx\n-- b --\ny\n", "b")
	f.Add("-- a --\r\nx\r\n", "a")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, archive, name string) {
		start, end, ok := findMember([]byte(archive), name)
		if !ok {
			return
		}
		if start < 0 || end < start || end > len(archive) {
			t.Fatalf("member %q at %d to %d of %d bytes", name, start, end, len(archive))
		}
		if !strings.Contains(archive[:start], "-- "+name+" --") {
			t.Errorf("no marker of %q before byte %d", name, start)
		}
	})
}

// FuzzSamePattern checks that a pattern which is called the same as the JavaScript one is
// at least a valid translation, and that nothing panics.
func FuzzSamePattern(f *testing.F) {
	f.Add(`^[a-z]{1,3}$`, `^[a-z]{1,3}$`, "u")
	f.Add(`a/b`, `a\/b`, "")
	f.Add(`[[]`, `[[]`, "m")
	f.Add(`\x{41}`, `\u0041`, "gs")
	f.Fuzz(func(t *testing.T, goSource, jsSource, flags string) {
		reason := samePattern(pattern{source: goSource}, pattern{source: jsSource, flags: flags})
		if reason != "" {
			return
		}
		translated, _ := translate(pattern{source: jsSource, flags: flags})
		if _, err := regexp.Compile(translated); err != nil {
			t.Errorf("%q has no meaning in Go: %v", translated, err)
		}
	})
}

func FuzzRespell(f *testing.F) {
	f.Add("1_000", int64(20), "x")
	f.Add("0xFFn", int64(1<<40), "it's")
	f.Add("'a'", int64(0), "\u2028\x7f")
	f.Add("64 * 1024", int64(2048), "`")
	f.Fuzz(func(t *testing.T, source string, n int64, text string) {
		want := value{kind: numberKind, num: constant.MakeInt64(n)}
		have := value{kind: numberKind, source: source, literal: true}
		if got, ok := respell(have, want); ok && n >= 0 {
			if v, valid := parseNumber(strings.ReplaceAll(got, "_", "")); valid && v.ExactString() != want.num.ExactString() {
				t.Errorf("%q for %d in the manner of %q", got, n, source)
			}
		}
		have.product = true
		respell(have, want)
		if got, ok := respellString(source, text); ok && (len(got) < 2 || got[0] != source[0]) {
			t.Errorf("%q for %q in the manner of %q", got, text, source)
		}
	})
}
