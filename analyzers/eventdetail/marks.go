package eventdetail

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/finding"
)

// marked is the fact about a function that is marked //ngvet:code, or a type that is marked
// //ngvet:retention.
type marked struct{ Verb string }

// AFact implements [analysis.Fact].
func (*marked) AFact() {}

// String returns the verb; analysistest compares it.
func (m *marked) String() string { return m.Verb }

// marks knows what is marked //ngvet:retention and //ngvet:code: in this package by its
// declarations, in others by facts, and in those without facts by their sources.
type marks struct {
	pass  *analysis.Pass
	files map[string]*ast.File // nil: nothing in it is marked
	known map[types.Object]bool
}

func newMarks(pass *analysis.Pass) *marks {
	m := &marks{
		pass:  pass,
		files: make(map[string]*ast.File),
		known: make(map[types.Object]bool),
	}
	for _, f := range pass.Files {
		m.files[finding.Position(pass.Fset, f.Package).Filename] = f
	}
	return m
}

// retention reports whether a type is marked //ngvet:retention.
func (m *marks) retention(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && m.marked(named.Origin().Obj(), "retention")
}

// code reports whether a function is marked //ngvet:code.
func (m *marks) code(fn *types.Func) bool { return m.marked(fn.Origin(), "code") }

func (m *marks) marked(obj types.Object, verb string) bool {
	if is, ok := m.known[obj]; ok {
		return is
	}
	var fact marked
	is := obj.Pkg() != nil && obj.Pkg() != m.pass.Pkg && m.pass.ImportObjectFact(obj, &fact) && fact.Verb == verb
	if file := m.file(obj); !is && file != nil {
		is = declares(file, obj, verb)
	}
	m.known[obj] = is
	return is
}

// export says to the packages that import this one what is marked. A driver that keeps
// results sees a change of a mark by that alone: comments do not get into export data.
func (m *marks) export() {
	scope := m.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Func:
			m.exportOne(obj, "code")
		case *types.TypeName:
			m.exportOne(obj, "retention")
			named, ok := obj.Type().(*types.Named)
			if !ok || obj.IsAlias() {
				continue
			}
			for method := range named.Methods() {
				m.exportOne(method, "code")
			}
		}
	}
}

func (m *marks) exportOne(obj types.Object, verb string) {
	if obj.Exported() && m.marked(obj, verb) {
		m.pass.ExportObjectFact(obj, &marked{verb})
	}
}

// file returns the syntax of the file that declares obj, if it holds any directive. The
// standard library holds none.
func (m *marks) file(obj types.Object) *ast.File {
	if obj.Pkg() == nil || finding.InStandard(m.pass.Fset, obj.Pos()) {
		return nil
	}
	name := finding.Position(m.pass.Fset, obj.Pos()).Filename
	file, ok := m.files[name]
	if !ok {
		data, err := os.ReadFile(name)
		if err == nil && bytes.Contains(data, []byte("//ngvet:")) {
			file, _ = parser.ParseFile(token.NewFileSet(), name, data, parser.ParseComments|parser.SkipObjectResolution)
		}
		m.files[name] = file
	}
	return file
}

// declares reports whether the declaration of obj in file has a directive.
func declares(file *ast.File, obj types.Object, verb string) bool {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if fn, ok := obj.(*types.Func); ok && d.Name.Name == fn.Name() && receiver(fn) == receiverOf(d) && hasVerb(d.Doc, verb) {
				return true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if ok && t.Name.Name == obj.Name() && (hasVerb(t.Doc, verb) || !d.Lparen.IsValid() && hasVerb(d.Doc, verb)) {
					_, isType := obj.(*types.TypeName)
					return isType
				}
			}
		}
	}
	return false
}

// receiver names the type of a method, or is "".
func receiver(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return ""
	}
	name := strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")
	name, _, _ = strings.Cut(name, "[")
	return name
}

func hasVerb(group *ast.CommentGroup, verb string) bool {
	return group != nil && slices.ContainsFunc(group.List, func(c *ast.Comment) bool {
		d, ok := ast.ParseDirective(c.Pos(), c.Text)
		return ok && d.Tool == "ngvet" && d.Name == verb
	})
}
