package pathguard

import (
	"regexp"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// everyCall are the hooks that run before every call of the model (HOST.md section 2).
var everyCall = map[string]bool{
	"chat.params": true, "chat.headers": true, systemTransform: true, messagesTransform: true, toolDefinition: true,
}

// work reports slow work that a hook does each time.
func (c *checker) work(h plugincode.Handler, reach []plugincode.Reached) {
	if !everyCall[h.Hook] {
		return
	}
	when := "before every call of the model"
	if h.Hook == toolDefinition {
		when = "once for every tool before every call of the model"
	}
	for _, r := range reach {
		m := r.Fn.Module
		plugincode.Body(r.Fn, plugincode.All, func(n *js.Node) {
			if n.Type != js.CallExpr && n.Type != js.Tagged || m.Vendored(n.Span.Start) {
				return
			}
			if name := c.slow(m, n); name != "" && !c.code.IsOnce(r, n) && c.isAlways(h, r, n) {
				c.report("transformio", m, n, "%s runs %s, in %s, and the model waits for it (keep the result outside of the hook, or do it in event)", name, when, h.Hook)
			}
		})
	}
}

// slow names the work that a call does outside of the process, "" for none.
func (c *checker) slow(m *js.Module, n *js.Node) string {
	if n.Type == js.Tagged {
		if isShell(m, n.Kids[0]) {
			return "$"
		}
		return ""
	}
	name := c.api(m, n.Kids[0])
	module, fn, _ := strings.Cut(name, ".")
	switch module {
	case "fs":
		if isFileWork(fn) {
			return name
		}
	case "child_process":
		return name
	case "http", "https":
		if fn == "request" || fn == "get" {
			return name
		}
	case "Bun":
		switch fn {
		case "file", "write", "spawn", "spawnSync", "$":
			return name
		}
	case "fetch":
		return name
	}
	return ""
}

// fileWork matches the functions of fs that read or write content or directories.
var fileWork = regexp.MustCompile(`^(?:read(?:File|dir)|write|append|mkdir|mkdtemp|rm|unlink|rename|copyFile|cp|open|create(?:Read|Write)Stream|opendir|glob)`)

func isFileWork(fn string) bool { return fileWork.MatchString(fn) }

// isShell reports whether the tag of a template is the shell that OpenCode passes, or Bun's.
func isShell(m *js.Module, tag *js.Node) bool {
	for tag.Type == js.CallExpr && tag.Kids[0].Type == js.Member { // $.cwd(x)`...`
		tag = tag.Kids[0].Kids[0]
	}
	if tag.Type == js.Ident && tag.Text == "$" {
		return true
	}
	return tag.Type == js.Member && plugincode.MemberName(tag) == "$"
}

// settingName matches what is the same for every call of a hook.
var settingName = regexp.MustCompile(`(?i)config|option|setting|enabled|disabled`)

// switchName matches what somebody has to ask for.
var switchName = regexp.MustCompile(`(?i)debug|verbose|process\.env|log_?level|tracing`)

// isAlways reports whether nothing decides about some work but whether its file, or what it
// needs, is there, and the settings of the plugin.
func (c *checker) isAlways(h plugincode.Handler, r plugincode.Reached, n *js.Node) bool {
	for _, cond := range r.Conditions(n) {
		if cond.Case != nil || !c.isOrdinary(h, js.Expr{Module: cond.Module, Node: cond.Test}, cond.Holds) {
			return false
		}
	}
	return true
}

// isOrdinary reports whether a test ordinarily comes out like that.
func (c *checker) isOrdinary(h plugincode.Handler, test js.Expr, holds bool) bool {
	n := test.Node
	again := func(n *js.Node, holds bool) bool {
		return c.isOrdinary(h, js.Expr{Module: test.Module, Node: n}, holds)
	}
	switch n.Type {
	case js.Await:
		return again(n.Kids[0], holds)
	case js.Unary:
		return n.Text == "!" && again(n.Kids[0], !holds)
	case js.Binary:
		if n.Text == "&&" || n.Text == "||" {
			return again(n.Kids[0], holds) && again(n.Kids[1], holds)
		}
	case js.CallExpr:
		return holds && strings.HasPrefix(c.api(test.Module, n.Kids[0]), "fs.exists")
	case js.Ident, js.Member:
		if switchName.MatchString(test.Module.Text(n.Span)) {
			return false
		}
		return holds || settingName.MatchString(test.Module.Text(n.Span))
	}
	return settingName.MatchString(test.Module.Text(n.Span))
}
