package hookio

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

const (
	maxDepth = 8 // functions that an argument is followed through
	maxSteps = 4 // variables between a value and what it is made of
)

// The parameters of a handler of a trigger hook.
const (
	inputParam  = 0
	outputParam = 1
)

// view is a function whose parameter number param is an argument of a hook.
type view struct {
	module *js.Module
	fn     *js.Node
	param  int
}

// path returns what n is of the argument: "" for the argument itself, "args.command" for a
// member of a field.
func (v view) path(n *js.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	o, ok := v.module.OriginOf(n)
	if !ok || o.Fn != v.fn || o.Param != v.param {
		return "", false
	}
	return strings.Join(o.Path, "."), true
}

// is reports whether n is the argument itself.
func (v view) is(n *js.Node) bool {
	path, ok := v.path(n)
	return ok && path == ""
}

// field returns the field of the argument that a Member is, not one reached through an
// alias of the field.
func (v view) field(n *js.Node) (string, bool) {
	if n == nil || n.Type != js.Member || !v.is(n.Kids[0]) {
		return "", false
	}
	path, ok := v.path(n)
	return path, ok && path != "*"
}

// views returns the functions that see the argument number param of a handler: itself, and
// those of the plugin that it hands the whole argument to.
func (c *checker) views(h handler, param int) []view {
	list := []view{{h.module, h.fn, param}}
	seen := map[view]bool{list[0]: true}
	for depth, next := 0, list; depth < maxDepth && len(next) > 0; depth++ {
		var further []view
		for _, v := range next {
			for _, w := range c.handedOn(v) {
				if !seen[w] {
					seen[w] = true
					further = append(further, w)
				}
			}
		}
		list, next = append(list, further...), further
	}
	return list
}

// handedOn returns the functions that v calls with its argument.
func (c *checker) handedOn(v view) []view {
	var list []view
	js.Walk(v.fn, func(n *js.Node) bool {
		if n.Type != js.CallExpr {
			return true
		}
		for i, arg := range n.Kids[1:] {
			if arg.Type == js.Spread {
				break // the places of the arguments after it are not known
			}
			if !v.is(arg) {
				continue
			}
			for _, fn := range c.functions(js.Expr{Module: v.module, Node: n.Kids[0]}, 0) {
				list = append(list, view{fn.Module, fn.Node, i})
			}
		}
		return true
	})
	return list
}

// functions returns the functions of the plugin that e may be: also a member of an object
// that a local call makes.
func (c *checker) functions(e js.Expr, depth int) []js.Expr {
	e = c.prog.Follow(c.assignedOnce(e))
	switch {
	case e.Node == nil || depth > maxDepth:
		return nil
	case e.Node.Type == js.FuncLit && !js.IsAccessor(e.Node):
		return []js.Expr{e}
	case e.Node.Type != js.Member:
		return nil
	}
	key := memberName(e.Node)
	var list []js.Expr
	for _, object := range c.prog.Results(c.assignedOnce(js.Expr{Module: e.Module, Node: e.Node.Kids[0]})) {
		props, _ := object.Object()
		for _, p := range props {
			if key != "" && p.Key == key {
				list = append(list, c.functions(p.Value, depth+1)...)
			}
		}
	}
	return list
}

// assignedOnce follows a variable that is declared without a value and gets one at a single
// place: where it is used it has that value or none.
func (c *checker) assignedOnce(e js.Expr) js.Expr {
	if e.Node.Type != js.Ident {
		return e
	}
	b := e.Module.BindingOf(e.Node)
	if b == nil || b.Owner.Type != js.Declarator || b.Owner.Kids[1] != nil || len(b.Writes) != 1 {
		return e
	}
	if w := b.Writes[0]; w.Parent.Type == js.Assign && w.Parent.Text == "=" && w.Parent.Kids[0] == w {
		return js.Expr{Module: e.Module, Node: w.Parent.Kids[1]}
	}
	return e
}

// memberName returns the name of a member, "" for one that is computed.
func memberName(n *js.Node) string {
	key := n.Kids[1]
	if n.Flags&js.Computed == 0 || key.Type == js.StringLit {
		return key.Text
	}
	return ""
}

// propertyOf returns the property of an object pattern or literal with the given key.
func propertyOf(object *js.Node, key string) *js.Node {
	for _, p := range object.Kids {
		if p.Type == js.Property && p.Flags&js.Computed == 0 && p.Kids[0].Text == key {
			return p
		}
	}
	return nil
}
