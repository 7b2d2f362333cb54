package plugincode

import (
	"slices"

	"github.com/ngvet/ngvet/internal/js"
)

// IsOnce reports whether a node of a function that a handler reaches runs only some of the
// times, because of something that is kept between the calls of the handler: it stands under
// a test of it, such as a cache or a flag, or is assigned by ??= to it. Whether the test
// is right is not judged.
func (c *Code) IsOnce(r Reached, n *js.Node) bool {
	k := keeper{chain: r.chain, seen: make(map[*js.Node]bool)}
	for _, cond := range r.Conditions(n) {
		if k.mentions(cond.Module, cond.Test) {
			return true
		}
	}
	if k.isDefault(r.Fn.Module, n) {
		return true
	}
	for _, call := range r.Calls {
		if k.isDefault(call.Module, call.Node) {
			return true
		}
	}
	return false
}

// keeper finds what lives longer than one call of the functions of a chain.
type keeper struct {
	chain []*js.Node
	seen  map[*js.Node]bool
}

// isDefault reports whether n is what something kept gets if it has no value yet.
func (k keeper) isDefault(m *js.Module, n *js.Node) bool {
	for p := n; p.Parent != nil && p.Parent.Type != js.FuncLit; p = p.Parent {
		if a := p.Parent; a.Type == js.Assign && (a.Text == "??=" || a.Text == "||=") && a.Kids[1] == p {
			return k.mentions(m, a.Kids[0])
		}
	}
	return false
}

// mentions reports whether an expression reads something kept.
func (k keeper) mentions(m *js.Module, e *js.Node) bool {
	found := false
	js.Walk(e, func(n *js.Node) bool {
		switch n.Type {
		case js.FuncLit:
			return false
		case js.Member:
			found = found || n.Kids[0].Type == js.This
		case js.Ident:
			found = found || k.isKept(m, n)
		}
		return !found
	})
	return found
}

// isKept reports whether a name is bound to state outside of the handler, or to what was read
// from such state.
func (k keeper) isKept(m *js.Module, n *js.Node) bool {
	b := m.BindingOf(n)
	if b == nil || b.Owner.Type != js.Declarator || k.seen[b.Decl] {
		return false
	}
	k.seen[b.Decl] = true
	init := b.Owner.Kids[1]
	if k.isInside(b.Decl) {
		return init != nil && k.mentions(m, init)
	}
	return len(b.Writes) > 0 || init != nil && (isMapping(init) || isChanged(b))
}

// isMapping reports whether an expression makes a Map or the like.
func isMapping(n *js.Node) bool {
	switch n.Type {
	case js.New:
		switch n.Kids[0].Text {
		case "Map", "Set", "WeakMap", "WeakSet":
			return true
		}
	}
	return false
}

// isChanged reports whether something is done to what a name is bound to: a property is
// written, or it is asked as a cache is.
func isChanged(b *js.Binding) bool {
	for _, ref := range b.Refs {
		n := ref
		for n.Parent.Type == js.Member && n.Parent.Kids[0] == n {
			n = n.Parent
		}
		switch p := n.Parent; {
		case n == ref:
		case p.Type == js.Assign && p.Kids[0] == n, p.Type == js.Update, p.Type == js.Unary && p.Text == "delete":
			return true
		case p.Type == js.CallExpr && p.Kids[0] == n && cacheMethods[MemberName(n)]:
			return true
		}
	}
	return false
}

var cacheMethods = map[string]bool{"has": true, "set": true, "add": true, "push": true, "delete": true, "clear": true}

// isInside reports whether a node lies in a function of the chain.
func (k keeper) isInside(n *js.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Type == js.FuncLit && slices.Contains(k.chain, n) {
			return true
		}
	}
	return false
}
