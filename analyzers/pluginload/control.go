package pluginload

import (
	"github.com/ngvet/ngvet/internal/js"
)

// reachesEnd reports whether control can get past a statement: what only leaves by return or
// throw, never ends, or ends the process does not let it.
func (c *checker) reachesEnd(m *js.Module, n *js.Node) bool {
	if n == nil {
		return true
	}
	switch n.Type {
	case js.Return, js.Throw, js.Continue, js.Break:
		return false
	case js.Block:
		for _, s := range n.Kids {
			if !c.reachesEnd(m, s) {
				return false
			}
		}
	case js.If:
		return n.Kids[2] == nil || c.reachesEnd(m, n.Kids[1]) || c.reachesEnd(m, n.Kids[2])
	case js.Labelled:
		return c.reachesEnd(m, n.Kids[1])
	case js.Try:
		if n.Kids[2] != nil && !c.reachesEnd(m, n.Kids[2]) {
			return false
		}
		return c.reachesEnd(m, n.Kids[0]) || n.Kids[1] != nil && c.reachesEnd(m, n.Kids[1].Kids[1])
	case js.Switch:
		return c.switchReachesEnd(m, n)
	case js.While, js.DoWhile, js.For:
		return !isEndless(n)
	case js.ExprStmt:
		return !c.exits(m, n.Kids[0])
	}
	return true
}

// switchReachesEnd reports whether control can get past a switch: no case applies, a break,
// or the end of the last case.
func (c *checker) switchReachesEnd(m *js.Module, n *js.Node) bool {
	hasDefault, last := false, true
	for _, k := range n.Kids[1:] {
		hasDefault = hasDefault || k.Kids[0] == nil
		last = true
		for _, s := range k.Kids[1:] {
			if breaks(s) {
				return true
			}
			last = last && c.reachesEnd(m, s)
		}
	}
	return !hasDefault || last
}

// breaks reports whether a statement can leave the switch around it by break.
func breaks(n *js.Node) bool {
	found := false
	js.Walk(n, func(n *js.Node) bool {
		found = found || n.Type == js.Break
		switch n.Type {
		case js.FuncLit, js.ClassLit, js.For, js.ForIn, js.ForOf, js.While, js.DoWhile, js.Switch:
			return false
		}
		return !found
	})
	return found
}

// isEndless reports whether a loop has no condition and no break.
func isEndless(n *js.Node) bool {
	test, body := n.Kids[0], n.Kids[len(n.Kids)-1]
	switch n.Type {
	case js.For:
		test = n.Kids[1]
	case js.DoWhile:
		test, body = n.Kids[1], n.Kids[0]
	}
	return (test == nil || test.Type == js.BoolLit && test.Text == "true" || test.Type == js.NumberLit && test.Text != "0") && !breaks(body)
}

// exits reports whether an expression ends the process, or calls a function of the plugin
// that always does or throws.
func (c *checker) exits(m *js.Module, n *js.Node) bool {
	if n.Type == js.Await {
		n = n.Kids[0]
	}
	if n.Type != js.CallExpr {
		return false
	}
	if m.Text(n.Kids[0].Span) == "process.exit" {
		return true
	}
	fn := c.prog.Follow(js.Expr{Module: m, Node: n.Kids[0]})
	if fn.Node == nil || fn.Node.Type != js.FuncLit || fn.Node.Kids[1].Type != js.Block || fn.Node.Flags&js.Generator != 0 {
		return false
	}
	body := fn.Node.Kids[1].Kids
	if len(body) == 0 {
		return false
	}
	last := body[len(body)-1]
	ends := last.Type == js.Throw || last.Type == js.ExprStmt && fn.Module.Text(js.Span{Start: last.Span.Start, End: last.Span.Start + len("process.exit(")}) == "process.exit("
	return ends && len(js.Returns(fn.Node.Kids[1])) == 0
}
