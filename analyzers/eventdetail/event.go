package eventdetail

import (
	"go/ast"
	"go/types"
)

// field is one field of a struct literal.
type field struct {
	name  string
	key   ast.Node
	value ast.Expr
}

// fieldsOf lists the fields of a struct literal, keyed or not.
func fieldsOf(lit *ast.CompositeLit, t types.Type) []field {
	var out []field
	st, _ := t.Underlying().(*types.Struct)
	for i, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				out = append(out, field{id.Name, kv.Key, kv.Value})
			}
		} else if st != nil && i < st.NumFields() {
			out = append(out, field{st.Field(i).Name(), elt, elt})
		}
	}
	return out
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// isEvent reports whether t is ngcore.Event or a pointer to it.
func isEvent(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Event" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == corePath
}

// isField reports whether e selects the given field of an event, also of one that is
// embedded in another struct.
func (c *checker) isField(e ast.Expr, name string) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	selection := c.pass.TypesInfo.Selections[sel]
	if selection == nil || selection.Kind() != types.FieldVal {
		return false
	}
	owner := selection.Recv()
	path := selection.Index()
	for _, i := range path[:len(path)-1] {
		owner = structOf(owner).Field(i).Type()
	}
	return isEvent(owner)
}

// structOf returns the struct that a type or a pointer to it is.
func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct)
}

func (c *checker) isDetail(e ast.Expr) bool { return c.isField(e, "Detail") }

// isRetentionMap reports whether e is a map of a type marked //ngvet:retention.
func (c *checker) isRetentionMap(e ast.Expr) bool {
	t := c.pass.TypesInfo.TypeOf(e)
	return t != nil && isMap(t) && c.marks.retention(t)
}
