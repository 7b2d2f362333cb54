package pluginstate

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// access is a call of a method of a Map or Set with a key.
type access struct {
	call   *js.Node
	method string
	object string // spellings
	key    string
}

// checksThenActs reports sets and maps that are asked for a key, and given it after an await
// as if nothing could have happened meanwhile.
func (c *checker) checksThenActs(fn js.Expr) {
	if fn.Node.Flags&js.Async == 0 || !c.perCall(fn.Node) || c.isLocked(fn, nil) {
		return
	}
	accesses, awaits := c.accesses(fn)
	for i, check := range accesses {
		test := testOf(check.call)
		if test == nil || check.method != "has" && check.method != "get" {
			continue
		}
		for _, act := range accesses[i+1:] {
			if act.object != check.object || act.key != check.key {
				continue
			}
			if act.method != "add" && act.method != "set" {
				break // asked again, or removed
			}
			if isBetween(awaits, check.call, test, act.call) && !c.isCacheFill(fn, act) {
				c.report("checkact", js.Expr{Module: fn.Module, Node: act.call}, "the key is added after an await that follows the test for it; two hooks that run at once both find it absent and both act: add it before the await, or test again")
			}
			break
		}
	}
}

// accesses lists the uses of long-lived Maps and Sets in a function, and its awaits, in order.
func (c *checker) accesses(fn js.Expr) (list []access, awaits []*js.Node) {
	plugincode.Body(fn, func(*js.Node) bool { return false }, func(n *js.Node) {
		switch n.Type {
		case js.Await:
			awaits = append(awaits, n)
		case js.CallExpr:
			callee := n.Kids[0]
			if callee.Type != js.Member || len(n.Kids) < 2 || !keyed[plugincode.MemberName(callee)] || !c.isMapping(js.Expr{Module: fn.Module, Node: callee.Kids[0]}) {
				return
			}
			list = append(list, access{
				n, plugincode.MemberName(callee),
				c.spell(js.Expr{Module: fn.Module, Node: callee.Kids[0]}), c.spell(js.Expr{Module: fn.Module, Node: n.Kids[1]}),
			})
		}
	})
	return list, awaits
}

var keyed = map[string]bool{"has": true, "get": true, "add": true, "set": true, "delete": true}

// isMapping reports whether an expression names a Map or Set that outlives the calls of
// handlers.
func (c *checker) isMapping(e js.Expr) bool {
	if e.Node.Type == js.Member && e.Node.Kids[0].Type == js.This {
		return isMaker(fieldInit(e.Node))
	}
	to := c.prog.Follow(e)
	return to.Node != nil && isMaker(to.Node) && !c.perCall(ownerFunc(to.Node))
}

func isMaker(n *js.Node) bool {
	return n != nil && n.Type == js.New && (n.Kids[0].Text == "Map" || n.Kids[0].Text == "Set")
}

// fieldInit returns the value that a class gives to the field that a member of this names.
func fieldInit(member *js.Node) *js.Node {
	name := member.Kids[1]
	for p := member.Parent; p != nil; p = p.Parent {
		if p.Type != js.ClassLit {
			continue
		}
		for _, f := range p.Kids[2:] {
			if f.Text == "field" && f.Kids[0] != nil && f.Flags&js.Computed == 0 && f.Kids[0].Text == name.Text {
				return f.Kids[1]
			}
		}
		return nil
	}
	return nil
}

// testOf returns the If whose condition a call stands in: itself, or by a variable that is
// tested later.
func testOf(call *js.Node) *js.Node {
	for n := call; n.Parent != nil; n = n.Parent {
		switch p := n.Parent; p.Type {
		case js.Unary, js.Binary, js.Sequence:
		case js.If:
			if p.Kids[0] == n {
				return p
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// isBetween reports whether an await lies between a test and an act. One in the branch of
// the test does not, when the act is not in it.
func isBetween(awaits []*js.Node, check, test, act *js.Node) bool {
	for _, a := range awaits {
		if a.Span.Start < check.Span.End || a.Span.Start > act.Span.End {
			continue
		}
		inBranch := false
		for _, branch := range test.Kids[1:] {
			inBranch = inBranch || branch != nil && contains(branch, a) && !contains(branch, act)
		}
		if !inBranch {
			return true
		}
	}
	return false
}

// isCacheFill reports whether a Map keeps what was awaited, and that was read rather than
// made.
func (c *checker) isCacheFill(fn js.Expr, act access) bool {
	if act.method != "set" || len(act.call.Kids) < 3 {
		return false
	}
	value := act.call.Kids[2]
	isFilled := false
	plugincode.Body(fn, func(*js.Node) bool { return false }, func(n *js.Node) {
		if n.Type != js.Await || n.Span.Start > act.call.Span.End || !c.flow(fn, n).has(value) {
			return
		}
		isFilled = n.Kids[0].Type != js.CallExpr || !makerName.match(js.CalleeName(n.Kids[0]))
	})
	return isFilled
}

var makerName = words{"create", "start", "spawn", "open", "launch", "connect", "register", "fork"}
