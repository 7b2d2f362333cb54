package mirror

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
)

// project applies the view of a directive to both sides, and refuses pairs of kinds that
// have no comparison.
func project(g, j value, d *directive) (value, value, error) {
	view := d.view
	if view == wholeView && g.kind == setKind && j.kind == objectKind {
		view = valuesView // a group of constants against an enum-like object
		if g.names {
			view = keysView
		}
	}
	switch {
	case view == wholeView && isSequence(g) && j.kind == objectKind:
		return g, j, &malformed{d.filePos, d.argEnd, "a list and an object compare by keys or by values: add keys or values to the directive"}
	case view != wholeView && g.kind != objectKind && j.kind != objectKind:
		return g, j, &malformed{d.filePos, d.argEnd, fmt.Sprintf("%s needs a map or an object on one side", view)}
	case g.kind == durationKind && d.unit == 0:
		return g, j, &malformed{d.filePos, d.argEnd, "a time.Duration needs the unit of the JavaScript number: add as=ms, as=s or as=us"}
	case g.kind != durationKind && d.unit != 0:
		return g, j, &malformed{d.filePos, d.argEnd, "as= is for a time.Duration only"}
	}
	if view == wholeView {
		return g, j, nil
	}
	if g.kind == objectKind {
		g = selectView(g, view)
		g.kind = setKind // a Go map has no order
	}
	if j.kind == objectKind {
		j = selectView(j, view)
	}
	return g, j, nil
}

// selectView returns the keys or the values of an object as a list.
func selectView(v value, view view) value {
	out := value{kind: listKind, pos: v.pos, end: v.end}
	for _, e := range v.entries {
		if view == keysView {
			out.elems = append(out.elems, e.key)
		} else {
			out.elems = append(out.elems, e.val)
		}
	}
	return out
}

// contract reports the differences of one directive.
type contract struct {
	*checker
	d              *directive
	other          bool // the Go side is of another build
	goName, jsName string
}

// side is one side of a difference, for a sentence.
type side struct {
	name  string
	v     value  // its place and, for a fix, its literal
	shown string // the whole value
}

// diagnostic turns a difference into one sentence at the side that is wrong: JS, unless
// the directive says that JS is the truth.
func (k *contract) diagnostic(diff difference) analysis.Diagnostic {
	g, j := narrow(diff)
	goName := k.goName
	if diff.g.name != "" && diff.relation == unequal {
		goName = k.pass.Pkg.Name() + "." + diff.g.name
	}
	wrong := side{k.jsName + diff.label, j, diff.j.show()}
	right := side{goName, g, diff.g.show()}
	lacks := diff.relation == goOnly
	if k.d.fromJS {
		wrong, right = right, wrong
		lacks = diff.relation == jsOnly
	}
	out := analysis.Diagnostic{
		Category: ruleDiffers,
		Pos:      wrong.v.pos,
		End:      wrong.v.end,
		Related:  []analysis.RelatedInformation{{Pos: right.v.pos, End: right.v.end, Message: "the other side is here"}},
	}
	w, r := k.where(wrong.v.pos), k.where(right.v.pos)
	switch {
	case diff.relation == unequal:
		out.Message = fmt.Sprintf("%s is %s (%s), but %s is %s (%s)%s", wrong.name, wrong.shown, w, right.name, right.shown, r, explain(diff.g, diff.j))
		if !k.other || k.d.fromJS { // a change of JavaScript is one for all builds
			out.SuggestedFixes = fixes(wrong, right)
		}
	case diff.relation == moved:
		out.Message = fmt.Sprintf("%s is %s (%s), but in the order of %s that place belongs to %s (%s)", wrong.name, wrong.shown, w, right.name, right.shown, r)
	case lacks:
		out.Message = fmt.Sprintf("%s (%s) lacks %s, which %s has (%s)", wrong.name, w, right.shown, right.name, r)
	default:
		out.Message = fmt.Sprintf("%s has %s (%s), which %s lacks (%s)", wrong.name, wrong.shown, w, right.name, r)
	}
	return out
}

// fixes returns the replacement of the wrong literal, if it is one.
func fixes(wrong, right side) []analysis.SuggestedFix {
	text, ok := respell(wrong.v, right.v)
	if !ok {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   fmt.Sprintf("write %s, as %s has it", text, right.name),
		TextEdits: []analysis.TextEdit{{Pos: wrong.v.pos, End: wrong.v.end, NewText: []byte(text)}},
	}}
}

// narrow reduces two formulas of one shape to the text in which they differ, where that is
// one. Other values are returned as they are.
func narrow(diff difference) (g, j value) {
	g, j = diff.g, diff.j
	if diff.relation != unequal || g.kind != formulaKind || j.kind != formulaKind || len(g.parts) != len(j.parts) {
		return g, j
	}
	at := -1
	for i := range g.parts {
		a, b := g.parts[i], j.parts[i]
		switch {
		case a.hole != b.hole || !a.hole && a.text != b.text && at >= 0:
			return g, j
		case !a.hole && a.text != b.text:
			at = i
		}
	}
	if at < 0 {
		return g, j
	}
	return partValue(g.parts[at]), partValue(j.parts[at])
}

func partValue(p part) value {
	return value{kind: stringKind, text: p.text, pos: p.pos, end: p.end, source: p.source, literal: p.literal}
}

// explain says why two values differ that look alike.
func explain(g, j value) string {
	switch {
	case g.kind == regexpKind && j.kind == regexpKind:
		return ": " + samePattern(g.pattern, j.pattern)
	case g.kind == numberKind && j.kind == numberKind && g.form == goInteger && j.form == jsNumber && !isExact(g.num):
		return ": a JavaScript number is exact only up to 2^53, use a bigint or a string"
	case g.kind != j.kind && g.plain() == j.plain():
		return ": the values have different types"
	case g.kind == numberKind && j.kind == numberKind && g.form == goFloat && j.form == jsBigInt:
		return ": a bigint never equals a floating-point number"
	case g.lone || j.lone:
		return ": text that is not Unicode never matches"
	}
	return ""
}
