package pluginhost

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// waits are the functions that run a program and let nothing else run until it ends.
var waits = map[string]bool{
	"child_process.spawnSync": true, "child_process.execSync": true, "child_process.execFileSync": true, "Bun.spawnSync": true,
}

// mayWait are the hooks that run when nothing else does.
var mayWait = map[string]bool{"config": true, "dispose": true, "auth": true, "provider": true}

const toolBefore = "tool.execute.before"

// spawns reports programs that a handler waits for.
func (c *checker) spawns(h plugincode.Handler, r plugincode.Reached) {
	if mayWait[h.Hook] {
		return
	}
	m := r.Fn.Module
	plugincode.Body(r.Fn, plugincode.All, func(n *js.Node) {
		if n.Type != js.CallExpr || m.Vendored(n.Span.Start) {
			return
		}
		name := c.api(m, n.Kids[0])
		if !waits[name] || c.code.IsOnce(r, n) {
			return
		}
		without, hook := "", h.Hook+" runs"
		switch h.Hook {
		case toolBefore:
			if c.hasTimeout(m, n) {
				return
			}
			without = " without a timeout"
		case plugincode.Tool:
			hook = "a tool of the plugin runs"
		}
		short := strings.TrimPrefix(name, "child_process.")
		c.report("syncspawn", m, n, "%s stops OpenCode%s until the program ends, each time %s: the interface, the model's stream and all other calls stand still (use the asynchronous form)", short, without, hook)
	})
}

// hasTimeout reports whether a call has options with a timeout, or options that cannot be
// read.
func (c *checker) hasTimeout(m *js.Module, call *js.Node) bool {
	for _, arg := range call.Kids[1:] {
		to := c.prog.Follow(js.Expr{Module: m, Node: arg})
		if arg.Type == js.Spread || to.Node == nil {
			return true
		}
		props, ok := to.Object()
		if !ok && (to.Node.Type == js.Ident || to.Node.Type == js.CallExpr) && arg == call.Kids[len(call.Kids)-1] && len(call.Kids) > 2 {
			return true
		}
		for _, p := range props {
			if p.Key == "timeout" || p.Spread {
				return true
			}
		}
	}
	return false
}
