package pluginstate

import (
	"regexp"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// moduleState reports variables of modules that belong to one session or directory.
func (c *checker) moduleState() {
	inPlugin := make(map[*js.Node]bool)
	for _, fn := range c.functions {
		inPlugin[fn.Node] = true
	}
	for _, m := range c.modules {
		for _, b := range moduleVariables(m) {
			if !c.isReadByHandler(b) {
				continue
			}
			for _, w := range b.Writes {
				assign := w.Parent
				fn := ownerFunc(w)
				if assign.Type != js.Assign || assign.Kids[0] != w || fn == nil || !inPlugin[fn] {
					continue
				}
				owner := c.ownerOf(m, assign.Kids[1])
				if owner == "" {
					continue
				}
				f := c.report("modulestate", js.Expr{Module: m, Node: assign}, "%s is one variable for the whole process and is set to what belongs to one %s; the last one to set it wins, and hooks of the others use its value: keep it in the factory's closure%s", b.Name, owner, bySession(owner))
				f.Related = []finding.Related{{At: finding.Place{Module: m, Span: b.Decl.Span}, Message: "declared here"}}
				break
			}
		}
	}
}

const (
	ofSession   = "session"
	ofDirectory = "directory"
)

func bySession(owner string) string {
	if owner == ofSession {
		return ", in a Map by session"
	}
	return ""
}

// moduleVariables lists the names that are declared with let or var at the top of a module.
func moduleVariables(m *js.Module) []*js.Binding {
	var list []*js.Binding
	for _, s := range m.Root().Kids {
		if s.Type == js.ExportDecl {
			s = s.Kids[0]
		}
		if s.Type != js.VarDecl || s.Text == "const" {
			continue
		}
		for _, d := range s.Kids {
			if b := m.BindingOf(d.Kids[0]); d.Kids[0].Type == js.Ident && b != nil && b.Decl == d.Kids[0] {
				list = append(list, b)
			}
		}
	}
	return list
}

// isReadByHandler reports whether a hook reads a variable, other than to set it.
func (c *checker) isReadByHandler(b *js.Binding) bool {
	written := make(map[*js.Node]bool)
	for _, w := range b.Writes {
		written[w] = true
	}
	for _, ref := range b.Refs {
		if !written[ref] && c.perCall(ownerFunc(ref)) {
			return true
		}
	}
	return false
}

// ownOfDirectory are the fields of the plugin's input that differ from directory to directory.
var ownOfDirectory = map[string]bool{"client": true, "directory": true, "worktree": true, "project": true, "$": true}

var sessionName = regexp.MustCompile(`(?i)^(?:current_?)?session_?(?:id)?$`)

// ownerOf tells what a value belongs to: "session", "directory" or "" for neither.
func (c *checker) ownerOf(m *js.Module, value *js.Node) string {
	owner := ""
	js.Walk(value, func(n *js.Node) bool {
		if owner != "" || n.Type == js.FuncLit {
			return false
		}
		if n.Type != js.Ident && n.Type != js.Member {
			return true
		}
		if path := c.code.Input(m, n); len(path) > 0 && ownOfDirectory[path[0]] {
			owner = ofDirectory
		} else if c.isOfSession(m, n) {
			owner = ofSession
		}
		return owner == ""
	})
	return owner
}

// isOfSession reports whether an expression reads the id of a session, or of what lies in
// one, from the arguments of a handler.
func (c *checker) isOfSession(m *js.Module, n *js.Node) bool {
	o, ok := m.OriginOf(n)
	if !ok || !c.perCall(o.Fn) {
		return false
	}
	if len(o.Path) == 0 {
		return sessionName.MatchString(m.Text(n.Span))
	}
	last := len(o.Path) - 1
	return sessionName.MatchString(o.Path[last]) || last > 0 && o.Path[last] == "id" && o.Path[last-1] == "info"
}
