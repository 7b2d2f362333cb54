package hookasync

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// enclosing returns the function that a node runs in, nil at the top of a module.
func enclosing(n *js.Node) *js.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Type == js.FuncLit {
			return p
		}
	}
	return nil
}

// swallowedBy returns the catch that an exception at n ends in, within its function; nil
// when none does. A catch with a throw in it may pass the exception on.
func swallowedBy(n *js.Node) *js.Node {
	for ; n.Parent != nil && n.Type != js.FuncLit; n = n.Parent {
		if try := n.Parent; try.Type == js.Try && try.Kids[0] == n && try.Kids[1] != nil && !passesOn(try.Kids[1]) {
			return try.Kids[1]
		}
	}
	return nil
}

// passesOn reports whether a catch, or a callback of one, can end in an exception of its
// own will: a throw, a rejected promise, or a call that never returns such as fail(err).
func passesOn(n *js.Node) bool {
	found := false
	js.Walk(n, func(k *js.Node) bool {
		switch {
		case k.Type == js.Throw:
			found = true
		case k.Type == js.CallExpr && js.CalleeName(k) == "reject":
			found = true
		}
		return !found && (k.Type != js.FuncLit || k == n)
	})
	return found
}

// wait tells what becomes of a promise.
type wait struct {
	waited bool // its function goes on, or ends, only after it
	caught bool // its rejection is handled on the way
	known  bool // false: it is handed to something that is not followed
}

// waitOf follows what a function does with the promise that n is.
func waitOf(m *js.Module, n *js.Node) wait { return waits(m, n, 0) }

// maxWait bounds the names and methods that a promise goes through.
const maxWait = 16

func waits(m *js.Module, n *js.Node, depth int) wait {
	p := n.Parent
	if depth > maxWait || p == nil {
		return wait{}
	}
	again := func(n *js.Node) wait { return waits(m, n, depth+1) }
	switch p.Type {
	case js.Await, js.Return:
		return wait{waited: true, known: true}
	case js.FuncLit:
		return wait{waited: true, known: p.Kids[1] == n}
	case js.ExprStmt:
		return wait{known: true}
	case js.Unary:
		return wait{} // void says that somebody thought of it
	case js.Member:
		if call := p.Parent; p.Kids[0] == n && call.Type == js.CallExpr && call.Kids[0] == p && keepsPromise[plugincode.MemberName(p)] {
			return method(call, again)
		}
	case js.Cond, js.Binary, js.Sequence, js.Default:
		return again(p)
	case js.Spread:
		return again(p)
	case js.ArrayLit:
		return again(p)
	case js.CallExpr:
		return combined(m, p, n, again)
	case js.Declarator:
		return named(m, p, again)
	}
	return wait{}
}

// keepsPromise are the methods of a promise, and of a command of Bun's shell, that give
// another one.
var keepsPromise = map[string]bool{
	"then": true, "catch": true, "finally": true,
	"quiet": true, "nothrow": true, "throws": true, "cwd": true, "env": true, "text": true, "json": true, "lines": true,
}

// method follows promise.name(...).
func method(call *js.Node, again func(*js.Node) wait) wait {
	w := again(call)
	switch js.CalleeName(call) {
	case "catch":
		w.caught = w.caught || len(call.Kids) > 1 && !passesOn(call.Kids[1])
	case "then":
		w.caught = w.caught || len(call.Kids) > 2
	}
	return w
}

// combined follows a promise that Promise.all or allSettled gets. Promise.race may bound it.
func combined(m *js.Module, call, arg *js.Node, again func(*js.Node) wait) wait {
	switch m.Text(call.Kids[0].Span) {
	case "Promise.all":
		return again(call)
	case "Promise.allSettled":
		w := again(call)
		w.caught = true
		return w
	}
	return wait{}
}

// named follows a promise that a variable holds: what the uses of the variable do.
func named(m *js.Module, d *js.Node, again func(*js.Node) wait) wait {
	b := m.BindingOf(d.Kids[0])
	if d.Kids[0].Type != js.Ident || b == nil || len(b.Refs) > maxWait {
		return wait{}
	}
	var all wait
	for _, ref := range b.Refs {
		w := again(ref)
		all.waited = all.waited || w.waited
		all.caught = all.caught || w.caught
		all.known = all.known || w.known
	}
	return all
}

// leadsOut reports whether an exception at n leaves the function fn that n lies in, or
// rejects the promise that fn returns: no catch is in the way, and of nested functions only
// those that fn itself runs.
func leadsOut(m *js.Module, n, fn *js.Node) bool {
	for {
		if swallowedBy(n) != nil {
			return false
		}
		f := enclosing(n)
		if f == nil || f == fn {
			return f == fn
		}
		call := f.Parent
		switch js.CalleeName(callOr(call)) {
		case "then", "catch", "finally":
			if w := waitOf(m, call); !w.waited || w.caught {
				return false
			}
		default:
			if !plugincode.Now(f) || f.Flags&js.Async != 0 || call.Type == js.New {
				return false
			}
		}
		n = call
	}
}

// noCall stands for a parent that is no call.
var noCall = &js.Node{Type: js.CallExpr, Kids: []*js.Node{{Type: js.NullLit}}}

func callOr(n *js.Node) *js.Node {
	if n.Type == js.CallExpr {
		return n
	}
	return noCall
}

// escapes reports whether an exception at a node of a function that a handler reaches
// leaves the handler.
func (c *checker) escapes(r plugincode.Reached, n *js.Node) bool {
	if !leadsOut(r.Fn.Module, n, r.Fn.Node) {
		return false
	}
	chain := r.Chain()
	for i, call := range r.Calls {
		if !leadsOut(call.Module, call.Node, chain[i]) || !c.calls(call, chain[i+1]) {
			return false
		}
		if chain[i+1].Flags&js.Async != 0 {
			if w := waitOf(call.Module, call.Node); !w.waited || w.caught {
				return false
			}
		} else if w := waitOf(call.Module, call.Node); w.caught {
			return false
		}
	}
	return true
}

// calls reports whether a call runs a function itself and does not only pass it on.
func (c *checker) calls(call js.Expr, fn *js.Node) bool {
	for _, f := range c.code.Called(call) {
		if f.Node == fn {
			return true
		}
	}
	return false
}
