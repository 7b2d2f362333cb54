package hookio

import (
	"github.com/ngvet/ngvet/internal/js"
)

// returns reports values that a handler returns as if OpenCode used them.
func (c *checker) returns(h handler) {
	for _, n := range returned(h.fn) {
		c.returnedValue(h, n)
	}
}

func (c *checker) returnedValue(h handler, n *js.Node) {
	if n.Type == js.Cond {
		c.returnedValue(h, n.Kids[1])
		c.returnedValue(h, n.Kids[2])
		return
	}
	if n.Type != js.ObjectLit || len(n.Kids) == 0 {
		return // a call may be made for its effect, a variable may be the output itself
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

// calledElsewhere reports whether the plugin itself calls a handler: by name, or because the
// function that makes it is called more than once. What the handler returns, or puts into
// its output, may be meant for that caller.
func calledElsewhere(h handler) bool {
	if calls(h.module, h.fn) > 0 {
		return true
	}
	for maker := h.fn.Parent; maker != nil; maker = maker.Parent {
		if maker.Type == js.FuncLit {
			return calls(h.module, maker) > 1
		}
	}
	return false
}

// calls counts the calls of a function by its name.
func calls(m *js.Module, fn *js.Node) int {
	name := fn.Kids[0]
	if p := fn.Parent; p != nil && p.Type == js.Declarator {
		name = p.Kids[0]
	}
	b := m.BindingOf(name)
	if b == nil {
		return 0
	}
	n := 0
	for _, ref := range b.Refs {
		if ref.Parent.Type == js.CallExpr && ref.Parent.Kids[0] == ref {
			n++
		}
	}
	return n
}
