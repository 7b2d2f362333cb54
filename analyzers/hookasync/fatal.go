package hookasync

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// fatalHooks are the hooks in which an exception does more than to fail the hook, with what
// it does (measured on OpenCode 1.18.30).
var fatalHooks = map[string]string{
	"chat.message":                         "ends the run with status 1",
	"chat.params":                          "ends the run with status 1",
	"experimental.chat.messages.transform": "ends the run with status 1",
	"experimental.chat.system.transform":   "ends the run with status 1",
	"shell.env":                            "makes every shell command an error",
	"tool.execute.after":                   "makes a call that had worked an error",
}

// isFatal reports whether an exception of a handler reaches a host that does not bear it.
func (c *checker) isFatal(h plugincode.Handler) bool {
	return !h.Wrapped && fatalHooks[h.Hook] != ""
}

// fatal reports each throw that leaves the handler.
func (c *checker) fatal(h plugincode.Handler, now []plugincode.Reached) {
	for _, r := range now {
		m := r.Fn.Module
		plugincode.Body(r.Fn, plugincode.Now, func(n *js.Node) {
			if n.Type == js.Throw && !isBare(n) && c.escapes(r, n) {
				c.report("fatalthrow", m, n, "this exception leaves the %s hook, where it %s (catch it in the hook)", h.Hook, fatalHooks[h.Hook])
			}
		})
	}
}

// isBare reports whether a throw only passes on what a catch caught.
func isBare(n *js.Node) bool {
	for p := n.Parent; p != nil && p.Type != js.FuncLit; p = p.Parent {
		if p.Type == js.Catch {
			return p.Kids[0] != nil && n.Kids[0].Type == js.Ident && n.Kids[0].Text == p.Kids[0].Text
		}
	}
	return false
}
