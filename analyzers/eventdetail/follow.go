package eventdetail

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"
)

// detail checks an expression that becomes a detail, as far as its parts are in sight: map
// literals, variables and fields of this package, results of functions. Any other map is
// left to the writer at run time.
func (c *checker) detail(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		c.entries(e)
	case *ast.CallExpr:
		c.result(e)
	default:
		if v := c.varOf(e); v != nil {
			c.variable(v)
		}
	}
}

// result checks the map that a call or conversion results in.
func (c *checker) result(call *ast.CallExpr) {
	if c.pass.TypesInfo.Types[call.Fun].IsType() || c.isCopy(call, "Clone") {
		c.detail(call.Args[0])
		return
	}
	for fn := range c.funcs(call) {
		c.results(fn)
	}
	c.told(call, call, "the map that %s returns", c.puts(call).Result)
}

// results checks every map that a function of this package returns.
func (c *checker) results(fn ast.Node) {
	typ, body := parts(fn)
	if body == nil || c.funcsSeen[fn] {
		return
	}
	c.funcsSeen[fn] = true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				if t := c.pass.TypesInfo.TypeOf(r); t != nil && isMap(t) {
					c.detail(r)
				}
			}
		}
		return true
	})
	for v := range c.named(typ.Results) {
		if v != nil && isMap(v.Type()) {
			c.variable(v)
		}
	}
}

// variable checks everything that is put into a map variable or a map field of a struct:
// what it is assigned, its elements, and the functions that get it.
func (c *checker) variable(v *types.Var) {
	v = v.Origin()
	if c.vars[v] || v.Pkg() != c.pass.Pkg {
		return
	}
	c.vars[v] = true
	is := func(e ast.Expr) bool { return c.varOf(e) == v }
	for _, root := range c.around(v) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				c.assigned(n, is)
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if is(name) && len(n.Values) == len(n.Names) {
						c.detail(n.Values[i])
					}
				}
			case *ast.CompositeLit:
				c.fieldSet(n, v)
			case *ast.CallExpr:
				c.passed(n, is)
			}
			return true
		})
	}
}

// assigned checks an assignment to the variable, or to an element of it.
func (c *checker) assigned(n *ast.AssignStmt, is func(ast.Expr) bool) {
	if len(n.Lhs) != len(n.Rhs) {
		if call, ok := n.Rhs[0].(*ast.CallExpr); ok && slices.ContainsFunc(n.Lhs, is) {
			c.detail(call)
		}
		return
	}
	for i, left := range n.Lhs {
		if index, ok := ast.Unparen(left).(*ast.IndexExpr); ok && is(index.X) {
			c.entry(index.Index, n.Rhs[i])
		} else if is(left) {
			c.detail(n.Rhs[i])
		}
	}
}

// fieldSet checks what a literal sets the field of a struct to.
func (c *checker) fieldSet(lit *ast.CompositeLit, v *types.Var) {
	t := c.pass.TypesInfo.TypeOf(lit)
	if t == nil || !v.IsField() {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for _, f := range fieldsOf(lit, t) {
		for own := range st.Fields() {
			if own.Name() == f.name && own.Origin() == v {
				c.detail(f.value)
			}
		}
	}
}

// passed follows a map into the functions that get it as an argument or receiver.
func (c *checker) passed(call *ast.CallExpr, is func(ast.Expr) bool) {
	for i, arg := range c.args(call) {
		if !is(arg) {
			continue
		}
		for fn := range c.funcs(call) {
			if params := c.params(fn); i < len(params) && params[i] != nil {
				c.variable(params[i])
			}
		}
		for _, p := range c.puts(call).Params {
			if p.Index == i {
				c.told(call, arg, "what %s puts into this map", p.Faults)
			}
		}
		if i == 0 && c.isCopy(call, "Copy") {
			c.detail(call.Args[1])
		}
	}
}

// isCopy reports whether a call is the given one of package maps that copies a map.
func (c *checker) isCopy(call *ast.CallExpr, name string) bool {
	fn := c.callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "maps" && fn.Name() == name
}

// varOf returns the variable or field that an expression is, or nil.
func (c *checker) varOf(e ast.Expr) *types.Var {
	var obj types.Object
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj = c.object(e)
	case *ast.SelectorExpr:
		obj = c.object(e.Sel)
	}
	if v, ok := obj.(*types.Var); ok {
		return v.Origin()
	}
	return nil
}

// around returns the syntax outside of which nothing can name v.
func (c *checker) around(v *types.Var) []ast.Node {
	var all []ast.Node
	local := !v.IsField() && v.Parent() != c.pass.Pkg.Scope()
	for _, file := range c.files {
		if !local {
			all = append(all, file)
			continue
		}
		for _, decl := range file.Decls {
			if decl.Pos() <= v.Pos() && v.Pos() < decl.End() {
				return []ast.Node{decl}
			}
		}
	}
	return all
}

// funcs yields the declaration or the literals of this package that a call runs.
func (c *checker) funcs(call *ast.CallExpr) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		if fn := c.callee(call); fn != nil {
			if decl := c.decls[fn.Origin()]; decl != nil {
				yield(decl)
			}
			return
		}
		if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
			yield(lit)
			return
		}
		v := c.varOf(call.Fun)
		if v == nil || v.IsField() || v.Pkg() != c.pass.Pkg {
			return
		}
		for _, root := range c.around(v) {
			ast.Inspect(root, func(n ast.Node) bool {
				c.assigns(n, v, func(e ast.Expr) {
					if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
						yield(lit)
					}
				})
				return true
			})
		}
	}
}

// parts returns the type and the body of a function declaration or literal.
func parts(fn ast.Node) (*ast.FuncType, *ast.BlockStmt) {
	if decl, ok := fn.(*ast.FuncDecl); ok {
		return decl.Type, decl.Body
	}
	lit := fn.(*ast.FuncLit)
	return lit.Type, lit.Body
}

// params returns the receiver and the parameters of a function, nil for those without a
// name.
func (c *checker) params(fn ast.Node) []*types.Var {
	typ, _ := parts(fn)
	var out []*types.Var
	if decl, ok := fn.(*ast.FuncDecl); ok {
		out = slices.AppendSeq(out, c.named(decl.Recv))
	}
	return slices.AppendSeq(out, c.named(typ.Params))
}

// named yields the variables that a list declares, nil for each without a name.
func (c *checker) named(list *ast.FieldList) iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			if len(field.Names) == 0 && !yield(nil) {
				return
			}
			for _, name := range field.Names {
				v, _ := c.pass.TypesInfo.Defs[name].(*types.Var)
				if !yield(v) {
					return
				}
			}
		}
	}
}

// args returns the receiver and the arguments of a call.
func (c *checker) args(call *ast.CallExpr) []ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := c.pass.TypesInfo.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			return append([]ast.Expr{sel.X}, call.Args...)
		}
	}
	return call.Args
}

// callee returns the function that is called by name, or nil.
func (c *checker) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		fn, _ := c.object(f).(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := c.object(f.Sel).(*types.Func)
		return fn
	}
	return nil
}
