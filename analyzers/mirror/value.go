package mirror

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ngvet/ngvet/internal/js"
)

// kind is the kind of a value, in the terms in which the two languages are compared.
type kind int

const (
	numberKind kind = iota
	stringKind
	boolKind
	durationKind
	listKind
	setKind
	objectKind
	formulaKind
	regexpKind
	otherKind // null, undefined, a function: equal to nothing
)

// value is a constant of either side.
type value struct {
	kind     kind
	name     string // of a constant of a group
	pos, end token.Pos

	// source is the text of the expression; literal says that it is one literal token, so
	// that a fix may replace it. product is a literal in the form N * M.
	source  string
	literal bool
	product bool

	num     constant.Value // numberKind, durationKind (in nanoseconds)
	form    numberForm
	bits    int64  // goInteger: of its type, 0 for an untyped constant
	signed  bool   // goInteger: its type is
	text    string // stringKind; otherKind: what it is
	lone    bool   // stringKind: not Unicode text
	yes     bool   // boolKind
	elems   []value
	names   bool // setKind: the elements are names of fields
	entries []entry
	parts   []part
	pattern pattern // regexpKind

	opaque *js.NotConstError // otherKind of JS: why it is not constant
}

// numberForm is the representation that a number has at run time.
type numberForm int

const (
	goInteger numberForm = iota
	goFloat
	jsNumber // binary64
	jsBigInt
)

type entry struct{ key, val value }

// part is a piece of a formula: text, or a hole that run time fills.
type part struct {
	text     string
	hole     bool
	name     string // of a hole
	pos, end token.Pos
	source   string
	literal  bool
}

// maxExact is the largest integer up to which every integer is a binary64 number.
var maxExact = constant.MakeInt64(1 << 53)

// equal reports whether a Go value and a JS value are the same.
func equal(g, j value) bool {
	switch {
	case g.kind == numberKind && j.kind == numberKind:
		return equalNumbers(g, j)
	case g.kind == numberKind && j.kind == stringKind:
		// An integer that JS numbers cannot hold travels as text.
		return g.form == goInteger && !isExact(g.num) && g.num.ExactString() == j.text
	case g.kind == stringKind && j.kind == stringKind:
		return !g.lone && !j.lone && g.text == j.text
	case g.kind == durationKind && j.kind == durationKind:
		return constant.Compare(g.num, token.EQL, j.num)
	case g.kind == regexpKind && j.kind == regexpKind:
		return samePattern(g.pattern, j.pattern) == ""
	case g.kind == boolKind && j.kind == boolKind:
		return g.yes == j.yes
	case g.kind == formulaKind && j.kind == formulaKind:
		return slices.EqualFunc(g.parts, j.parts, func(a, b part) bool {
			return a.hole == b.hole && (a.hole || a.text == b.text)
		})
	case isSequence(g) && isSequence(j):
		return slices.EqualFunc(g.elems, j.elems, equal)
	case g.kind == objectKind && j.kind == objectKind:
		return len(g.entries) == len(j.entries) && !slices.ContainsFunc(g.entries, func(e entry) bool {
			other, ok := find(j.entries, e.key, equalKeys)
			return !ok || !equal(e.val, other.val)
		})
	}
	return false
}

func equalNumbers(g, j value) bool {
	switch {
	case g.form == goFloat && j.form == jsNumber:
		// A Go constant is exact; at run time it is the nearest binary64 number.
		f, _ := constant.Float64Val(g.num)
		h, _ := constant.Float64Val(j.num)
		return f == h
	case g.form == goInteger && j.form == jsNumber:
		return isExact(g.num) && constant.Compare(g.num, token.EQL, j.num)
	case g.form == goInteger && j.form == jsBigInt:
		return constant.Compare(g.num, token.EQL, j.num)
	}
	return false
}

// isExact reports whether an integer is one that binary64 numbers tell from its
// neighbours.
func isExact(n constant.Value) bool {
	if constant.Sign(n) < 0 {
		n = constant.UnaryOp(token.SUB, n, 0)
	}
	return constant.Compare(n, token.LEQ, maxExact)
}

// equalKeys compares keys. The keys of a JS object are strings, also where they are written
// as numbers.
func equalKeys(g, j value) bool {
	if g.kind == numberKind && j.kind == stringKind {
		return g.form == goInteger && g.num.ExactString() == j.text
	}
	return equal(g, j)
}

func isSequence(v value) bool { return v.kind == listKind || v.kind == setKind }

// find returns the entry of a JS object whose key equals a Go key.
func find(entries []entry, key value, eq func(a, b value) bool) (entry, bool) {
	i := slices.IndexFunc(entries, func(e entry) bool { return eq(key, e.key) })
	if i < 0 {
		return entry{}, false
	}
	return entries[i], true
}

// show renders a value for a message: its value, and its spelling where that differs.
func (v value) show() string {
	s := v.plain()
	if v.source == "" || len(v.source) > 40 || strings.Contains(v.source, "\n") {
		return s
	}
	switch v.kind {
	case numberKind, durationKind:
		if v.source != s && v.source != s+"n" {
			return s + " (`" + v.source + "`)"
		}
	case stringKind:
		if len(v.source) < 2 || v.source[1:len(v.source)-1] != s[1:len(s)-1] {
			return s + " (`" + v.source + "`)"
		}
	}
	return s
}

// plain renders the value alone.
func (v value) plain() string {
	switch v.kind {
	case numberKind:
		return showNumber(v)
	case durationKind:
		n, _ := constant.Int64Val(v.num)
		return time.Duration(n).String()
	case stringKind:
		return strconv.Quote(v.text)
	case boolKind:
		return strconv.FormatBool(v.yes)
	case listKind, setKind:
		return fmt.Sprintf("a list of %d", len(v.elems))
	case objectKind:
		return fmt.Sprintf("an object of %d keys", len(v.entries))
	case formulaKind:
		return showFormula(v.parts)
	case regexpKind:
		return "/" + v.pattern.source + "/" + v.pattern.flags
	}
	return v.text
}

func showNumber(v value) string {
	if v.form == goInteger || v.form == jsBigInt {
		return v.num.ExactString()
	}
	if i := constant.ToInt(v.num); i.Kind() == constant.Int && isExact(i) {
		return i.ExactString()
	}
	f, _ := constant.Float64Val(v.num)
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// showFormula renders a formula with its holes in braces.
func showFormula(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.hole {
			b.WriteString("{" + p.name + "}")
		} else {
			b.WriteString(p.text)
		}
	}
	return strconv.Quote(b.String())
}

// join merges neighbouring texts of a formula, so that two spellings of one formula have
// the same parts. A merged text is no literal.
func join(parts []part) []part {
	var out []part
	for _, p := range parts {
		last := len(out) - 1
		switch {
		case !p.hole && p.text == "":
		case !p.hole && last >= 0 && !out[last].hole:
			out[last].text += p.text
			out[last].end = p.end
			out[last].literal = false
		default:
			out = append(out, p)
		}
	}
	return out
}

// isText reports whether s is Unicode text, which Go and JS agree on.
func isText(s string) bool { return utf8.ValidString(s) }

// firstOpaque returns the reason why a part of v is not constant, or nil.
func firstOpaque(v value) *js.NotConstError {
	if v.opaque != nil {
		return v.opaque
	}
	for _, e := range v.elems {
		if err := firstOpaque(e); err != nil {
			return err
		}
	}
	for _, e := range v.entries {
		if err := firstOpaque(e.val); err != nil {
			return err
		}
	}
	return nil
}
