package pluginload

import (
	"cmp"
	"slices"

	"github.com/ngvet/ngvet/internal/js"
)

// factories checks the functions that OpenCode calls as plugins.
func (c *checker) factories() {
	plugins := c.plugins()
	fns := make(map[*js.Node]js.Expr)
	for _, o := range c.objects {
		if plugins[o.Fn.Node] {
			fns[o.Fn.Node] = o.Fn
		}
	}
	for _, e := range c.exports {
		for _, fn := range c.called(e) {
			fns[fn.Node] = fn
		}
	}
	var list []js.Expr
	for _, fn := range fns {
		list = append(list, fn)
	}
	slices.SortFunc(list, func(a, b js.Expr) int {
		return cmp.Or(cmp.Compare(a.Module.Path(), b.Module.Path()), cmp.Compare(a.Node.Span.Start, b.Node.Span.Start))
	})
	for _, fn := range list {
		c.returnsNothing(fn)
		c.throws(fn.Module, fn.Node.Kids[1])
	}
	c.throws(c.entry, c.entry.Root())
}

// called returns the functions that an export by default makes a plugin whatever they
// return: itself, or the server of a plugin object.
func (c *checker) called(e js.EntryExport) []js.Expr {
	if e.Name != "default" || e.Value.Node == nil {
		return nil
	}
	var list []js.Expr
	for _, value := range c.prog.Results(e.Value) {
		if value.Node.Type == js.ObjectLit {
			props, _ := value.Object()
			for _, p := range props {
				if p.Key == "server" {
					list = append(list, c.prog.Results(p.Value)...)
				}
			}
			continue
		}
		list = append(list, value)
	}
	return slices.DeleteFunc(list, func(e js.Expr) bool { return e.Node == nil || e.Node.Type != js.FuncLit || js.IsAccessor(e.Node) })
}

func (c *checker) returnsNothing(fn js.Expr) {
	o := c.outcomeOf(fn)
	if !o.nothing {
		return
	}
	m, span := o.at.Module, o.at.Span()
	if o.at.Node.Type == js.FuncLit { // point at where it starts
		span.End = min(span.End, o.at.Node.Kids[1].Span.Start+1)
	}
	c.report("returnsnothing", m, span, "the plugin can return nothing here: OpenCode %s then dies with exit status 1 (return {} where there are no hooks)",
		c.table.Version())
}

// throws reports throw statements that leave code which runs when the plugin is loaded.
func (c *checker) throws(m *js.Module, body *js.Node) {
	js.Walk(body, func(n *js.Node) bool {
		switch n.Type {
		case js.FuncLit, js.ClassLit:
			return false
		case js.Throw:
			if !isCaught(n, body) && !isRethrow(m, n) {
				c.report("throwsatinit", m, n.Span, "OpenCode %s drops a plugin that throws while it is loaded: the run goes on without it, gates included, and only its log says so (report the problem and return hooks that refuse, or {})",
					c.table.Version())
			}
		}
		return true
	})
}

// isCaught reports whether a try below top catches what n throws.
func isCaught(n, top *js.Node) bool {
	for child, p := n, n.Parent; child != top && p != nil; child, p = p, p.Parent {
		if p.Type == js.Try && p.Kids[0] == child && p.Kids[1] != nil {
			return true
		}
	}
	return false
}

// isRethrow reports whether n throws on what a catch got: the fault is not its own.
func isRethrow(m *js.Module, n *js.Node) bool {
	b := m.BindingOf(n.Kids[0])
	return n.Kids[0].Type == js.Ident && b != nil && b.Owner.Type == js.Catch
}
