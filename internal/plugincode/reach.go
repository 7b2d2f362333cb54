package plugincode

import (
	"github.com/ngvet/ngvet/internal/js"
)

const (
	maxDepth   = 8    // calls between a handler and a function that it reaches
	maxReached = 2000 // functions that one handler reaches
)

// Reached is a function that runs because another one does.
type Reached struct {
	Fn    js.Expr
	Calls []js.Expr // the calls that lead to it, the first one in the function that was asked about

	chain []*js.Node // the functions on the way, the one that was asked about and Fn included
}

// Conditions returns the tests under which a node of the function runs, those around the
// calls that lead to it included.
func (r Reached) Conditions(n *js.Node) []Condition {
	var list []Condition
	add := func(m *js.Module, n *js.Node) {
		for _, c := range js.Conditions(n) {
			list = append(list, Condition{m, c})
		}
	}
	add(r.Fn.Module, n)
	for _, call := range r.Calls {
		add(call.Module, call.Node)
	}
	return list
}

// Condition is a test of a module.
type Condition struct {
	Module *js.Module
	js.Condition
}

// Reach returns fn itself and the functions of the plugin that run because it does: those
// that it calls or passes on, nested functions included, each once with the shortest way.
func (c *Code) Reach(fn js.Expr) []Reached { return c.reach(fn, All) }

// ReachNow is Reach without what a nested function does that is only made, not called: the
// code that has run when a factory returns.
func (c *Code) ReachNow(fn js.Expr) []Reached { return c.reach(fn, Now) }

func (c *Code) reach(fn js.Expr, enters func(*js.Node) bool) []Reached {
	list := []Reached{{Fn: fn, chain: []*js.Node{fn.Node}}}
	seen := map[*js.Node]bool{fn.Node: true}
	for i := 0; i < len(list) && len(list) < maxReached; i++ {
		from := list[i]
		if len(from.Calls) >= maxDepth {
			continue
		}
		Body(from.Fn, enters, func(n *js.Node) {
			if n.Type != js.CallExpr && n.Type != js.New {
				return
			}
			call := js.Expr{Module: from.Fn.Module, Node: n}
			for _, target := range c.called(call, enters) {
				c.addSite(target.Node, call)
				if !seen[target.Node] && !within(target.Node, from.Fn.Node, enters) {
					seen[target.Node] = true
					list = append(list, from.then(call, target))
				}
			}
		})
	}
	return list
}

// Chain returns the functions on the way, the one that was asked about and Fn included:
// call number i leads from the i-th to the next one.
func (r Reached) Chain() []*js.Node { return r.chain }

// then returns what r reaches by a call.
func (r Reached) then(call, target js.Expr) Reached {
	return Reached{
		Fn:    target,
		Calls: append(r.Calls[:len(r.Calls):len(r.Calls)], call),
		chain: append(r.chain[:len(r.chain):len(r.chain)], target.Node),
	}
}

// Body calls f for the nodes of a function that run when it does: parameters, and the
// bodies of nested functions that enters admits.
func Body(fn js.Expr, enters func(*js.Node) bool, f func(*js.Node)) {
	for _, kid := range fn.Node.Kids[1:] {
		js.Walk(kid, func(n *js.Node) bool {
			if n.Type == js.FuncLit && !enters(n) {
				return false
			}
			f(n)
			return true
		})
	}
}

// All admits every nested function to Body.
func All(*js.Node) bool { return true }

// Now admits the nested functions that are called on the spot: where they stand, by a
// method such as map, or before an await goes on.
func Now(n *js.Node) bool {
	p := n.Parent
	return p.Type == js.CallExpr && (p.Kids[0] == n || immediate[js.CalleeName(p)]) || p.Type == js.New && p.Kids[0].Text == "Promise"
}

// immediate are the methods and functions that call what they get without being told to.
var immediate = map[string]bool{
	"map": true, "forEach": true, "filter": true, "find": true, "findIndex": true, "some": true, "every": true, "flatMap": true, "reduce": true, "sort": true,
	"then": true, "catch": true, "finally": true, "from": true,
}

// within reports whether a nested function is walked through with the one around it.
func within(fn, outer *js.Node, enters func(*js.Node) bool) bool {
	for n := fn; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
		if n.Type == js.FuncLit && !enters(n) {
			return false
		}
	}
	return false
}

func (c *Code) addSite(fn *js.Node, call js.Expr) {
	for _, old := range c.sites[fn] {
		if old.Node == call.Node {
			return
		}
	}
	c.sites[fn] = append(c.sites[fn], call)
}

// called returns the functions of the plugin that a call runs: what it calls, and what it
// passes on by name where a function literal there would be admitted.
func (c *Code) called(call js.Expr, enters func(*js.Node) bool) []js.Expr {
	list := c.functions(js.Expr{Module: call.Module, Node: call.Node.Kids[0]}, 0)
	for _, arg := range call.Node.Kids[1:] {
		if arg.Type != js.Ident && arg.Type != js.Member || !enters(arg) {
			continue
		}
		if to := c.Prog.Follow(js.Expr{Module: call.Module, Node: arg}); isFunction(to) {
			list = append(list, to)
		}
	}
	return list
}

// Called returns the functions of the plugin that a call runs itself, without those that
// it only passes on. It knows parameters by the calls that [Read] and Reach have met.
func (c *Code) Called(call js.Expr) []js.Expr {
	return c.functions(js.Expr{Module: call.Module, Node: call.Node.Kids[0]}, 0)
}

// functions returns the functions of the plugin that e may be: also a method of a class, or
// a member of an object that a local call makes.
func (c *Code) functions(e js.Expr, depth int) []js.Expr {
	e = c.Prog.Follow(assignedOnce(e))
	switch {
	case e.Node == nil || depth > maxDepth:
		return nil
	case isFunction(e):
		return []js.Expr{e}
	case e.Node.Type == js.ClassLit:
		return methods(e, "constructor")
	case e.Node.Type == js.Member:
		return c.memberFunctions(e, depth)
	case e.Node.Type == js.Ident:
		return c.passedFunctions(e, depth)
	}
	return nil
}

// memberFunctions returns the functions that a member may be.
func (c *Code) memberFunctions(e js.Expr, depth int) []js.Expr {
	key := MemberName(e.Node)
	if key == "" {
		return nil
	}
	object := e.Node.Kids[0]
	if object.Type == js.This {
		return methods(js.Expr{Module: e.Module, Node: classOf(object)}, key)
	}
	var list []js.Expr
	for _, r := range c.Prog.Results(assignedOnce(js.Expr{Module: e.Module, Node: object})) {
		if r.Node.Type == js.New {
			list = append(list, methods(c.Prog.Follow(js.Expr{Module: r.Module, Node: r.Node.Kids[0]}), key)...)
			continue
		}
		props, _ := r.Object()
		for _, p := range props {
			if p.Key == key {
				list = append(list, c.functions(p.Value, depth+1)...)
			}
		}
	}
	return list
}

// passedFunctions returns the functions that the known calls pass for a parameter.
func (c *Code) passedFunctions(e js.Expr, depth int) []js.Expr {
	b := e.Module.BindingOf(e.Node)
	if b == nil || b.Param() < 0 || len(b.Writes) > 0 || b.Owner.Kids[2+b.Param()] != b.Decl {
		return nil
	}
	var list []js.Expr
	for _, site := range c.sites[b.Owner] {
		if i := 1 + b.Param(); i < len(site.Node.Kids) && site.Node.Kids[i].Type != js.Spread {
			list = append(list, c.functions(js.Expr{Module: site.Module, Node: site.Node.Kids[i]}, depth+1)...)
		}
	}
	return list
}

// classOf returns the class around a use of this, or nil.
func classOf(n *js.Node) *js.Node {
	for ; n != nil; n = n.Parent {
		if n.Type == js.ClassLit {
			return n
		}
	}
	return nil
}

// methods returns the method of a class with the given name.
func methods(class js.Expr, key string) []js.Expr {
	if class.Node == nil || class.Node.Type != js.ClassLit {
		return nil
	}
	for _, member := range class.Node.Kids[2:] {
		name, value := member.Kids[0], member.Kids[1]
		if name != nil && value != nil && member.Flags&js.Computed == 0 && name.Text == key && value.Type == js.FuncLit && member.Text != "get" && member.Text != "set" {
			return []js.Expr{{Module: class.Module, Node: value}}
		}
	}
	return nil
}

// assignedOnce follows a variable that is declared without a value and gets one at a single
// place: where it is used it has that value or none.
func assignedOnce(e js.Expr) js.Expr {
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
