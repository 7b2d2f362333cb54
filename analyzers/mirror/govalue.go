package mirror

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// notConst says that a Go declaration has no constant value, and where the reason is.
type notConst struct {
	pos, end token.Pos
	reason   string
}

func (e *notConst) Error() string { return e.reason }

func notConstant(n ast.Node, format string, args ...any) error {
	return &notConst{n.Pos(), n.End(), fmt.Sprintf(format, args...)}
}

// goReader evaluates Go declarations of one package.
type goReader struct {
	pass *analysis.Pass
}

// group evaluates the constants of one group as a set.
func (r *goReader) group(decl *ast.GenDecl) (value, error) {
	out := value{kind: setKind, pos: decl.Pos(), end: decl.Lparen}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, name := range spec.Names {
			if name.Name == "_" {
				continue
			}
			v, err := r.named(spec, i)
			if err != nil {
				return value{}, err
			}
			v.name = name.Name
			out.elems = append(out.elems, v)
		}
	}
	return out, nil
}

// named evaluates the i-th name of a spec.
func (r *goReader) named(spec *ast.ValueSpec, i int) (value, error) {
	name := spec.Names[i]
	switch obj := r.pass.TypesInfo.Defs[name].(type) {
	case *types.Const:
		expr := ast.Expr(name)
		if i < len(spec.Values) {
			expr = spec.Values[i]
		}
		return r.constant(expr, obj.Type(), obj.Val())
	case *types.Var:
		if len(spec.Values) != len(spec.Names) {
			return value{}, notConstant(name, "variable %s has no initializer of its own", name.Name)
		}
		return r.expr(spec.Values[i])
	}
	return value{}, notConstant(name, "%s does not type-check", name.Name)
}

// constant makes a value of a constant. The expression gives place and spelling.
func (r *goReader) constant(expr ast.Expr, typ types.Type, val constant.Value) (value, error) {
	out := value{pos: expr.Pos(), end: expr.End()}
	if lit, ok := ast.Unparen(expr).(*ast.BasicLit); ok {
		out.source, out.literal = lit.Value, true
		out.pos, out.end = lit.Pos(), lit.End()
	} else if id, ok := ast.Unparen(expr).(*ast.Ident); ok && r.pass.TypesInfo.Uses[id] == types.Universe.Lookup(id.Name) && id.Name != "iota" {
		out.source, out.literal = id.Name, true // true or false
	} else if bin, ok := expr.(*ast.BinaryExpr); ok {
		out.source = types.ExprString(bin)
		out.product = isProduct(bin)
	}
	basic, _ := typ.Underlying().(*types.Basic)
	switch {
	case basic == nil || val == nil || val.Kind() == constant.Unknown:
		return value{}, notConstant(expr, "%s does not type-check", types.ExprString(expr))
	case isDuration(typ):
		out.kind, out.num = durationKind, val
		out.literal, out.product = false, false
	case basic.Info()&types.IsBoolean != 0:
		out.kind, out.yes = boolKind, constant.BoolVal(val)
	case basic.Info()&types.IsString != 0:
		out.kind, out.text = stringKind, constant.StringVal(val)
		out.lone = !isText(out.text)
	case basic.Info()&types.IsInteger != 0:
		out.kind, out.num = numberKind, constant.ToInt(val)
		if basic.Info()&types.IsUntyped == 0 {
			out.bits, out.signed = 8*r.pass.TypesSizes.Sizeof(basic), basic.Info()&types.IsUnsigned == 0
		}
	case basic.Info()&types.IsFloat != 0:
		out.kind, out.num, out.form = numberKind, val, goFloat
	default:
		return value{}, notConstant(expr, "a constant of type %s has no counterpart in JavaScript", typ)
	}
	return out, nil
}

// isProduct reports whether an expression is N * M of literals, as go/printer shows it.
func isProduct(e *ast.BinaryExpr) bool {
	_, left := e.X.(*ast.BasicLit)
	_, right := e.Y.(*ast.BasicLit)
	return e.Op == token.MUL && left && right
}

// isDuration reports whether a type is time.Duration.
func isDuration(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Duration" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time"
}

// expr evaluates the initializer of a variable or a part of one.
func (r *goReader) expr(e ast.Expr) (value, error) {
	tv := r.pass.TypesInfo.Types[e]
	if tv.Value != nil {
		return r.constant(e, tv.Type, tv.Value)
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if v, ok := r.compiled(call); ok {
			return v, nil
		}
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return value{}, notConstant(e, "%s is known only at run time", types.ExprString(e))
	}
	if tv.Type == nil {
		return value{}, notConstant(e, "%s does not type-check", types.ExprString(e))
	}
	switch tv.Type.Underlying().(type) {
	case *types.Slice, *types.Array:
		return r.list(lit)
	case *types.Map:
		return r.mapping(lit)
	}
	return value{}, notConstant(e, "a %s has no counterpart in JavaScript", tv.Type)
}

func (r *goReader) list(lit *ast.CompositeLit) (value, error) {
	out := value{kind: listKind, pos: lit.Pos(), end: lit.End()}
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			return value{}, notConstant(kv, "an element with an index is not supported: list the elements in order")
		}
		v, err := r.expr(elt)
		if err != nil {
			return value{}, err
		}
		out.elems = append(out.elems, v)
	}
	return out, nil
}

func (r *goReader) mapping(lit *ast.CompositeLit) (value, error) {
	out := value{kind: objectKind, pos: lit.Pos(), end: lit.End()}
	for _, elt := range lit.Elts {
		kv := elt.(*ast.KeyValueExpr) // the type checker refuses others
		key, err := r.expr(kv.Key)
		if err != nil {
			return value{}, err
		}
		val, err := r.element(kv.Value)
		if err != nil {
			return value{}, err
		}
		out.entries = append(out.entries, entry{key, val})
	}
	return out, nil
}

// element evaluates the value of a map entry. A map to struct{} is a set: its values carry
// nothing, and only a directive with keys can compare it.
func (r *goReader) element(e ast.Expr) (value, error) {
	if lit, ok := e.(*ast.CompositeLit); ok && len(lit.Elts) == 0 {
		if s, ok := r.pass.TypesInfo.TypeOf(e).Underlying().(*types.Struct); ok && s.NumFields() == 0 {
			return value{kind: otherKind, text: "struct{}{}", pos: e.Pos(), end: e.End()}, nil
		}
	}
	return r.expr(e)
}

// function evaluates a function whose one statement returns a string, as a formula, and one
// with a switch as the set of its cases.
func (r *goReader) function(decl *ast.FuncDecl) (value, error) {
	if found := switches(decl); len(found) > 0 {
		return r.cases(decl, found)
	}
	if decl.Body == nil || len(decl.Body.List) != 1 {
		return value{}, notConstant(decl.Name, "function %s is more than one return statement", decl.Name.Name)
	}
	ret, ok := decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return value{}, notConstant(decl.Body.List[0], "function %s is not the return of one value", decl.Name.Name)
	}
	f := &formula{reader: r, decl: decl}
	if err := f.add(ret.Results[0]); err != nil {
		return value{}, err
	}
	out := value{kind: formulaKind, parts: join(f.parts), pos: ret.Results[0].Pos(), end: ret.Results[0].End()}
	if !slices.ContainsFunc(out.parts, func(p part) bool { return !p.hole }) {
		return value{}, notConstant(ret.Results[0], "the result of %s has no constant part", decl.Name.Name)
	}
	return out, nil
}

// switches lists the switches over values in a function, those of literals in it left out.
func switches(decl *ast.FuncDecl) []*ast.SwitchStmt {
	var found []*ast.SwitchStmt
	if decl.Body == nil {
		return nil
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.SwitchStmt); ok {
			found = append(found, s)
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return found
}

// cases evaluates the constants that a switch tells apart, as a set.
func (r *goReader) cases(decl *ast.FuncDecl, found []*ast.SwitchStmt) (value, error) {
	if len(found) > 1 {
		return value{}, notConstant(found[1], "function %s has more than one switch", decl.Name.Name)
	}
	s := found[0]
	if s.Tag == nil {
		return value{}, notConstant(s, "a switch without a value has conditions, not cases")
	}
	out := value{kind: setKind, pos: s.Switch, end: s.Body.Lbrace}
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			v, err := r.expr(e)
			if err != nil {
				return value{}, err
			}
			out.elems = append(out.elems, v)
		}
	}
	return out, nil
}
