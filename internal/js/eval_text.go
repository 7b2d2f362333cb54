package js

import (
	"slices"
	"strings"
)

// template evaluates a template literal to a String or, with holes, a Formula.
func (ev *evaluator) template(m *Module, n *Node) Value {
	var parts []Part
	for _, kid := range n.Kids {
		if kid.Type == TemplateText {
			parts = append(parts, Part{Text: kid.Text, Span: kid.Span})
			continue
		}
		parts = append(parts, ev.parts(m, kid, ev.eval(m, kid))...)
	}
	return ev.text(m, n, parts)
}

// raw evaluates String.raw, whose text is that of the source with line ends made \n.
func (ev *evaluator) raw(m *Module, n *Node) Value {
	if globalName(n.Kids[0]) != "String.raw" {
		return opaque(m, n.Span, "the result of a tag is known at run time only")
	}
	var parts []Part
	for _, kid := range n.Kids[1].Kids {
		if kid.Type != TemplateText {
			parts = append(parts, ev.parts(m, kid, ev.eval(m, kid))...)
			continue
		}
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(m.Text(kid.Span))
		parts = append(parts, Part{Text: text, Span: kid.Span})
	}
	return ev.text(m, n, parts)
}

// concat evaluates the addition of a string and anything.
func (ev *evaluator) concat(m *Module, n *Node, left, right Value) Value {
	return ev.text(m, n, append(ev.parts(m, n.Kids[0], left), ev.parts(m, n.Kids[1], right)...))
}

// parts returns a value as pieces of text: one piece, or those of a Formula, or a hole.
func (ev *evaluator) parts(m *Module, n *Node, v Value) []Part {
	if v.Kind == Formula && v.Fn.Node == nil {
		parts := slices.Clone(v.Parts)
		if v.Module != m {
			for i := range parts {
				parts[i].Span = n.Span
			}
		}
		return parts
	}
	if s, ok := toString(v); ok {
		return []Part{{Text: s, Span: n.Span}}
	}
	return []Part{{Hole: true, Span: n.Span, Name: chainName(n)}}
}

// text joins pieces that adjoin, and returns a String when there are no holes.
func (ev *evaluator) text(m *Module, n *Node, parts []Part) Value {
	var joined []Part
	size := 0
	for _, p := range parts {
		size += len(p.Text)
		last := len(joined) - 1
		switch {
		case p.Hole:
			joined = append(joined, p)
		case p.Text == "":
		case last >= 0 && !joined[last].Hole:
			joined[last].Text += p.Text
			joined[last].Span.End = max(joined[last].Span.End, p.Span.End)
		default:
			joined = append(joined, p)
		}
	}
	ev.steps += size / 16
	if size > maxString || len(joined) > maxSteps {
		return opaque(m, n.Span, "too large to evaluate")
	}
	switch {
	case len(joined) == 0:
		return stringValue("")
	case len(joined) == 1 && !joined[0].Hole:
		return stringValue(joined[0].Text)
	}
	return Value{Kind: Formula, Parts: joined}
}

// chainName returns the source form of a name or member chain, or "".
func chainName(n *Node) string {
	switch n.Type {
	case Ident, Name:
		return n.Text
	case Member:
		left, right := chainName(n.Kids[0]), chainName(n.Kids[1])
		if left == "" || right == "" || n.Flags&Computed != 0 {
			return ""
		}
		return left + "." + right
	}
	return ""
}

// function evaluates a function: to a Formula when it has one return, of a string.
func (ev *evaluator) function(m *Module, n *Node) Value {
	v := Value{Kind: Function, Fn: Expr{m, n}}
	result := soleReturn(n)
	if result == nil || n.Flags&(Async|Generator) != 0 {
		return v
	}
	switch text := ev.eval(m, result); text.Kind {
	case String:
		v.Kind, v.Parts = Formula, []Part{{Text: text.Str, Span: text.Span}}
	case Formula:
		if text.Fn.Node == nil {
			v.Kind, v.Parts = Formula, text.Parts
		}
	}
	return v
}

// soleReturn returns what a function returns when it returns at one place, its end.
func soleReturn(fn *Node) *Node {
	body := fn.Kids[1]
	if body.Type != Block {
		return body
	}
	returns := Returns(body)
	if len(returns) != 1 || body.Kids[len(body.Kids)-1] != returns[0] {
		return nil
	}
	return returns[0].Kids[0]
}

// Returns returns the return statements of a function body, those of functions in it
// left out.
func Returns(body *Node) []*Node {
	var list []*Node
	Walk(body, func(n *Node) bool {
		if n.Type == Return {
			list = append(list, n)
		}
		return n.Type != FuncLit && n.Type != ClassLit
	})
	return list
}
