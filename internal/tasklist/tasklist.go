// Package tasklist counts the task boxes of a Markdown text.
//
// It reads the block structure of CommonMark 0.31 (quotations, list items, code, HTML,
// paragraphs) and nothing inside paragraphs, which decides no box. Libraries do that as well,
// but those that keep to the specification fill tables of entities and compile expressions
// when the process starts, and the process that counts boxes is the one that judges tool
// calls. The tests hold it to such a library.
//
// Known difference: definitions of link references at the start of an item are taken for its
// text.
package tasklist

import (
	"strings"
)

// Boxes counts task boxes.
type Boxes struct {
	Open, Done int
}

// Count counts the task items of a Markdown text as GitHub shows them: bullets and ordered
// items, nested and quoted, but nothing in a code block or a comment. The time is linear in
// the text, times the depth of its nesting.
func Count(markdown string) Boxes {
	var p parser
	for len(markdown) > 0 {
		end := strings.IndexAny(markdown, "\r\n")
		if end < 0 {
			end = len(markdown)
		}
		p.line(line{rest: markdown[:end]})
		markdown = markdown[end:]
		if strings.HasPrefix(markdown, "\r\n") {
			markdown = markdown[1:]
		}
		if markdown != "" {
			markdown = markdown[1:]
		}
	}
	return p.boxes
}

// container is an open quotation or list item.
type container struct {
	item     bool
	width    int  // columns by which an item's lines are indented
	hasChild bool // something stands in it
}

type leaf int

const (
	noLeaf leaf = iota
	paragraph
	fencedCode
	indentedCode
	html
)

type parser struct {
	boxes   Boxes
	open    []container
	leaf    leaf
	fence   string // that closes fenced code, at least
	htmlEnd func(line string) bool
	// inParagraph is the box that the open paragraph begins with: a heading takes it back.
	inParagraph Boxes
}

func (p *parser) line(l line) {
	matched := p.matchContainers(&l)
	if matched == len(p.open) && p.continuesLeaf(l) {
		return
	}
	lazy := p.leaf == paragraph && matched < len(p.open)
	used, matched := p.openBlocks(&l, matched)
	if used {
		return
	}
	switch {
	case l.isBlank():
		p.closeTo(matched)
		p.leaf = noLeaf
	case p.leaf == paragraph:
		if !lazy && p.isHeading(l) {
			p.boxes.Open -= p.inParagraph.Open
			p.boxes.Done -= p.inParagraph.Done
			p.leaf = noLeaf
		}
	default:
		p.closeTo(matched)
		p.begin(l.text())
	}
}

// matchContainers takes from the line what belongs to the open containers, and returns how
// many of them it is in.
func (p *parser) matchContainers(l *line) int {
	for i := range p.open {
		c := &p.open[i]
		switch {
		case !c.item:
			if !l.takeQuote() {
				return i
			}
		case l.isBlank():
			if !c.hasChild { // an item may begin with one empty line only
				return i
			}
		case l.indent() >= c.width:
			l.take(c.width)
		default:
			return i
		}
	}
	return len(p.open)
}

// continuesLeaf reports whether the line belongs to the code or HTML that is open.
func (p *parser) continuesLeaf(l line) bool {
	switch p.leaf {
	case fencedCode:
		if text := l.text(); l.indent() < 4 && strings.HasPrefix(text, p.fence) && strings.Trim(text, p.fence[:1]+" \t") == "" && !strings.ContainsAny(strings.TrimRight(text, " \t"), " \t") {
			p.leaf = noLeaf
		}
		return true
	case html:
		if p.htmlEnd(l.rest) {
			p.leaf = noLeaf
		}
		return true
	case indentedCode:
		if l.isBlank() || l.indent() >= 4 {
			return true
		}
		p.leaf = noLeaf
	}
	return false
}

// openBlocks opens the blocks that the rest of a line starts, in the first matched
// containers. It reports whether that uses the line up, and in how many containers the line
// is then.
func (p *parser) openBlocks(l *line, matched int) (used bool, in int) {
	for !l.isBlank() {
		// A paragraph can be interrupted where the line would go on with it.
		goesOn := p.leaf == paragraph && matched == len(p.open)
		if l.indent() >= 4 {
			if p.leaf == paragraph {
				return false, matched
			}
			p.start(matched, indentedCode)
			return true, matched
		}
		text := l.text()
		switch {
		case text[0] == '>':
			l.takeQuote()
			p.push(matched, container{})
		case isATXHeading(text):
			p.start(matched, noLeaf)
			return true, matched
		case openingFence(text) != "":
			p.start(matched, fencedCode)
			p.fence = openingFence(text)
			return true, matched
		case p.startsHTML(text, matched):
			return true, matched
		case goesOn && p.isHeading(*l):
			return false, matched
		case isThematicBreak(text):
			p.start(matched, noLeaf)
			return true, matched
		default:
			width := itemWidth(text, goesOn)
			if width == 0 {
				return false, matched
			}
			p.push(matched, container{item: true, width: l.takeItem(width)})
		}
		matched = len(p.open)
	}
	return false, matched
}

// isHeading reports the line below a paragraph that makes a heading of it.
func (p *parser) isHeading(l line) bool {
	text := strings.TrimRight(l.text(), " \t")
	return l.indent() < 4 && text != "" && (strings.Trim(text, "=") == "" || strings.Trim(text, "-") == "")
}

func (p *parser) startsHTML(text string, matched int) bool {
	end, interrupts := htmlBlock(text)
	if end == nil || p.leaf == paragraph && !interrupts {
		return false
	}
	p.start(matched, html)
	if p.htmlEnd = end; end(text) {
		p.leaf = noLeaf
	}
	return true
}

// closeTo closes all containers but the first n.
func (p *parser) closeTo(n int) {
	if n < len(p.open) {
		p.open = p.open[:n]
		p.leaf = noLeaf
	}
}

// start opens a leaf in the first n containers.
func (p *parser) start(n int, kind leaf) {
	p.closeTo(n)
	p.hasChild()
	p.leaf = kind
}

func (p *parser) push(n int, c container) {
	p.start(n, noLeaf)
	p.open = append(p.open, c)
}

func (p *parser) hasChild() {
	if n := len(p.open); n > 0 {
		p.open[n-1].hasChild = true
	}
}

// begin opens a paragraph, and counts the box of an item that begins with it.
func (p *parser) begin(text string) {
	p.inParagraph = Boxes{}
	if n := len(p.open); n > 0 && p.open[n-1].item && !p.open[n-1].hasChild {
		p.inParagraph = boxOf(text)
	}
	p.boxes.Open += p.inParagraph.Open
	p.boxes.Done += p.inParagraph.Done
	p.hasChild()
	p.leaf = paragraph
}

// boxOf returns the box that text begins with; "[ ](url)" is a link.
func boxOf(text string) Boxes {
	if len(text) < 3 || text[0] != '[' || text[2] != ']' || len(text) > 3 && text[3] != ' ' && text[3] != '\t' {
		return Boxes{}
	}
	switch text[1] {
	case 'x', 'X':
		return Boxes{Done: 1}
	case ' ', '\t':
		return Boxes{Open: 1}
	}
	return Boxes{}
}
