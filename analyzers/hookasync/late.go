package hookasync

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// unknownTime is the lateness of what is not followed.
const unknownTime = "?"

// lateIn is lateness within one function.
func (c *checker) lateIn(m *js.Module, n, fn *js.Node) string {
	for {
		f := enclosing(n)
		if f == nil {
			return unknownTime
		}
		if c.awaitBefore(m, f, n) {
			return "after an await"
		}
		if f == fn {
			return ""
		}
		p := f.Parent
		switch {
		case p.Type == js.New && p.Kids[0].Text == "Promise":
		case p.Type != js.CallExpr:
			return unknownTime
		default:
			if late := callbackTime(p, plugincode.Now(f)); late != "" {
				return late
			}
		}
		n = p
	}
}

// callbackTime tells when a call runs a function that it gets; now says that it is known to
// do so before it returns.
func callbackTime(call *js.Node, now bool) string {
	switch js.CalleeName(call) {
	case "then", "catch", "finally":
		return "in a ." + js.CalleeName(call) + " callback"
	case "setTimeout", "setImmediate": // a setInterval repeats: what one turn of it does is not waited for
		return "in a timer"
	}
	if now {
		return ""
	}
	return unknownTime
}

// awaitBefore reports whether an await of f always comes before n and gives up control.
func (c *checker) awaitBefore(m *js.Module, f, n *js.Node) bool {
	if f.Flags&js.Async == 0 {
		return false
	}
	for _, a := range c.awaitsOf(f) {
		if a.Span.End <= n.Span.Start && isOnTheWay(a, n) && (a.Type == js.ForOf || c.givesUp(js.Expr{Module: m, Node: a.Kids[0]}, 0)) {
			return true
		}
	}
	return false
}

// awaitsOf returns the places at which a function itself awaits.
func (c *checker) awaitsOf(f *js.Node) []*js.Node {
	list, ok := c.awaits[f]
	if ok {
		return list
	}
	plugincode.Body(js.Expr{Node: f}, func(*js.Node) bool { return false }, func(a *js.Node) {
		if a.Type == js.Await || a.Type == js.ForOf && a.Flags&js.Async != 0 {
			list = append(list, a)
		}
	})
	c.awaits[f] = list
	return list
}

// isOnTheWay reports whether a runs whenever n does, which comes later in the same function.
func isOnTheWay(a, n *js.Node) bool {
	around := make(map[*js.Node]bool)
	for p := n; p != nil; p = p.Parent {
		around[p] = true
	}
	for k := a; !around[k.Parent]; k = k.Parent {
		switch p := k.Parent; p.Type {
		case js.If, js.Cond, js.While:
			if p.Kids[0] != k {
				return false
			}
		case js.Binary:
			if p.Kids[1] == k && (p.Text == "&&" || p.Text == "||" || p.Text == "??") {
				return false
			}
		case js.Case, js.Catch, js.For, js.ForIn, js.ForOf:
			return false
		}
	}
	return !inOtherBranch(a, n, around)
}

// inOtherBranch reports whether the nearest node around both keeps them apart.
func inOtherBranch(a, n *js.Node, around map[*js.Node]bool) bool {
	k := a
	for !around[k.Parent] {
		k = k.Parent
	}
	switch p := k.Parent; p.Type {
	case js.If, js.Cond:
		return p.Kids[0] != k
	case js.Switch:
		return p.Kids[0] != k
	case js.Try: // the catch runs also when the await does not get there
		return p.Kids[0] != k
	}
	return false
}

// givesUp reports whether awaiting e lets the event loop go on. A function of the plugin
// that awaits nothing of the kind itself only makes its caller wait for a microtask, and
// those run before OpenCode leaves.
func (c *checker) givesUp(e js.Expr, depth int) bool {
	switch e.Node.Type {
	case js.Tagged, js.Ident, js.Member, js.New:
		return true
	case js.CallExpr:
		if depth > maxThrow {
			return true
		}
	default:
		return false
	}
	fns := c.code.Called(e)
	if len(fns) == 0 {
		return !c.isPlain(e)
	}
	for _, fn := range fns {
		if c.fnGivesUp(fn, depth) {
			return true
		}
	}
	return false
}

// alwaysRuns reports whether no test in a function keeps a node from running for the last
// events of a run: a function that waits only when there is something to wait for mostly does
// not wait.
func (c *checker) alwaysRuns(fn js.Expr, n *js.Node) bool {
	for _, cond := range js.Conditions(n) {
		if !isWithin(cond.Test, fn.Node) {
			return true
		}
		if c.says(js.Expr{Module: fn.Module, Node: cond.Test}, cond) != saysIdle {
			return false
		}
	}
	return true
}

// plain are the objects of the language whose functions give no promise.
var plain = map[string]bool{"JSON": true, "Object": true, "Array": true, "String": true, "Number": true, "Math": true, "Date": true}

// isPlain reports whether a call is known to give a value and no promise.
func (c *checker) isPlain(call js.Expr) bool {
	if strings.HasSuffix(c.api(call.Module, call.Node), "Sync") {
		return true
	}
	callee := call.Node.Kids[0]
	for callee.Type == js.Member {
		callee = callee.Kids[0]
	}
	return callee.Type == js.Ident && call.Module.BindingOf(callee) == nil && plain[callee.Text]
}

func (c *checker) fnGivesUp(fn js.Expr, depth int) bool {
	if known, ok := c.yields[fn.Node]; ok {
		return known
	}
	c.yields[fn.Node] = false // for one that calls itself
	found := false
	if body := fn.Node.Kids[1]; body.Type != js.Block {
		found = c.givesUp(js.Expr{Module: fn.Module, Node: body}, depth+1)
	}
	for _, a := range c.awaitsOf(fn.Node) {
		if !c.alwaysRuns(fn, a) {
			continue
		}
		found = found || a.Type == js.ForOf || c.givesUp(js.Expr{Module: fn.Module, Node: a.Kids[0]}, depth+1)
	}
	for _, r := range js.Returns(fn.Node.Kids[1]) {
		found = found || r.Kids[0] != nil && c.alwaysRuns(fn, r) && isPromiseLike(r.Kids[0]) && c.givesUp(js.Expr{Module: fn.Module, Node: r.Kids[0]}, depth+1)
	}
	c.yields[fn.Node] = found
	return found
}

// isPromiseLike reports whether a returned expression may be a promise to wait for.
func isPromiseLike(n *js.Node) bool {
	return n.Type == js.New && n.Kids[0].Text == "Promise" || n.Type == js.CallExpr
}
