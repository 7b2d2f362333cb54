package hookasync

import (
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// syncEvent reports an event handler whose exceptions reach the host: on session.idle and
// session.status they stop opencode run for ever (measured on OpenCode 1.18.30).
func (c *checker) syncEvent(h plugincode.Handler) {
	fn := h.Fn.Node
	if h.Wrapped || fn.Flags&(js.Async|js.Generator) != 0 {
		return
	}
	what := c.throwsNow(h.Fn, 0)
	if what == "" {
		return
	}
	f := c.report("syncevent", h.Fn.Module, nameOf(fn),
		"the event handler is not async and %s: an exception in it hangs opencode run for ever without a word (make it async)", what)
	if f.Rule != "" && !isUsedElsewhere(h.Fn.Module, fn) && fn.Parent.Type != js.ClassMember {
		f.Fixes = []finding.Fix{{Message: "make it async", Edits: []finding.Edit{{
			At: finding.Place{Module: h.Fn.Module, Span: js.Span{Start: asyncAt(fn), End: asyncAt(fn)}}, New: "async ",
		}}}}
	}
}

// nameOf returns the part of a function to point at: its key, or its name, or itself.
func nameOf(fn *js.Node) *js.Node {
	if p := fn.Parent; p.Type == js.Property && p.Kids[1] == fn {
		return p.Kids[0]
	}
	if fn.Kids[0] != nil {
		return fn.Kids[0]
	}
	return fn
}

// asyncAt returns where async belongs: before the key of a method, else before the function.
func asyncAt(fn *js.Node) int {
	if p := fn.Parent; p.Type == js.Property && p.Text == "method" {
		return p.Span.Start
	}
	return fn.Span.Start
}

// isUsedElsewhere reports whether a function has a name that more than one place uses: there
// somebody may want the result and not a promise.
func isUsedElsewhere(m *js.Module, fn *js.Node) bool {
	name := fn.Kids[0]
	if p := fn.Parent; p.Type == js.Declarator {
		name = p.Kids[0]
	}
	b := m.BindingOf(name)
	return b != nil && len(b.Refs) > 1
}

// maxThrow bounds the calls between an event handler and what throws.
const maxThrow = 4

// throwsNow tells in words what in a function that is not async can throw out of it, "" when
// nothing does.
func (c *checker) throwsNow(fn js.Expr, depth int) string {
	if known, ok := c.throws[fn.Node]; ok {
		return known
	}
	c.throws[fn.Node] = "" // for one that calls itself
	what := ""
	plugincode.Body(fn, runsInside, func(n *js.Node) {
		if what == "" && (n.Type == js.Throw || n.Type == js.CallExpr || n.Type == js.New) && leadsOut(fn.Module, n, fn.Node) {
			what = c.throwAt(fn.Module, n, depth)
		}
	})
	c.throws[fn.Node] = what
	return what
}

// runsInside admits the nested functions that run before the one around them goes on.
func runsInside(n *js.Node) bool {
	switch js.CalleeName(callOr(n.Parent)) {
	case "then", "catch", "finally":
		return false
	}
	return plugincode.Now(n) && n.Flags&js.Async == 0
}

// throwAt tells in words that one node can throw, or returns "".
func (c *checker) throwAt(m *js.Module, n *js.Node, depth int) string {
	switch n.Type {
	case js.Throw:
		return "has a throw"
	case js.New:
		switch n.Kids[0].Text {
		case "URL", "RegExp":
			return "makes a " + n.Kids[0].Text
		}
		return ""
	}
	if fns := c.code.Called(js.Expr{Module: m, Node: n}); len(fns) > 0 {
		for _, fn := range fns {
			if fn.Node.Flags&(js.Async|js.Generator) == 0 && depth < maxThrow {
				if c.throwsNow(fn, depth+1) != "" {
					return "calls " + quoteCallee(m, n)
				}
			}
		}
		return ""
	}
	if c.mayThrow(m, n) {
		return "calls " + quoteCallee(m, n)
	}
	return ""
}

// quoteCallee returns what a call calls, as it is written, or a word for what is too long.
func quoteCallee(m *js.Module, call *js.Node) string {
	text := m.Text(call.Kids[0].Span)
	if len(text) > 60 || strings.Contains(text, "\n") {
		return "other code"
	}
	return text
}

// calm are APIs, and first parts of APIs, that do not throw for what plugins pass.
var calm = map[string]bool{
	"console": true, "timers": true, "queueMicrotask": true, "fetch": true, "Date": true, "Math": true, "path": true, "os": true,
}

// loud are functions of the language that throw for what is not as they want it.
var loud = map[string]bool{"JSON.parse": true, "decodeURIComponent": true, "decodeURI": true, "BigInt": true}

// mayThrow reports whether a call of something that is not the plugin's can throw: a
// synchronous function of Node that works on files or processes, a parser, or a function of
// another package. Methods of values are trusted.
func (c *checker) mayThrow(m *js.Module, call *js.Node) bool {
	callee := call.Kids[0]
	if name := c.api(m, call); name != "" {
		module, _, _ := strings.Cut(name, ".")
		return !calm[module] && (strings.HasSuffix(name, "Sync") || module == "child_process")
	}
	if loud[m.Text(callee.Span)] {
		return true
	}
	for callee.Type == js.Member {
		callee = callee.Kids[0]
	}
	b := m.BindingOf(callee)
	return callee.Type == js.Ident && b != nil && b.Owner.Type == js.ImportSpec
}
