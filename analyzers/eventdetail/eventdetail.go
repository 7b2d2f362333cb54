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
	"golang.org/x/tools/go/cfg"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/plugin"
)

//go:embed doc.go
var doc string

// Check is the eventdetail analyzer with its rules.
var Check = &finding.Check{
	Analyzer: &analysis.Analyzer{
		Name:      "eventdetail",
		Doc:       finding.Doc(doc),
		URL:       finding.URL("eventdetail"),
		Requires:  []*analysis.Analyzer{finding.Program},
		FactTypes: []analysis.Fact{new(puts), new(marked)},
		Run:       run,
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
	if len(pass.Files) == 0 || finding.InStandard(pass.Fset, pass.Files[0].Package) {
		return nil, nil
	}
	c := newChecker(pass)
	for _, file := range c.files {
		ast.Inspect(file, func(n ast.Node) bool {
			c.sink(n)
			return true
		})
	}
	c.export()
	c.marks.export()
	return nil, checkModules(pass)
}

// checker checks the Go side of one package.
type checker struct {
	pass  *analysis.Pass
	files []*ast.File
	decls map[*types.Func]*ast.FuncDecl
	marks *marks
	found func(rule string, at ast.Node, message string)

	graphs map[ast.Node]*cfg.CFG // of functions

	vars      map[*types.Var]bool // maps that reach a detail, followed once
	funcsSeen map[ast.Node]bool   // functions whose results reach one
}

func newChecker(pass *analysis.Pass) *checker {
	c := &checker{pass: pass, marks: newMarks(pass), decls: make(map[*types.Func]*ast.FuncDecl), graphs: make(map[ast.Node]*cfg.CFG)}
	c.found = func(rule string, at ast.Node, message string) {
		pass.Report(analysis.Diagnostic{Category: rule, Pos: at.Pos(), End: at.End(), Message: message})
	}
	for _, file := range pass.Files {
		// Tests feed the writers what they must refuse.
		if strings.HasSuffix(finding.Position(pass.Fset, file.Package).Filename, "_test.go") {
			continue
		}
		c.files = append(c.files, file)
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok {
				if fn, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					c.decls[fn] = d
				}
			}
		}
	}
	return c.fresh()
}

// fresh returns a checker of the same package that has followed nothing yet.
func (c *checker) fresh() *checker {
	out := *c
	out.vars = make(map[*types.Var]bool)
	out.funcsSeen = make(map[ast.Node]bool)
	return &out
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
		if v := c.varOf(l); v != nil && c.isDetail(right) {
			c.variable(v) // another name for the detail
		}
	}
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
	c.found(rule, at, fmt.Sprintf(format, args...))
}

func (c *checker) object(id *ast.Ident) types.Object { return c.pass.TypesInfo.ObjectOf(id) }
