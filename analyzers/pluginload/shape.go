package pluginload

import (
	"bytes"

	"github.com/ngvet/ngvet/internal/js"
)

// v1 checks a default export that is an object. It reports whether it is one that OpenCode
// loads as such, so that other exports do not matter, and whether that can be told at all.
func (c *checker) v1() (v1, decided bool) {
	e, ok := c.defaultExport()
	if !ok {
		return false, true
	}
	values := c.prog.Results(e.Value)
	if len(values) == 0 {
		return false, false
	}
	decided = true
	for _, value := range values {
		switch value.Node.Type {
		case js.FuncLit, js.ClassLit:
		case js.ObjectLit:
			if c.object(e, value) {
				v1 = true
			}
		default:
			decided = decided && c.prog.ShapeOf(value) != js.ShapeUnknown
		}
	}
	return v1, decided
}

// object checks one object that is exported by default. It reports whether it is a plugin
// object, of this or of another kind.
func (c *checker) object(e js.EntryExport, value js.Expr) bool {
	props, _ := value.Object()
	members := make(map[string]js.Prop)
	for _, p := range props {
		if p.Spread || p.Key == "" {
			return true // what it has is known at run time only
		}
		members[p.Key] = p
	}
	server, hasServer := members["server"]
	_, hasTUI := members["tui"]
	_, hasSetup := members["setup"]
	if !hasServer {
		if !hasTUI && !hasSetup && c.isPlugin() {
			c.report("v1shape", c.entry, e.Via.Span, "the default export has no server: OpenCode %s does not load the plugin and says so only in its log (export default { id, server }, or a function)",
				c.table.Version())
		}
		return true
	}
	if hasTUI {
		c.drop(members["tui"], "the plugin has both server and tui: OpenCode %s does not load it and says so only in its log (use two modules, ./server and ./tui in exports)")
	}
	if shape := c.prog.ShapeOf(server.Value); shape != js.ShapeUnknown && shape != js.ShapeFunction {
		c.drop(server, "server is "+string(shape)+", not a function: OpenCode %s does not load the plugin and says so only in its log")
	}
	c.id(e, value, members)
	return true
}

// drop reports a member for which the plugin is not loaded.
func (c *checker) drop(p js.Prop, format string) {
	c.report("v1shape", p.Module, p.KeySpan, format, c.table.Version())
}

// id checks the name that a plugin at a path must bring itself.
func (c *checker) id(e js.EntryExport, value js.Expr, members map[string]js.Prop) {
	id, ok := members["id"]
	if !ok {
		if !c.isPackageEntry() {
			c.report("v1shape", c.entry, e.Via.Span, "the default export has no id: OpenCode %s does not load a plugin without one from a path and says so only in its log",
				c.table.Version())
		}
		return
	}
	v, err := c.prog.Eval(id.Value)
	if err != nil || v.Kind == js.Formula && v.Fn.Node == nil {
		return
	}
	if (v.Kind != js.String || isBlank(v.Str)) && !c.isPackageEntry() {
		c.drop(id, "id is no string with text in it: OpenCode %s does not load the plugin from a path and says so only in its log")
	}
}

func isBlank(s string) bool {
	for _, r := range s {
		if r != ' ' && r != '\t' && r != '\n' && r != '\r' {
			return false
		}
	}
	return true
}

// globals are the names that a default export may have without being declared.
var globals = map[string]bool{
	"undefined": true, "NaN": true, "Infinity": true, "globalThis": true, "process": true, "console": true,
	"Object": true, "Function": true, "Array": true, "Bun": true, "module": true, "exports": true, "require": true,
}

// unbound checks that what is exported by default exists, and that a method of an object
// does not need that object.
func (c *checker) unbound() {
	e, ok := c.defaultExport()
	if !ok || e.Via.Name != "default" || e.Via.Value.Node == nil {
		return
	}
	n := e.Via.Value.Node
	if n.Type == js.Ident && c.entry.BindingOf(n) == nil && !globals[n.Text] && !c.isType(n.Text) {
		c.report("unbounddefault", c.entry, n.Span, "%s is not declared in this module, so that loading it throws: OpenCode %s goes on without the plugin and leaves no trace",
			n.Text, c.table.Version())
		return
	}
	c.method(js.Expr{Module: c.entry, Node: n})
	for _, value := range c.prog.Results(js.Expr{Module: c.entry, Node: n}) {
		if value.Node.Type != js.ObjectLit {
			continue
		}
		props, _ := value.Object()
		for _, p := range props {
			if p.Key == "server" && !p.Method {
				c.method(p.Value)
			}
		}
	}
}

// isType reports whether a name may be that of a type, whose export is erased with it. The
// tree holds no types.
func (c *checker) isType(name string) bool {
	for _, line := range bytes.Split(c.entry.Source(), []byte("\n")) {
		for _, word := range []string{"type", "interface"} {
			_, after, ok := bytes.Cut(line, []byte(word+" "))
			if ok && bytes.Contains(after, []byte(name)) {
				return true
			}
		}
	}
	return false
}

// method reports a method that is taken off its object, so that this is undefined in it.
func (c *checker) method(e js.Expr) {
	if e.Node.Type != js.Member || e.Node.Flags&js.Computed != 0 {
		return
	}
	name := e.Node.Kids[1].Text
	object := c.prog.Follow(js.Expr{Module: e.Module, Node: e.Node.Kids[0]})
	if object.Node.Type == js.New {
		object = c.prog.Follow(js.Expr{Module: object.Module, Node: object.Node.Kids[0]})
	}
	if fn := methodOf(object.Node, name); fn != nil && usesThis(fn) {
		c.report("unbounddefault", e.Module, e.Node.Span, "%s uses this, which is undefined when OpenCode %s calls it as a factory: it throws and the plugin is not loaded (wrap it: (input) => %s(input))",
			name, c.table.Version(), e.Module.Text(e.Node.Span))
	}
}

// methodOf returns the method of an object literal or class with the given name.
func methodOf(n *js.Node, name string) *js.Node {
	members := n.Kids
	switch n.Type {
	case js.ClassLit:
		members = n.Kids[2:]
	case js.ObjectLit:
	default:
		return nil
	}
	for _, m := range members {
		if (m.Type == js.Property || m.Type == js.ClassMember && m.Text == "method") && m.Flags&(js.Computed|js.Static) == 0 &&
			m.Kids[0].Text == name && m.Kids[1] != nil && m.Kids[1].Type == js.FuncLit && m.Kids[1].Flags&js.Arrow == 0 {
			return m.Kids[1]
		}
	}
	return nil
}

// usesThis reports whether a function uses its own this.
func usesThis(fn *js.Node) bool {
	found := false
	js.Walk(fn.Kids[1], func(n *js.Node) bool {
		found = found || n.Type == js.This
		return !found && n.Type != js.ClassLit && (n.Type != js.FuncLit || n.Flags&js.Arrow != 0)
	})
	return found
}
