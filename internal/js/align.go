package js

import "slices"

// align finds for every token of a translated text the token of the original that it came
// from, or -1. A source map knows the starts of expressions only; brackets and punctuation
// between them are matched by partner and by order, so that ends are exact as well.
//
// near holds the places that the source map gives for literals and names that stand for
// something else in the original, such as the value of an enum's member for its name.
func align(gen, orig *tokens, anchors []anchor) (m, near []int32) {
	m = make([]int32, len(gen.list))
	for i := range m {
		m[i] = -1
	}
	near = slices.Clone(m)
	for _, a := range anchors {
		g, o := gen.at(a.gen), orig.at(a.orig)
		switch {
		case g >= len(m) || o >= len(orig.list) || int(gen.list[g].start) != a.gen:
		case sameToken(gen, g, orig, o):
			m[g] = int32(o)
		case gen.kindOf(g) != tokPunct && orig.kindOf(o) != tokPunct:
			near[g] = int32(o)
		}
	}
	alignBrackets(gen, orig, m)
	alignBetween(gen, orig, m)
	alignBrackets(gen, orig, m)
	return m, near
}

// sameToken reports whether two tokens can be the same one before and after translation,
// which renames variables and respells literals.
func sameToken(gen *tokens, g int, orig *tokens, o int) bool {
	kind := gen.kindOf(g)
	switch {
	case kind != orig.kindOf(o):
		return false
	case kind == tokPunct || kind == tokIdent && (reserved[gen.text(g)] || reserved[orig.text(o)]):
		return gen.text(g) == orig.text(o)
	}
	return true
}

// reserved are the words that are never renamed.
var reserved = map[string]bool{
	"break": true, "case": true, "catch": true, "class": true, "const": true, "continue": true, "debugger": true, "default": true,
	"delete": true, "do": true, "else": true, "enum": true, "export": true, "extends": true, "finally": true, "for": true,
	"function": true, "if": true, "import": true, "in": true, "instanceof": true, "new": true, "null": true, "return": true,
	"super": true, "switch": true, "this": true, "throw": true, "true": true, "false": true, "try": true, "typeof": true,
	"var": true, "void": true, "while": true, "with": true, "let": true, "static": true, "await": true, "async": true, "yield": true,
}

// alignBrackets completes pairs of which one side is known.
func alignBrackets(gen, orig *tokens, m []int32) {
	for g := range m {
		partner := gen.list[g].match
		if m[g] < 0 || partner < 0 || m[partner] >= 0 {
			continue
		}
		if o := orig.list[m[g]].match; o >= 0 && sameToken(gen, int(partner), orig, int(o)) {
			m[partner] = o
		}
	}
}

// maxGap is how many tokens of types may stand between two tokens of code.
const maxGap = 4096

// alignBetween walks backward, because what precedes a known token in the translation
// directly precedes it in the original as well: annotations follow what they annotate.
func alignBetween(gen, orig *tokens, m []int32) {
	floor := floors(m)
	ceiling := int32(len(orig.list))
	for g := len(m) - 1; g >= 0; g-- {
		if m[g] < 0 {
			m[g] = precedingToken(gen, g, orig, m, max(floor[g], ceiling-maxGap), ceiling)
		}
		if m[g] < 0 {
			continue
		}
		ceiling = m[g]
		if partner, o := gen.list[g].match, orig.list[m[g]].match; gen.closes(g) && partner >= 0 && m[partner] < 0 && o >= 0 {
			m[partner] = o
		}
	}
}

// precedingToken searches backward from ceiling, down to floor, both exclusive.
func precedingToken(gen *tokens, g int, orig *tokens, m []int32, floor, ceiling int32) int32 {
	next := g + 1
	if gen.is(next, ";") && m[next] < 0 {
		next++
	}
	// The translation adds semicolons that line ends imply, and code of its own: what
	// stands before an unknown token is taken only from the very place.
	if gen.is(g, ";") || gen.kindOf(g) == tokPunct && next < len(m) && m[next] < 0 {
		floor = max(floor, ceiling-2)
	}
	for o := ceiling - 1; o > floor; o-- {
		if !sameToken(gen, g, orig, int(o)) || gen.text(g) != orig.text(int(o)) {
			continue
		}
		if gen.opens(g) && orig.list[o].match < ceiling { // closed before what it should enclose
			continue
		}
		if gen.closes(g) && !encloses(gen, g, orig, int(o), m) {
			continue
		}
		return o
	}
	return -1
}

// encloses reports whether the bracket that closes at o holds the last known token of what
// the bracket that closes at g holds.
func encloses(gen *tokens, g int, orig *tokens, o int, m []int32) bool {
	open := max(int(gen.list[g].match), g-maxGap)
	if open == g-1 { // nothing in between
		return int(orig.list[o].match) == o-1
	}
	for i := g - 1; i > open; i-- {
		if m[i] >= 0 {
			return orig.list[o].match < m[i] && m[i] < int32(o)
		}
	}
	return true
}

// floors gives for every token the original of the last known token before it.
func floors(m []int32) []int32 {
	floor := make([]int32, len(m))
	last := int32(-1)
	for g := range m {
		floor[g] = last
		if m[g] >= 0 {
			last = m[g]
		}
	}
	return floor
}

// nearest returns the original of the token at g. Where it has none, ok is false and o is the
// token behind the closest known one before it: what was translated stands there.
func nearest(m []int32, g int) (o int, ok bool) {
	if g >= len(m) {
		g = len(m) - 1
	}
	if g < 0 {
		return 0, false
	}
	if m[g] >= 0 {
		return int(m[g]), true
	}
	for i := g - 1; i >= 0; i-- {
		if m[i] >= 0 {
			return int(m[i]) + 1, false
		}
	}
	return 0, false
}
