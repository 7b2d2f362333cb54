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

	// fenceMark opens or closes a fenced code block; submatch 2 is the info string.
	fenceMark = regexp.MustCompile("^[ \t]*(`{3,}|~{3,})(.*)$")
)

// countBoxes counts the task items of a Markdown text as GitHub's renderer shows them:
// bullets and ordered items, nested and quoted, but neither fenced nor indented code. An
// indented line is code unless a list is open above it.
func countBoxes(text string) boxes {
	var n boxes
	var fence string // the mark that opened the code block, "" outside
	inList, blank := false, true
	for line := range strings.Lines(text) {
		line = unquote(strings.TrimRight(line, "\r\n"))
		if fence != "" {
			if closesFence(line, fence) {
				fence = ""
			}
			continue
		}
		if m := fenceMark.FindStringSubmatch(line); m != nil && !isInlineCode(m) {
			fence = m[1]
			continue
		}
		if strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		switch {
		case listMark.MatchString(line) && (inList || !isIndentedCode(line)):
			inList = true
			n.add(line)
		case blank && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t"):
			inList = false
		}
		blank = false
	}
	return n
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
