package js

import "slices"

// index computes what the accessors of a module return.
func (m *Module) index() {
	m.resolveNames()
	m.imports = m.findImports()
	m.exports = m.findExports()
	m.env = m.findEnv()
	m.parts = m.findParts()
}

// Imports returns the imports of m in order of place: declarations, and calls of import()
// and require() with a literal specifier.
func (m *Module) Imports() []Import { return m.imports }

func (m *Module) findImports() []Import {
	var list []Import
	Walk(m.root, func(n *Node) bool {
		switch n.Type {
		case ImportDecl:
			imp := Import{Specifier: n.Text, Span: n.Kids[0].Span}
			if len(n.Kids) == 1 {
				list = append(list, imp)
			}
			for _, spec := range n.Kids[1:] {
				imp.Imported, imp.Local, imp.LocalSpan = spec.Text, spec.Kids[0].Text, spec.Kids[0].Span
				list = append(list, imp)
			}
		case ImportCall:
			if text, ok := literalText(n.Kids[0]); ok {
				list = append(list, Import{Specifier: text, Span: n.Kids[0].Span, Imported: "*", Dynamic: true})
			}
		case CallExpr:
			if specifier, ok := requireCall(n); ok {
				list = append(list, Import{Specifier: specifier, Span: n.Kids[1].Span, Imported: "*", Dynamic: true})
			}
		}
		return true
	})
	return list
}

// literalText returns the text of a string literal or a template without holes.
func literalText(n *Node) (string, bool) {
	switch {
	case n == nil:
		return "", false
	case n.Type == StringLit:
		return n.Text, true
	case n.Type == Template && len(n.Kids) == 1:
		return n.Kids[0].Text, true
	}
	return "", false
}

func requireCall(n *Node) (specifier string, ok bool) {
	if n.Type != CallExpr || len(n.Kids) != 2 || globalName(n.Kids[0]) != "require" {
		return "", false
	}
	return literalText(n.Kids[1])
}

// Exports returns the exports of m in order of place. A module of CommonJS that assigns to
// module.exports or to properties of exports has those.
func (m *Module) Exports() []Export { return m.exports }

func (m *Module) findExports() []Export {
	var list []Export
	for _, s := range m.root.Kids {
		switch s.Type {
		case ExportDecl:
			list = append(list, m.declaredExports(s)...)
		case ExportDefault:
			list = append(list, m.bindingExport("default", m.defaultSpan(s), s, s.Kids[0]))
		case ExportList:
			list = append(list, m.listedExports(s)...)
		case ExportAll:
			e := Export{Name: "*", Kind: ExportStar, Span: s.Kids[0].Span, Stmt: s.Span, Specifier: s.Kids[0].Text}
			if alias := s.Kids[1]; alias != nil {
				e.Name, e.Span = alias.Text, alias.Span
			}
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		list = m.commonJSExports()
	}
	return list
}

// defaultSpan returns the place of the word default in export default.
func (m *Module) defaultSpan(s *Node) Span {
	i := int(s.first) + 1
	if !m.toks.is(i, "default") {
		return s.Span
	}
	return Span{int(m.toks.list[i].start), int(m.toks.list[i].end)}
}

func (m *Module) declaredExports(s *Node) []Export {
	decl := s.Kids[0]
	if decl.Type != VarDecl {
		name := decl.Kids[0]
		return []Export{m.bindingExport(name.Text, name.Span, s, decl)}
	}
	var list []Export
	for _, d := range decl.Kids {
		eachTarget(d.Kids[0], func(ident *Node) {
			list = append(list, m.bindingExport(ident.Text, ident.Span, s, ident))
		})
	}
	return list
}

func (m *Module) listedExports(s *Node) []Export {
	var list []Export
	for _, spec := range s.Kids[1:] {
		local, name := spec.Kids[0], spec.Kids[1]
		if s.Kids[0] != nil {
			list = append(list, Export{Name: name.Text, Kind: ExportReexport, Span: name.Span, Stmt: s.Span, Local: local.Text, Specifier: s.Kids[0].Text})
			continue
		}
		list = append(list, m.bindingExport(name.Text, name.Span, s, local))
	}
	return list
}

// bindingExport describes the export of a local name, declaration or expression.
func (m *Module) bindingExport(name string, span Span, stmt, value *Node) Export {
	e := Export{Name: name, Kind: valueKind(value), Span: span, Stmt: stmt.Span, Value: Expr{m, value}}
	if value.Type != Ident {
		return e
	}
	e.Local = value.Text
	if b := value.binding; b != nil && b.Owner.Type == ImportSpec {
		e.Local, e.Specifier = b.Owner.Text, b.Owner.Parent.Text
		e.Kind, e.Value = ExportReexport, Expr{}
		if e.Local == "*" {
			e.Kind = ExportStar
		}
	}
	return e
}

// valueKind tells what an expression of a module surely is.
func valueKind(n *Node) ExportKind {
	p := NewProgram(nil)
	n = p.Follow(Expr{nil, n}).Node
	switch n.Type {
	case FuncLit:
		return ExportFunction
	case ClassLit:
		return ExportClass
	case ObjectLit:
		return ExportObject
	case StringLit, NumberLit, BigIntLit, BoolLit, NullLit, RegExpLit, Template, ArrayLit, Binary, Unary:
		if n.Type == Binary && slices.Contains([]string{"&&", "||", "??"}, n.Text) {
			return ExportUnknown
		}
		return ExportConst
	case New:
		if globalName(n.Kids[0]) != "Function" && globalName(n.Kids[0]) != "Proxy" {
			return ExportConst
		}
	}
	return ExportUnknown
}

// commonJSExports lists module.exports = x, module.exports.a = x and exports.a = x.
func (m *Module) commonJSExports() []Export {
	var list []Export
	for _, s := range m.root.Kids {
		if s.Type != ExprStmt || s.Kids[0].Type != Assign || s.Kids[0].Text != "=" {
			continue
		}
		target, value := s.Kids[0].Kids[0], s.Kids[0].Kids[1]
		name := target
		switch chain := globalChain(target); {
		case len(chain) == 2 && chain[0] == "module" && chain[1] == "exports":
			list = append(list, m.bindingExport("default", target.Span, s, value))
			continue
		case len(chain) == 2 && chain[0] == "exports", len(chain) == 3 && chain[0] == "module" && chain[1] == "exports":
			name = target.Kids[1]
		default:
			continue
		}
		list = append(list, m.bindingExport(name.Text, name.Span, s, value))
	}
	return list
}

// globalChain returns the names of a member chain on a global, or nil.
func globalChain(n *Node) []string {
	var chain []string
	for n.Type == Member {
		name, ok := literalText(n.Kids[1])
		if n.Flags&Computed == 0 {
			name, ok = n.Kids[1].Text, n.Kids[1].Type == Name
		}
		if !ok {
			return nil
		}
		chain = append(chain, name)
		n = n.Kids[0]
	}
	if n.Type != Ident || n.binding != nil {
		return nil
	}
	chain = append(chain, n.Text)
	slices.Reverse(chain)
	return chain
}
