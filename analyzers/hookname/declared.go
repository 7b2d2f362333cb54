package hookname

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// listName is the constant that holds the handshake's list of hooks by convention.
const listName = "HOOK_NAMES"

// list is a constant list of hooks that the plugin reports.
type list struct {
	at    finding.Place
	names []string
}

// declared compares the lists in the handshake with the keys of the objects. A plugin may
// return one of several objects: a list that fits one of them is right.
func (c *checker) declared(entry *js.Module, objects []js.HooksObject) {
	var returned [][]string
	for _, o := range objects {
		names, ok := returnedNames(o)
		if !ok {
			return // some key is known only at run time
		}
		returned = append(returned, names)
	}
	if len(returned) == 0 {
		return
	}
	var reported [][]string
	for _, l := range c.lists(entry) {
		same := func(names []string) bool { return slices.Equal(names, l.names) }
		if slices.ContainsFunc(returned, same) || slices.ContainsFunc(reported, same) {
			continue
		}
		reported = append(reported, l.names) // one list that passes through several places is one fault
		f := c.report("declared", l.at, "the hooks in the handshake are not those that the plugin returns: %s; the side that verifies refuses this plugin, or trusts a hook that is not there",
			difference(l.names, returned[0]))
		object := objects[0].Object
		f.Related = []finding.Related{{At: finding.Place{Module: object.Module, Span: object.Span()}, Message: "the hooks are returned here"}}
	}
}

// returnedNames returns the keys in the order in which Object.keys gives them: a key that
// is set twice stands where it was first.
func returnedNames(o js.HooksObject) ([]string, bool) {
	var names []string
	for _, p := range o.Props {
		if p.Key == "" || p.Spread {
			return nil, false
		}
		if !slices.Contains(names, p.Key) {
			names = append(names, p.Key)
		}
	}
	return names, true
}

// difference names the first kind of difference between two unequal lists.
func difference(declared, returned []string) string {
	var parts []string
	for _, name := range returned {
		if !slices.Contains(declared, name) {
			parts = append(parts, fmt.Sprintf("%q is not listed", name))
		}
	}
	for _, name := range declared {
		if !slices.Contains(returned, name) {
			parts = append(parts, fmt.Sprintf("%q is not returned", name))
		}
	}
	if len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	// Every returned name is listed, so the list is at least as long as what is returned.
	i := 0
	for i < len(returned) && declared[i] == returned[i] {
		i++
	}
	return fmt.Sprintf("the order differs from place %d on, where %q is listed", i+1, declared[i])
}

// lists returns the lists in the entry and in the modules that it imports by relative
// paths.
func (c *checker) lists(entry *js.Module) []list {
	var found []list
	for _, m := range c.graph(entry) {
		if v, err := c.prog.Lookup(m, listName); err == nil {
			found = c.appendList(found, m, v)
		}
		js.Walk(m.Root(), func(n *js.Node) bool {
			if n.Type == js.ObjectLit {
				if hooks := handshakeHooks(n); hooks != nil {
					if v, err := c.prog.Eval(js.Expr{Module: m, Node: hooks}); err == nil {
						v.Module, v.Span = m, hooks.Span
						found = c.appendList(found, m, v)
					}
				}
			}
			return true
		})
	}
	return found
}

// appendList appends the list that a constant is, if it is one that speaks of OpenCode's
// hooks. Other programs have hooks of their own.
func (c *checker) appendList(lists []list, m *js.Module, v js.Value) []list {
	if v.Kind != js.Array && v.Kind != js.Set {
		return lists
	}
	l := list{at: finding.Place{Module: cmp.Or(v.Module, m), Span: v.Span}}
	ours := false
	for _, e := range v.Elems {
		if e.Kind != js.String {
			return lists
		}
		l.names = append(l.names, e.Str)
		_, known := c.table.Hook(e.Str)
		ours = ours || known
	}
	if !ours {
		return lists
	}
	return append(lists, l)
}

// handshakeHooks returns the value of the member hooks of an object literal that also has
// the member nonce: what a plugin writes to prove that it loaded.
func handshakeHooks(object *js.Node) *js.Node {
	var hooks *js.Node
	nonce := false
	for _, p := range object.Kids {
		if p.Type != js.Property || p.Flags&js.Computed != 0 {
			continue
		}
		switch p.Kids[0].Text {
		case "hooks":
			hooks = p.Kids[1]
		case "nonce":
			nonce = true
		}
	}
	if !nonce {
		return nil
	}
	return hooks
}

// graph returns the entry and the modules that it imports by relative paths, directly or
// not. A module that cannot be read is left out: it is no source of a list.
func (c *checker) graph(entry *js.Module) []*js.Module {
	modules := []*js.Module{entry}
	seen := map[string]bool{entry.Path(): true}
	for i := 0; i < len(modules); i++ {
		m := modules[i]
		for _, imp := range m.Imports() {
			if !isRelative(imp.Specifier) {
				continue
			}
			target, err := c.prog.Resolve(m, imp.Specifier)
			if err != nil || seen[target] {
				continue
			}
			seen[target] = true
			if next, err := c.prog.Load(target); err == nil {
				modules = append(modules, next)
			}
		}
	}
	return modules
}

func isRelative(specifier string) bool {
	return specifier == "." || specifier == ".." || strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../")
}
