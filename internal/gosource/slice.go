package gosource

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// source is one package as parsed, and which of its declarations are needed.
type source struct {
	pkg     *Package
	files   []*ast.File
	byName  map[string][]*declaration
	methods map[string][]*declaration // by the name of the receiver's type
	imports map[*ast.File]map[string]string
	dots    []string // paths of dot imports
	needed  map[ast.Node]bool
	wanted  map[ast.Node]bool // variables and functions whose values are asked for
	bodies  bool              // the bodies of what is needed are checked

	followed bool // an import with bodies
}

// declaration is the smallest thing that is type-checked or left out: a function, a group
// of constants (for its iota), one variable spec, one type.
type declaration struct {
	file *ast.File
	node ast.Node // *ast.FuncDecl, *ast.GenDecl of constants, *ast.ValueSpec, *ast.TypeSpec
	typ  string   // of a TypeSpec: its name
}

// index sorts the declarations of a source by name.
func (l *Loader) index(s *source) {
	s.byName = make(map[string][]*declaration)
	s.methods = make(map[string][]*declaration)
	s.imports = make(map[*ast.File]map[string]string)
	s.needed = make(map[ast.Node]bool)
	s.wanted = make(map[ast.Node]bool)
	for _, file := range s.files {
		s.imports[file] = l.importNames(s, file)
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				d := &declaration{file: file, node: decl}
				if recv := receiver(decl); recv != "" {
					s.methods[recv] = append(s.methods[recv], d)
				} else {
					s.byName[decl.Name.Name] = append(s.byName[decl.Name.Name], d)
				}
			case *ast.GenDecl:
				s.indexGroup(file, decl)
			}
		}
	}
}

// importPaths returns what the files import, "C" apart.
func (s *source) importPaths() []string {
	var out []string
	for _, file := range s.files {
		for _, spec := range file.Imports {
			// What does not unquote the parser has refused.
			if path, err := strconv.Unquote(spec.Path.Value); err == nil && path != "C" {
				out = append(out, path)
			}
		}
	}
	return out
}

func (s *source) indexGroup(file *ast.File, decl *ast.GenDecl) {
	group := &declaration{file: file, node: decl}
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.byName[spec.Name.Name] = append(s.byName[spec.Name.Name], &declaration{file, spec, spec.Name.Name})
		case *ast.ValueSpec:
			d := group
			if decl.Tok == token.VAR {
				d = &declaration{file: file, node: spec}
			}
			for _, name := range spec.Names {
				s.byName[name.Name] = append(s.byName[name.Name], d)
			}
		}
	}
}

// importNames maps the qualifiers of a file to paths, as the go command resolves them.
func (l *Loader) importNames(s *source, file *ast.File) map[string]string {
	names := make(map[string]string)
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it
		}
		if mapped := s.pkg.ImportMap[path]; mapped != "" {
			path = mapped
		}
		switch {
		case spec.Name != nil && spec.Name.Name == ".":
			s.dots = append(s.dots, path)
		case spec.Name != nil:
			names[spec.Name.Name] = path
		case l.listed[path] != nil:
			names[l.listed[path].Name] = path
		}
	}
	return names
}

// receiver returns the name of the type that a method belongs to, or "".
func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return ""
	}
	for t := decl.Recv.List[0].Type; ; {
		switch x := t.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		default:
			return ""
		}
	}
}

// demand marks the declaration of a name and everything that it mentions.
func (l *Loader) demand(path, name string) {
	if path == "unsafe" || path == "C" {
		return
	}
	s := l.source(path)
	if s == nil {
		return
	}
	for _, d := range s.byName[name] {
		l.need(s, d)
	}
}

// need marks one declaration of s.
func (l *Loader) need(s *source, d *declaration) {
	if s.needed[d.node] {
		return
	}
	s.needed[d.node] = true
	n := d.node
	if v, ok := n.(*ast.ValueSpec); ok && !s.keeps(v) {
		n = v.Type
	}
	l.mentions(s, d.file, n, s.bodies || s.wanted[d.node])
	if d.typ != "" {
		for _, m := range s.methods[d.typ] {
			l.need(s, m)
		}
	}
}

// mentions demands every name that is looked up in n, with or without the bodies of
// functions.
func (l *Loader) mentions(s *source, file *ast.File, n ast.Node, bodies bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return bodies
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			if path, ok := s.imports[file][id.Name]; ok {
				l.demand(path, n.Sel.Name)
			}
			l.demandLocal(s, id.Name)
			return false
		case *ast.Ident:
			l.demandLocal(s, n.Name)
		}
		return true
	})
}

func (l *Loader) demandLocal(s *source, name string) {
	if name == "_" {
		return // nothing can mention a blank declaration
	}
	for _, d := range s.byName[name] {
		l.need(s, d)
	}
	for _, path := range s.dots {
		if token.IsExported(name) {
			l.demand(path, name)
		}
	}
}

// keeps reports whether the values of a variable are type-checked: where they give it its
// type, and where they are asked for.
func (s *source) keeps(spec *ast.ValueSpec) bool {
	return spec.Type == nil || s.wanted[spec]
}

// slices returns copies of the files that hold only what is needed.
func (s *source) slices() []*ast.File {
	out := make([]*ast.File, len(s.files))
	for i, file := range s.files {
		out[i] = s.slice(file)
	}
	return out
}

// slice returns a copy of a file that holds only what is needed.
func (s *source) slice(file *ast.File) *ast.File {
	out := *file
	out.Decls = nil
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		switch {
		case !ok && s.needed[decl], ok && gen.Tok == token.IMPORT, ok && gen.Tok == token.CONST && s.needed[gen]:
			out.Decls = append(out.Decls, decl)
		case ok && (gen.Tok == token.VAR || gen.Tok == token.TYPE):
			part := *gen
			part.Specs = nil
			for _, spec := range gen.Specs {
				if s.needed[spec] {
					part.Specs = append(part.Specs, s.strip(spec))
				}
			}
			if len(part.Specs) > 0 {
				out.Decls = append(out.Decls, &part)
			}
		}
	}
	return &out
}

// strip leaves out the values of a variable whose type is written.
func (s *source) strip(spec ast.Spec) ast.Spec {
	v, ok := spec.(*ast.ValueSpec)
	if !ok || s.keeps(v) {
		return spec
	}
	part := *v
	part.Values = nil
	return &part
}

// seed marks what a unit is loaded for: everything, or the contracts.
func (l *Loader) seed(s *source, depth Depth) {
	s.bodies = depth == Bodies
	for _, file := range s.files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if depth == Bodies || hasDirective(decl.Doc) {
					s.wanted[decl] = true
					l.need(s, &declaration{file: file, node: decl})
				}
			case *ast.GenDecl:
				l.seedGroup(s, file, decl, depth)
			}
		}
	}
}

func (l *Loader) seedGroup(s *source, file *ast.File, decl *ast.GenDecl, depth Depth) {
	all := depth == Bodies || hasDirective(decl.Doc)
	for _, spec := range decl.Specs {
		var node ast.Node = spec
		var typ string
		docs := decl.Doc
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			docs = spec.Doc
			if decl.Tok == token.CONST {
				node = decl
			}
		case *ast.TypeSpec:
			docs, typ = spec.Doc, spec.Name.Name
		}
		if (all || hasDirective(docs)) && decl.Tok != token.IMPORT {
			s.wanted[node] = true
			l.need(s, &declaration{file, node, typ})
		}
	}
}

// hasDirective reports whether a comment holds a directive of ngvet.
func hasDirective(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		d, ok := ast.ParseDirective(c.Pos(), c.Text)
		return ok && d.Tool == "ngvet"
	})
}
