package js

import (
	"fmt"
	"strings"
)

// Limits that keep the parsers, which recurse, from exhausting the stack or the clock. Of
// 3,766 public files none opens more than 27 brackets at once.
const (
	maxSize       = 16 << 20 // bytes of one file
	maxNest       = 20000    // tokens that one expression or chain of statements may leave open
	bracketWeight = 4        // of a bracket: parsers recurse deepest there
	maxScope      = 400      // braces and arrow functions that are open at once: esbuild's renaming takes cubic time
	maxArrow      = 6        // arrow functions within parameters of arrow functions: each doubles the work of sobek
)

// nesting is the state of one level of brackets.
type nesting struct {
	run   int // tokens since the last point at which an expression surely ended
	scope int // arrow functions and open braces among them
	arrow int // deepest arrow function within parameters seen inside
}

// checkNesting returns an error, and the place of it, when the text nests deeper than the
// parsers can bear.
func (t *tokens) checkNesting() (Span, error) {
	stack := []nesting{{}}
	total, scopes := 0, 0 // of the levels below the top: weight of brackets and runs, scopes
	for i := range t.list {
		if t.closes(i) && len(stack) > 1 {
			inner := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			outer := &stack[len(stack)-1]
			total -= bracketWeight + outer.run
			scopes -= outer.scope
			if t.is(i, "}") && outer.scope > 0 {
				outer.scope--
			}
			if t.is(i+1, "=>") {
				inner.arrow++
			}
			outer.arrow = max(outer.arrow, inner.arrow)
		}
		top := &stack[len(stack)-1]
		top.run++
		if t.endsRun(i) {
			top.run, top.scope = 0, 0
		}
		if t.is(i, "=>") || t.is(i, "{") {
			top.scope++
		}
		depth, scope, arrow := total+top.run, scopes+top.scope, top.arrow
		if t.opens(i) {
			total += bracketWeight + top.run
			scopes += top.scope
			stack = append(stack, nesting{})
		}
		span := Span{int(t.list[i].start), int(t.list[i].end)}
		if depth > maxNest {
			return span, fmt.Errorf("code nests more than %d tokens deep", maxNest)
		}
		if scope > maxScope {
			return span, fmt.Errorf("blocks and functions nest more than %d deep", maxScope)
		}
		if arrow > maxArrow {
			return span, fmt.Errorf("arrow functions nest more than %d deep in parameters", maxArrow)
		}
	}
	return Span{}, nil
}

func (t *tokens) opens(i int) bool {
	switch t.kindOf(i) {
	case tokTemplateHead, tokTemplateMiddle:
		return true
	case tokPunct:
		return t.is(i, "(") || t.is(i, "[") || t.is(i, "{")
	}
	return false
}

func (t *tokens) closes(i int) bool {
	switch t.kindOf(i) {
	case tokTemplateMiddle, tokTemplateTail:
		return true
	case tokPunct:
		return t.is(i, ")") || t.is(i, "]") || t.is(i, "}")
	}
	return false
}

// continues are the words that carry an expression, or a chain of statements, over the end
// of an operand or a block.
var continues = map[string]bool{
	"else": true, "catch": true, "finally": true, "extends": true, "in": true, "instanceof": true, "of": true, "as": true, "satisfies": true,
}

// endsRun reports whether nothing continues over the token at i: behind it the parsers are
// back where they were at the opening bracket.
func (t *tokens) endsRun(i int) bool {
	if t.is(i, ",") || t.is(i, ";") {
		return !t.is(i+1, "else")
	}
	if t.kindOf(i+1) != tokIdent || continues[t.text(i+1)] || !t.endsOperand(i) {
		return false
	}
	switch closer := t.list[i]; {
	case t.is(i, "}"):
		return true
	case t.is(i, ")"):
		return closer.operand && t.lineBreak(i)
	}
	return t.lineBreak(i)
}

// endsOperand tells whether the token at i can be the last one of an operand.
func (t *tokens) endsOperand(i int) bool {
	switch t.kindOf(i) {
	case tokIdent:
		return !operandKeywords[t.text(i)]
	case tokPunct:
		return t.is(i, ")") || t.is(i, "]") || t.is(i, "}")
	case tokTemplateHead, tokTemplateMiddle:
		return false
	}
	return true
}

// lineBreak reports whether a line ends between the token at i and the next one.
func (t *tokens) lineBreak(i int) bool {
	return i+1 < len(t.list) && strings.ContainsAny(t.src[t.list[i].end:t.list[i+1].start], "\n\r\u2028\u2029")
}
