package pluginhost

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

// exits are the functions that end the process.
var exits = map[string]bool{"process.exit": true, "process.abort": true, "process.reallyExit": true}

// ends reports a call that ends the process.
func (c *checker) ends(m *js.Module, n *js.Node) {
	if n.Type != js.CallExpr || m.Vendored(n.Span.Start) {
		return
	}
	c.exit(m, n, n.Kids[0])
	if n.Kids[0].Type == js.Member && callbackTakers[js.CalleeName(n)] || c.api(m, n.Kids[0]) == "timers.setTimeout" {
		for _, arg := range n.Kids[1:] {
			c.exit(m, arg, arg)
		}
	}
}

// exit reports n if callee ends the process.
func (c *checker) exit(m *js.Module, n, callee *js.Node) {
	name := c.api(m, callee)
	switch {
	case exits[name]:
	case name == "process.kill" && n.Type == js.CallExpr && c.killsItself(m, n):
		name = "process.kill(process.pid)"
	default:
		return
	}
	if c.isProgram(m, n) {
		return
	}
	c.report("hostexit", m, n, "%s ends OpenCode, not the plugin: the run stops in the middle and its work is lost (throw an Error instead)", name)
}

// killsItself reports whether a call of process.kill is aimed at this process with a signal
// that ends it.
func (c *checker) killsItself(m *js.Module, call *js.Node) bool {
	if len(call.Kids) < 2 || c.api(m, call.Kids[1]) != "process.pid" {
		return false
	}
	if len(call.Kids) == 2 {
		return true
	}
	switch sig := call.Kids[2]; sig.Type {
	case js.NumberLit:
		return sig.Text != "0"
	case js.StringLit:
		return sig.Text != "SIGUSR1" && sig.Text != "SIGUSR2" && sig.Text != "SIGWINCH" && sig.Text != "SIGCONT"
	}
	return false
}

// isProgram reports whether code runs only where its module is run as a program.
func (c *checker) isProgram(m *js.Module, n *js.Node) bool {
	for _, cond := range js.Conditions(n) {
		if text := m.Text(cond.Test.Span); cond.Holds && (strings.Contains(text, "import.meta.main") || strings.Contains(text, "require.main") || strings.Contains(text, "process.argv")) {
			return true
		}
	}
	return false
}

// adders are the methods that add a listener.
var adders = map[string]bool{"on": true, "once": true, "addListener": true, "prependListener": true, "prependOnceListener": true}

// exitListener reports a listener of the process that is never called, or whose work is lost.
func (c *checker) exitListener(m *js.Module, n *js.Node) {
	if n.Type != js.CallExpr || len(n.Kids) < 3 || n.Kids[1].Type != js.StringLit || m.Vendored(n.Span.Start) {
		return
	}
	method, ok := strings.CutPrefix(c.api(m, n.Kids[0]), "process.")
	if !ok || !adders[method] {
		return
	}
	switch listener := c.prog.Follow(js.Expr{Module: m, Node: n.Kids[2]}); {
	case n.Kids[1].Text == "beforeExit":
		if !c.listensToExit(m, listener) {
			c.report("deadexithook", m, n, "beforeExit is never emitted in OpenCode, which ends with process.exit, so this listener is never called (listen to exit and work synchronously, or return a dispose hook)")
		}
	case n.Kids[1].Text == "exit" && listener.Node != nil && listener.Node.Type == js.FuncLit:
		c.lostWork(listener)
	}
}

// listensToExit reports whether a listener is registered for exit as well, in its module or
// the one where it is registered.
func (c *checker) listensToExit(m *js.Module, listener js.Expr) bool {
	for method := range adders {
		for _, call := range c.prog.Calls(m, method) {
			if len(call.Args) < 2 || call.Args[0].Node.Type != js.StringLit || call.Args[0].Node.Text != "exit" {
				continue
			}
			if to := c.prog.Follow(call.Args[1]); to.Node == listener.Node || sameText(to, listener) {
				return true
			}
		}
	}
	return false
}

func sameText(a, b js.Expr) bool {
	return a.Node != nil && b.Node != nil && a.Module.Text(a.Node.Span) == b.Module.Text(b.Node.Span)
}

// lostWork reports what a listener of exit starts and nobody finishes.
func (c *checker) lostWork(listener js.Expr) {
	m, fn := listener.Module, listener.Node
	await := c.awaits(fn)
	js.Walk(fn.Kids[1], func(n *js.Node) bool {
		if n.Type == js.FuncLit {
			return false
		}
		if n.Type != js.CallExpr || await != nil && n.Span.Start > await.Span.Start {
			return true
		}
		if name := c.api(m, n.Kids[0]); c.isBackground(name) {
			c.report("deadexithook", m, n, "%s in a listener of exit is not done any more: the process ends when the listener returns (work synchronously)", name)
		}
		return true
	})
	if await != nil {
		c.report("deadexithook", m, await, "nothing after this await in a listener of exit runs: the process ends when the listener returns (work synchronously)")
	}
}

// awaits returns the first await of a function that has statements behind it, or nil.
func (c *checker) awaits(fn *js.Node) *js.Node {
	if fn.Flags&js.Async == 0 || fn.Kids[1].Type != js.Block {
		return nil
	}
	for i, s := range fn.Kids[1].Kids {
		if s.Type == js.ExprStmt && s.Kids[0].Type == js.Await && i < len(fn.Kids[1].Kids)-1 {
			return s.Kids[0]
		}
	}
	return nil
}

// isBackground reports whether a function only starts what it is for.
func (c *checker) isBackground(name string) bool {
	switch module, fn, _ := strings.Cut(name, "."); module {
	case "fs":
		return writers[fn] && !strings.HasSuffix(fn, "Sync")
	case "fs/promises":
		return writers[fn]
	}
	return name == "fetch"
}
