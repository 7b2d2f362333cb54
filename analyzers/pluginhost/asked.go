package pluginhost

import (
	"regexp"

	"github.com/ngvet/ngvet/internal/js"
)

// switchNames are the names of settings that are off unless somebody asks.
var switchNames = regexp.MustCompile(`(?i)debug|verbose|log_?level|tracing`)

// isAskedFor reports whether code runs only because of a switch or an environment variable:
// because of a test around it, or around every call of the function that it is in.
func (c *checker) isAskedFor(m *js.Module, n *js.Node) bool { return c.asked(m, n, 0) }

// maxCallers bounds the functions between some code and the test that it runs under.
const maxCallers = 3

func (c *checker) asked(m *js.Module, n *js.Node, depth int) bool {
	for _, cond := range js.Conditions(n) {
		if cond.Case == nil && c.isOn(js.Expr{Module: m, Node: cond.Test}, cond.Holds, 0) {
			return true
		}
	}
	for kid, p := n, n.Parent; p != nil; kid, p = p, p.Parent {
		if p.Type == js.CallExpr && kid.Type == js.FuncLit && switchNames.MatchString(js.CalleeName(p)) {
			return true // logIfDebug(() => console.log(x))
		}
		if p.Type == js.FuncLit && depth < maxCallers && c.callersAsk(p, depth) {
			return true
		}
	}
	return false
}

// callersAsk reports whether a function is called by its name, and only where it was asked for.
func (c *checker) callersAsk(fn *js.Node, depth int) bool {
	if c.callers == nil {
		c.callers = make(map[*js.Node][]js.Expr)
		c.prog.WalkLive(c.entry, func(m *js.Module, n *js.Node) bool {
			if n.Type == js.Ident {
				if to := c.prog.Follow(js.Expr{Module: m, Node: n}); to.Node != nil && to.Node.Type == js.FuncLit {
					c.callers[to.Node] = append(c.callers[to.Node], js.Expr{Module: m, Node: n})
				}
			}
			return true
		})
	}
	used := false
	for _, ref := range c.callers[fn] {
		switch p := ref.Node.Parent; {
		case p.Type == js.CallExpr && p.Kids[0] == ref.Node:
			if used = true; !c.asked(ref.Module, ref.Node, depth+1) {
				return false
			}
		case p.Type != js.FuncLit && p.Type != js.Declarator && p.Type != js.ImportSpec && p.Type != js.ExportSpec: // passed on
			return false
		}
	}
	return used
}

// maxTest bounds the operators and names between a test and the setting that it is about.
const maxTest = 20

// isOn reports whether a setting is on if a test holds, or does not. That a variable of the
// environment is missing is the ordinary case and asks for nothing.
func (c *checker) isOn(test js.Expr, holds bool, depth int) bool {
	n := test.Node
	if depth > maxTest {
		return false
	}
	again := func(n *js.Node, holds bool) bool {
		return c.isOn(js.Expr{Module: test.Module, Node: n}, holds, depth+1)
	}
	switch n.Type {
	case js.Unary:
		return n.Text == "!" && again(n.Kids[0], !holds)
	case js.Binary:
		left, right := n.Kids[0], n.Kids[1]
		switch n.Text {
		case "&&", "||":
			if holds == (n.Text == "&&") {
				return again(left, holds) || again(right, holds)
			}
			return again(left, holds) && again(right, holds)
		case "??":
			return again(left, holds)
		case "===", "==":
			return again(left, holds != isOff(right)) || isMain(test.Module, n) && holds
		case "!==", "!=":
			return again(left, holds == isOff(right))
		case "<", ">", "<=", ">=":
			return c.namesSwitch(n) // a level
		}
		return false
	}
	return holds && c.isSetting(test, depth)
}

// isOff reports whether a literal is the value of a setting that is off.
func isOff(n *js.Node) bool {
	switch n.Type {
	case js.NullLit:
		return true
	case js.BoolLit:
		return n.Text == "false"
	case js.Ident:
		return n.Text == "undefined"
	case js.StringLit:
		return n.Text == "" || n.Text == "0" || n.Text == "false" || n.Text == "off"
	}
	return false
}

// isMain reports whether a comparison tells a program from a module that is imported.
func isMain(m *js.Module, n *js.Node) bool {
	return m.Text(n.Kids[0].Span) == "require.main" || m.Text(n.Kids[1].Span) == "require.main" ||
		js.Expr{Module: m, Node: n}.Mentions("argv") != nil
}

// namesSwitch reports whether an expression has the name of a switch in it.
func (c *checker) namesSwitch(n *js.Node) bool {
	found := false
	js.Walk(n, func(n *js.Node) bool {
		found = found || (n.Type == js.Ident || n.Type == js.Name || n.Type == js.StringLit) && switchNames.MatchString(n.Text)
		return !found && n.Type != js.FuncLit
	})
	return found
}

// isSetting reports whether an expression is a switch, reads the environment or the command
// line, or is a name or the result of a function of the plugin that does.
func (c *checker) isSetting(e js.Expr, depth int) bool {
	if c.namesSwitch(e.Node) || readsEnvironment(e) {
		return true
	}
	target := e.Node
	if target.Type == js.CallExpr {
		target = target.Kids[0]
	}
	to := c.prog.Follow(js.Expr{Module: e.Module, Node: target})
	switch {
	case to.Node == nil || to.Node == e.Node || to.Node == target:
		return false
	case to.Node.Type != js.FuncLit:
		return target == e.Node && c.isOn(to, true, depth+1)
	case to.Node.Kids[1].Type != js.Block:
		return c.isOn(js.Expr{Module: to.Module, Node: to.Node.Kids[1]}, true, depth+1)
	}
	for _, r := range js.Returns(to.Node.Kids[1]) {
		if r.Kids[0] != nil && c.isOn(js.Expr{Module: to.Module, Node: r.Kids[0]}, true, depth+1) {
			return true
		}
	}
	return false
}

// readsEnvironment reports whether an expression reads process.env or the command line, or
// import.meta.main.
func readsEnvironment(e js.Expr) bool {
	found := false
	js.Walk(e.Node, func(n *js.Node) bool {
		if n.Type == js.Member {
			switch e.Module.Text(n.Span) {
			case "process.env", "process.argv", "import.meta.main", "Bun.argv", "Bun.env":
				found = true
			}
		}
		return !found && n.Type != js.FuncLit
	})
	return found
}
