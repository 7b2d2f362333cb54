package eventdetail

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/plugin"
)

func (c *checker) entries(lit *ast.CompositeLit) {
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			c.entry(kv.Key, kv.Value)
		}
	}
}

// entry checks one key and its value. Under a banned key the value is not looked at: one
// finding says it all.
func (c *checker) entry(key, val ast.Expr) {
	tv := c.pass.TypesInfo.Types[key]
	switch {
	case tv.Value != nil && tv.Value.Kind() == constant.String:
		if c.key(constant.StringVal(tv.Value), key) {
			return
		}
	case tv.Type != nil && !c.isCode(key):
		c.report(ruleBannedKey, key, "the name of this detail is known only at run time and may be free text: use a constant")
	}
	c.value(val)
}

// key reports a banned name.
func (c *checker) key(name string, at ast.Node) bool {
	if !slices.Contains(plugin.EventBannedKeys, strings.ToLower(name)) {
		return false
	}
	c.report(ruleBannedKey, at, "%q names free text: the writer refuses the event, and where it does not, text of the model leaks into telemetry", name)
	return true
}

// value checks what is kept: a number, a bool or a code.
func (c *checker) value(e ast.Expr) {
	tv := c.pass.TypesInfo.Types[e]
	if tv.Value != nil {
		if tv.Value.Kind() == constant.String && !isCodeText(constant.StringVal(tv.Value)) {
			c.report(ruleFreeText, e, "%s is not a code: the writer refuses the event (at most %d of the characters A-Z a-z 0-9 . _ : / -)", short(tv.Value), plugin.EventCodeMaxBytes)
		}
		return
	}
	if tv.Type == nil {
		return
	}
	basic, ok := tv.Type.Underlying().(*types.Basic)
	switch {
	case ok && basic.Info()&types.IsString != 0:
		if !c.isCode(e) {
			c.report(ruleFreeText, e, "%s may be free text: keep a constant code, a value of a named code type, or the result of SanitizeEventID or of a function marked //ngvet:code", types.ExprString(e))
		}
	case isCount(tv.Type), c.isConverted(e):
	default:
		c.report(ruleNonScalar, e, "a value of type %s is no id, count or code: the writer refuses the event, or keeps whatever is inside", types.TypeString(tv.Type, types.RelativeTo(c.pass.Pkg)))
	}
}

// isConverted reports whether an expression converts an id or a count to an interface.
func (c *checker) isConverted(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !c.pass.TypesInfo.Types[call.Fun].IsType() {
		return false
	}
	t := c.pass.TypesInfo.TypeOf(call.Args[0])
	return t != nil && (isCount(t) || c.isCode(call.Args[0]))
}

// short renders a constant for a message.
func short(v constant.Value) string {
	const limit = 60
	s := v.ExactString()
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + `..."`
	}
	return s
}
