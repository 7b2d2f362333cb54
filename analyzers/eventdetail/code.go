package eventdetail

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/plugin"
)

// isCodeText reports whether a string has the form of an id or code.
func isCodeText(s string) bool {
	return len(s) <= plugin.EventCodeMaxBytes && !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._:/-", r))
	})
}

// isCode reports whether a string expression can only be an id or a code, whatever its
// value at run time.
func (c *checker) isCode(e ast.Expr) bool { return c.isCodeIn(e, make(map[any]bool)) }

func (c *checker) isCodeIn(e ast.Expr, active map[any]bool) bool {
	e = ast.Unparen(e)
	tv := c.pass.TypesInfo.Types[e]
	if tv.Value != nil {
		return tv.Value.Kind() == constant.String && isCodeText(constant.StringVal(tv.Value))
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		return c.isCodeCall(e, active)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && c.isCodeIn(e.X, active) && c.isCodeIn(e.Y, active)
	}
	if isCodeType(tv.Type) {
		return true
	}
	v := c.varOf(e)
	return v != nil && c.isCodeVar(v, e, active)
}

// isCodeType reports whether t is a defined string type: what is converted to one is
// checked at the conversion.
func isCodeType(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	basic, ok := named.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// isCount reports whether t is a number or a bool, or a type parameter of only such types.
func isCount(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return isCountSet(p.Constraint())
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsInteger|types.IsFloat|types.IsBoolean) != 0
}

// isCountSet reports whether a constraint admits only numbers and bools: one of the
// elements that it embeds does.
func isCountSet(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Union:
		for term := range t.Terms() {
			if !isCountSet(term.Type()) {
				return false
			}
		}
		return t.Len() > 0
	case *types.Named:
		return isCountSet(t.Underlying())
	case *types.Interface:
		for e := range t.EmbeddedTypes() {
			if isCountSet(e) {
				return true
			}
		}
		return false
	}
	return isCount(t)
}

// isCodeCall reports whether the result of a call or conversion is a code.
func (c *checker) isCodeCall(call *ast.CallExpr, active map[any]bool) bool {
	if c.pass.TypesInfo.Types[call.Fun].IsType() {
		return len(call.Args) == 1 && c.isCodeIn(call.Args[0], active)
	}
	fn := c.callee(call)
	if fn == nil {
		return false
	}
	if c.marks.code(fn) {
		return true
	}
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case corePath, pluginPath:
		return fn.Name() == "SanitizeEventID"
	case "strconv":
		return slices.Contains([]string{"Itoa", "FormatInt", "FormatUint", "FormatBool"}, fn.Name())
	case "strings":
		if slices.Contains([]string{"ToLower", "ToUpper", "TrimSpace"}, fn.Name()) {
			return len(call.Args) == 1 && c.isCodeIn(call.Args[0], active)
		}
	}
	// A method or function whose result is of a code type.
	return isCodeType(c.pass.TypesInfo.TypeOf(call))
}

// isCodeVar reports whether everything that a local variable may hold where e names it is a
// code. Parameters, and variables whose address is taken, may hold anything.
func (c *checker) isCodeVar(v *types.Var, e ast.Expr, active map[any]bool) bool {
	if v.IsField() || v.Pkg() != c.pass.Pkg || v.Parent() == c.pass.Pkg.Scope() {
		return false
	}
	all := true
	for _, root := range c.around(v) {
		ast.Inspect(root, func(n ast.Node) bool {
			all = all && !c.escapes(n, v)
			return all
		})
	}
	if !all {
		return false
	}
	if active[e] {
		return true // a cycle adds nothing
	}
	active[e] = true
	assigned := false
	c.holds(v, e, func(e ast.Expr) {
		assigned = true
		all = all && (e == empty || e != nil && c.isCodeIn(e, active))
	})
	return assigned && all
}

// escapes reports whether a node binds v in a way that assigns does not see.
func (c *checker) escapes(n ast.Node, v *types.Var) bool {
	is := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && c.object(id) == v
	}
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.AND && is(ast.Unparen(n.X))
	case *ast.RangeStmt:
		return n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
	}
	return false
}
