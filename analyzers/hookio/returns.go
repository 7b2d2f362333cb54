package hookio

import (
	"slices"

	"github.com/ngvet/ngvet/internal/js"
)

// returns reports values that a handler returns as if OpenCode used them.
func (c *checker) returns(h handler) {
	if calledElsewhere(h) {
		return
	}
	for _, n := range returned(h.fn) {
		c.returnedValue(h, n)
	}
}

func (c *checker) returnedValue(h handler, n *js.Node) {
	switch n.Type {
	case js.Cond:
		c.returnedValue(h, n.Kids[1])
		c.returnedValue(h, n.Kids[2])
		return
	case js.Ident:
		if _, ok := h.module.OriginOf(n); ok {
			return // return output, after it was changed
		}
	}
	e := c.prog.Follow(js.Expr{Module: h.module, Node: n})
	if e.Node == nil || e.Node.Type != js.ObjectLit || len(e.Node.Kids) == 0 {
		return
	}
	advice := "change the fields of output"
	switch {
	case h.hook.Name == toolBefore:
		advice = "change output.args in place, or throw an Error to stop the tool"
	case len(h.hook.Output) == 0:
		advice = "nothing can be returned from it"
	}
	c.report("ignoredreturn", h.module, n, "OpenCode %s ignores what %s returns, so this object has no effect (%s)",
		c.table.Version(), h.hook.Name, advice)
}

// calledElsewhere reports whether the plugin itself calls a handler by name, and so may use
// what it returns.
func calledElsewhere(h handler) bool {
	name := h.fn.Kids[0]
	if p := h.fn.Parent; p != nil && p.Type == js.Declarator {
		name = p.Kids[0]
	}
	b := h.module.BindingOf(name)
	return b != nil && slices.ContainsFunc(b.Refs, func(ref *js.Node) bool {
		return ref.Parent.Type == js.CallExpr && ref.Parent.Kids[0] == ref
	})
}
