package hookio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/ngcore/host"
)

// write is an assignment to a field that the host does not read.
type write struct {
	module *js.Module
	node   *js.Node
	hook   host.Hook
	field  string
}

// mcpFields are what the result of an MCP tool has, which tool.execute.after gets as it is
// (HOST.md section 2; names of the Model Context Protocol).
var mcpFields = []string{"content", "structuredContent", "isError", "_meta"}

// output checks what a handler does to its output argument.
func (c *checker) output(h handler) {
	for _, v := range c.views(h, outputParam) {
		js.Walk(v.fn, func(n *js.Node) bool {
			switch n.Type {
			case js.Assign:
				c.assigned(h, v, n)
			case js.CallExpr:
				c.merged(h, v, n)
			case js.Member:
				if field, ok := v.field(n); ok && !isWritten(n) {
					c.reads(field)
				}
			case js.ObjectLit:
				c.destructured(v, n)
			}
			return true
		})
	}
}

func (c *checker) reads(field string) {
	if c.read == nil {
		c.read = make(map[string]bool)
	}
	c.read[field] = true
}

// destructured notes the fields that a pattern reads.
func (c *checker) destructured(v view, pattern *js.Node) {
	if !v.isPattern(pattern) {
		return
	}
	for _, p := range pattern.Kids {
		if p.Type == js.Property && p.Flags&js.Computed == 0 {
			c.reads(p.Kids[0].Text)
		}
	}
}

// isWritten reports whether a member is the target of a plain assignment.
func isWritten(n *js.Node) bool {
	return n.Parent.Type == js.Assign && n.Parent.Kids[0] == n && n.Parent.Text == "="
}

// assigned checks output.field = value and output = value.
func (c *checker) assigned(h handler, v view, n *js.Node) {
	target, value := n.Kids[0], n.Kids[1]
	if n.Text == "??=" || n.Text == "||=" || n.Text == "&&=" {
		return // a default for what is not there
	}
	if target.Type == js.Ident {
		c.rebound(h, v, n)
		return
	}
	if field, ok := v.field(target); ok {
		f := c.set(h, v, n, field, value)
		if f != nil && n.Text == "=" && n.Parent.Type == js.ExprStmt {
			f.Fixes = mutation(v.module, n, field)
		}
	}
}

// merged checks Object.assign(output, {field: value}), which assigns as well.
func (c *checker) merged(h handler, v view, n *js.Node) {
	if len(n.Kids) < 3 || v.module.Text(n.Kids[0].Span) != "Object.assign" || !v.is(n.Kids[1]) {
		return
	}
	for _, object := range n.Kids[2:] {
		if object.Type != js.ObjectLit {
			continue
		}
		for _, p := range object.Kids {
			if p.Type == js.Property && p.Flags&js.Computed == 0 {
				c.set(h, v, p, p.Kids[0].Text, p.Kids[1])
			}
		}
	}
}

// set judges that a field of the output gets a value at n. It returns what it reports.
func (c *checker) set(h handler, v view, n *js.Node, field string, value *js.Node) *finding.Finding {
	how, known := h.hook.Output[field]
	switch {
	case !known && (h.hook.Name != toolAfter || !slices.Contains(mcpFields, field)):
		c.written = append(c.written, write{v.module, n, h.hook, field})
	case how == host.ByRef && c.isFresh(v, field, value, 0):
		return c.report("reassign", v.module, n,
			"this assignment is lost: OpenCode %s keeps the object that %s was in %s and never looks at the new one (change that object in place)",
			c.table.Version(), field, h.hook.Name)
	}
	return nil
}

// unread reports fields that neither the host nor the plugin reads.
func (c *checker) unread() {
	for _, w := range c.written {
		if c.read[w.field] {
			continue // passed on from one hook or helper of the plugin to another
		}
		advice := ""
		if w.hook.Name == toolBefore {
			advice = "; to stop the tool, throw an Error with the message"
		}
		c.report("unread", w.module, w.node, "output.%s of %s is never read by OpenCode %s: it reads %s%s",
			w.field, w.hook.Name, c.table.Version(), fieldList(w.hook), advice)
	}
}

func fieldList(h host.Hook) string {
	var names []string
	for name := range h.Output {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// rebound checks that a parameter, or a field taken from it, is not assigned to: that
// changes a local variable. A field may serve as one when it is read afterwards.
func (c *checker) rebound(h handler, v view, n *js.Node) {
	b := v.module.BindingOf(n.Kids[0])
	if b == nil || b.Owner != v.fn || b.Param() != v.param {
		return
	}
	param := v.fn.Kids[2+v.param]
	if param.Type == js.Default {
		param = param.Kids[0]
	}
	if param == b.Decl {
		if n.Kids[1].Type == js.Binary && (n.Kids[1].Text == "??" || n.Kids[1].Text == "||") && v.module.BindingOf(n.Kids[1].Kids[0]) == b {
			return // output = output ?? {}
		}
		c.report("rebind", v.module, n, "this replaces the variable %s and not what OpenCode %s passed to %s, so it changes nothing (change its fields)",
			b.Name, c.table.Version(), h.hook.Name)
		return
	}
	field, ok := fieldOf(param, b.Decl)
	if _, known := h.hook.Output[field]; !ok || !known || slices.ContainsFunc(b.Refs, func(ref *js.Node) bool { return ref.Span.Start > n.Span.End }) {
		return
	}
	c.report("rebind", v.module, n, "this replaces the variable %s and not the field %s of the output that OpenCode %s passed to %s, so it changes nothing (take the whole output as parameter)",
		b.Name, field, c.table.Version(), h.hook.Name)
}

// fieldOf returns the field that a name of an object pattern stands for.
func fieldOf(pattern, decl *js.Node) (string, bool) {
	if pattern.Type != js.ObjectLit {
		return "", false
	}
	for _, p := range pattern.Kids {
		if p.Type != js.Property || p.Flags&js.Computed != 0 {
			continue
		}
		if value := p.Kids[1]; value == decl || value.Type == js.Default && value.Kids[0] == decl {
			return p.Kids[0].Text, true
		}
	}
	return "", false
}

// mutation is the fix of output.field = value: the same change, in place. It keeps to
// values that are surely objects or arrays as they stand. Members that the old args have
// and the new ones lack stay, so that only a value that starts from the old ones is fixed.
func mutation(m *js.Module, n *js.Node, field string) []finding.Fix {
	target, value := m.Text(n.Kids[0].Span), n.Kids[1]
	text := ""
	switch {
	case field == argsField && spreads(m, value, target):
		text = fmt.Sprintf("Object.assign(%s, %s)", target, m.Text(value.Span))
	case field != argsField && isList(value):
		text = fmt.Sprintf("%s.splice(0, %s.length, ...%s)", target, target, m.Text(value.Span))
	default:
		return nil
	}
	return []finding.Fix{{
		Message: "change the object in place",
		Edits:   []finding.Edit{{At: finding.Place{Module: m, Span: n.Span}, New: text}},
	}}
}

// spreads reports whether a value is an object literal that begins with those of target.
func spreads(m *js.Module, value *js.Node, target string) bool {
	return value.Type == js.ObjectLit && len(value.Kids) > 0 && value.Kids[0].Type == js.Spread && m.Text(value.Kids[0].Kids[0].Span) == target
}

// isList reports whether a value is written as an array.
func isList(value *js.Node) bool {
	return value.Type == js.ArrayLit || value.Type == js.CallExpr && value.Kids[0].Type == js.Member && arrayMakers[memberName(value.Kids[0])]
}
