package hookasync

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// guard checks what a handler of tool.execute.before does to its own refusals.
func (c *checker) guard(h plugincode.Handler) {
	g := &guardian{checker: c, h: h, m: h.Fn.Module, tainted: make(map[*js.Binding]bool)}
	plugincode.Body(h.Fn, plugincode.Now, func(n *js.Node) {
		switch n.Type {
		case js.Throw:
			g.thrown(n)
		case js.CallExpr:
			g.called(n)
		}
	})
	if first := g.firstRefusal(); first != nil {
		g.failsOpen(first)
	}
}

// guardian is the check of one handler of tool.execute.before.
type guardian struct {
	*checker
	h       plugincode.Handler
	m       *js.Module
	tainted map[*js.Binding]bool
}

// thrown reports a refusal that a catch of the handler ends.
func (g *guardian) thrown(n *js.Node) {
	catch := g.swallower(n)
	if catch == nil || g.refusesLater(catch) || !g.dependsOnCall(n) {
		return
	}
	g.swallowed(n, catch, "this exception")
}

// swallower returns the catch of the handler that an exception at n ends in, also one around
// a callback that n stands in.
func (g *guardian) swallower(n *js.Node) *js.Node {
	for {
		if catch := swallowedBy(n); catch != nil {
			return catch
		}
		f := enclosing(n)
		if f == nil || f == g.h.Fn.Node || !runsInside(f) || f.Flags&js.Async != 0 {
			return nil
		}
		n = f.Parent
	}
}

// called reports a function that refuses, and whose refusal a catch or .catch ends.
func (g *guardian) called(n *js.Node) {
	if !g.isGuardCall(g.h, js.Expr{Module: g.m, Node: n}) {
		return
	}
	if w := waitOf(g.m, n); w.caught {
		g.report("guardswallow", g.m, n, "the .catch behind %s ends its exception: what it refuses runs all the same (let it through)", quoteCallee(g.m, n))
		return
	}
	if catch := g.swallower(n); catch != nil && !g.refusesLater(catch) {
		g.swallowed(n, catch, "the exception of "+quoteCallee(g.m, n))
	}
}

func (g *guardian) swallowed(n, catch *js.Node, what string) {
	line, _ := g.m.Position(catch.Span.Start)
	g.report("guardswallow", g.m, n, "the catch on line %d ends %s: the tool that it should stop runs (throw outside of the try, or pass the exception on)", line, what)
}

// refusesLater reports whether a catch keeps something that a throw behind it depends on.
func (g *guardian) refusesLater(catch *js.Node) bool {
	try := catch.Parent
	sets := false
	js.Walk(catch, func(n *js.Node) bool {
		sets = sets || n.Type == js.Assign || n.Type == js.CallExpr && js.CalleeName(n) == "push"
		return !sets
	})
	later := false
	plugincode.Body(g.h.Fn, plugincode.Now, func(n *js.Node) {
		later = later || n.Type == js.Throw && n.Span.Start >= try.Span.End
	})
	return sets && later
}

// dependsOnCall reports whether a node runs because of what is known of the tool call.
func (g *guardian) dependsOnCall(n *js.Node) bool {
	for _, cond := range js.Conditions(n) {
		if g.mentions(cond.Test) {
			return true
		}
	}
	for p := n.Parent; p != nil && p != g.h.Fn.Node; p = p.Parent {
		if (p.Type == js.ForOf || p.Type == js.ForIn) && g.mentions(p.Kids[1]) {
			return true
		}
	}
	return false
}

// mentions reports whether an expression has a part that comes from the arguments of the
// handler.
func (g *guardian) mentions(n *js.Node) bool {
	found := false
	js.Walk(n, func(k *js.Node) bool {
		if k.Type == js.Ident && g.isTainted(g.m.BindingOf(k)) {
			found = true
		}
		return !found
	})
	return found
}

func (g *guardian) isTainted(b *js.Binding) bool {
	if b == nil {
		return false
	}
	if known, ok := g.tainted[b]; ok {
		return known
	}
	g.tainted[b] = false // for one that depends on itself
	result := false
	switch b.Owner.Type {
	case js.FuncLit:
		result = b.Owner == g.h.Fn.Node && b.Param() >= 0
	case js.Declarator:
		result = isWithin(b.Owner, g.h.Fn.Node) && g.mentions(b.Owner.Kids[1])
		for _, w := range b.Writes {
			if p := w.Parent; p.Type == js.Assign && p.Kids[0] == w {
				result = result || g.mentions(p.Kids[1])
			}
		}
	}
	g.tainted[b] = result
	return result
}

func isWithin(n, outer *js.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
	}
	return false
}

// isGuardCall reports whether a call hands what the handler knows of the tool call to a
// function of the plugin that throws because of it.
func (c *checker) isGuardCall(h plugincode.Handler, call js.Expr) bool {
	if call.Node.Type != js.CallExpr || call.Module != h.Fn.Module {
		return false
	}
	g := &guardian{checker: c, h: h, m: h.Fn.Module, tainted: make(map[*js.Binding]bool)}
	passes := false
	for _, arg := range call.Node.Kids[1:] {
		passes = passes || g.mentions(arg)
	}
	if !passes {
		return false
	}
	for _, fn := range c.code.Called(call) {
		if c.refuses(fn) {
			return true
		}
	}
	return false
}

// refuses reports whether a function throws out of itself because of its parameters.
func (c *checker) refuses(fn js.Expr) bool {
	g := &guardian{checker: c, h: plugincode.Handler{Fn: fn}, m: fn.Module, tainted: make(map[*js.Binding]bool)}
	found := false
	plugincode.Body(fn, plugincode.Now, func(n *js.Node) {
		found = found || n.Type == js.Throw && !isBare(n) && leadsOut(fn.Module, n, fn.Node) && g.dependsOnCall(n)
	})
	return found
}

// firstRefusal returns the first node of the handler by which it refuses a call.
func (g *guardian) firstRefusal() *js.Node {
	var first *js.Node
	plugincode.Body(g.h.Fn, plugincode.Now, func(n *js.Node) {
		refuses := n.Type == js.Throw && !isBare(n) && g.dependsOnCall(n) || g.isGuardCall(g.h, js.Expr{Module: g.m, Node: n})
		if refuses && swallowedBy(n) == nil && (first == nil || n.Span.Start < first.Span.Start) {
			first = n
		}
	})
	return first
}

// failsOpen reports the returns ahead of the first refusal that let a call pass because the
// guard could not judge it.
func (g *guardian) failsOpen(first *js.Node) {
	plugincode.Body(g.h.Fn, func(*js.Node) bool { return false }, func(n *js.Node) {
		if n.Type != js.Return || n.Span.Start > first.Span.Start {
			return
		}
		if catch := catchAround(n); catch != nil {
			if !passesOn(catch) {
				g.report("guardfailopen", g.m, n, "a guard that fails lets the tool run: this return comes before its first throw (throw in the catch)")
			}
			return
		}
		if test := missingTest(n); test != nil && g.isArgument(test) && !g.isScoped(n, test) {
			g.report("guardfailopen", g.m, n, "a call whose %s is missing or has another name passes this guard unjudged, as calls of MCP tools do (ask for the tool first, and throw for what cannot be judged)", g.m.Text(test.Span))
		}
	})
}

// catchAround returns the catch that a node stands in.
func catchAround(n *js.Node) *js.Node {
	for p := n.Parent; p != nil && p.Type != js.FuncLit; p = p.Parent {
		if p.Type == js.Catch {
			return p
		}
	}
	return nil
}

// missingTest returns what an if around a return asks for: x of if (!x) return, of
// typeof x !== "string", and of x == null.
func missingTest(n *js.Node) *js.Node {
	p := n.Parent
	if p.Type == js.Block && len(p.Kids) == 1 {
		n, p = p, p.Parent
	}
	if p.Type != js.If || p.Kids[1] != n {
		return nil
	}
	return missing(p.Kids[0])
}

func missing(test *js.Node) *js.Node {
	switch {
	case test.Type == js.Unary && test.Text == "!":
		return test.Kids[0]
	case test.Type == js.Binary && test.Text == "||":
		if left := missing(test.Kids[0]); left != nil {
			return left
		}
		return missing(test.Kids[1])
	case test.Type == js.Binary && (test.Text == "!==" || test.Text == "!="):
		if left := test.Kids[0]; left.Type == js.Unary && left.Text == "typeof" {
			return left.Kids[0]
		}
	case test.Type == js.Binary && (test.Text == "===" || test.Text == "=="):
		if right := test.Kids[1]; isNothing(right) {
			return test.Kids[0]
		}
	}
	return nil
}

// isNothing reports whether an expression is null or undefined; the translation of TypeScript
// writes void 0.
func isNothing(n *js.Node) bool {
	return n.Type == js.NullLit || n.Type == js.Ident && n.Text == "undefined" || n.Type == js.Unary && n.Text == "void"
}

// isArgument reports whether an expression reads the arguments of the call.
func (g *guardian) isArgument(n *js.Node) bool {
	o, ok := g.m.OriginOf(n)
	if !ok {
		if b := g.m.BindingOf(n); n.Type == js.Ident && b != nil && b.Owner.Type == js.Declarator {
			return g.readsArgs(b.Owner.Kids[1])
		}
		return false
	}
	return o.Fn == g.h.Fn.Node && o.Param == 1 && len(o.Path) > 0 && o.Path[0] == "args"
}

// readsArgs reports whether some part of an expression reads output.args.
func (g *guardian) readsArgs(n *js.Node) bool {
	found := false
	js.Walk(n, func(k *js.Node) bool {
		if k.Type == js.Member || k.Type == js.Ident {
			o, ok := g.m.OriginOf(k)
			found = found || ok && o.Fn == g.h.Fn.Node && o.Param == 1 && len(o.Path) > 0 && o.Path[0] == "args"
		}
		return !found && k.Type != js.FuncLit
	})
	return found
}

// isScoped reports whether a test before, or around, a return asks which tool is called: the
// arguments of a tool that is known are known.
func (g *guardian) isScoped(n, test *js.Node) bool {
	for _, cond := range js.Conditions(n) {
		if g.asksForTool(cond.Test, 0) {
			return true
		}
	}
	return g.asksForTool(test, 0)
}

func (g *guardian) asksForTool(test *js.Node, depth int) bool {
	found := false
	js.Walk(test, func(k *js.Node) bool {
		if k.Type != js.Member && k.Type != js.Ident {
			return !found
		}
		if o, ok := g.m.OriginOf(k); ok {
			found = found || o.Fn == g.h.Fn.Node && o.Param == 0 && len(o.Path) > 0 && o.Path[0] == "tool"
			return !found
		}
		b := g.m.BindingOf(k)
		if k.Type == js.Ident && b != nil && b.Owner.Type == js.Declarator && depth < maxThrow && isWithin(b.Owner, g.h.Fn.Node) {
			found = found || g.asksForTool(b.Owner.Kids[1], depth+1)
		}
		return !found
	})
	return found
}
