package pluginload

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/pluginhooks"
)

// outcome is what a function can return, as far as the source shows it. The fields do not
// exclude each other; what is not known sets none of them.
type outcome struct {
	nothing bool    // undefined or null
	at      js.Expr // where nothing is returned: a return statement, or the function whose end is reached
	other   bool    // surely no hooks
	hooks   bool    // an object with hooks, or an empty one

	judged map[*js.Node]bool // functions whose results are in it
}

// maxDepth bounds the local calls between a function and what it returns.
const maxDepth = 4

func (c *checker) outcomeOf(fn js.Expr) outcome {
	o := outcome{judged: make(map[*js.Node]bool)}
	c.judge(&o, fn, fn, 0)
	return o
}

// judge adds what a function returns to the outcome. top is the function that it is about.
func (c *checker) judge(o *outcome, top, fn js.Expr, depth int) {
	if o.judged[fn.Node] {
		return
	}
	o.judged[fn.Node] = true
	body := fn.Node.Kids[1]
	switch {
	case fn.Node.Flags&js.Generator != 0:
		o.other = true // an iterator
		return
	case body.Type != js.Block:
		c.value(o, top, js.Expr{Module: fn.Module, Node: body}, body, depth)
		return
	case c.reachesEnd(fn.Module, body):
		o.none(fn)
	}
	for _, n := range js.Returns(body) {
		if n.Kids[0] == nil {
			o.none(js.Expr{Module: fn.Module, Node: n})
		} else {
			c.value(o, top, js.Expr{Module: fn.Module, Node: n.Kids[0]}, n, depth)
		}
	}
}

func (o *outcome) none(at js.Expr) {
	if !o.nothing {
		o.nothing, o.at = true, at
	}
}

// primitives are the global functions whose result is no object with hooks.
var primitives = map[string]bool{
	"String": true, "Number": true, "Boolean": true, "BigInt": true, "parseInt": true, "parseFloat": true, "JSON.stringify": true,
	"Object.keys": true, "Object.values": true, "Object.entries": true, "Array.from": true, "Array.isArray": true,
	"path.join": true, "path.resolve": true, "Date.now": true, "Promise.all": true,
}

// methods are those of strings, arrays and regular expressions whose result is no object
// with hooks.
var methods = map[string]bool{
	"trim": true, "join": true, "replace": true, "replaceAll": true, "split": true, "toString": true, "toLowerCase": true, "toUpperCase": true,
	"slice": true, "map": true, "filter": true, "flatMap": true, "includes": true, "startsWith": true, "endsWith": true, "test": true,
	"some": true, "every": true, "indexOf": true, "padStart": true, "padEnd": true, "toISOString": true, "substring": true,
}

// value adds one returned expression to the outcome. stmt is what returns it.
func (c *checker) value(o *outcome, top, e js.Expr, stmt *js.Node, depth int) {
	again := func(n *js.Node) { c.value(o, top, js.Expr{Module: e.Module, Node: n}, stmt, depth+1) }
	if depth > 4*maxDepth {
		return
	}
	if origin, ok := e.Module.OriginOf(e.Node); ok && origin.Fn == top.Node {
		o.other = true // what OpenCode passed, or a part of it
		return
	}
	switch n := e.Node; n.Type {
	case js.Await:
		again(n.Kids[0])
		return
	case js.Cond:
		again(n.Kids[1])
		again(n.Kids[2])
		return
	case js.Binary:
		switch n.Text {
		case "||", "??":
			again(n.Kids[1]) // the left side is something
		case "&&":
			again(n.Kids[1])
		default:
			o.other = true
		}
		return
	}
	c.target(o, top, e, c.prog.Follow(e), stmt, depth)
}

// target judges what a returned expression denotes.
func (c *checker) target(o *outcome, top, e, target js.Expr, stmt *js.Node, depth int) {
	n := target.Node
	switch n.Type {
	case js.NullLit:
		o.none(js.Expr{Module: e.Module, Node: stmt})
	case js.Ident:
		if n.Text == "undefined" && target.Module.BindingOf(n) == nil {
			o.none(js.Expr{Module: e.Module, Node: stmt})
		}
	case js.Unary:
		if n.Text == "void" {
			o.none(js.Expr{Module: e.Module, Node: stmt})
		} else {
			o.other = true
		}
	case js.StringLit, js.NumberLit, js.BigIntLit, js.BoolLit, js.Template, js.RegExpLit, js.ArrayLit, js.FuncLit, js.ClassLit, js.Update:
		o.other = true
	case js.Cond, js.Await, js.Binary:
		if n != e.Node {
			c.value(o, top, target, stmt, depth+1)
		}
	case js.ObjectLit:
		c.literal(o, e)
	case js.CallExpr:
		c.result(o, top, target, depth)
	}
}

// literal judges an object that is returned.
func (c *checker) literal(o *outcome, e js.Expr) {
	props, ok := e.Object()
	hooks := js.HooksObject{Props: props}
	switch {
	case !ok:
	case len(props) == 0, pluginhooks.Meant(c.prog, c.table, hooks):
		o.hooks = true
	default:
		for _, p := range props {
			if p.Spread || p.Key == "" {
				o.hooks = true // perhaps
				return
			}
			if _, known := c.table.Hook(p.Key); known {
				o.hooks = true
				return
			}
		}
		o.other = true
	}
}

// result judges the result of a call that is returned.
func (c *checker) result(o *outcome, top, call js.Expr, depth int) {
	callee := js.Expr{Module: call.Module, Node: call.Node.Kids[0]}
	if origin, ok := call.Module.OriginOf(callee.Node); ok && origin.Fn == top.Node && len(origin.Path) == 0 {
		o.other = true // a callback, which OpenCode does not pass
		return
	}
	if primitives[call.Module.Text(callee.Span())] || callee.Node.Type == js.Member && methods[js.CalleeName(call.Node)] {
		o.other = true
		return
	}
	fn := c.prog.Follow(callee)
	if fn.Node != nil && fn.Node.Type == js.FuncLit && depth < maxDepth && !js.IsAccessor(fn.Node) {
		c.judge(o, top, fn, depth+1)
	}
}
