package nightgauge

import (
	"regexp"
	"strings"
)

// boxes counts the task boxes of a plan.
type boxes struct {
	open, done int
}

var (
	// quoteMark is one level of a block quote.
	quoteMark = regexp.MustCompile(`^ {0,3}> ?`)

	// listMark is one list marker and the space after it. Several may share a line.
	listMark = regexp.MustCompile(`^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+`)

	// taskBox is what follows the marker of a task item; "[ ](url)" is a link.
	taskBox = regexp.MustCompile(`^\[([ \txX])\](?:[ \t]|$)`)

	// commentMark opens a comment that is a block of its own.
	commentMark = regexp.MustCompile(`^ {0,3}<!--`)

	// fenceMark opens or closes a fenced code block; submatch 2 is the info string.
	fenceMark = regexp.MustCompile("^[ \t]*(`{3,}|~{3,})(.*)$")
)

// countBoxes counts the task items of a Markdown text as GitHub's renderer shows them:
// bullets and ordered items, nested and quoted, but nothing in a code block or a comment.
func countBoxes(text string) boxes {
	var plan planReader
	for line := range strings.Lines(text) {
		plan.read(unquote(strings.TrimRight(line, "\r\n")))
	}
	return plan.boxes
}

// planReader reads a plan line by line.
type planReader struct {
	boxes
	fence      string // the mark that opened the code block, "" outside
	inComment  bool
	inList     bool // an indented line continues the list, else it is code
	afterBlank bool
}

func (p *planReader) read(line string) {
	switch {
	case p.skips(line):
	case strings.TrimSpace(line) == "":
		p.afterBlank = true
		return
	case listMark.MatchString(line) && (p.inList || !isIndentedCode(line)):
		p.inList = true
		p.add(line)
	case p.afterBlank && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t"):
		p.inList = false
	}
	p.afterBlank = false
}

// skips reports whether line belongs to a fenced code block or a comment, and follows where
// one begins and ends.
func (p *planReader) skips(line string) bool {
	switch {
	case p.fence != "":
		if closesFence(line, p.fence) {
			p.fence = ""
		}
		return true
	case p.inComment || commentMark.MatchString(line):
		p.inComment = !strings.Contains(line, "-->")
		return true
	}
	mark := fenceMark.FindStringSubmatch(line)
	if mark == nil || isInlineCode(mark) {
		return false
	}
	p.fence = mark[1]
	return true
}

// add counts the box of one list item, if it has one.
func (n *boxes) add(item string) {
	for mark := listMark.FindString(item); mark != ""; mark = listMark.FindString(item) {
		item = item[len(mark):]
	}
	switch box := taskBox.FindStringSubmatch(item); {
	case box == nil:
	case strings.ContainsAny(box[1], "xX"):
		n.done++
	default:
		n.open++
	}
}

func unquote(line string) string {
	for mark := quoteMark.FindString(line); mark != ""; mark = quoteMark.FindString(line) {
		line = line[len(mark):]
	}
	return line
}

func isIndentedCode(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(strings.TrimLeft(line, " "), "\t")
}

// isInlineCode reports whether a line of backticks is a code span, which may not have a
// backtick in what follows the opening run.
func isInlineCode(fence []string) bool {
	return fence[1][0] == '`' && strings.Contains(fence[2], "`")
}

// closesFence reports whether line ends the block that mark opened: the same character at
// least as often, and nothing after it.
func closesFence(line, mark string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(mark) && strings.Trim(line, mark[:1]) == ""
}
