package pluginstate

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// dirtyFlags reports flags that are cleared though what they stand for may not be written.
func (c *checker) dirtyFlags(fn js.Expr) {
	plugincode.Body(fn, plugincode.Now, func(n *js.Node) {
		if n.Type != js.Block {
			return
		}
		for i, s := range n.Kids {
			flag := cleared(s)
			if flag == nil || !c.isDirtyFlag(fn, flag) {
				continue
			}
			before, after := c.awaitsWrite(fn, n.Kids[:i]), c.awaitsWrite(fn, n.Kids[i+1:])
			e := js.Expr{Module: fn.Module, Node: s.Kids[0]}
			switch name := fn.Module.Text(flag.Span); {
			case sets(fn, flag, s.Span.End):
			case after && !before:
				c.report("dirtyflag", e, "%s is cleared before the awaited write, and nothing sets it again when that fails; the state is then never written: set it again in a catch", name)
			case before && !after && !sets(fn, flag, 0):
				c.report("dirtyflag", e, "%s is cleared after the awaited write; a change made meanwhile is never written: clear it before the write, and set it again when that fails", name)
			}
		}
	})
}

// cleared returns the variable or property that a statement sets to false.
func cleared(s *js.Node) *js.Node {
	if s == nil || s.Type != js.ExprStmt {
		return nil
	}
	return assignedBool(s.Kids[0], "false")
}

// assignedBool returns what an expression assigns true or false to, or nil.
func assignedBool(n *js.Node, value string) *js.Node {
	if n.Type != js.Assign || n.Text != "=" || n.Kids[1].Type != js.BoolLit || n.Kids[1].Text != value {
		return nil
	}
	if t := n.Kids[0]; t.Type == js.Ident || t.Type == js.Member && t.Flags&js.Computed == 0 {
		return t
	}
	return nil
}

// isDirtyFlag reports whether a flag outlives the function, is tested by it, and is set
// elsewhere.
func (c *checker) isDirtyFlag(fn js.Expr, flag *js.Node) bool {
	if flag.Type == js.Ident {
		b := fn.Module.BindingOf(flag)
		if b == nil || contains(fn.Node, b.Decl) {
			return false
		}
	}
	isTested := false
	plugincode.Body(fn, plugincode.All, func(n *js.Node) {
		if n.Type == js.If || n.Type == js.While {
			isTested = isTested || mentions(fn.Module, n.Kids[0], flag)
		}
	})
	if !isTested {
		return false
	}
	return c.isSetElsewhere(fn, flag)
}

// isSetElsewhere reports whether code outside of a function sets a flag to true: any code for
// a variable, that of the same class or object for a property of this.
func (c *checker) isSetElsewhere(fn js.Expr, flag *js.Node) bool {
	if flag.Type == js.Ident {
		for _, w := range fn.Module.BindingOf(flag).Writes {
			if assignedBool(w.Parent, "true") == w && !contains(fn.Node, w) {
				return true
			}
		}
		return false
	}
	isSet := false
	js.Walk(ownerOfThis(fn, flag), func(n *js.Node) bool {
		if n.Type == js.Assign {
			t := assignedBool(n, "true")
			isSet = isSet || t != nil && isSame(fn.Module, t, flag) && !contains(fn.Node, n)
		}
		return !isSet
	})
	return isSet
}

// ownerOfThis returns the class around a property of this, and what holds the object of
// another property.
func ownerOfThis(fn js.Expr, member *js.Node) *js.Node {
	root := member
	for root.Type == js.Member {
		root = root.Kids[0]
	}
	if b := fn.Module.BindingOf(root); root.Type == js.Ident && b != nil {
		if outer := ownerFunc(b.Decl); outer != nil {
			return outer
		}
		return fn.Module.Root()
	}
	for n := member.Parent; n != nil; n = n.Parent {
		if n.Type == js.ClassLit || n.Type == js.ObjectLit {
			return n
		}
	}
	return nil
}

// isSame reports whether two names or members of one module are spelled the same and bound to
// the same.
func isSame(m *js.Module, a, b *js.Node) bool {
	if a.Type != b.Type || a.Type == js.Ident && m.BindingOf(a) != m.BindingOf(b) {
		return false
	}
	return m.Text(a.Span) == m.Text(b.Span)
}

func mentions(m *js.Module, e, name *js.Node) bool {
	found := false
	js.Walk(e, func(n *js.Node) bool {
		found = found || isSame(m, n, name)
		return !found
	})
	return found
}

// sets reports whether a function sets a flag to true, or to something that is not constant,
// behind a place.
func sets(fn js.Expr, flag *js.Node, from int) bool {
	found := false
	plugincode.Body(fn, plugincode.All, func(n *js.Node) {
		if n.Type == js.Assign && n.Span.Start >= from && isSame(fn.Module, n.Kids[0], flag) {
			found = found || n.Kids[1].Type != js.BoolLit || n.Kids[1].Text == "true"
		}
	})
	return found
}

// awaitsWrite reports whether one of the statements awaits something that writes a file or
// sends something.
func (c *checker) awaitsWrite(fn js.Expr, stmts []*js.Node) bool {
	found := false
	for _, s := range stmts {
		js.Walk(s, func(n *js.Node) bool {
			if n.Type == js.Await {
				found = found || c.writes(fn, n)
			}
			return !found && n.Type != js.FuncLit
		})
	}
	return found
}

func (c *checker) writes(fn js.Expr, n *js.Node) bool {
	for _, o := range c.ops(fn) {
		if (o.kind == opWrite || o.kind == opAppend || o.kind == opRename) && contains(n, o.site) {
			return true
		}
	}
	call := n.Kids[0]
	return call.Type == js.CallExpr && c.builtin(fn.Module, call) == "fetch"
}
