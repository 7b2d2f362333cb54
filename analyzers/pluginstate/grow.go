package pluginstate

import (
	"regexp"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// unbounded reports containers that handlers fill and nothing empties.
func (c *checker) unbounded() {
	for _, m := range c.modules {
		js.Walk(m.Root(), func(n *js.Node) bool {
			if n.Type == js.Declarator && n.Kids[0].Type == js.Ident && isContainer(n.Kids[1]) {
				if b := m.BindingOf(n.Kids[0]); b != nil && len(b.Writes) == 0 && !c.perCall(ownerFunc(n)) && !isExported(n) {
					c.growth(m, b)
				}
			}
			return true
		})
	}
}

// isContainer reports whether an expression makes an empty or growing collection.
func isContainer(n *js.Node) bool {
	return isMaker(n) || n != nil && (n.Type == js.ArrayLit || n.Type == js.ObjectLit) && len(n.Kids) == 0
}

func isExported(d *js.Node) bool { return d.Parent.Parent.Type == js.ExportDecl }

// growth judges one container by all its uses.
func (c *checker) growth(m *js.Module, b *js.Binding) {
	var grown *js.Node
	for _, ref := range b.Refs {
		switch use, n := c.useOf(m, ref); use {
		case useGrow:
			if grown == nil && c.perCall(ownerFunc(ref)) {
				grown = n
			}
		case useOther:
			return
		}
	}
	if grown == nil {
		return
	}
	c.report("unbounded", js.Expr{Module: m, Node: grown}, "%s gets an entry for every session, call or event and nothing takes one out; a process that serves sessions for days keeps them all: delete the entry on session.deleted, or drop the oldest at a limit", b.Name)
}

// use is what is done to a container.
type use uint8

const (
	useRead  use = iota
	useGrow      // by a key of which there are ever more
	useOther     // emptied, bounded, or handed to where that may happen
)

// readers are methods that neither change a container nor hand it on.
var readers = words{"get", "has", "forEach", "keys", "values", "entries", "map", "filter", "find", "some", "every", "includes", "join", "indexOf", "at", "slice", "reduce", "flatMap", "concat"}

// useOf tells what one use of a container's name does.
func (c *checker) useOf(m *js.Module, ref *js.Node) (use, *js.Node) {
	p := ref.Parent
	switch {
	case p.Type == js.ForOf && p.Kids[1] == ref, p.Type == js.ForIn && p.Kids[1] == ref, p.Type == js.Spread && p.Parent.Type != js.ObjectLit:
		return useRead, nil
	case p.Type != js.Member || p.Kids[0] != ref:
		return useOther, nil
	case p.Flags&js.Computed != 0 && plugincode.MemberName(p) == "":
		return c.elementUse(m, p)
	}
	name := plugincode.MemberName(p)
	if p.Parent.Type != js.CallExpr || p.Parent.Kids[0] != p {
		if (name == "size" || name == "length") && !isBound(p) {
			return useRead, nil
		}
		return useOther, nil
	}
	call := p.Parent
	switch {
	case grows[name] && len(call.Kids) > 1:
		if name == "push" || name == "unshift" || c.isEverNew(js.Expr{Module: m, Node: call.Kids[1]}) {
			return useGrow, call
		}
		return useRead, nil
	case isReader(name):
		return useRead, nil
	}
	return useOther, nil
}

func isReader(name string) bool {
	for _, r := range readers {
		if r == name {
			return true
		}
	}
	return false
}

// elementUse tells what a use of x[key] does.
func (c *checker) elementUse(m *js.Module, member *js.Node) (use, *js.Node) {
	switch p := member.Parent; {
	case p.Type == js.Assign && p.Kids[0] == member:
		if c.isEverNew(js.Expr{Module: m, Node: member.Kids[1]}) {
			return useGrow, p
		}
		return useRead, nil
	case p.Type == js.Unary && p.Text == "delete":
		return useOther, nil
	}
	return useRead, nil
}

// isBound reports whether a size is compared, which may bound it, or assigned.
func isBound(n *js.Node) bool {
	for p := n.Parent; p != nil; n, p = p, p.Parent {
		switch p.Type {
		case js.Assign:
			return p.Kids[0] == n
		case js.Binary:
			switch p.Text {
			case "<", ">", "<=", ">=", "-", "%":
				return p.Kids[1].Text != "0"
			}
			return false
		case js.Template, js.CallExpr, js.Property, js.ExprStmt, js.Declarator:
			return p.Type == js.Declarator
		}
	}
	return false
}

// everNew are names of keys of which there is no end.
var everNew = regexp.MustCompile(`(?i)(?:session|message|call|part|request|permission|task|run|event)_?(?:id|key)\b|\.id\b|‹\d+:(?:id|sid|hash)›|‹\d+:session›|randomUUID|Date\.now`)

// isEverNew reports whether the name of a key tells that there are ever more of it.
func (c *checker) isEverNew(key js.Expr) bool {
	text := c.spell(key)
	return variable.MatchString(text) && everNew.MatchString(text)
}
