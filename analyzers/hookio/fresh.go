package hookio

import (
	"github.com/ngvet/ngvet/internal/js"
)

// arrayMakers are the methods of arrays that return a new one.
var arrayMakers = map[string]bool{
	"map": true, "filter": true, "slice": true, "concat": true, "flat": true, "flatMap": true,
	"toSorted": true, "toReversed": true, "toSpliced": true, "with": true,
}

// makers are the global functions that return a new object.
var makers = map[string]bool{
	"structuredClone": true, "JSON.parse": true, "Object.fromEntries": true, "Array.from": true, "Array.of": true,
	"Object.keys": true, "Object.values": true, "Object.entries": true, "Object.create": true,
}

// isFresh reports whether a value is surely another object than the one that the field of
// the argument holds: a literal, the result of a function that makes one, or a variable or
// conditional that can be such a thing. What is not known is not fresh.
func (c *checker) isFresh(v view, field string, n *js.Node, depth int) bool {
	if n == nil || depth > maxSteps {
		return false
	}
	if path, ok := v.path(n); ok && n.Type != js.Binary {
		return path != field && path != "" && n.Type == js.Member // another field is another object
	}
	again := func(n *js.Node) bool { return c.isFresh(v, field, n, depth+1) }
	switch n.Type {
	case js.ObjectLit, js.ArrayLit, js.StringLit, js.NumberLit, js.BoolLit, js.NullLit, js.Template, js.New:
		return true
	case js.Await:
		return again(n.Kids[0])
	case js.Cond:
		return c.eitherIsFresh(v, field, n.Kids[1], n.Kids[2], depth)
	case js.Binary:
		if n.Text == "||" || n.Text == "??" {
			return c.eitherIsFresh(v, field, n.Kids[0], n.Kids[1], depth)
		}
		return n.Text == "+" || n.Text == "&&" && again(n.Kids[1])
	case js.CallExpr:
		return c.makesFresh(v, field, n, depth)
	case js.Ident:
		return c.variableIsFresh(v, field, n, depth)
	}
	return false
}

// eitherIsFresh judges two alternatives. An empty one beside the field itself is a default
// for when there is none: isRecord(output.args) ? output.args : {}.
func (c *checker) eitherIsFresh(v view, field string, a, b *js.Node, depth int) bool {
	for _, pair := range [][2]*js.Node{{a, b}, {b, a}} {
		path, ok := v.path(pair[0])
		other := pair[1]
		if ok && path == field && (other.Type == js.ObjectLit || other.Type == js.ArrayLit) && len(other.Kids) == 0 {
			return false
		}
	}
	return c.isFresh(v, field, a, depth+1) || c.isFresh(v, field, b, depth+1)
}

// makesFresh judges the result of a call.
func (c *checker) makesFresh(v view, field string, call *js.Node, depth int) bool {
	callee := call.Kids[0]
	name := v.module.Text(callee.Span)
	switch {
	case makers[name]:
		return true
	case name == "Object.assign" && len(call.Kids) > 1: // returns its first argument
		return c.isFresh(v, field, call.Kids[1], depth+1)
	case callee.Type == js.Member && arrayMakers[memberName(callee)]:
		return true
	}
	fn := c.prog.Follow(js.Expr{Module: v.module, Node: callee})
	if fn.Node == nil || fn.Node.Type != js.FuncLit || fn.Node.Flags&js.Generator != 0 {
		return false
	}
	results := returned(fn.Node)
	for _, r := range results {
		if r.Type != js.ObjectLit && r.Type != js.ArrayLit {
			return false
		}
	}
	return len(results) > 0
}

// variableIsFresh judges a variable by what it is bound to first, and by what is assigned
// to it.
func (c *checker) variableIsFresh(v view, field string, n *js.Node, depth int) bool {
	b := v.module.BindingOf(n)
	if b == nil || b.Owner.Type != js.Declarator || b.Owner.Kids[0] != b.Decl {
		return false
	}
	if c.isFresh(v, field, b.Owner.Kids[1], depth+1) {
		return true
	}
	for _, w := range b.Writes {
		if w.Parent.Type == js.Assign && w.Parent.Kids[0] == w && c.isFresh(v, field, w.Parent.Kids[1], depth+1) {
			return true
		}
	}
	return false
}

// returned lists the values that a function returns.
func returned(fn *js.Node) []*js.Node {
	body := fn.Kids[1]
	if body.Type != js.Block {
		return []*js.Node{body}
	}
	var list []*js.Node
	for _, r := range js.Returns(body) {
		if r.Kids[0] != nil {
			list = append(list, r.Kids[0])
		}
	}
	return list
}
