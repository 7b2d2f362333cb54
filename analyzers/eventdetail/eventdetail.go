package eventdetail

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/plugin"
)

//go:embed doc.go
var doc string

// Check is the eventdetail analyzer with its rules.
var Check = &finding.Check{
	Analyzer: &analysis.Analyzer{
		Name:     "eventdetail",
		Doc:      finding.Doc(doc),
		URL:      finding.URL("eventdetail"),
		Requires: []*analysis.Analyzer{finding.Program},
		Run:      run,
	},
	Rules: []finding.Rule{
		{Name: ruleFreeText, Severity: finding.Error},
		{Name: ruleNonScalar, Severity: finding.Error},
		{Name: ruleBannedKey, Severity: finding.Error},
		{Name: ruleUnknownKind, Severity: finding.Error},
	},
	Scope: finding.Scope{
		Directives: []string{"retention"},
		Imports:    []string{corePath},
		Embeds:     true,
		Importers:  true,
		Bodies:     true,
	},
}

const (
	ruleFreeText    = "freetext"
	ruleNonScalar   = "nonscalar"
	ruleBannedKey   = "bannedkey"
	ruleUnknownKind = "unknownkind"

	corePath   = "github.com/ngvet/ngvet/ngcore"
	pluginPath = "github.com/ngvet/ngvet/plugin"
)

// kinds are what an event's Kind may be.
var kinds = append(slices.Clone(plugin.EventKinds), plugin.EventTruncatedKind)

func run(pass *analysis.Pass) (any, error) {
	c := &checker{pass: pass, marks: newMarks(pass), vars: make(map[*types.Var]bool)}
	for _, file := range pass.Files {
		// Tests feed the writers what they must refuse.
		if strings.HasSuffix(finding.Position(pass.Fset, file.Package).Filename, "_test.go") {
			continue
		}
		c.files = append(c.files, file)
	}
	for _, file := range c.files {
		ast.Inspect(file, func(n ast.Node) bool {
			c.sink(n)
			return true
		})
	}
	return nil, checkModules(pass)
}

// checker checks the Go side of one package.
type checker struct {
	pass  *analysis.Pass
	files []*ast.File
	marks *marks
	vars  map[*types.Var]bool // maps that reach a detail, followed once
}

// sink checks a node if it puts something into an event.
func (c *checker) sink(n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		c.literal(n)
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return
		}
		for i, left := range n.Lhs {
			c.assign(left, n.Rhs[i])
		}
	case *ast.CallExpr:
		c.passed(n, c.isDetail)
	}
}

// literal checks a composite literal of a type with a retention promise.
func (c *checker) literal(lit *ast.CompositeLit) {
	t := c.pass.TypesInfo.TypeOf(lit)
	if t == nil {
		return
	}
	if isEvent(t) {
		for _, f := range fieldsOf(lit, t) {
			switch f.name {
			case "Detail":
				c.detail(f.value)
			case "Kind":
				c.kind(f.value)
			}
		}
		return
	}
	if !c.marks.retention(t) {
		return
	}
	switch t.Underlying().(type) {
	case *types.Map:
		c.entries(lit)
	case *types.Struct:
		for _, f := range fieldsOf(lit, t) {
			c.key(f.name, f.key)
			c.value(f.value)
		}
	}
}

// assign checks one assignment to a detail or to an element of one.
func (c *checker) assign(left, right ast.Expr) {
	switch l := ast.Unparen(left).(type) {
	case *ast.SelectorExpr:
		switch {
		case c.isDetail(l):
			c.detail(right)
		case c.isField(l, "Kind"):
			c.kind(right)
		}
	case *ast.IndexExpr:
		if c.isDetail(l.X) || c.isRetentionMap(l.X) {
			c.entry(l.Index, right)
		}
	case *ast.Ident:
		if v, ok := c.object(l).(*types.Var); ok && c.isDetail(right) {
			c.variable(v) // another name for the detail
		}
	}
}

// detail checks an expression that becomes a detail, as far as its parts are in sight: map
// literals, local variables, results of functions of the same package. A map that comes
// from elsewhere is checked where it is built, or else by the writer at run time.
func (c *checker) detail(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		c.entries(e)
	case *ast.Ident:
		if v, ok := c.object(e).(*types.Var); ok {
			c.variable(v)
		}
	case *ast.CallExpr:
		if tv := c.pass.TypesInfo.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			c.detail(e.Args[0])
			return
		}
		if decl := c.declOf(e); decl != nil {
			c.results(decl)
		}
	}
}

// results checks every map that a function of this package returns.
func (c *checker) results(decl *ast.FuncDecl) {
	v, ok := c.pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || decl.Body == nil || c.marks.visit(v) {
		return
	}
	inspectFunc(decl.Body, func(n ast.Node) {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok {
			return
		}
		for _, r := range ret.Results {
			if t := c.pass.TypesInfo.TypeOf(r); t != nil && isMap(t) {
				c.detail(r)
			}
		}
	})
	if decl.Type.Results == nil {
		return
	}
	for _, field := range decl.Type.Results.List {
		for _, name := range field.Names {
			if v, ok := c.pass.TypesInfo.Defs[name].(*types.Var); ok && isMap(v.Type()) {
				c.variable(v)
			}
		}
	}
}

// variable checks everything that is put into a map variable, in its whole package: what
// it is assigned, its elements, and the functions of this package that get it.
func (c *checker) variable(v *types.Var) {
	if c.vars[v] || v.Pkg() != c.pass.Pkg {
		return
	}
	c.vars[v] = true
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && c.object(id) == v
	}
	for _, file := range c.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				c.assigned(n, is)
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if c.object(name) == v && len(n.Values) == len(n.Names) {
						c.detail(n.Values[i])
					}
				}
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

// passed follows a map into the parameter of a function of this package.
func (c *checker) passed(call *ast.CallExpr, is func(ast.Expr) bool) {
	decl := c.declOf(call)
	if decl == nil {
		return
	}
	i := 0
	for _, field := range decl.Type.Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) && is(call.Args[i]) {
				if p, ok := c.pass.TypesInfo.Defs[name].(*types.Var); ok {
					c.variable(p)
				}
			}
			i++
		}
	}
}

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

// kind checks a constant Kind. One that is known only at run time is the writer's to judge.
func (c *checker) kind(e ast.Expr) {
	v := c.pass.TypesInfo.Types[e].Value
	if v == nil || v.Kind() != constant.String || slices.Contains(kinds, constant.StringVal(v)) {
		return
	}
	c.report(ruleUnknownKind, e, "%s is no event kind: the writer refuses the event (kinds are %s)", v, strings.Join(kinds, ", "))
}

func (c *checker) report(rule string, at ast.Node, format string, args ...any) {
	c.pass.Report(analysis.Diagnostic{Category: rule, Pos: at.Pos(), End: at.End(), Message: fmt.Sprintf(format, args...)})
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

func (c *checker) object(id *ast.Ident) types.Object { return c.pass.TypesInfo.ObjectOf(id) }

// declOf returns the declaration of a called function of this package, or nil.
func (c *checker) declOf(call *ast.CallExpr) *ast.FuncDecl {
	fn := c.callee(call)
	if fn == nil || fn.Pkg() != c.pass.Pkg {
		return nil
	}
	for _, file := range c.files {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && c.pass.TypesInfo.Defs[d.Name] == fn.Origin() {
				return d
			}
		}
	}
	return nil
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

// inspectFunc calls f for the nodes of a body, without those of function literals in it.
func inspectFunc(body *ast.BlockStmt, f func(ast.Node)) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		f(n)
		return true
	})
}
