package tasklist

import (
	"regexp"
	"strings"
	"sync"
)

// line is what is left of a line, and the column at which that begins: tabs reach to the
// next multiple of four.
type line struct {
	rest   string
	column int
}

func (l *line) isBlank() bool {
	return strings.Trim(l.rest, " \t") == ""
}

// text is the rest without its indentation.
func (l *line) text() string {
	return strings.TrimLeft(l.rest, " \t")
}

// indent returns the columns of white space that the rest begins with.
func (l *line) indent() int {
	column := l.column
	for i := 0; i < len(l.rest); i++ {
		switch l.rest[i] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column - l.column
		}
	}
	return column - l.column
}

// take removes n columns of white space. What is left of a tab stays as spaces.
func (l *line) take(n int) {
	for n > 0 && l.rest != "" {
		width := 1
		if l.rest[0] == '\t' {
			width = 4 - l.column%4
		}
		l.rest = l.rest[1:]
		if width > n {
			l.rest = strings.Repeat(" ", width-n) + l.rest
			width = n
		}
		l.column += width
		n -= width
	}
}

// takeBytes removes n bytes that are no white space.
func (l *line) takeBytes(n int) {
	l.rest = l.rest[n:]
	l.column += n
}

// takeQuote removes the mark of a quotation and the space behind it, if one is there.
func (l *line) takeQuote() bool {
	indent := l.indent()
	if indent > 3 || !strings.HasPrefix(l.text(), ">") {
		return false
	}
	l.take(indent)
	l.takeBytes(1)
	l.take(min(l.indent(), 1))
	return true
}

// takeItem removes the mark of a list item, of the given length, and the space behind it. It
// returns by how many columns the item's other lines are indented.
func (l *line) takeItem(mark int) int {
	indent := l.indent()
	l.take(indent)
	l.takeBytes(mark)
	space := l.indent()
	if space > 4 || l.isBlank() {
		space = min(space, 1)
		l.take(space)
		return indent + mark + 1
	}
	l.take(space)
	return indent + mark + space
}

// itemWidth returns the length of the mark that a list item begins with, or 0. An item that
// interrupts a paragraph has text and, if it is numbered, the number 1.
func itemWidth(text string, interrupts bool) int {
	n := len(text) - len(strings.TrimLeft(text, "0123456789"))
	switch {
	case n > 9 || n >= len(text):
		return 0
	case n == 0 && !strings.ContainsRune("-+*", rune(text[0])):
		return 0
	case n > 0 && text[n] != '.' && text[n] != ')':
		return 0
	}
	number, behind := text[:n], text[n+1:]
	if behind != "" && behind[0] != ' ' && behind[0] != '\t' {
		return 0
	}
	if interrupts && (strings.Trim(behind, " \t") == "" || number != "" && number != "1") {
		return 0
	}
	return n + 1
}

func isATXHeading(text string) bool {
	rest := strings.TrimLeft(text, "#")
	n := len(text) - len(rest)
	return n >= 1 && n <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

func isThematicBreak(text string) bool {
	mark := text[:1]
	return strings.Contains("*_-", mark) && strings.Trim(text, mark+" \t") == "" && strings.Count(text, mark) >= 3
}

// openingFence returns the marks that text opens fenced code with, or "".
func openingFence(text string) string {
	mark := text[:1]
	if mark != "`" && mark != "~" {
		return ""
	}
	info := strings.TrimLeft(text, mark)
	if len(text)-len(info) < 3 || mark == "`" && strings.Contains(info, mark) {
		return ""
	}
	return text[:len(text)-len(info)]
}

// htmlStarts are the conditions of CommonMark for a block of HTML, up to the sixth. The text
// behind an expression ends the block; without one an empty line does.
var htmlStarts = sync.OnceValue(func() (starts []struct {
	start *regexp.Regexp
	end   *regexp.Regexp
}) {
	for _, s := range [][2]string{
		{`(?i)^<(?:script|pre|style|textarea)(?:[ \t>]|$)`, `(?i)</(?:script|pre|style|textarea)>`},
		{`^<!--`, `-->`},
		{`^<\?`, `\?>`},
		{`^<![A-Za-z]`, `>`},
		{`^<!\[CDATA\[`, `\]\]>`},
		{`(?i)^</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t]|/?>|$)`, ``},
	} {
		starts = append(starts, struct{ start, end *regexp.Regexp }{regexp.MustCompile(s[0]), regexp.MustCompile(s[1])})
	}
	return starts
})

// anyTag is a line that is one tag, the seventh condition.
var anyTag = sync.OnceValue(func() *regexp.Regexp {
	const attribute = `[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?`
	return regexp.MustCompile(`^(?:<([A-Za-z][A-Za-z0-9-]*)(?:` + attribute + `)*[ \t]*/?>|</([A-Za-z][A-Za-z0-9-]*)[ \t]*>)[ \t]*$`)
})

// isRawTag reports the tags of the first condition, which the seventh leaves out.
func isRawTag(name string) bool {
	switch strings.ToLower(name) {
	case "pre", "script", "style", "textarea":
		return true
	}
	return false
}

// htmlBlock returns what tells the last line of the block of HTML that text begins, nil when
// it begins none, and whether such a block can interrupt a paragraph.
func htmlBlock(text string) (end func(string) bool, interrupts bool) {
	if text[0] != '<' {
		return nil, false
	}
	empty := func(l string) bool { return strings.Trim(l, " \t") == "" }
	for i, s := range htmlStarts() {
		if s.start.MatchString(text) {
			if i == len(htmlStarts())-1 {
				return empty, true
			}
			return s.end.MatchString, true
		}
	}
	if m := anyTag().FindStringSubmatch(text); m != nil && !isRawTag(m[1]+m[2]) {
		return empty, false
	}
	return nil, false
}
