package mirror

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// formula collects the parts of a Go string expression.
type formula struct {
	reader *goReader
	decl   *ast.FuncDecl
	parts  []part
}

// add appends the parts of one operand: a concatenation, a Sprintf, a constant, or else a
// hole.
func (f *formula) add(e ast.Expr) error {
	e = ast.Unparen(e)
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			if err := f.add(e.X); err != nil {
				return err
			}
			return f.add(e.Y)
		}
	case *ast.CallExpr:
		if f.isSprintf(e) {
			return f.sprintf(e)
		}
	}
	p := part{pos: e.Pos(), end: e.End()}
	if text, ok := f.constant(e); ok {
		p.text = text
		if lit, ok := e.(*ast.BasicLit); ok {
			p.source, p.literal = lit.Value, true
		}
	} else {
		p.hole, p.name = true, types.ExprString(e)
	}
	f.parts = append(f.parts, p)
	return nil
}

// constant returns the value of a constant string. It asks the type checker about the
// expression alone, because a driver may have left the bodies of functions unchecked.
func (f *formula) constant(e ast.Expr) (string, bool) {
	if f.isLocal(e) {
		return "", false
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	// At the name of the function the scope is that of the file: parameters are excluded
	// above and the body declares nothing.
	if err := types.CheckExpr(f.reader.pass.Fset, f.reader.pass.Pkg, f.decl.Name.Pos(), e, info); err != nil {
		return "", false
	}
	v := info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// isLocal reports whether an expression names a parameter, result or receiver.
func (f *formula) isLocal(e ast.Expr) bool {
	local := make(map[string]bool)
	lists := []*ast.FieldList{f.decl.Recv, f.decl.Type.Params, f.decl.Type.Results}
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				local[name.Name] = true
			}
		}
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && local[id.Name]
		return !found
	})
	return found
}

// isSprintf reports whether a call is one of fmt.Sprintf.
func (f *formula) isSprintf(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Sprintf" {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok || f.isLocal(id) {
		return false
	}
	file := f.fileOf()
	for _, imp := range file.Imports {
		name := "fmt"
		if imp.Name != nil {
			name = imp.Name.Name
		}
		if imp.Path.Value == `"fmt"` && name == id.Name {
			return true
		}
	}
	return false
}

func (f *formula) fileOf() *ast.File {
	for _, file := range f.reader.pass.Files {
		if file.FileStart <= f.decl.Pos() && f.decl.Pos() < file.FileEnd {
			return file
		}
	}
	panic("mirror: a declaration of no file")
}

// sprintf appends the parts of a format: its text, and one operand for each verb.
func (f *formula) sprintf(call *ast.CallExpr) error {
	if len(call.Args) == 0 || call.Ellipsis.IsValid() {
		return notConstant(call, "the arguments of Sprintf are not listed")
	}
	format, ok := f.constant(call.Args[0])
	if !ok {
		return notConstant(call.Args[0], "the format is known only at run time")
	}
	args := call.Args[1:]
	at := part{pos: call.Args[0].Pos(), end: call.Args[0].End()}
	for format != "" {
		text, rest, verb := strings.Cut(format, "%")
		at.text = text
		f.parts = append(f.parts, at)
		if !verb {
			break
		}
		switch {
		case rest == "":
			return notConstant(call.Args[0], "the format ends within a verb")
		case rest[0] == '%':
			at.text = "%"
			f.parts = append(f.parts, at)
		case rest[0] != 's' && rest[0] != 'd':
			return notConstant(call.Args[0], "only the verbs %%s, %%d and %%%% have a counterpart in JavaScript, not %%%c", rest[0])
		case len(args) == 0:
			return notConstant(call, "the format has more verbs than there are arguments")
		default:
			if err := f.operand(args[0]); err != nil {
				return err
			}
			args = args[1:]
		}
		format = rest[1:]
	}
	if len(args) > 0 {
		return notConstant(args[0], "the format has no verb for this argument")
	}
	return nil
}

// operand appends an argument of Sprintf; a constant of it that is no string is a hole of
// unknown text, so it is refused.
func (f *formula) operand(e ast.Expr) error {
	if lit, ok := ast.Unparen(e).(*ast.BasicLit); ok && lit.Kind != token.STRING {
		return notConstant(e, "write the constant %s into the format", lit.Value)
	}
	return f.add(e)
}
