package mirror

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
)

// variants returns the contracts of the files that this build leaves out: those of their
// own constants, and those of constants that a contract of this build names as well, which
// holds for each of them. What is no constant expression is judged in a build of its own;
// without a contract of its own it is refused, or nothing would ever look at it.
func (c *checker) variants(built []subject) []subject {
	contracts := make(map[string][]subject)
	for _, s := range built {
		if s.decl != "" {
			contracts[s.decl] = append(contracts[s.decl], s)
		}
	}
	var out []subject
	for _, path := range c.pass.IgnoredFiles {
		if filepath.Ext(path) != ".go" {
			continue
		}
		text, err := c.pass.ReadFile(path)
		if err != nil {
			continue // the compiler does not read it either
		}
		file, err := parser.ParseFile(c.pass.Fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || file.Name.Name != c.pass.Pkg.Name() {
			continue
		}
		out = append(out, c.otherBuild(file, contracts)...)
	}
	return out
}

// otherBuild returns the contracts of one such file.
func (c *checker) otherBuild(file *ast.File, contracts map[string][]subject) []subject {
	where := " in " + filepath.Base(c.pass.Fset.PositionFor(file.Package, false).Filename)
	own := make(map[string]bool)
	var out []subject
	for _, s := range subjects(file) {
		own[s.decl] = true
		if v, ok := c.reader.elsewhere(file, s.decl); ok {
			out = append(out, s.variant(where, v, nil))
		}
	}
	for name, node := range declared(file) {
		if own[name] {
			continue
		}
		for _, s := range contracts[name] {
			v, ok := c.reader.elsewhere(file, name)
			var err error
			if !ok {
				err = notConstant(node, "%s is declared here for other builds, where this one cannot compute it: give it a directive of its own, and check that build as well", name)
			}
			out = append(out, s.variant(where, v, err))
		}
	}
	return out
}

// variant is the contract of another build.
func (s subject) variant(where string, v value, err error) subject {
	s.name += where
	s.other = true
	s.eval = func(*goReader) (value, error) { return v, err }
	return s
}

// elsewhere evaluates a constant in a file of another build by what its expression means in
// this one.
func (r *goReader) elsewhere(file *ast.File, name string) (value, bool) {
	spec := constOf(file, name)
	if spec == nil || len(spec.Values) != 1 || len(r.pass.Files) == 0 {
		return value{}, false
	}
	text := types.ExprString(spec.Values[0])
	if spec.Type != nil {
		text = types.ExprString(spec.Type) + "(" + text + ")"
	}
	for _, built := range r.pass.Files { // one of them imports what the expression names
		tv, err := types.Eval(r.pass.Fset, r.pass.Pkg, built.End(), text)
		if err == nil && tv.Value != nil {
			v, err := r.constant(spec.Values[0], tv.Type, tv.Value)
			return v, err == nil
		}
	}
	return value{}, false
}

// declared returns the names that a file declares at its top level.
func declared(file *ast.File) map[string]ast.Node {
	out := make(map[string]ast.Node)
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				out[decl.Name.Name] = decl.Name
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						out[name.Name] = name
					}
				case *ast.TypeSpec:
					out[spec.Name.Name] = spec.Name
				}
			}
		}
	}
	return out
}

// constOf returns the spec that declares one constant of the given name, or nil.
func constOf(file *ast.File, name string) *ast.ValueSpec {
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && len(v.Names) == 1 && v.Names[0].Name == name {
				return v
			}
		}
	}
	return nil
}
