package hookname

import (
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// maxDepth bounds how far an event is followed from function to function.
const maxDepth = 8

// view is a function that sees an event: its parameter number param holds what the host's
// input holds at path, such as ["event"].
type view struct {
	module *js.Module
	fn     *js.Node
	param  int
	path   string // of the steps, joined by "."
}

// events checks the functions that the event hooks are made of. What one plugin compares
// and reads is judged as a whole: a name that is gone may stay beside its successor.
func (c *checker) events(objects []js.HooksObject) {
	r := &reader{checker: c, seen: map[view]bool{}}
	for _, o := range objects {
		for _, p := range o.Props {
			if p.Key != "event" {
				continue
			}
			for _, e := range c.prog.Results(p.Value) {
				if e.Node.Type == js.FuncLit && !js.IsAccessor(e.Node) {
					r.read(view{module: e.Module, fn: e.Node}, 0)
				}
			}
		}
	}
	c.eventTypes(r)
	c.eventFields(r)
	c.eventParams(r)
}

// reader collects what event hooks do with events.
type reader struct {
	*checker
	seen map[view]bool

	types  []tested // strings that the type of an event is tested for
	fields []field  // properties of an event
	params []named  // type and properties, read from the hook's parameter itself
	event  bool     // the member event of the hook's parameter is read
}

// named is a name at a place.
type named struct {
	name string
	at   finding.Place
}

// tested is a string that the type of an event is compared with.
type tested struct {
	named
	beside []string // the alternatives in the same condition
}

// field is a read of a property of an event.
type field struct {
	named
	types []string // the types that the event can have here; nil when it can have any
}

// read collects from one function and from those that it hands the event to.
func (r *reader) read(v view, depth int) {
	if r.seen[v] || depth > maxDepth {
		return
	}
	r.seen[v] = true
	js.Walk(v.fn, func(n *js.Node) bool {
		r.tests(v, n)
		r.reads(v, n)
		if n.Type == js.CallExpr || n.Type == js.New {
			r.handedOn(v, n, depth)
		}
		return true
	})
}

// pathOf returns what n holds of the host's input: "event.type" for the type of the event.
func (v view) pathOf(n *js.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	o, ok := v.module.OriginOf(n)
	if !ok || o.Fn != v.fn || o.Param != v.param {
		return "", false
	}
	path := v.path
	for _, step := range o.Path {
		if path != "" {
			path += "."
		}
		path += step
	}
	return path, true
}

func (v view) isType(n *js.Node) bool {
	path, ok := v.pathOf(n)
	return ok && path == "event.type"
}

// tests collects the strings with which n compares the type of the event.
func (r *reader) tests(v view, n *js.Node) {
	switch n.Type {
	case js.Binary:
		if other := v.comparedWith(n); other != nil {
			r.text(v, other, r.alternatives(v, n))
		}
	case js.Switch:
		if v.isType(n.Kids[0]) {
			for _, k := range n.Kids[1:] {
				r.text(v, k.Kids[0], nil)
			}
		}
	case js.Member:
		if n.Flags&js.Computed != 0 && v.isType(n.Kids[1]) {
			r.members(v, n.Kids[0])
		}
	case js.CallExpr:
		if callee := n.Kids[0]; len(n.Kids) == 2 && v.isType(n.Kids[1]) && callee.Type == js.Member && isLookup(callee.Kids[1].Text) {
			r.members(v, callee.Kids[0])
		}
	}
}

func isEquality(operator string) bool {
	return slices.Contains([]string{"===", "==", "!==", "!="}, operator)
}

func isLookup(method string) bool {
	return slices.Contains([]string{"has", "includes", "indexOf", "get"}, method)
}

// comparedWith returns what a comparison compares the type with, or nil.
func (v view) comparedWith(n *js.Node) *js.Node {
	switch {
	case n.Type != js.Binary || !isEquality(n.Text):
		return nil
	case v.isType(n.Kids[0]):
		return n.Kids[1]
	case v.isType(n.Kids[1]):
		return n.Kids[0]
	}
	return nil
}

// alternatives returns the types that the condition around a comparison names beside it:
// a === x || a === y, or a !== x && a !== y.
func (r *reader) alternatives(v view, comparison *js.Node) []string {
	joint := "||"
	if strings.HasPrefix(comparison.Text, "!") {
		joint = "&&"
	}
	top := comparison
	for top.Parent != nil && top.Parent.Type == js.Binary && top.Parent.Text == joint {
		top = top.Parent
	}
	var names []string
	js.Walk(top, func(n *js.Node) bool {
		if n == comparison || n.Type != js.Binary {
			return false
		}
		if other := v.comparedWith(n); other != nil && n.Text[0] == comparison.Text[0] {
			if name, ok := r.constant(v, other); ok {
				names = append(names, name)
			}
		}
		return n.Text == joint || n.Text == "&&"
	})
	return names
}

// constant evaluates a string. An empty one is no name of a type: it asks whether there is
// any.
func (r *reader) constant(v view, n *js.Node) (string, bool) {
	s, err := r.prog.Eval(js.Expr{Module: v.module, Node: n})
	return s.Str, err == nil && s.Kind == js.String && s.Str != ""
}

func (r *reader) text(v view, n *js.Node, beside []string) {
	if n == nil {
		return
	}
	if name, ok := r.constant(v, n); ok {
		r.types = append(r.types, tested{named{name, finding.Place{Module: v.module, Span: n.Span}}, beside})
	}
}

// members collects the strings in a constant set, array, map or record.
func (r *reader) members(v view, n *js.Node) {
	c, err := r.prog.Eval(js.Expr{Module: v.module, Node: n})
	if err != nil {
		return
	}
	add := func(name js.Value, m *js.Module, span js.Span) {
		if name.Kind == js.String && name.Str != "" && m != nil {
			r.types = append(r.types, tested{named: named{name.Str, finding.Place{Module: m, Span: span}}})
		}
	}
	for _, e := range c.Elems {
		add(e, e.Module, e.Span)
	}
	for _, e := range c.Entries {
		add(e.Key, e.KeyModule, e.KeySpan)
	}
}

// reads collects the properties of the event, and the members of the parameter itself, that
// n reads.
func (r *reader) reads(v view, n *js.Node) {
	if n.Type != js.Member && n.Type != js.Ident {
		return
	}
	path, ok := v.pathOf(n)
	if !ok {
		return
	}
	name, at := lastStep(path), finding.Place{Module: v.module, Span: n.Span}
	if n.Type == js.Member {
		at.Span = n.Kids[1].Span
	}
	switch path {
	case "event":
		r.event = true
	case "event.properties." + name:
		r.fields = append(r.fields, field{named{name, at}, v.typesAt(n)})
	case "type", "properties":
		r.params = append(r.params, named{name, at})
	}
}

// handedOn follows the event into a function of this plugin.
func (r *reader) handedOn(v view, call *js.Node, depth int) {
	for i, arg := range call.Kids[1:] {
		if arg.Type == js.Spread {
			return // the places of the arguments after it are not known
		}
		path, ok := v.pathOf(arg)
		if !ok {
			continue
		}
		e := r.prog.Follow(js.Expr{Module: v.module, Node: call.Kids[0]})
		if e.Node == nil || e.Node.Type != js.FuncLit || js.IsAccessor(e.Node) {
			return
		}
		r.read(view{module: e.Module, fn: e.Node, param: i, path: path}, depth+1)
	}
}
