package pluginhost

import (
	"regexp"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// bun reports what only Bun has: its modules, members of its global, and the require of
// import.meta.
func (c *checker) bun(m *js.Module, n *js.Node) {
	switch n.Type {
	case js.ImportDecl, js.ExportList, js.ExportAll:
		if n.Kids[0] != nil {
			c.bunImport(m, n.Kids[0], n.Kids[0].Text)
		}
	case js.ImportCall:
		if n.Kids[0].Type == js.StringLit {
			c.bunImport(m, n.Kids[0], n.Kids[0].Text)
		}
	case js.CallExpr:
		if len(n.Kids) == 2 && n.Kids[1].Type == js.StringLit && isGlobal(m, n.Kids[0], "require") {
			c.bunImport(m, n.Kids[1], n.Kids[1].Text)
		}
	case js.Member:
		switch {
		case isBun(m, n.Kids[0]):
			c.bunUse(m, n, "Bun."+plugincode.MemberName(n))
		case n.Kids[0].Type == js.Meta && n.Kids[0].Text == "import.meta" && plugincode.MemberName(n) == "require":
			c.bunUse(m, n, "import.meta.require")
		}
	case js.Declarator:
		if n.Kids[1] != nil && isBun(m, n.Kids[1]) {
			c.bunUse(m, n.Kids[1], "Bun")
		}
	}
}

// bunImport reports an import of one of Bun's modules.
func (c *checker) bunImport(m *js.Module, at *js.Node, specifier string) {
	if specifier != "bun" && !strings.HasPrefix(specifier, "bun:") || c.knowsBun(m, at) {
		return
	}
	switch at.Parent.Type {
	case js.ImportCall, js.CallExpr:
		c.bunReport(m, at, specifier, "the import of %q fails where OpenCode runs under Node, as its desktop application does (use a module of Node)")
		return
	}
	c.bunReport(m, at, specifier, "the import of %q fails where OpenCode runs under Node, as its desktop application does: the plugin is then not loaded, without a trace (use a module of Node)")
}

// bunUse reports a use of something that only Bun has.
func (c *checker) bunUse(m *js.Module, n *js.Node, name string) {
	if !c.knowsBun(m, n) {
		c.bunReport(m, n, name, "%s is not there where OpenCode runs under Node, as its desktop application does: what uses it throws (use a module of Node)")
	}
}

// bunReport reports what somebody wrote, and what other packages do once for a module.
func (c *checker) bunReport(m *js.Module, n *js.Node, name, format string) {
	switch {
	case m.Vendored(n.Span.Start):
	case m.Minified():
		if !c.bunSeen[m] {
			c.bunSeen[m] = true
			c.report("bunonly", m, n, format, name)
		}
	default:
		c.report("bunonly", m, n, format, name)
	}
}

// knowsBun reports whether code copes with a missing Bun: it runs under a test of it, or in
// the block of a try, or is itself a test.
func (c *checker) knowsBun(m *js.Module, n *js.Node) bool {
	for _, cond := range js.Conditions(n) {
		if c.testsBun(js.Expr{Module: m, Node: cond.Test}, 0) {
			return true
		}
	}
	if n.Type == js.Member && n.Flags&js.Optional != 0 { // Bun?.version
		return true
	}
	for kid, p := n, n.Parent; p != nil; kid, p = p, p.Parent {
		switch {
		case p.Type == js.Try && p.Kids[0] == kid && p.Kids[1] != nil:
			return true
		case p.Type == js.FuncLit:
			return false // the caller's try is not known
		case p.Type == js.Member && p.Flags&js.Optional != 0 && p.Kids[0] == n, p.Type == js.Unary && p.Text == "typeof":
			return true
		}
	}
	return false
}

// testsBun reports whether a test asks for Bun.
func (c *checker) testsBun(e js.Expr, depth int) bool {
	found := false
	js.Walk(e.Node, func(n *js.Node) bool {
		switch n.Type {
		case js.Ident, js.Name, js.StringLit:
			found = found || bunName.MatchString(n.Text)
			if b := e.Module.BindingOf(n); b != nil && depth < maxNames && !found {
				if to := c.prog.Follow(js.Expr{Module: e.Module, Node: n}); to.Node != nil && to.Node != n {
					found = c.testsBun(to, depth+1)
				}
			}
		}
		return !found
	})
	return found
}

// bunName matches Bun, bun, isBun, IS_BUN and the like, not bundle.
var bunName = regexp.MustCompile(`^(?:(?i:is|has|in|with|on|using)_?)?(?:Bun|bun|BUN)(?:[A-Z_].*)?$`)

// maxNames bounds the variables between a test and what it asks for.
const maxNames = 3

// isBun reports whether n is the global Bun.
func isBun(m *js.Module, n *js.Node) bool {
	if n.Type == js.Member {
		return isGlobal(m, n.Kids[0], "globalThis") && plugincode.MemberName(n) == "Bun"
	}
	return isGlobal(m, n, "Bun")
}

func isGlobal(m *js.Module, n *js.Node, name string) bool {
	return n.Type == js.Ident && n.Text == name && m.BindingOf(n) == nil
}
