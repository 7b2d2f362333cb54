package nightgauge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCountBoxes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		plan string
		want boxes
	}{
		{"empty", "", boxes{}},
		{"one open", "- [ ] a", boxes{open: 1}},
		{"ticked in both cases", "- [x] a\n- [X] b\n", boxes{done: 2}},
		{"every bullet", "- [ ] a\n* [ ] b\n+ [ ] c\n", boxes{open: 3}},
		{"ordered", "1. [ ] a\n2) [x] b\n123456789. [ ] c\n", boxes{open: 2, done: 1}},
		{"number too long", "1234567890. [ ] a\n", boxes{}},
		{"CRLF", "- [ ] a\r\n- [x] b\r\n", boxes{open: 1, done: 1}},
		{"no final line end", "# plan\n- [x] a\n- [ ]", boxes{open: 1, done: 1}},
		{"tab in the box", "- [\t] a", boxes{open: 1}},
		{"tab after the bullet", "-\t[ ] a", boxes{open: 1}},
		{"nested", "- a\n  - [ ] b\n    - [x] c\n        - [ ] d\n", boxes{open: 2, done: 1}},
		{"nested below a blank line", "- a\n\n     - [ ] b\n", boxes{open: 1}},
		{"code in an item", "- a\n\n      - [ ] b\n", boxes{}},
		{"below an empty bullet", "-   \n  [ ] a\n", boxes{open: 1}},
		{"list in list on one line", "- - [ ] a", boxes{open: 1}},
		{"quoted", "> - [ ] a\n> > - [x] b\n", boxes{open: 1, done: 1}},
		{"no space in the box", "- [] a", boxes{}},
		{"other mark in the box", "- [-] a\n- [v] b", boxes{}},
		{"link", "- [x](https://example.org)\n- [ ](a.md)\n", boxes{}},
		{"text that shows a box", "write - [ ] for each\n[ ] alone\n-[ ] no space\n", boxes{}},
		{"box later in an item", "- done: [ ] a", boxes{}},
		{"fenced", "```\n- [ ] a\n```\n- [ ] b", boxes{open: 1}},
		{"fenced with tildes", "~~~ md\n- [ ] a\n```\n- [ ] b\n~~~\n- [x] c", boxes{done: 1}},
		{"fence inside an item", "- a\n  ```\n  - [ ] b\n  ```\n- [x] c", boxes{done: 1}},
		{"fence ends with its item", "- [x] a\n  ```\n  code\n- [ ] b\n", boxes{open: 1, done: 1}},
		{"fence ends with its quotation", "> ```\n> code\n\n- [ ] b\n", boxes{open: 1}},
		{"item that is a fence", "- ```\n  [ ] a\n  ```\n", boxes{}},
		{"shorter fence does not close", "````\n- [ ] a\n```\n- [ ] b\n`````\n- [x] c", boxes{done: 1}},
		{"fence with text does not close", "```\n- [ ] a\n``` md\n- [ ] b\n```\n- [x] c", boxes{done: 1}},
		{"code span opens no fence", "```a```\n- [ ] b", boxes{open: 1}},
		{"fence that is never closed", "- [x] a\n```\n- [ ] b", boxes{done: 1}},
		{"comment", "<!--\n- [ ] a\n--> end\n- [x] b\n<!-- - [ ] c -->\n- [x] d", boxes{done: 2}},
		{"comment in an item hides nothing after it", "- [ ] a <!-- b\n- [ ] c", boxes{open: 2}},
		{"comment ends with its item", "- [x] a\n\n  <!-- b\n- [ ] c\n", boxes{open: 1, done: 1}},
		{"indented code", "text\n\n    - [ ] a\n\t- [ ] b\n", boxes{}},
		{"indented code after a list has ended", "- [x] a\n\ntext\n\n    - [ ] b\n", boxes{done: 1}},
		{"indented like code, in a list", "1. a\n\n    - [ ] b\n", boxes{open: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, countBoxes(tt.plan), cmp.AllowUnexported(boxes{})); diff != "" {
				t.Errorf("countBoxes(%q) (-want +got):\n%s", tt.plan, diff)
			}
		})
	}
}

func FuzzCountBoxes(f *testing.F) {
	f.Add("- [ ] a\n```\n- [x] b\n```\n> 1. [X] c")
	f.Add("    - [ ] a\n- - [ ]\n~~~\n")
	f.Fuzz(func(t *testing.T, plan string) {
		n := countBoxes(plan)
		if marks := strings.Count(plan, "["); n.open+n.done > marks {
			t.Errorf("countBoxes(%q) = %+v with %d brackets", plan, n, marks)
		}
		// An item of its own after the text is one more box, whatever stands before it,
		// unless a code block or a block of HTML is open there.
		more := countBoxes(plan + "\n\n- [ ] more\n")
		hides := strings.Contains(plan, "```") || strings.Contains(plan, "~~~") || strings.Contains(plan, "<")
		if more != (boxes{n.open + 1, n.done}) && !hides {
			t.Errorf("countBoxes(%q) = %+v, with one more item %+v", plan, n, more)
		}
	})
}
