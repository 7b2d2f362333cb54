package pluginstate

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

const disposeHook = "dispose"

// flushes reports timers that write a file later, where nothing writes it at the end.
func (c *checker) flushes() {
	if c.mayDispose() {
		return
	}
	atEnd := c.writtenAtEnd()
	for _, fn := range c.functions {
		if !c.perCall(fn.Node) {
			continue
		}
		plugincode.Body(fn, func(*js.Node) bool { return false }, func(n *js.Node) {
			if n.Type == js.CallExpr && len(n.Kids) > 1 && c.builtin(fn.Module, n) == "timers.setTimeout" && isDelayed(fn, n) {
				c.delayedWrite(fn, n, atEnd)
			}
		})
	}
}

// isDelayed reports whether a function starts a timer that stands for several calls: it
// keeps the timer, and tests it or clears it before.
func isDelayed(fn js.Expr, timer *js.Node) bool {
	kept := timer.Parent
	if kept.Type != js.Assign || kept.Kids[1] != timer {
		return false
	}
	found := false
	plugincode.Body(fn, plugincode.All, func(n *js.Node) {
		switch {
		case n.Span.Start >= timer.Span.Start:
		case n.Type == js.If:
			found = found || mentions(fn.Module, n.Kids[0], kept.Kids[0])
		case n.Type == js.CallExpr && js.CalleeName(n) == "clearTimeout":
			found = found || len(n.Kids) > 1 && mentions(fn.Module, n.Kids[1], kept.Kids[0])
		}
	})
	return found || kept.Text == "??="
}

// delayedWrite reports a timer whose callback writes a file that nothing writes at the end.
func (c *checker) delayedWrite(fn js.Expr, timer *js.Node, atEnd map[string]bool) {
	callback := c.prog.Follow(js.Expr{Module: fn.Module, Node: timer.Kids[1]})
	if callback.Node == nil || callback.Node.Type != js.FuncLit {
		return
	}
	for _, o := range c.ops(callback) {
		if isSaving(o) && !atEnd[c.family(o.path)] {
			c.report("flushwithoutdispose", js.Expr{Module: fn.Module, Node: timer}, "%s", c.flushText())
			return
		}
	}
}

func isSaving(o op) bool {
	return o.kind == opWrite && o.data.Node != nil && !isConstant(o.data.Node)
}

func isConstant(n *js.Node) bool { return n.Type == js.StringLit || n.Type == js.NumberLit }

func (c *checker) flushText() string {
	if _, known := c.table.Hook(disposeHook); !known {
		return "the timer writes the file after the hook has returned; at the end of a run OpenCode leaves before it fires and the last state is lost: write it in the hook"
	}
	return "the timer writes the file after the hook has returned, and no dispose hook does; at the end of a run OpenCode leaves before it fires and the last state is lost: write it in dispose as well"
}

// mayDispose reports whether the plugin has, or may have, a dispose hook that is not known.
func (c *checker) mayDispose() bool {
	known := false
	for _, h := range c.code.Handlers {
		known = known || h.Hook == disposeHook
	}
	for _, o := range c.hooks {
		for _, p := range o.Props {
			if p.Spread || p.Key == "" || p.Key == disposeHook && !known {
				return true
			}
		}
	}
	return false
}

// writtenAtEnd lists the files that dispose, or a listener of the process's exit, writes.
func (c *checker) writtenAtEnd() map[string]bool {
	list := make(map[string]bool)
	add := func(fn js.Expr) {
		for _, o := range c.ops(fn) {
			if isSaving(o) {
				list[c.family(o.path)] = true
			}
		}
	}
	for _, h := range c.code.Handlers {
		if h.Hook == disposeHook {
			add(h.Fn)
		}
	}
	for _, fn := range c.functions {
		plugincode.Body(fn, plugincode.All, func(n *js.Node) {
			if n.Type != js.CallExpr || len(n.Kids) < 3 {
				return
			}
			if api := c.builtin(fn.Module, n); api != "process.on" && api != "process.once" {
				return
			}
			if event := n.Kids[1]; event.Type != js.StringLit || event.Text == "beforeExit" {
				return
			}
			if listener := c.prog.Follow(js.Expr{Module: fn.Module, Node: n.Kids[2]}); listener.Node != nil && listener.Node.Type == js.FuncLit {
				add(listener)
			}
		})
	}
	return list
}
