package pathguard

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// judgesText reports whether a throw depends on nothing but the tool, or on a test of some
// text, such as a path. One that depends on a number of calls, or on what the file system
// says, is no guard of files.
func (t *toolTests) judgesText(r plugincode.Reached, n *js.Node) bool {
	for _, cond := range r.Conditions(n) {
		if cond.Case == nil && !t.isJudgement(js.Expr{Module: cond.Module, Node: cond.Test}, cond.Holds) {
			return false
		}
	}
	return true
}

// isJudgement reports whether every part of a test that has to come out like that is about
// the tool, about whether there is something, or about some text.
func (t *toolTests) isJudgement(e js.Expr, holds bool) bool {
	n := e.Node
	if n.Type == js.Binary && (n.Text == "&&" && holds || n.Text == "||" && !holds) {
		return t.isJudgement(js.Expr{Module: e.Module, Node: n.Kids[0]}, holds) && t.isJudgement(js.Expr{Module: e.Module, Node: n.Kids[1]}, holds)
	}
	_, named := t.names(e, holds, 0)
	_, others := t.names(e, !holds, 0) // the other branches of an else if
	return named || others || isPresence(n, holds) || t.testsText(e, 0)
}

// isPresence reports whether a test asks only whether there is something.
func isPresence(n *js.Node, holds bool) bool {
	switch n.Type {
	case js.Unary:
		return n.Text == "!" && !holds && (n.Kids[0].Type == js.Ident || n.Kids[0].Type == js.Member)
	case js.Binary:
		if n.Text == "&&" || n.Text == "||" {
			return isPresence(n.Kids[0], holds) && isPresence(n.Kids[1], holds)
		}
		for _, side := range n.Kids {
			if side.Type == js.NullLit || side.Type == js.Ident && side.Text == "undefined" || side.Type == js.Unary && side.Text == "typeof" || side.Type == js.StringLit && side.Text == "" {
				return true
			}
		}
	case js.Member:
		return holds
	}
	return false
}

// testsText reports whether a test calls something that is no question to the runtime, such
// as includes, test, or a function of the plugin.
func (t *toolTests) testsText(e js.Expr, depth int) bool {
	found := false
	js.Walk(e.Node, func(n *js.Node) bool {
		switch n.Type {
		case js.Binary:
			if strings.ContainsAny(n.Text, "<>") { // a count
				return false
			}
		case js.CallExpr:
			name := t.api(e.Module, n.Kids[0])
			found = found || name == "" || strings.HasPrefix(name, "path.")
		case js.Ident:
			if to := t.prog.Follow(js.Expr{Module: e.Module, Node: n}); depth < maxText && to.Node != nil && to.Node != n && to.Node.Type != js.FuncLit {
				found = found || t.testsText(to, depth+1)
			}
		}
		return !found && n.Type != js.FuncLit
	})
	return found
}
