package tasklist_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/ngvet/ngvet/internal/tasklist"
)

func TestCount(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		plan string
		want tasklist.Boxes
	}{
		{"empty", "", tasklist.Boxes{}},
		{"one open", "- [ ] a", tasklist.Boxes{Open: 1}},
		{"ticked in both cases", "- [x] a\n- [X] b\n", tasklist.Boxes{Done: 2}},
		{"every bullet", "- [ ] a\n* [ ] b\n+ [ ] c\n", tasklist.Boxes{Open: 3}},
		{"ordered", "1. [ ] a\n2) [x] b\n123456789. [ ] c\n", tasklist.Boxes{Open: 2, Done: 1}},
		{"number too long", "1234567890. [ ] a\n", tasklist.Boxes{}},
		{"CRLF", "- [ ] a\r\n- [x] b\r\n", tasklist.Boxes{Open: 1, Done: 1}},
		{"no final line end", "# plan\n- [x] a\n- [ ]", tasklist.Boxes{Open: 1, Done: 1}},
		{"tab in the box", "- [\t] a", tasklist.Boxes{Open: 1}},
		{"tab after the bullet", "-\t[ ] a", tasklist.Boxes{Open: 1}},
		{"nested", "- a\n  - [ ] b\n    - [x] c\n        - [ ] d\n", tasklist.Boxes{Open: 2, Done: 1}},
		{"nested below a blank line", "- a\n\n     - [ ] b\n", tasklist.Boxes{Open: 1}},
		{"code in an item", "- a\n\n      - [ ] b\n", tasklist.Boxes{}},
		{"below an empty bullet", "-   \n  [ ] a\n", tasklist.Boxes{Open: 1}},
		{"list in list on one line", "- - [ ] a", tasklist.Boxes{Open: 1}},
		{"quoted", "> - [ ] a\n> > - [x] b\n", tasklist.Boxes{Open: 1, Done: 1}},
		{"no space in the box", "- [] a", tasklist.Boxes{}},
		{"other mark in the box", "- [-] a\n- [v] b", tasklist.Boxes{}},
		{"link", "- [x](https://example.org)\n- [ ](a.md)\n", tasklist.Boxes{}},
		{"text that shows a box", "write - [ ] for each\n[ ] alone\n-[ ] no space\n", tasklist.Boxes{}},
		{"box later in an item", "- Done: [ ] a", tasklist.Boxes{}},
		{"fenced", "```\n- [ ] a\n```\n- [ ] b", tasklist.Boxes{Open: 1}},
		{"fenced with tildes", "~~~ md\n- [ ] a\n```\n- [ ] b\n~~~\n- [x] c", tasklist.Boxes{Done: 1}},
		{"fence inside an item", "- a\n  ```\n  - [ ] b\n  ```\n- [x] c", tasklist.Boxes{Done: 1}},
		{"fence ends with its item", "- [x] a\n  ```\n  code\n- [ ] b\n", tasklist.Boxes{Open: 1, Done: 1}},
		{"fence ends with its quotation", "> ```\n> code\n\n- [ ] b\n", tasklist.Boxes{Open: 1}},
		{"item that is a fence", "- ```\n  [ ] a\n  ```\n", tasklist.Boxes{}},
		{"shorter fence does not close", "````\n- [ ] a\n```\n- [ ] b\n`````\n- [x] c", tasklist.Boxes{Done: 1}},
		{"fence with text does not close", "```\n- [ ] a\n``` md\n- [ ] b\n```\n- [x] c", tasklist.Boxes{Done: 1}},
		{"code span opens no fence", "```a```\n- [ ] b", tasklist.Boxes{Open: 1}},
		{"fence that is never closed", "- [x] a\n```\n- [ ] b", tasklist.Boxes{Done: 1}},
		{"comment", "<!--\n- [ ] a\n--> end\n- [x] b\n<!-- - [ ] c -->\n- [x] d", tasklist.Boxes{Done: 2}},
		{"comment in an item hides nothing after it", "- [ ] a <!-- b\n- [ ] c", tasklist.Boxes{Open: 2}},
		{"comment ends with its item", "- [x] a\n\n  <!-- b\n- [ ] c\n", tasklist.Boxes{Open: 1, Done: 1}},
		{"indented code", "text\n\n    - [ ] a\n\t- [ ] b\n", tasklist.Boxes{}},
		{"indented code after a list has ended", "- [x] a\n\ntext\n\n    - [ ] b\n", tasklist.Boxes{Done: 1}},
		{"indented like code, in a list", "1. a\n\n    - [ ] b\n", tasklist.Boxes{Open: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tasklist.Count(tt.plan)); diff != "" {
				t.Errorf("Count(%q) (-want +got):\n%s", tt.plan, diff)
			}
		})
	}
}

// oracle counts with a library that reads all of CommonMark.
func oracle(plan string) tasklist.Boxes {
	source := []byte(plan)
	blocks := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	var n tasklist.Boxes
	_ = ast.Walk(blocks.Parse(text.NewReader(source)), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || node.Kind() != ast.KindListItem {
			return ast.WalkContinue, nil
		}
		first := node.FirstChild()
		if first == nil || first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph || first.Lines().Len() == 0 {
			return ast.WalkContinue, nil
		}
		line := first.Lines().At(0)
		switch box := taskBox.FindSubmatch(line.Value(source)); {
		case box == nil:
		case strings.ContainsAny(string(box[1]), "xX"):
			n.Done++
		default:
			n.Open++
		}
		return ast.WalkContinue, nil
	})
	return n
}

var taskBox = regexp.MustCompile(`^\[([ \txX])\](?:[ \t\r\n]|$)`)

// emptyInItem is an item without text in another one, on the same line. With the empty line
// that follows the library ends both, the specification only the inner one.
var emptyInItem = regexp.MustCompile(`(?m)(?:[-+*]|[0-9][.)])[ >]+(?:[-+*]|[0-9][.)])[ >]*$`)

// pieces are what random plans are made of. There are no tabs: the library reads those behind
// a quotation mark differently from the specification.
var pieces = []string{
	"- [ ] a", "* [x] b", "1. [X] c", "2) [ ] d", "- ", "+ ", "> ", ">", "[ ] e", "[x] ", "text", "```", "~~~~", "``` go", "    ", "  ", " ",
	"<!--", "-->", "<div>", "</div>", "<b>", "<pre>", "</pre>", "# h", "---", "===", "***", "-", "=", "\n", "\n", "\n", "\n\n", "\n  ", "\n   ", "\n    ", "\n> ", "\n- ",
}

func TestCountIsThatOfTheLibrary(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(12) + 1 {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		plan := b.String()
		if emptyInItem.MatchString(plan) {
			continue
		}
		if diff := cmp.Diff(oracle(plan), tasklist.Count(plan)); diff != "" {
			t.Fatalf("Count(%q) (-library +got):\n%s", plan, diff)
		}
	}
}

func FuzzCount(f *testing.F) {
	f.Add("- [ ] a\n```\n- [x] b\n```\n> 1. [X] c")
	f.Add("    - [ ] a\n- - [ ]\n~~~\n")
	f.Fuzz(func(t *testing.T, plan string) {
		n := tasklist.Count(plan)
		if marks := strings.Count(plan, "["); n.Open+n.Done > marks {
			t.Errorf("Count(%q) = %+v with %d brackets", plan, n, marks)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	plan := strings.Repeat("## Part\n\nWhat it is about.\n\n- [x] done\n- [ ] open\n  - [ ] nested\n\n```sh\n- [ ] code\n```\n\n", 200)
	want := tasklist.Boxes{Open: 400, Done: 200}
	for name, count := range map[string]func(string) tasklist.Boxes{"goldmark": oracle, "ours": tasklist.Count} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(plan)))
			for b.Loop() {
				if got := count(plan); got != want {
					b.Fatal(got)
				}
			}
		})
	}
}
