package pluginstate

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// values are the variables of a function that may hold something made of what one of its
// expressions gives.
type values struct {
	m    *js.Module
	from *js.Node
	vars map[*js.Binding]bool
}

// maxRounds bounds how often a function is read again for values that go round in a loop.
const maxRounds = 3

type flowKey struct{ fn, from *js.Node }

// flow follows what an expression of a function gives.
func (c *checker) flow(fn js.Expr, from *js.Node) values {
	key := flowKey{fn.Node, from}
	if v, ok := c.flows[key]; ok {
		return v
	}
	v := values{fn.Module, from, make(map[*js.Binding]bool)}
	for range maxRounds {
		before := len(v.vars)
		plugincode.Body(fn, plugincode.All, v.step)
		if len(v.vars) == before {
			break
		}
	}
	c.flows[key] = v
	return v
}

// step follows values into the variables that a node fills.
func (v values) step(n *js.Node) {
	switch n.Type {
	case js.Declarator:
		if n.Kids[1] != nil && v.has(n.Kids[1]) {
			v.fill(n.Kids[0])
		}
	case js.Assign:
		if v.has(n.Kids[1]) {
			v.fill(n.Kids[0])
		}
	case js.ForOf, js.ForIn:
		if v.has(n.Kids[1]) {
			v.fill(n.Kids[0])
		}
	case js.CallExpr:
		v.stepCall(n)
	}
}

// stepCall follows values into a container by its method, and into a callback.
func (v values) stepCall(n *js.Node) {
	callee := n.Kids[0]
	if callee.Type != js.Member {
		return
	}
	isFrom := v.has(callee.Kids[0])
	for _, arg := range n.Kids[1:] {
		switch {
		case arg.Type == js.FuncLit && isFrom:
			for _, p := range arg.Kids[2:] {
				v.fill(p)
			}
		case grows[plugincode.MemberName(callee)] && v.has(arg):
			v.fill(callee.Kids[0])
		}
	}
}

// fill marks the variables of a target: those of a pattern, and the object of a member.
func (v values) fill(n *js.Node) {
	switch n.Type {
	case js.VarDecl:
		for _, d := range n.Kids {
			v.fill(d.Kids[0])
		}
	case js.Member:
		if n.Kids[0].Type != js.This {
			v.fill(n.Kids[0])
		}
	case js.Ident:
		if b := v.m.BindingOf(n); b != nil {
			v.vars[b] = true
		}
	case js.Default, js.Spread:
		v.fill(n.Kids[0])
	case js.Property:
		v.fill(n.Kids[1])
	case js.ArrayLit, js.ObjectLit:
		for _, kid := range n.Kids {
			if kid != nil {
				v.fill(kid)
			}
		}
	}
}

// has reports whether an expression holds the value: it contains the one followed, or names
// a variable.
func (v values) has(e *js.Node) bool { return v.hasIn(v.m, e) }

// hasIn is has for an expression of another module.
func (v values) hasIn(m *js.Module, e *js.Node) bool {
	found := false
	js.Walk(e, func(n *js.Node) bool {
		found = found || n == v.from || n.Type == js.Ident && v.vars[m.BindingOf(n)]
		return !found
	})
	return found
}

// grows are the methods that put something into a container.
var grows = map[string]bool{"push": true, "unshift": true, "add": true, "set": true}
