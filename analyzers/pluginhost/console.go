package pluginhost

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// streams tells by the name of an API which rule is about what it writes.
var streams = map[string]string{
	"console.log": "stdout", "console.info": "stdout", "console.debug": "stdout", "console.table": "stdout", "console.dir": "stdout",
	"console.dirxml": "stdout", "console.group": "stdout", "console.groupCollapsed": "stdout", "console.count": "stdout",
	"console.time": "", "console.timeLog": "stdout", "console.timeEnd": "stdout",
	"console.error": "stderr", "console.warn": "stderr", "console.trace": "stderr", "console.assert": "stderr",
	"process.stdout.write": "stdout", "process.stderr.write": "stderr",
}

// consequences end the message of a rule.
var consequences = map[string]string{
	"stdout": "OpenCode's standard output: it breaks the JSON of opencode run --format json and is painted over the terminal interface",
	"stderr": "OpenCode's terminal interface",
}

// advice is what to call instead, which also says where it went.
const advice = "(use client.app.log)"

// callbackTakers are the methods that call a function which they get.
var callbackTakers = map[string]bool{
	"then": true, "catch": true, "finally": true, "forEach": true, "map": true, "on": true, "once": true, "addListener": true, "subscribe": true, "tap": true,
}

// output reports a call that writes to one of the streams, and a function that does and is
// passed on to be called.
func (c *checker) output(m *js.Module, n *js.Node) {
	if n.Type != js.CallExpr {
		return
	}
	c.written(m, n, n.Kids[0])
	if n.Kids[0].Type == js.Member && callbackTakers[js.CalleeName(n)] {
		for _, arg := range n.Kids[1:] {
			c.written(m, arg, arg)
		}
	}
}

// written reports n if callee is a function that writes.
func (c *checker) written(m *js.Module, n, callee *js.Node) {
	name := c.api(m, callee)
	rule := streams[name]
	if rule == "" {
		name, rule = c.descriptor(m, n, name)
	}
	if rule == "" || c.replaced[name] || c.isAskedFor(m, n) || c.isFallback(m, n) {
		return
	}
	switch vendored := m.Vendored(n.Span.Start); {
	case vendored && rule == "stderr": // warnings about wrong use, which has been put right
		return
	case vendored, m.Minified():
		c.countOnce(rule, m, n, name)
		return
	}
	over := "writes to"
	if rule == "stderr" {
		over = "writes over"
	}
	f := c.report(rule, m, n, "%s %s %s %s", name, over, consequences[rule], advice)
	if n.Type == js.CallExpr {
		f.Fixes = removal(m, n)
	}
}

// clientName matches the names of OpenCode's client, or of its log.
var clientName = regexp.MustCompile(`(?i)client|app\.log`)

// isFallback reports whether code runs only where OpenCode's client is missing or its log
// has failed. In OpenCode there is one.
func (c *checker) isFallback(m *js.Module, n *js.Node) bool {
	for _, cond := range js.Conditions(n) {
		if missesClient(m, cond.Test, cond.Holds) {
			return true
		}
	}
	for kid, p := n, n.Parent; p != nil; kid, p = p, p.Parent {
		if p.Type == js.Try && p.Kids[1] == kid && strings.Contains(m.Text(p.Kids[0].Span), "app.log(") {
			return true
		}
	}
	return false
}

// missesClient reports whether a test that comes out like that says that there is no client.
func missesClient(m *js.Module, test *js.Node, holds bool) bool {
	switch test.Type {
	case js.Unary:
		return test.Text == "!" && missesClient(m, test.Kids[0], !holds)
	case js.Binary:
		if test.Text == "&&" || test.Text == "||" {
			return missesClient(m, test.Kids[0], holds) || missesClient(m, test.Kids[1], holds)
		}
	case js.Ident, js.Member:
		return !holds && clientName.MatchString(m.Text(test.Span))
	}
	return false
}

// descriptor returns the rule about a write to descriptor 1 or 2, or to the same of Bun.
func (c *checker) descriptor(m *js.Module, n *js.Node, name string) (what, rule string) {
	if n.Type != js.CallExpr || len(n.Kids) < 2 {
		return name, ""
	}
	to := n.Kids[1]
	switch name {
	case "fs.writeSync", "fs.write":
		if to.Type == js.NumberLit {
			rule = map[string]string{"1": "stdout", "2": "stderr"}[to.Text]
		}
	case "Bun.write":
		rule = map[string]string{"Bun.stdout": "stdout", "Bun.stderr": "stderr"}[c.api(m, to)]
	}
	return name + "(" + m.Text(to.Span) + ")", rule
}

// once is what a rule says about the code of other packages in one module.
type once struct {
	first js.Expr
	name  string
	count int
}

type onceKey struct {
	rule   string
	module *js.Module
}

// countOnce counts a call that is reported together with others.
func (c *checker) countOnce(rule string, m *js.Module, n *js.Node, name string) {
	key := onceKey{rule, m}
	o := c.once[key]
	if o == nil {
		o = &once{}
		c.once[key] = o
		c.onceOrder = append(c.onceOrder, key)
	}
	if o.count++; o.first.Node == nil || n.Span.Start < o.first.Node.Span.Start {
		o.first, o.name = js.Expr{Module: m, Node: n}, name
	}
}

// reportOnce reports what was counted.
func (c *checker) reportOnce() {
	for _, key := range c.onceOrder {
		o := c.once[key]
		where := "in the code of other packages"
		if key.module.Minified() {
			where = "in this minified module"
		}
		calls := "1 call"
		if o.count > 1 {
			calls = fmt.Sprintf("%d calls", o.count)
		}
		c.report(key.rule, key.module, o.first.Node, "%s %s can write to %s (the first is %s)", calls, where, consequences[key.rule], o.name)
	}
}

// replacements collects the methods of console, and the write of the streams, that live code
// assigns to: what is called then is not the original.
func (c *checker) replacement(m *js.Module, n *js.Node) {
	if n.Type == js.Assign && n.Kids[0].Type == js.Member {
		if name := c.api(m, n.Kids[0]); streams[name] != "" {
			c.replaced[name] = true
		}
	}
}

// removal is the fix that removes a statement which does nothing else than the call. It must
// not be the only one of its block: what is left would look like a mistake.
func removal(m *js.Module, call *js.Node) []finding.Fix {
	stmt := call.Parent
	if stmt.Type == js.Await {
		return nil
	}
	block := stmt.Parent
	if stmt.Type != js.ExprStmt || block.Type != js.Block && block.Type != js.Root || len(block.Kids) < 2 {
		return nil
	}
	for _, arg := range call.Kids[1:] {
		if !isPure(arg) {
			return nil
		}
	}
	span := wholeLine(m.Source(), stmt.Span)
	return []finding.Fix{{Message: "remove the call", Edits: []finding.Edit{{At: finding.Place{Module: m, Span: span}}}}}
}

// wholeLine extends a span that is alone on its lines to those lines, the last line feed
// included.
func wholeLine(src []byte, s js.Span) js.Span {
	start, end := s.Start, s.End
	for start > 0 && (src[start-1] == ' ' || src[start-1] == '\t') {
		start--
	}
	for end < len(src) && (src[end] == ' ' || src[end] == '\t' || src[end] == '\r') {
		end++
	}
	if start > 0 && src[start-1] != '\n' || end >= len(src) || src[end] != '\n' {
		return s
	}
	return js.Span{Start: start, End: end + 1}
}

// isPure reports whether an expression can be left out: it calls nothing and changes nothing.
// A property may have a getter, which is taken to do nothing else.
func isPure(n *js.Node) bool {
	pure := true
	js.Walk(n, func(n *js.Node) bool {
		switch n.Type {
		case js.CallExpr, js.New, js.Tagged, js.Assign, js.Update, js.Await, js.Yield, js.ImportCall:
			pure = false
		case js.Unary:
			pure = pure && n.Text != "delete"
		case js.FuncLit:
			return false
		}
		return pure
	})
	return pure
}
