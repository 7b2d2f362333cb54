package pathguard

import (
	"fmt"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// prefix reports a comparison with the name of a directory, without the separator behind it.
func (c *checker) prefix(cmp comparison) {
	if cmp.dir == nil || cmp.sep || onlyDenies(cmp.node) {
		return
	}
	m := cmp.r.Fn.Module
	dir := m.Text(cmp.dir.Span)
	sep, add := separator(m)
	with := "a separator behind it"
	if sep != "" {
		with = dir + " + " + sep
	}
	f := c.report("prefix", m, cmp.node, "this passes for every path that begins with the same letters, such as /work/app-secrets for /work/app (compare with %s)", with)
	if sep == "" || cmp.node.Type != js.CallExpr || cmp.node.Kids[0].Flags&js.Optional != 0 || !isPlain(cmp.path) || !isPlain(cmp.dir) {
		return
	}
	path := m.Text(cmp.path.Span)
	edits := []finding.Edit{{At: finding.Place{Module: m, Span: cmp.node.Span}, New: fmt.Sprintf("(%s === %s || %s.startsWith(%s + %s))", path, dir, path, dir, sep)}}
	if besideEquality(m, cmp) {
		edits = []finding.Edit{{At: finding.Place{Module: m, Span: cmp.dir.Span}, New: dir + " + " + sep}}
	}
	f.Fixes = []finding.Fix{{Message: "compare with a separator behind the directory", Edits: append(edits, add...)}}
}

// isPlain reports whether an expression is a variable or property, which can be read twice.
func isPlain(n *js.Node) bool {
	for n.Type == js.Member && n.Flags&js.Computed == 0 {
		n = n.Kids[0]
	}
	return n.Type == js.Ident || n.Type == js.This
}

// besideEquality reports whether the comparison is an alternative to path === dir.
func besideEquality(m *js.Module, cmp comparison) bool {
	p := cmp.node.Parent
	if p.Type != js.Binary || p.Text != "||" {
		return false
	}
	other := p.Kids[0]
	if other == cmp.node {
		other = p.Kids[1]
	}
	if other.Type != js.Binary || !strings.HasPrefix(other.Text, "==") {
		return false
	}
	texts := [2]string{m.Text(other.Kids[0].Span), m.Text(other.Kids[1].Span)}
	path, dir := m.Text(cmp.path.Span), m.Text(cmp.dir.Span)
	return texts == [2]string{path, dir} || texts == [2]string{dir, path}
}

// separator returns how a module names the separator of paths, "" where it imports nothing
// of node:path, and what has to be added for it.
func separator(m *js.Module) (name string, add []finding.Edit) {
	for _, imp := range m.Imports() {
		if spec := strings.TrimPrefix(imp.Specifier, "node:"); spec != "path" || imp.Dynamic {
			continue
		}
		switch imp.Imported {
		case "default", "*":
			return imp.Local + ".sep", nil
		case "sep":
			return imp.Local, nil
		case "":
		default:
			if name == "" && m.TopLevel("sep") == nil {
				name = "sep"
				add = []finding.Edit{{At: finding.Place{Module: m, Span: js.Span{Start: specStart(m, imp), End: specStart(m, imp)}}, New: "sep, "}}
			}
		}
	}
	return name, add
}

// specStart returns where a named import starts: at x of { x as y }.
func specStart(m *js.Module, imp js.Import) int {
	if imp.Local == imp.Imported {
		return imp.LocalSpan.Start
	}
	return strings.LastIndex(m.Text(js.Span{Start: 0, End: imp.LocalSpan.Start}), imp.Imported)
}

// onlyDenies reports whether a test that holds leads to a throw and nothing else: too much is
// denied then, and nothing let out.
func onlyDenies(n *js.Node) bool {
	if n.Type == js.Binary && strings.HasPrefix(n.Text, "!") { // indexOf(dir) !== 0
		return false
	}
	for kid, p := n, n.Parent; p != nil; kid, p = p, p.Parent {
		switch p.Type {
		case js.Binary:
			if p.Text != "&&" && p.Text != "||" {
				return false
			}
		case js.CallExpr:
			if js.CalleeName(p) != "some" || p.Kids[0] == kid {
				return false
			}
		case js.FuncLit:
			if p.Kids[1] != kid || p.Parent == nil || p.Parent.Type != js.CallExpr {
				return false
			}
		case js.If:
			return p.Kids[0] == kid && throws(p.Kids[1])
		default:
			return false
		}
	}
	return false
}

// throws reports whether a statement ends with a throw.
func throws(n *js.Node) bool {
	if n.Type == js.Block && len(n.Kids) > 0 {
		n = n.Kids[len(n.Kids)-1]
	}
	return n.Type == js.Throw
}
