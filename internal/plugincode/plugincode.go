// Package plugincode tells what the code of a plugin does: which functions OpenCode calls,
// which others these reach, which APIs of the runtime they use, and which directories their paths
// lie in.
//
// It follows names, calls and values through the modules of the plugin, with bounds, and
// never into packages. What it cannot follow it leaves out: a check that accuses must not
// depend on an absence here.
package plugincode

import (
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/pluginhooks"
	"github.com/ngvet/ngvet/ngcore/host"
)

// Tool is the hook of a Handler that runs a tool of the plugin.
const Tool = "tool"

// Handler is a function that OpenCode calls: for a hook, or as the execute of a tool.
type Handler struct {
	Hook string
	Fn   js.Expr

	// Wrapped: a call that makes the handler got the function, safely(async () => {}), and
	// may catch what it throws.
	Wrapped bool
}

// Code is what was read of one plugin. It is not safe for concurrent use.
type Code struct {
	Prog      *js.Program
	Factories []js.Expr
	Handlers  []Handler

	sites map[*js.Node][]js.Expr // the calls of a function, as far as they were met
	fuel  int                    // what PathOf may still do
}

// Read finds the factories and handlers of a plugin entry.
func Read(prog *js.Program, table *host.Table, entry *js.Module) *Code {
	c := &Code{Prog: prog, sites: make(map[*js.Node][]js.Expr)}
	objects, _ := prog.Hooks(entry) // pluginload reports modules that cannot be read
	isFactory := make(map[*js.Node]bool)
	seen := make(map[Handler]bool)
	for _, o := range objects {
		if o.Factory == js.FactoryLegacy && len(o.Props) > 0 && !pluginhooks.Meant(prog, table, o) {
			continue
		}
		if !isFactory[o.Fn.Node] {
			isFactory[o.Fn.Node] = true
			c.Factories = append(c.Factories, o.Fn)
		}
		for _, p := range o.Props {
			for _, h := range c.handlersOf(table, p) {
				if !seen[h] {
					seen[h] = true
					c.Handlers = append(c.Handlers, h)
				}
			}
		}
	}
	for _, f := range c.Factories {
		c.Reach(f) // for the calls: what a factory hands on is what its handlers see
	}
	return c
}

// handlersOf returns the functions that one property of a hooks object holds.
func (c *Code) handlersOf(table *host.Table, p js.Prop) []Handler {
	hook, known := table.Hook(p.Key)
	if !known {
		return nil
	}
	var fns []js.Expr
	direct := 0
	switch {
	case p.Key == Tool:
		fns = c.executes(p.Value)
		direct = len(fns)
	case !hook.Object:
		fns = c.functionsOf(p.Value)
		direct = len(c.made(p.Value))
	}
	var list []Handler
	for i, fn := range fns {
		list = append(list, Handler{Hook: p.Key, Fn: fn, Wrapped: i >= direct})
	}
	return list
}

// functionsOf returns the functions that a value may be, and for one that a call makes also
// those that the call gets: safely(async (input) => {}).
func (c *Code) functionsOf(e js.Expr) []js.Expr {
	list := c.made(e)
	if to := c.Prog.Follow(e); to.Node != nil && to.Node.Type == js.CallExpr {
		for _, arg := range to.Node.Kids[1:] {
			if fn := c.Prog.Follow(js.Expr{Module: to.Module, Node: arg}); isFunction(fn) {
				list = append(list, fn)
			}
		}
	}
	return list
}

// made returns the functions that a value may be, those that a local call returns included.
func (c *Code) made(e js.Expr) []js.Expr {
	var list []js.Expr
	for _, r := range c.Prog.Results(e) {
		if isFunction(r) {
			list = append(list, r)
		}
	}
	return list
}

func isFunction(e js.Expr) bool {
	return e.Node != nil && e.Node.Type == js.FuncLit && !js.IsAccessor(e.Node)
}

// executes returns the functions that run the tools of a tool hook.
func (c *Code) executes(tools js.Expr) []js.Expr {
	var list []js.Expr
	for _, object := range c.Prog.Results(tools) {
		props, _ := object.Object()
		for _, p := range props {
			if p.Spread {
				list = append(list, c.executes(p.Value)...)
				continue
			}
			list = append(list, c.executeOf(p.Value)...)
		}
	}
	return list
}

// executeOf returns the execute of one tool: of the object itself, or of the one that
// tool() of OpenCode's package gets.
func (c *Code) executeOf(e js.Expr) []js.Expr {
	var list []js.Expr
	for _, object := range c.Prog.Results(e) {
		if object.Node.Type == js.CallExpr && len(object.Node.Kids) > 1 {
			object = c.Prog.Follow(js.Expr{Module: object.Module, Node: object.Node.Kids[1]})
		}
		props, _ := object.Object()
		for _, p := range props {
			if p.Key == "execute" {
				list = append(list, c.functionsOf(p.Value)...)
			}
		}
	}
	return list
}

// Input returns the path by which an expression reads the input of the plugin, such as
// client, session, prompt: also through the parameters of functions whose calls are known.
// It is empty for what does not.
func (c *Code) Input(m *js.Module, n *js.Node) []string { return c.input(m, n, 0) }

const (
	maxHanded     = 4 // functions that hand on a part of the input
	maxHandedFrom = 4 // calls of one function that are looked at for it
)

func (c *Code) input(m *js.Module, n *js.Node, depth int) []string {
	o, ok := m.OriginOf(n)
	if !ok || depth > maxHanded {
		return nil
	}
	for _, f := range c.Factories {
		if f.Node == o.Fn && o.Param == 0 {
			return o.Path
		}
	}
	sites := c.sites[o.Fn]
	for _, site := range sites[:min(len(sites), maxHandedFrom)] {
		if i := 1 + o.Param; i < len(site.Node.Kids) && site.Node.Kids[i].Type != js.Spread {
			if path := c.input(site.Module, site.Node.Kids[i], depth+1); path != nil {
				return append(path[:len(path):len(path)], o.Path...)
			}
		}
	}
	return nil
}
