package hookasync

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// promised are the APIs that return a promise, besides those of fs.
var promised = map[string]bool{"fetch": true, "Bun.write": true}

// drop is a kind of promise that a function lets go of: its cure is the same everywhere.
type drop struct {
	fn   *js.Node
	what string
}

// floating reports promises that a handler lets go of.
func (c *checker) floating(h plugincode.Handler, now []plugincode.Reached) {
	said := make(map[drop]bool)
	for _, r := range now {
		m := r.Fn.Module
		plugincode.Body(r.Fn, plugincode.Now, func(n *js.Node) {
			what := c.promiseOf(m, n)
			if what == "" || said[drop{enclosing(n), what}] {
				return
			}
			if w := waitOf(m, n); !w.known || w.waited || w.caught {
				return
			}
			said[drop{enclosing(n), what}] = true
			if h.Hook == hookBefore && len(r.Calls) == 0 && c.isGuardCall(h, js.Expr{Module: m, Node: n}) {
				c.report("floating", m, n, "nobody waits for %s, so that its exception cannot stop the tool: the call runs before it is judged (await it)", what)
				return
			}
			c.report("floating", m, n, "nobody waits for %s and nobody catches its rejection: the hook is done before it is, and its error is lost (await it, or add .catch)", what)
		})
	}
}

// promiseOf tells in words what promise a call makes that can be rejected, "" for none.
func (c *checker) promiseOf(m *js.Module, n *js.Node) string {
	if n.Type != js.CallExpr {
		return ""
	}
	if name := c.api(m, n); name != "" {
		module, fn, _ := strings.Cut(name, ".")
		if promised[name] || module == "fs" && c.isPromiseOfFS(m, n) && diskWork[name] && fn != "createWriteStream" {
			return quoteCallee(m, n)
		}
		return ""
	}
	if fn := asyncCallback(n); fn != nil && c.canReject(js.Expr{Module: m, Node: fn}, 0) {
		return "the promises of this forEach"
	}
	for _, fn := range c.code.Called(js.Expr{Module: m, Node: n}) {
		if fn.Node.Flags&js.Async == 0 || fn.Node.Flags&js.Generator != 0 || !c.canReject(fn, 0) {
			return ""
		}
		return quoteCallee(m, n)
	}
	return ""
}

// asyncCallback returns the async function that forEach gets, whose promises it drops.
func asyncCallback(call *js.Node) *js.Node {
	if js.CalleeName(call) != "forEach" || len(call.Kids) < 2 {
		return nil
	}
	if fn := call.Kids[1]; fn.Type == js.FuncLit && fn.Flags&js.Async != 0 {
		return fn
	}
	return nil
}

// isPromiseOfFS tells a call of fs/promises from one with a callback.
func (c *checker) isPromiseOfFS(m *js.Module, call *js.Node) bool {
	if len(call.Kids) < 2 {
		return false
	}
	last := call.Kids[len(call.Kids)-1]
	switch to := c.prog.Follow(js.Expr{Module: m, Node: last}); {
	case to.Node != nil && to.Node.Type == js.FuncLit:
		return false
	case last.Type == js.Ident && len(call.Kids) > 3:
		return to.Node != last
	}
	return true
}

// canReject reports whether a promise of an async function can be rejected: something in it
// that can fail stands outside of a try.
func (c *checker) canReject(fn js.Expr, depth int) bool {
	if known, ok := c.rejects[fn.Node]; ok {
		return known
	}
	c.rejects[fn.Node] = false // for one that calls itself
	result := false
	plugincode.Body(fn, plugincode.Now, func(n *js.Node) {
		if result || n.Type != js.Throw && n.Type != js.CallExpr && n.Type != js.Tagged || !leadsOut(fn.Module, n, fn.Node) {
			return
		}
		result = c.canFail(fn.Module, n, depth)
	})
	c.rejects[fn.Node] = result
	return result
}

// canFail reports whether one node can make its async function fail: a throw, or work of the
// runtime or the client that is awaited.
func (c *checker) canFail(m *js.Module, n *js.Node, depth int) bool {
	if n.Type == js.Throw {
		return true
	}
	if n.Type == js.Tagged && !c.isShell(m, n) {
		return false
	}
	if n.Type == js.CallExpr {
		if fns := c.code.Called(js.Expr{Module: m, Node: n}); len(fns) > 0 {
			return c.callFails(m, n, fns, depth)
		}
		if c.mayThrow(m, n) {
			return true
		}
		if name := c.api(m, n); !diskWork[name] && !otherWork[name] && !strings.HasPrefix(name, "fs.") && !c.isClient(m, n) {
			return false
		}
	}
	w := waitOf(m, n)
	return w.waited && !w.caught
}

// callFails reports whether a call of functions of the plugin can fail.
func (c *checker) callFails(m *js.Module, call *js.Node, fns []js.Expr, depth int) bool {
	for _, fn := range fns {
		if depth >= maxThrow || fn.Node.Flags&js.Generator != 0 || !c.canReject(fn, depth+1) {
			continue
		}
		if w := waitOf(m, call); fn.Node.Flags&js.Async == 0 || w.waited && !w.caught {
			return true
		}
	}
	return false
}
