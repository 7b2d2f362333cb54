package eventdetail

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/ngvet/ngvet/internal/goflow"
)

// empty stands for the value of a variable that is declared without one.
var empty = &ast.BasicLit{Kind: token.STRING, Value: `""`}

// holds calls take with the expressions whose values v may have where e names it, and with
// nil where that may be what a caller passed. A variable that a literal assigns to, or reads
// from outside of it, may have any value that is assigned anywhere.
func (c *checker) holds(v *types.Var, e ast.Expr, take func(ast.Expr)) {
	roots := c.around(v)
	if len(roots) == 0 {
		return
	}
	root := roots[0]
	fn := innermost(root, e.Pos())
	if fn == nil || fn != innermost(root, v.Pos()) || c.isShared(v, fn) {
		ast.Inspect(root, func(n ast.Node) bool {
			c.assigns(n, v, take)
			if field, ok := n.(*ast.Field); ok && c.declares(field, v) {
				take(nil)
			}
			return true
		})
		return
	}
	g := c.graph(fn)
	for _, b := range g.Blocks {
		for i, n := range b.Nodes {
			if n.Pos() <= e.Pos() && e.Pos() < n.End() {
				c.reach(v, fn, g, point{b, i}, take)
				return
			}
		}
	}
}

// point is the place ahead of a node in a graph.
type point struct {
	block *cfg.Block
	node  int
}

// reach goes from a point back to the assignments to v that come before it.
func (c *checker) reach(v *types.Var, fn ast.Node, g *cfg.CFG, from point, take func(ast.Expr)) {
	before := make(map[*cfg.Block][]*cfg.Block)
	for _, b := range g.Blocks {
		for _, next := range b.Succs {
			before[next] = append(before[next], b)
		}
	}
	seen := make(map[*cfg.Block]bool)
	for work := []point{from}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if c.assignedIn(at.block.Nodes[:at.node], v, take) {
			continue
		}
		if at.block == g.Blocks[0] {
			take(c.initial(fn, v))
		}
		for _, b := range before[at.block] {
			if !seen[b] {
				seen[b] = true
				work = append(work, point{b, len(b.Nodes)})
			}
		}
	}
}

// assignedIn goes back through nodes to one after which v has a new value.
func (c *checker) assignedIn(nodes []ast.Node, v *types.Var, take func(ast.Expr)) bool {
	for i := len(nodes) - 1; i >= 0; i-- {
		if c.assigns(nodes[i], v, take) {
			return true
		}
	}
	return false
}

// initial is what a variable holds when its function begins: a parameter what the caller
// passed, the name of a result nothing.
func (c *checker) initial(fn ast.Node, v *types.Var) ast.Expr {
	if slices.Contains(c.params(fn), v) {
		return nil
	}
	return empty
}

// assigns calls take with what a node assigns to v, and reports whether nothing of the value
// before is left.
func (c *checker) assigns(n ast.Node, v *types.Var, take func(ast.Expr)) (anew bool) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if id, ok := left.(*ast.Ident); !ok || c.object(id) != v {
				continue
			}
			take(n.Rhs[min(i, len(n.Rhs)-1)])
			return n.Tok == token.ASSIGN || n.Tok == token.DEFINE
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if c.object(name) != v {
				continue
			}
			if len(n.Values) == 0 {
				take(empty)
			} else {
				take(n.Values[min(i, len(n.Values)-1)])
			}
			return true
		}
	}
	return false
}

// isShared reports whether a literal in a function assigns to a variable of it.
func (c *checker) isShared(v *types.Var, fn ast.Node) bool {
	_, body := parts(fn)
	shared := false
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			ast.Inspect(lit.Body, func(n ast.Node) bool {
				c.assigns(n, v, func(ast.Expr) { shared = true })
				return !shared
			})
		}
		return !shared
	})
	return shared
}

// declares reports whether a field of a parameter list declares v.
func (c *checker) declares(field *ast.Field, v *types.Var) bool {
	for _, name := range field.Names {
		if c.object(name) == v {
			return true
		}
	}
	return false
}

// innermost returns the function declaration or literal in root that is the innermost one
// around a place, or nil.
func innermost(root ast.Node, at token.Pos) ast.Node {
	var out ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || at < n.Pos() || n.End() <= at {
			return false
		}
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			out = n
		}
		return true
	})
	return out
}

// graph returns the control flow of a function.
func (c *checker) graph(fn ast.Node) *cfg.CFG {
	g, ok := c.graphs[fn]
	if !ok {
		_, body := parts(fn)
		g = cfg.New(body, func(call *ast.CallExpr) bool {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && c.object(id) == types.Universe.Lookup("panic") {
				return false
			}
			called := c.callee(call)
			return called == nil || !goflow.NoReturn(called)
		})
		c.graphs[fn] = g
	}
	return g
}
