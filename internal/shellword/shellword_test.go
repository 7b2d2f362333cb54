package shellword_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/ngvet/ngvet/internal/shellword"
)

func parseWord(t testing.TB, src string) *syntax.Word {
	t.Helper()
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader("x "+src), "")
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 2 {
		t.Fatalf("%q is not one word", src)
	}
	return call.Args[1]
}

// words expands the braces of src and removes its quotes.
func words(t testing.TB, src string) ([]string, bool) {
	t.Helper()
	word := parseWord(t, src)
	all := []*syntax.Word{word}
	if syntax.SplitBraces(word) {
		var ok bool
		if all, ok = shellword.Braces(word, 100); !ok {
			return nil, false
		}
	}
	var texts []string
	for _, w := range all {
		text, ok := shellword.Text(w)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

var samples = []string{
	`plain`, `a\ b`, `'a b'`, `"a b"`, `"a\"b\\c\$d\e"`, `a'b'"c"d`, `\'`, "\"a\\\nb\"",
	`$'a\nb'`, `$'\t\a\b\e\E\f\r\v\\\'\"\?'`, `$'\101\60x'`, `$'\x41\x4'`, `$'é\U1F600'`, `$'\q\x\u'`, `$'end\\'`, `$''`,
	`{a,b}`, `x{a,b}y`, `{a,{b,c}d}`, `{a,b}{c,d}`, `y{,x}`, `{a,'b c'}`, `{a}`, `{a`, `a,b`, `\{a,b}`,
	`{1..3}`, `{3..1}`, `{01..10}`, `{-1..1}`, `{-01..1}`, `{a..e}`, `{e..a..2}`, `{1..10..3}`, `{1..10..-3}`, `{1..3..0}`,
	`{1..2,3}`, `{1..2..3..4}`, `{a..1}`, `{1..}`,
}

// The rules are bash's own.
func TestWordsAreThoseOfBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not there to compare with")
	}
	for _, src := range samples {
		t.Run(src, func(t *testing.T) {
			t.Parallel()
			got, ok := words(t, src)
			if !ok {
				t.Fatal("not decided")
			}
			cmd := exec.Command(bash, "--norc", "-c", `printf '%s\0' `+src)
			cmd.Env = []string{"LC_ALL=C.UTF-8"}
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("(-bash +got)\n%s", diff)
			}
		})
	}
}

// Wherever bash is missing the library says the same.
func TestWordsAreThoseOfTheLibrary(t *testing.T) {
	t.Parallel()
	for _, src := range samples {
		got, ok := words(t, src)
		want, err := expand.Fields(nil, parseWord(t, src))
		if diff := gocmp.Diff(want, got); diff != "" || !ok || err != nil {
			t.Errorf("%s: %v, %v (-library +got)\n%s", src, ok, err, diff)
		}
	}
}

func TestUndecided(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`$'a\0b'`, `$'a\x00'`, `$'\ca'`, `$'\x{41}'`, `$'\xff'`, `$'\uD800'`, `$'\UFFFFFFFF'`,
		`$HOME`, `"$HOME"`, `$(ls)`, "`ls`", `<(ls)`,
		`{1..101}`, `{1..9223372036854775807}`, `{-9223372036854775808..9223372036854775807}`,
		strings.Repeat("{a,b}", 10), `{` + strings.Repeat("a,", 101) + `}`, strings.Repeat("{a,", 101) + strings.Repeat("}", 101),
	} {
		if got, ok := words(t, src); ok {
			t.Errorf("%s: decided as %q", src, got)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, src := range samples {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader("x "+src), "")
		if err != nil || len(file.Stmts) != 1 {
			return
		}
		call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
		if !ok {
			return
		}
		for _, word := range call.Args {
			if text, ok := shellword.Text(word); ok && word.Lit() != "" && !strings.Contains(word.Lit(), `\`) && text != word.Lit() {
				t.Errorf("%q: text %q of %q", src, text, word.Lit())
			}
			if !syntax.SplitBraces(word) {
				continue
			}
			all, ok := shellword.Braces(word, 100)
			if ok && (len(all) == 0 || len(all) > 100) {
				t.Errorf("%q: %d words", src, len(all))
			}
		}
	})
}

func BenchmarkBraces(b *testing.B) {
	word := parseWord(b, `src/{a,b,c}/{1..20}.go`)
	syntax.SplitBraces(word)
	b.ReportAllocs()
	for b.Loop() {
		if all, ok := shellword.Braces(word, 100); !ok || len(all) != 60 {
			b.Fatal(fmt.Sprint(len(all), ok))
		}
	}
}
