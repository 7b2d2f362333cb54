package eventdetail

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
)

// puts is the fact about a function that puts into a map what no event may hold. Whether
// the map becomes a detail only those know that call it.
type puts struct {
	Result []fault // into a map that it returns
	Params []param // into one that it is given
}

// param is one argument of a function, the receiver being the first.
type param struct {
	Index  int
	Faults []fault
}

// fault is a finding that would be one if the map was a detail.
type fault struct {
	Rule    string
	At      string // as "codes.go:12"
	Message string
}

// AFact implements [analysis.Fact].
func (*puts) AFact() {}

// String says in short what is put where; analysistest compares it.
func (p *puts) String() string {
	var out []string
	if len(p.Result) > 0 {
		out = append(out, "result "+rulesOf(p.Result))
	}
	for _, p := range p.Params {
		out = append(out, fmt.Sprintf("argument %d %s", p.Index, rulesOf(p.Faults)))
	}
	return strings.Join(out, "; ")
}

func rulesOf(faults []fault) string {
	var out []string
	for _, f := range faults {
		out = append(out, f.Rule)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

// puts returns what another package says about the function that is called.
func (c *checker) puts(call *ast.CallExpr) puts {
	var fact puts
	if fn := c.callee(call); fn != nil && fn.Pkg() != nil && fn.Pkg() != c.pass.Pkg {
		c.pass.ImportObjectFact(fn.Origin(), &fact)
	}
	return fact
}

// told reports what another package says about a call; what says where the map goes.
func (c *checker) told(call *ast.CallExpr, at ast.Node, what string, faults []fault) {
	for _, f := range faults {
		c.report(f.Rule, at, "%s has a fault (%s): %s", fmt.Sprintf(what, types.ExprString(call.Fun)), f.At, f.Message)
	}
}

// export says to the packages that import this one what its exported functions put into
// maps that may become details there.
func (c *checker) export() {
	for fn, decl := range c.decls {
		if !fn.Exported() {
			continue
		}
		var fact puts
		if slices.ContainsFunc(slices.Collect(fn.Signature().Results().Variables()), isDetailVar) {
			fact.Result = c.faults(func(c *checker) { c.results(decl) })
		}
		for i, v := range c.params(decl) {
			if v == nil || !isDetailVar(v) {
				continue
			}
			if faults := c.faults(func(c *checker) { c.variable(v) }); len(faults) > 0 {
				fact.Params = append(fact.Params, param{i, faults})
			}
		}
		if len(fact.Result)+len(fact.Params) > 0 {
			c.pass.ExportObjectFact(fn, &fact)
		}
	}
}

// isDetailVar reports whether the type of a variable is one that a detail can have.
func isDetailVar(v *types.Var) bool {
	m, ok := v.Type().Underlying().(*types.Map)
	return ok && types.Identical(m, types.NewMap(types.Typ[types.String], types.Universe.Lookup("any").Type()))
}

// faults returns what check would report, each once.
func (c *checker) faults(check func(*checker)) []fault {
	var out []fault
	sub := c.fresh()
	sub.found = func(rule string, at ast.Node, message string) {
		pos := finding.Position(c.pass.Fset, at.Pos())
		f := fault{rule, fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line), message}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	check(sub)
	return out
}
