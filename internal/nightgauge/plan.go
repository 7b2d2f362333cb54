package nightgauge

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// boxes counts the task boxes of a plan.
type boxes struct {
	open, done int
}

// taskBox begins the text of a task item; "[ ](url)" is a link.
var taskBox = regexp.MustCompile(`^\[([ \txX])\](?:[ \t\r\n]|$)`)

// countBoxes counts the task items of a Markdown text as GitHub's renderer shows them:
// bullets and ordered items, nested and quoted, but nothing in a code block or a comment.
// Only a parser of the whole block structure can tell: a fence or a comment ends where its
// item or its quotation does, and what follows is no code any more.
//
// Items that are nested thousands deep take seconds; the caller bounds the time.
func countBoxes(plan string) boxes {
	// Emphasis, links and the like decide nothing here.
	blocks := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	source := []byte(plan)
	var n boxes
	// The function returns no error, so Walk does not.
	_ = ast.Walk(blocks.Parse(text.NewReader(source)), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && node.Kind() == ast.KindListItem {
			n.add(itemText(node, source))
		}
		return ast.WalkContinue, nil
	})
	return n
}

// itemText returns the first line of the text that a list item begins with, "" when it
// begins with anything else.
func itemText(item ast.Node, source []byte) string {
	first := item.FirstChild()
	if first == nil || first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph {
		return ""
	}
	if first.Lines().Len() == 0 {
		return ""
	}
	line := first.Lines().At(0)
	return string(line.Value(source))
}

// add counts the box of one list item, if it has one.
func (n *boxes) add(item string) {
	switch box := taskBox.FindStringSubmatch(item); {
	case box == nil:
	case strings.ContainsAny(box[1], "xX"):
		n.done++
	default:
		n.open++
	}
}
