package pluginload

import (
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// swallowed checks the dynamic imports of a module and of those that it imports from its
// own tree.
func (c *checker) swallowed(m *js.Module, seen map[*js.Module]bool) {
	if seen[m] {
		return
	}
	seen[m] = true
	perFunction := make(map[*js.Node]int) // with several tries one is the fallback of another
	var swallowed []*js.Node
	js.Walk(m.Root(), func(n *js.Node) bool {
		if isRelativeImport(n) {
			perFunction[functionOf(n)]++
			if isSwallowed(n) {
				swallowed = append(swallowed, n)
			}
		}
		return true
	})
	for _, n := range swallowed {
		if perFunction[functionOf(n)] == 1 {
			c.report("swallowedimport", m, n.Span, "when %s is missing or broken nobody learns of it: what it does for the plugin is left out without a word (import it statically, or report the error)",
				m.Text(specifierOf(n).Span))
		}
	}
	for _, specifier := range finding.Specifiers(m) {
		if !isRelative(specifier) {
			continue
		}
		if path, err := c.prog.Resolve(m, specifier); err == nil && js.Supported(path) {
			if next, err := c.prog.Load(path); err == nil {
				c.swallowed(next, seen)
			}
		}
	}
}

func isRelative(specifier string) bool {
	return strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../")
}

// specifierOf returns the specifier of import() or require().
func specifierOf(n *js.Node) *js.Node {
	if n.Type == js.CallExpr {
		return n.Kids[1]
	}
	return n.Kids[0]
}

func isRelativeImport(n *js.Node) bool {
	if n.Type != js.ImportCall && !(n.Type == js.CallExpr && len(n.Kids) == 2 && n.Kids[0].Type == js.Ident && n.Kids[0].Text == "require") {
		return false
	}
	s := specifierOf(n)
	return s.Type == js.StringLit && isRelative(s.Text)
}

// functionOf returns the function around n, nil at the top of a module.
func functionOf(n *js.Node) *js.Node {
	for n = n.Parent; n != nil && n.Type != js.FuncLit; n = n.Parent {
	}
	return n
}

// isSwallowed reports whether an error of n ends in an empty catch.
func isSwallowed(n *js.Node) bool {
	for child, p := n, n.Parent; p != nil && p.Type != js.FuncLit; child, p = p, p.Parent {
		switch {
		case p.Type == js.Try && p.Kids[0] == child && p.Kids[1] != nil:
			return isEmptyFallback(p.Kids[1].Kids[1])
		case p.Type == js.CallExpr && p.Kids[0] == child && child.Type == js.Member && js.CalleeName(p) == "catch" && len(p.Kids) == 2:
			return p.Kids[1].Type == js.FuncLit && isEmptyFallback(p.Kids[1].Kids[1])
		}
	}
	return false
}

// isEmptyFallback reports whether a catch does nothing but give up: no statement, or one
// that returns or assigns something empty.
func isEmptyFallback(n *js.Node) bool {
	if n.Type != js.Block {
		return isEmptyValue(n)
	}
	for _, s := range n.Kids {
		switch {
		case s.Type == js.Empty:
		case s.Type == js.Return && (s.Kids[0] == nil || isEmptyValue(s.Kids[0])):
		case s.Type == js.ExprStmt && s.Kids[0].Type == js.Assign && isEmptyValue(s.Kids[0].Kids[1]):
		default:
			return false
		}
	}
	return true
}

func isEmptyValue(n *js.Node) bool {
	switch n.Type {
	case js.NullLit:
		return true
	case js.Ident:
		return n.Text == "undefined"
	case js.Unary:
		return n.Text == "void"
	case js.BoolLit:
		return n.Text == "false"
	case js.ObjectLit, js.ArrayLit:
		return len(n.Kids) == 0
	}
	return false
}
