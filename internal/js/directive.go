package js

import "strings"

// Directives returns the //ngvet: and // ngvet: comments of m in order of place.
func (m *Module) Directives() []Directive {
	var list []Directive
	for _, c := range m.toks.comments {
		text := m.src[c.Start:c.End]
		body, ok := strings.CutPrefix(text, "//")
		if !ok {
			continue
		}
		trimmed := strings.TrimLeft(body, " \t")
		rest, ok := strings.CutPrefix(trimmed, "ngvet:")
		if !ok {
			continue
		}
		verb, args := rest, ""
		if i := strings.IndexAny(rest, " \t"); i >= 0 {
			verb, args = rest[:i], rest[i:]
		}
		d := Directive{Verb: verb, Span: c, Spaced: len(trimmed) < len(body)}
		start := c.End - len(strings.TrimLeft(args, " \t"))
		d.Args = strings.TrimSpace(args)
		d.ArgsSpan = Span{start, start + len(d.Args)}
		m.place(&d)
		list = append(list, d)
	}
	return list
}

// Comments returns the places of all comments of m, in order.
func (m *Module) Comments() []Span { return m.toks.comments }

// place finds the statement that a directive belongs to.
func (m *Module) place(d *Directive) {
	next := m.toks.at(d.Span.End)
	last := next - 1
	if last >= 0 && !strings.Contains(m.src[m.toks.list[last].end:d.Span.Start], "\n") {
		d.Trailing = true
		if m.toks.is(last, ",") { // the end of a member, not of what holds it
			last--
		}
		d.setStmt(m, m.innermost(last))
		return
	}
	if next < len(m.toks.list) {
		d.setStmt(m, m.outermostAt(next))
	}
}

func (d *Directive) setStmt(m *Module, n *Node) {
	if n == nil {
		return
	}
	d.Stmt = n.Span
	d.StmtLine, _ = m.Position(n.Span.Start)
}

// isUnit reports whether a directive can be about n alone: a statement, or a member of an
// object or class. A block is what its statement holds.
func isUnit(n *Node) bool {
	return n.Type > Block && n.Type != Declarator && n.Type != Catch && n.Type != ImportSpec && n.Type != ExportSpec || n.Type == Property || n.Type == ClassMember || n.Type == FuncLit && n.Flags&Decl != 0 || n.Type == ClassLit && n.Flags&Decl != 0
}

// innermost returns the smallest unit that holds the token at i, or nil.
func (m *Module) innermost(i int) *Node {
	var found *Node
	m.around(i, func(n *Node) bool { found = n; return true })
	return found
}

// outermostAt returns the largest unit that starts with the token at i, or else the
// smallest that holds it.
func (m *Module) outermostAt(i int) *Node {
	var found *Node
	m.around(i, func(n *Node) bool {
		found = n
		return int(n.first) != i
	})
	return found
}

// around calls f for the units that hold the token at i, outermost first, while it
// returns true.
func (m *Module) around(i int, f func(*Node) bool) {
	for n := m.root; n != nil; {
		var inner *Node
		for _, kid := range n.Kids {
			if kid != nil && int(kid.first) <= i && i <= int(kid.last) {
				inner = kid
				break
			}
		}
		n = inner
		if n != nil && isUnit(n) && !f(n) {
			return
		}
	}
}
