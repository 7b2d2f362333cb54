package hookasync

import (
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// unboundedCalls are the APIs that may never answer, with the options that bound them.
var unboundedCalls = map[string][]string{
	"fetch":                  {"signal"},
	"child_process.exec":     {"timeout", "signal"},
	"child_process.execFile": {"timeout", "signal"},
	"child_process.spawn":    {"timeout", "signal"},
	"Bun.spawn":              {"timeout", "signal"},
	"http.request":           {"timeout", "signal"},
	"https.request":          {"timeout", "signal"},
}

// unbounded reports waits without an end in what the host waits for: where, in words.
func (c *checker) unbounded(where, why string, now []plugincode.Reached) {
	for _, r := range now {
		if !c.isAwaited(r) {
			continue
		}
		m := r.Fn.Module
		plugincode.Body(r.Fn, plugincode.Now, func(n *js.Node) {
			if n.Type != js.CallExpr {
				return
			}
			name := c.api(m, n)
			options, ok := unboundedCalls[name]
			if !ok || c.hasOption(m, n, options) || !c.isWaitedFor(m, n, r.Fn.Node) {
				return
			}
			short := strings.TrimPrefix(name, "child_process.")
			c.report("unboundedwait", m, n, "%s has no %s, and %s: if it never answers, at %s, OpenCode hangs (%s)", short, strings.Join(options, " or "), why, where, bound(options))
		})
	}
}

func bound(options []string) string {
	if len(options) == 1 {
		return "pass signal: AbortSignal.timeout(ms)"
	}
	return "pass timeout: ms"
}

// isAwaited reports whether the functions on the way to a reached one wait for it.
func (c *checker) isAwaited(r plugincode.Reached) bool {
	chain := r.Chain()
	for i, call := range r.Calls {
		if !c.calls(call, chain[i+1]) || !c.isWaitedFor(call.Module, call.Node, chain[i]) {
			return false
		}
	}
	return true
}

// isWaitedFor reports whether the function fn waits for what a call in it begins: for its
// promise, or for a promise whose executor makes the call and sets no timer.
func (c *checker) isWaitedFor(m *js.Module, n, fn *js.Node) bool {
	for {
		f := enclosing(n)
		if f == nil {
			return false
		}
		if p := f.Parent; f != fn && p.Type == js.New {
			if mentionsBound(f) {
				return false
			}
			n = p
			continue
		}
		if !waitOf(m, n).waited {
			return false
		}
		if f == fn {
			return true
		}
		if f.Parent.Type != js.CallExpr {
			return false
		}
		n = f.Parent
	}
}

// mentionsBound reports whether the executor of a promise bounds it by itself.
func mentionsBound(f *js.Node) bool {
	return js.Expr{Node: f}.Mentions("setTimeout", "kill", "abort", "signal", "timeout") != nil
}

// hasOption reports whether a call has one of the options, or options that cannot be read.
func (c *checker) hasOption(m *js.Module, call *js.Node, options []string) bool {
	if len(call.Kids) < 2 {
		return true
	}
	for _, arg := range call.Kids[1:] {
		if arg.Type == js.Spread {
			return true
		}
		to := c.prog.Follow(js.Expr{Module: m, Node: arg})
		if to.Node == nil {
			return true
		}
		if to.Node.Type == js.New && arg == call.Kids[1] {
			return true // a Request may have a signal of its own
		}
		props, isObject := to.Object()
		for _, p := range props {
			if p.Spread || p.Key == "" || slices.Contains(options, p.Key) {
				return true
			}
		}
		if !isObject && arg != call.Kids[1] && isUnread(to.Node) {
			return true
		}
	}
	return false
}

// isUnread reports whether a node may be an object of options that is made elsewhere.
func isUnread(n *js.Node) bool {
	switch n.Type {
	case js.ArrayLit, js.FuncLit, js.StringLit, js.Template:
		return false
	}
	return true
}
