package js

import "github.com/grafana/sobek/ast"

// importDecl converts an import. The parser keeps no places of what is imported, so that
// it is read again from the tokens.
func (c *converter) importDecl(s *ast.ImportDeclaration) *Node {
	g := c.genTok(s.Idx)
	i := g + 1
	kids := []*Node{nil}
	for c.gen.kindOf(i) != tokString {
		switch {
		case i >= len(c.gen.list):
			return c.unknown(s)
		case c.gen.is(i, "*"):
			kids = append(kids, c.importSpec("*", i+2))
			i += 3
		case c.gen.is(i, "{"):
			end := int(c.gen.list[i].match)
			if end < 0 {
				return c.unknown(s)
			}
			for _, spec := range c.specifiers(i, end) {
				kids = append(kids, c.importSpec(c.specName(spec.name), spec.as))
			}
			i = end + 1
		case c.gen.is(i, ",") || c.gen.is(i, "from") && c.gen.kindOf(i+1) == tokString:
			i++
		default:
			kids = append(kids, c.importSpec("default", i))
			i++
		}
	}
	specifier := s.ModuleSpecifier
	if s.FromClause != nil {
		specifier = s.FromClause.ModuleSpecifier
	}
	text, lone := decode(specifier)
	kids[0] = c.leafAt(StringLit, i, text)
	if lone {
		kids[0].Flags |= Lone
	}
	return c.make(ImportDecl, c.at(s.Idx), c.semicolon(c.attributesEnd(int(kids[0].last))), text, kids...)
}

// attributesEnd returns the last token of the attributes behind a specifier, else that of
// the specifier.
func (c *converter) attributesEnd(last int) int {
	if c.orig.attributes(last + 1) {
		return int(c.orig.list[last+2].match)
	}
	return last
}

func (c *converter) importSpec(imported string, local int) *Node {
	id := c.nameAt(Ident, local, c.gen.text(local))
	return c.make(ImportSpec, int(id.first), int(id.last), imported, id)
}

// specifier is one entry of a braced list: the token of its name and, after "as", of its
// other name; both are the same token where there is only one.
type specifier struct{ name, as int }

// specifiers reads the entries between the braces open and end.
func (c *converter) specifiers(open, end int) []specifier {
	var list []specifier
	for i := open + 1; i < end; i++ {
		spec := specifier{i, i}
		if c.gen.is(i+1, "as") && i+2 < end {
			spec.as = i + 2
			i += 2
		}
		list = append(list, spec)
		if c.gen.is(i+1, ",") {
			i++
		}
	}
	return list
}

// specName returns the name that the token at g spells; modules may quote names.
func (c *converter) specName(g int) string {
	text := c.gen.text(g)
	if c.gen.kindOf(g) == tokString && len(text) >= 2 {
		return text[1 : len(text)-1]
	}
	return text
}

func (c *converter) exportDecl(s *ast.ExportDeclaration) *Node {
	first := c.at(s.Idx)
	switch {
	case s.NamedExports != nil:
		return c.exportList(s, first)
	case s.ExportFromClause != nil:
		return c.exportAll(s, first)
	}
	var decl *Node
	switch {
	case s.AssignExpression != nil:
		decl = c.expr(s.AssignExpression)
		n := c.make(ExportDefault, first, c.lastOf(decl, first), "", decl)
		return c.finish(n)
	case s.HoistableDeclaration != nil:
		decl = c.declaration(c.function(s.HoistableDeclaration.FunctionDeclaration.Function))
	case s.ClassDeclaration != nil:
		decl = c.declaration(c.class(s.ClassDeclaration.Class))
	case s.Variable != nil:
		decl = c.stmt(s.Variable)
	case s.LexicalDeclaration != nil:
		decl = c.stmt(s.LexicalDeclaration)
	default:
		return c.unknown(s)
	}
	t := ExportDecl
	if s.IsDefault {
		t = ExportDefault
	}
	return c.make(t, first, int(decl.last), "", decl)
}

// exportList converts export {a, b as c} with or without "from".
func (c *converter) exportList(s *ast.ExportDeclaration, first int) *Node {
	open := c.genTok(s.Idx) + 1
	if !c.gen.is(open, "{") || c.gen.list[open].match < 0 {
		return c.unknown(s)
	}
	end := int(c.gen.list[open].match)
	kids := []*Node{nil}
	last, _ := c.toOrig(end)
	if s.FromClause != nil {
		text, _ := decode(s.FromClause.ModuleSpecifier)
		kids[0] = c.leafAt(StringLit, end+2, text)
		last = c.attributesEnd(int(kids[0].last))
	}
	for _, spec := range c.specifiers(open, end) {
		t := Ident
		if s.FromClause != nil {
			t = Name
		}
		local := c.nameAt(t, spec.name, c.specName(spec.name))
		name := c.leafAt(Name, spec.as, c.specName(spec.as))
		kids = append(kids, c.make(ExportSpec, int(local.first), int(name.last), name.Text, local, name))
	}
	return c.finish(c.make(ExportList, first, last, "", kids...))
}

// exportAll converts export * from and export * as name from.
func (c *converter) exportAll(s *ast.ExportDeclaration, first int) *Node {
	if s.FromClause == nil {
		return c.unknown(s)
	}
	g := c.genTok(s.Idx) + 2
	var alias *Node
	name := ""
	if c.gen.is(g, "as") {
		name = c.specName(g + 1)
		alias = c.leafAt(Name, g+1, name)
		g += 2
	}
	text, _ := decode(s.FromClause.ModuleSpecifier)
	from := c.leafAt(StringLit, g+1, text)
	return c.finish(c.make(ExportAll, first, c.attributesEnd(int(from.last)), name, from, alias))
}
