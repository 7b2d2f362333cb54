package hookio

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

// inputArgs reports reads of input.args in a handler of tool.execute.before.
func (c *checker) inputArgs(h handler) {
	for _, v := range c.views(h, inputParam) {
		if sets(v) {
			continue // the plugin puts them there itself
		}
		js.Walk(v.fn, func(n *js.Node) bool {
			switch {
			case n.Type == js.Member:
				if field, ok := v.field(n); ok && field == argsField && !besideOutput(h, n) {
					c.reportArgs(v, n)
				}
			case n.Type == js.ObjectLit && v.isPattern(n):
				if p := propertyOf(n, argsField); p != nil {
					c.reportArgs(v, p.Kids[0])
				}
			}
			return true
		})
	}
}

func (c *checker) reportArgs(v view, n *js.Node) {
	c.report("inputargs", v.module, n,
		"input.args is undefined in tool.execute.before: OpenCode %s passes the arguments as output.args, so what depends on them here never happens",
		c.table.Version())
}

// isPattern reports whether an object pattern takes the argument apart.
func (v view) isPattern(n *js.Node) bool {
	p := n.Parent
	if p.Type == js.Default && p.Kids[0] == n {
		n, p = p, p.Parent
	}
	if p == v.fn {
		return len(p.Kids) > 2+v.param && p.Kids[2+v.param] == n
	}
	return p.Type == js.Declarator && p.Kids[0] == n && v.is(p.Kids[1])
}

// sets reports whether a function assigns to the args of its argument.
func sets(v view) bool {
	found := false
	js.Walk(v.fn, func(n *js.Node) bool {
		if n.Type == js.Assign {
			field, ok := v.field(n.Kids[0])
			found = found || ok && field == argsField
		}
		return !found
	})
	return found
}

// besideOutput reports whether n is one of several places that an expression looks for the
// arguments in: output.args ?? input.args.
func besideOutput(h handler, n *js.Node) bool {
	top := n
	for p := top.Parent; p != nil && (p.Type == js.Member || p.Type == js.Cond || p.Type == js.Binary && (p.Text == "??" || p.Text == "||" || p.Text == "&&")); p = p.Parent {
		top = p
	}
	output := view{h.module, h.fn, outputParam}
	found := false
	js.Walk(top, func(n *js.Node) bool {
		path, ok := output.path(n)
		found = found || ok && (path == argsField || strings.HasPrefix(path, argsField+"."))
		return !found
	})
	return found
}

// afterShape reports uses of the output of a tool, in tool.execute.after, that throw when
// it is not there.
func (c *checker) afterShape(h handler) {
	for _, v := range c.views(h, outputParam) {
		js.Walk(v.fn, func(n *js.Node) bool {
			if n.Type != js.Member || n.Flags&js.Optional != 0 {
				return true
			}
			field, ok := v.plainField(n.Kids[0])
			if ok && h.hook.Output[field] != "" && n.Kids[0].Flags&js.Optional == 0 && !v.isGuarded(n) {
				c.report("aftershape", v.module, n,
					"output.%s is undefined when an MCP tool ran, and so may be output itself in OpenCode %s: this throws, and the call that had worked becomes an error (test it before)",
					field, c.table.Version())
			}
			return true
		})
	}
}

// plainField is field, also through one variable that holds the field as it is.
func (v view) plainField(n *js.Node) (string, bool) {
	if n.Type == js.Ident {
		b := v.module.BindingOf(n)
		if b == nil || b.Owner.Type != js.Declarator || b.Owner.Kids[0] != b.Decl || len(b.Writes) > 0 || b.Owner.Kids[1] == nil {
			return "", false
		}
		n = b.Owner.Kids[1]
	}
	return v.field(n)
}

// isGuarded reports whether anything around or before n tests an argument of the hook: the
// tool, the output, or what a function makes of them. Whether the test suffices is not
// judged. A try around n is a guard, too.
func (v view) isGuarded(n *js.Node) bool {
	for child, p := n, n.Parent; p != nil && child != v.fn; child, p = p, p.Parent {
		switch p.Type {
		case js.Try:
			if p.Kids[0] == child && p.Kids[1] != nil {
				return true
			}
		case js.If, js.Cond, js.While, js.Switch, js.Binary:
			if p.Kids[0] != child && v.tests(p.Kids[0]) {
				return true
			}
		case js.Block, js.Case:
			if v.testedBefore(p, child) {
				return true
			}
		}
	}
	return false
}

// testedBefore reports whether a statement of a block before child tests an argument, or
// sets a field of the output.
func (v view) testedBefore(block, child *js.Node) bool {
	for _, s := range block.Kids {
		if s == child {
			return false
		}
		if s == nil {
			continue
		}
		found := false
		js.Walk(s, func(n *js.Node) bool {
			switch n.Type {
			case js.If, js.Cond, js.Switch:
				found = found || v.tests(n.Kids[0])
			case js.Assign:
				_, ok := v.field(n.Kids[0])
				found = found || ok
			case js.FuncLit:
				return false
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// tests reports whether an expression mentions a parameter of the function, or a variable
// that comes from one.
func (v view) tests(n *js.Node) bool { return v.mentions(n, 0) }

func (v view) mentions(n *js.Node, depth int) bool {
	found := false
	js.Walk(n, func(n *js.Node) bool {
		if n.Type == js.Ident && !found {
			b := v.module.BindingOf(n)
			found = b != nil && (b.Owner == v.fn ||
				depth < maxSteps && b.Owner.Type == js.Declarator && v.mentions(b.Owner.Kids[1], depth+1))
		}
		return !found && n.Type != js.FuncLit
	})
	return found
}
