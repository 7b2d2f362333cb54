package pluginstate

import (
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// corruptOverwrites reports files whose content is replaced by defaults when it cannot be
// parsed, where the plugin writes those back.
func (c *checker) corruptOverwrites(fn js.Expr) {
	ops := c.ops(fn)
	if len(ops) == 0 {
		return
	}
	plugincode.Body(fn, plugincode.Now, func(n *js.Node) {
		if n.Type != js.Try || n.Kids[1] == nil || !c.swallows(fn.Module, n) {
			return
		}
		for _, r := range ops {
			if r.kind != opRead || innermostTry(r.site) != n || !isNamed(c.family(r.path)) || cacheName.match(r.path) || !c.failsIn(fn, n.Kids[0], r) || !c.goesOn(fn, n, r) {
				continue
			}
			w, ok := c.writtenBack(r, n.Kids[0])
			if !ok {
				continue
			}
			f := c.report("corruptoverwrite", js.Expr{Module: fn.Module, Node: n.Kids[1]}, "when the file cannot be parsed the plugin goes on with defaults and writes those over it; one half-written file and everything in it is gone: take defaults only when it is missing (ENOENT), else keep it under another name")
			f.Related = []finding.Related{{At: finding.Place{Module: w.Module, Span: w.Node.Span}, Message: "written here"}}
		}
	})
}

// innermostTry returns the Try whose catch gets what a node throws, or nil.
func innermostTry(n *js.Node) *js.Node {
	for ; n.Parent != nil; n = n.Parent {
		if p := n.Parent; p.Type == js.Try && p.Kids[0] == n && p.Kids[1] != nil {
			return p
		}
		if n.Type == js.FuncLit && n.Parent.Type != js.CallExpr {
			return nil
		}
	}
	return nil
}

// goesOn reports whether what a failed read leaves is used: the catch returns or assigns
// something, or a variable that the try would have set lives on.
func (c *checker) goesOn(fn js.Expr, try *js.Node, r op) bool {
	v := c.flow(fn, r.site)
	goes := false
	js.Walk(try.Kids[1].Kids[1], func(n *js.Node) bool {
		switch n.Type {
		case js.Return:
			goes = goes || n.Kids[0] != nil
		case js.Assign:
			goes = goes || v.has(n.Kids[0])
		}
		return !goes && n.Type != js.FuncLit
	})
	if goes || leaves(try.Kids[1].Kids[1]) {
		return goes
	}
	for b := range v.vars {
		if contains(try, b.Decl) || b.Owner.Type != js.Declarator || !isDefault(b.Owner.Kids[1]) {
			continue
		}
		for _, ref := range b.Refs {
			goes = goes || !c.isVaried(b) || ref.Span.Start > try.Span.End
		}
	}
	return goes
}

// isDefault reports whether a variable starts with a value to go on with.
func isDefault(n *js.Node) bool {
	if n == nil {
		return false
	}
	switch n.Type {
	case js.ObjectLit, js.ArrayLit, js.New, js.CallExpr, js.Await:
		return true
	}
	return false
}

// leaves reports whether a block ends by leaving its function.
func leaves(block *js.Node) bool {
	if len(block.Kids) == 0 {
		return false
	}
	last := block.Kids[len(block.Kids)-1]
	return last.Type == js.Return || last.Type == js.Throw || last.Type == js.Continue
}

var cacheName = words{"cache"}

func contains(outer, n *js.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
	}
	return false
}

// failsIn reports whether a file that cannot be parsed leads from the block of a try to its
// catch.
func (c *checker) failsIn(fn js.Expr, block *js.Node, r op) bool {
	if r.deep == 0 && js.CalleeName(r.call.Node) == "json" {
		return true
	}
	return c.parsesIn(fn, block, r) || r.deep > 0 && c.throwsBelow(fn, r)
}

// throwsBelow reports whether a function that a call leads to parses the file and lets the
// failure out.
func (c *checker) throwsBelow(fn js.Expr, r op) bool {
	for _, callee := range c.callees(fn.Module, r.site) {
		if callee.Node == fn.Node {
			continue
		}
		for _, o := range c.ops(callee) {
			if o.call.Node == r.call.Node && o.deep < r.deep && innermostTry(o.site) == nil && c.isParsed(callee, o) {
				return true
			}
		}
	}
	return false
}

// swallows reports whether a catch makes defaults of every error: it neither throws, nor
// looks at the error, nor keeps the file, nor reports failure.
func (c *checker) swallows(m *js.Module, try *js.Node) bool {
	catch := try.Kids[1]
	ok := true
	js.Walk(catch.Kids[1], func(n *js.Node) bool {
		switch n.Type {
		case js.Throw:
			ok = false
		case js.Assign: // isCorrupt = true
			ok = ok && (n.Kids[1].Type != js.BoolLit || n.Kids[1].Text != "true")
		case js.If, js.Cond, js.Switch:
			ok = ok && !c.mentionsError(m, catch, n.Kids[0])
		case js.Return:
			ok = ok && !reportsFailure(n.Kids[0])
		case js.CallExpr, js.New:
			ok = ok && !c.keepsFile(m, n)
		}
		return ok
	})
	return ok
}

func (c *checker) mentionsError(m *js.Module, catch, test *js.Node) bool {
	found := false
	js.Walk(test, func(n *js.Node) bool {
		if n.Type == js.Ident {
			b := m.BindingOf(n)
			found = found || b != nil && b.Owner == catch
		}
		return !found
	})
	return found
}

// reportsFailure reports whether what a catch returns tells the caller that there is nothing.
func reportsFailure(n *js.Node) bool {
	if n == nil {
		return false
	}
	switch n.Type {
	case js.NullLit, js.BoolLit:
		return true
	case js.Ident:
		return n.Text == "undefined"
	case js.ObjectLit: // { ok: false, error }
		for _, p := range n.Kids {
			if p.Type == js.Property && failureKeys[p.Kids[0].Text] {
				return true
			}
		}
	}
	return false
}

var failureKeys = map[string]bool{"error": true, "ok": true, "success": true, "err": true, "corrupt": true, "invalid": true}

// keepsFile reports whether a call in a catch puts the file aside.
func (c *checker) keepsFile(m *js.Module, n *js.Node) bool {
	if keepName.match(js.CalleeName(n)) {
		return true
	}
	if o, ok := c.fileOp(js.Expr{Module: m, Node: n}); ok {
		return o.kind == opRename || o.kind == opCopy
	}
	for _, fn := range c.callees(m, n) {
		for _, o := range c.ops(fn) {
			if o.kind == opRename || o.kind == opCopy {
				return true
			}
		}
	}
	return false
}

var keepName = words{"backup", "quarantine", "corrupt", "recover", "exit", "preserve", "archive"}

// writtenBack returns the call that writes to the file of a read what was made of it,
// outside of the block that a failure leaves.
func (c *checker) writtenBack(read op, try *js.Node) (js.Expr, bool) {
	family := c.family(read.path)
	for _, fn := range c.functions {
		for _, r := range c.ops(fn) {
			if r.call.Node != read.call.Node || c.family(r.path) != family {
				continue
			}
			for _, w := range c.ops(fn) {
				if c.replacesFamily(w, family) && !contains(try, w.site) && c.carries(fn, r, w) {
					return w.call, true
				}
			}
			if w, ok := c.writtenElsewhere(c.flow(fn, r.site), family); ok {
				return w, true
			}
		}
	}
	return js.Expr{}, false
}

func (c *checker) replacesFamily(o op, family string) bool {
	return o.kind == opWrite && c.family(o.path) == family || o.kind == opRename && c.family(o.to) == family
}

// writtenElsewhere looks for a write, by any function, of a variable that keeps what was read.
func (c *checker) writtenElsewhere(v values, family string) (js.Expr, bool) {
	for _, fn := range c.functions {
		for _, w := range c.ops(fn) {
			if w.kind != opWrite || w.data.Node == nil || !v.keepsIn(c, w.data) {
				continue
			}
			if c.family(w.path) == family {
				return w.call, true
			}
			for _, r := range c.ops(fn) {
				if r.kind == opRename && r.path == w.path && c.family(r.to) == family {
					return w.call, true
				}
			}
		}
	}
	return js.Expr{}, false
}

// keepsIn reports whether an expression names a variable that holds the value and outlives
// the call of a handler.
func (v values) keepsIn(c *checker, e js.Expr) bool {
	found := false
	js.Walk(e.Node, func(n *js.Node) bool {
		if n.Type == js.Ident {
			b := e.Module.BindingOf(n)
			found = found || b != nil && v.vars[b] && !c.isVaried(b)
		}
		return !found
	})
	return found
}
