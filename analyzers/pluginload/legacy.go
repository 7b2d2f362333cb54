package pluginload

import (
	"slices"

	"github.com/ngvet/ngvet/internal/js"
)

// legacy checks an entry of which OpenCode calls every export.
func (c *checker) legacy() {
	for _, e := range c.exports {
		if what := c.notCallable(e); what != "" {
			f := c.report("valueexport", c.entry, e.Via.Span, "export %s is %s, not a function: OpenCode %s does not load the plugin and says so only in its log (move it to another module, or use export default { id, server })",
				c.shown(e), what, c.table.Version())
			f.Fixes = c.unexport(e)
		}
	}
	c.helpers()
	c.doubles()
}

// notCallable returns what kind of value an export is when it surely is neither a function
// nor a plugin object.
func (c *checker) notCallable(e js.EntryExport) string {
	if e.Namespace {
		return "a whole module"
	}
	if e.Value.Node == nil {
		return ""
	}
	what := ""
	for _, value := range c.prog.Results(e.Value) {
		kind := c.kind(value)
		if kind == "" {
			return ""
		}
		what = kind
	}
	return what
}

func (c *checker) kind(value js.Expr) string {
	switch shape := c.prog.ShapeOf(value); {
	case value.Node.Type == js.ObjectLit && value.Node.Flags&js.Enum != 0:
		return "an enum"
	case value.Node.Type == js.ObjectLit:
		props, _ := value.Object()
		if slices.ContainsFunc(props, func(p js.Prop) bool { return p.Spread || p.Key == "" || p.Key == "server" }) {
			return ""
		}
		return string(shape)
	case shape == js.ShapeFunction:
		return ""
	case shape == js.ShapeFalsy:
		return "a plain value"
	case value.Node.Type == js.New:
		class := c.prog.Follow(js.Expr{Module: value.Module, Node: value.Node.Kids[0]})
		if class.Node.Type == js.ClassLit && methodOf(class.Node, "server") == nil && class.Node.Kids[1] == nil {
			return "an object"
		}
		return string(shape)
	default:
		return string(shape)
	}
}

// helpers reports exported functions that are no plugins, beside one that is.
func (c *checker) helpers() {
	plugins := c.plugins()
	for _, e := range c.exports {
		if e.Value.Node == nil || e.Name == "default" {
			continue
		}
		fn := c.prog.Follow(e.Value)
		if fn.Node.Type != js.FuncLit || plugins[fn.Node] || len(plugins) == 0 {
			continue
		}
		o := c.outcomeOf(fn)
		if o.hooks || !o.nothing && !o.other {
			continue
		}
		consequence := "what it does happens at every start (move it to another module)"
		if o.nothing {
			consequence = "it can return nothing, and then the run dies with exit status 1 (move it to another module)"
		}
		f := c.report("helperexport", c.entry, e.Via.Span, "exported function %s is no plugin, but OpenCode %s calls every exported function as one: %s",
			c.shown(e), c.table.Version(), consequence)
		f.Fixes = c.unexport(e)
	}
}

// plugins returns the functions that are surely meant as plugins.
func (c *checker) plugins() map[*js.Node]bool {
	list := make(map[*js.Node]bool)
	for _, o := range c.objects {
		if o.Factory == js.FactoryDefault || c.meant(o) {
			list[o.Fn.Node] = true
		}
	}
	if e, ok := c.defaultExport(); ok {
		for _, value := range c.prog.Results(e.Value) {
			if value.Node.Type == js.FuncLit {
				list[value.Node] = true
			}
		}
	}
	return list
}

// identity is the function that OpenCode sees in an export: itself, or the server of a
// plugin object.
func (c *checker) identity(e js.EntryExport) *js.Node {
	target := c.prog.Follow(e.Value)
	if target.Node.Type == js.ObjectLit {
		props, _ := target.Object()
		for _, p := range props {
			if p.Key == "server" {
				return c.prog.Follow(p.Value).Node
			}
		}
	}
	return target.Node
}

// doubles reports exports that are different functions for OpenCode, which calls a function
// once however often it is exported, and return the same hooks.
func (c *checker) doubles() {
	type source struct {
		export   js.EntryExport
		identity *js.Node
	}
	first := make(map[*js.Node]source) // by hooks object
	for _, e := range c.exports {
		if e.Value.Node == nil {
			continue
		}
		identity := c.identity(e)
		reported := false
		for _, o := range c.objectsOf(e) {
			if len(o.Props) == 0 {
				continue
			}
			other, ok := first[o.Object.Node]
			if !ok {
				first[o.Object.Node] = source{e, identity}
				continue
			}
			if other.identity != identity && !reported {
				reported = true
				c.report("doublefactory", c.entry, e.Via.Span, "exports %s and %s are two functions that return the same hooks: OpenCode %s calls both, and everything happens twice (export one of them)",
					c.shown(other.export), c.shown(e), c.table.Version())
			}
		}
	}
}

// objectsOf returns the hooks objects that are surely meant as such and that calling one
// export leads to.
func (c *checker) objectsOf(e js.EntryExport) []js.HooksObject {
	objects, _ := c.prog.HooksOf(e)
	return slices.DeleteFunc(objects, func(o js.HooksObject) bool { return !c.meant(o) })
}
