package pathguard

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// realpathIfExists reports calls of realpath in a function whose failure, or absence, leaves
// the path as it was.
func (c *checker) realpathIfExists(r plugincode.Reached) {
	m := r.Fn.Module
	if m.Vendored(r.Fn.Node.Span.Start) {
		return
	}
	plugincode.Body(r.Fn, plugincode.All, func(n *js.Node) {
		if n.Type != js.CallExpr || len(n.Kids) < 2 || !isRealpath(c.api(m, n.Kids[0])) {
			return
		}
		if c.isRoot(m, n.Kids[1]) || c.looksAbove(m, n) {
			return
		}
		if c.ifExists(m, n) || c.ifItWorks(m, n) || c.ifKept(m, n) {
			c.report("realpathifexists", m, n, "the path is resolved only if it exists: a new file below a link that leads out of the directory keeps its own text and passes (resolve its deepest existing directory)")
		}
	})
}

// isRoot reports whether a path is a directory of the plugin's input itself, which exists. A
// parameter may be that in one call and a file in the next.
func (c *checker) isRoot(m *js.Module, path *js.Node) bool {
	names := make(map[*js.Binding]bool)
	c.bindings(m, path, names, 0)
	for b := range names {
		if b.Param() >= 0 && !c.isFactory(b.Owner) {
			return false
		}
	}
	return c.code.PathOf(js.Expr{Module: m, Node: path}).Exact()
}

func (c *checker) isFactory(fn *js.Node) bool {
	for _, f := range c.code.Factories {
		if f.Node == fn {
			return true
		}
	}
	return false
}

// looksAbove reports whether the function around a call looks at the directories above: by
// dirname, in a loop, or by calling itself.
func (c *checker) looksAbove(m *js.Module, n *js.Node) bool {
	fn := n
	for fn.Parent != nil && fn.Type != js.FuncLit {
		switch fn = fn.Parent; fn.Type {
		case js.While, js.DoWhile, js.For:
			return true
		}
	}
	found := false
	js.Walk(fn, func(k *js.Node) bool {
		if k.Type == js.CallExpr {
			to := c.prog.Follow(js.Expr{Module: m, Node: k.Kids[0]})
			found = found || c.api(m, k.Kids[0]) == "path.dirname" || to.Node == fn
		}
		return !found
	})
	return found
}

// ifExists reports whether a call stands under a test that its path exists, and the path
// itself is used otherwise.
func (c *checker) ifExists(m *js.Module, n *js.Node) bool {
	for _, cond := range js.Conditions(n) {
		tests := false
		js.Walk(cond.Test, func(k *js.Node) bool {
			if k.Type == js.CallExpr {
				switch c.api(m, k.Kids[0]) {
				case "fs.existsSync", "fs.exists", "fs.accessSync", "fs.access", "fs.statSync", "fs.stat":
					tests = true
				}
			}
			return true
		})
		if !tests {
			continue
		}
		if p := cond.Test.Parent; p.Type == js.Cond {
			other := p.Kids[2]
			if !cond.Holds {
				other = p.Kids[1]
			}
			return c.isSamePath(m, other, n.Kids[1])
		}
		return c.returnsPath(m, n) || c.overwrites(m, n)
	}
	return false
}

// ifItWorks reports whether a call stands in a try, or has a catch, that goes on with the
// path itself.
func (c *checker) ifItWorks(m *js.Module, n *js.Node) bool {
	if p := n.Parent; p.Type == js.Member && plugincode.MemberName(p) == "catch" && p.Parent.Type == js.CallExpr && len(p.Parent.Kids) > 1 {
		handler := p.Parent.Kids[1]
		return handler.Type == js.FuncLit && handler.Kids[1].Type != js.Block && c.isSamePath(m, handler.Kids[1], n.Kids[1])
	}
	for kid, p := n, n.Parent; p != nil && kid.Type != js.FuncLit; kid, p = p, p.Parent {
		if p.Type != js.Try || p.Kids[0] != kid || p.Kids[1] == nil {
			continue
		}
		body := p.Kids[1].Kids[1]
		for _, ret := range js.Returns(body) {
			return ret.Kids[0] != nil && c.isSamePath(m, ret.Kids[0], n.Kids[1])
		}
		if hasThrow(body) {
			return false
		}
		if c.assignsPath(m, body, n.Kids[1]) {
			return true
		}
		return c.overwrites(m, n) || isReturned(n) && c.returnsPath(m, n)
	}
	return false
}

// ifKept reports realpath(x) ?? x, of a function that gives nothing for what is not there.
func (c *checker) ifKept(m *js.Module, n *js.Node) bool {
	p := n.Parent
	return p.Type == js.Binary && (p.Text == "??" || p.Text == "||") && p.Kids[0] == n && c.isSamePath(m, p.Kids[1], n.Kids[1])
}

func hasThrow(n *js.Node) bool {
	found := false
	js.Walk(n, func(n *js.Node) bool {
		found = found || n.Type == js.Throw
		return !found && n.Type != js.FuncLit
	})
	return found
}

// assignsPath reports whether a block assigns the path to something.
func (c *checker) assignsPath(m *js.Module, block, path *js.Node) bool {
	found := false
	js.Walk(block, func(n *js.Node) bool {
		found = found || n.Type == js.Assign && c.isSamePath(m, n.Kids[1], path)
		return !found && n.Type != js.FuncLit
	})
	return found
}

// isReturned reports whether the function returns what a call does.
func isReturned(n *js.Node) bool {
	p := n.Parent
	if p.Type == js.Await {
		p = p.Parent
	}
	return p.Type == js.Return
}

// returnsPath reports whether the function around a call returns the path itself elsewhere.
func (c *checker) returnsPath(m *js.Module, n *js.Node) bool {
	fn := n
	for fn != nil && fn.Type != js.FuncLit {
		fn = fn.Parent
	}
	if fn == nil || fn.Kids[1].Type != js.Block {
		return false
	}
	for _, ret := range js.Returns(fn.Kids[1]) {
		if v := ret.Kids[0]; v != nil && !contains(v, n) && c.isSamePath(m, v, n.Kids[1]) {
			return true
		}
	}
	return false
}

func contains(outer, n *js.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
	}
	return false
}

// overwrites reports whether a call replaces a variable that already holds the path.
func (c *checker) overwrites(m *js.Module, n *js.Node) bool {
	p := n.Parent
	if p.Type == js.Await {
		p = p.Parent
	}
	if p.Type != js.Assign || p.Text != "=" || p.Kids[0].Type != js.Ident {
		return false
	}
	b := m.BindingOf(p.Kids[0])
	if b == nil {
		return false
	}
	if b.Param() >= 0 || b == m.BindingOf(n.Kids[1]) {
		return true
	}
	return b.Owner.Type == js.Declarator && b.Owner.Kids[1] != nil && c.isSamePath(m, b.Owner.Kids[1], n.Kids[1])
}

// isSamePath reports whether an expression is a path made of the same variable, or of one
// that it was made of, and not of a resolved one.
func (c *checker) isSamePath(m *js.Module, n, path *js.Node) bool {
	names := make(map[*js.Binding]bool)
	c.bindings(m, path, names, 0)
	same, resolved := false, false
	js.Walk(n, func(k *js.Node) bool {
		if k.Type == js.Ident {
			same = same || names[m.BindingOf(k)]
		}
		resolved = resolved || k.Type == js.CallExpr && isRealpath(c.api(m, k.Kids[0]))
		return true
	})
	switch n.Type {
	case js.Ident, js.Member, js.CallExpr, js.Await, js.Template:
		return same && !resolved
	}
	return n.Type == js.Binary && n.Text == "+" && same && !resolved
}

// bindings collects the variables that an expression is made of.
func (c *checker) bindings(m *js.Module, n *js.Node, names map[*js.Binding]bool, depth int) {
	js.Walk(n, func(k *js.Node) bool {
		if b := m.BindingOf(k); k.Type == js.Ident && b != nil && !names[b] && b.Owner.Type != js.ImportSpec {
			names[b] = true
			if b.Owner.Type == js.Declarator && depth < maxText {
				c.bindings(m, b.Owner.Kids[1], names, depth+1)
			}
		}
		return k.Type != js.FuncLit
	})
}
