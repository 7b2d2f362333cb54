package pluginstate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

const (
	maxSpelling = 1000 // bytes of a spelling
	maxSteps    = 24   // names, calls and operators on the way to a leaf
	maxSpelled  = 2000 // nodes that one spelling is made of: names can branch, or lead in a circle
)

// A spelling is the text of an expression in which names are replaced by what they are bound
// to: two expressions of one spelling have one value as long as nothing in it changes. A
// parameter, and any other variable that gets its value elsewhere, stands as ‹id:name›.
var variable = regexp.MustCompile(`‹(\d+):[^›]*›`)

// spell returns the spelling of an expression. What cannot be spelled is equal to itself
// alone.
func (c *checker) spell(e js.Expr) string {
	if c.fuel == 0 { // else it is part of another spelling
		c.fuel = maxSpelled
		defer func() { c.fuel = 0 }()
	}
	text := c.spellStep(e, 0)
	if len(text) > maxSpelling {
		return c.opaque(e.Node)
	}
	return text
}

func (c *checker) spellStep(e js.Expr, depth int) string {
	if e.Node == nil {
		return "undefined"
	}
	if c.fuel > 1 {
		c.fuel--
	}
	if depth > maxSteps || c.fuel == 1 {
		return c.opaque(e.Node)
	}
	e = c.followed(e)
	n := e.Node
	kid := func(i int) string { return c.spellStep(js.Expr{Module: e.Module, Node: n.Kids[i]}, depth+1) }
	switch n.Type {
	case js.StringLit, js.TemplateText:
		return strconv.Quote(n.Text)
	case js.NumberLit, js.BoolLit, js.NullLit, js.Meta, js.RegExpLit:
		return n.Text
	case js.Ident:
		return c.spellName(e)
	case js.This:
		return c.spellThis(n)
	case js.Await, js.Spread:
		return kid(0)
	case js.Template:
		return c.spellTemplate(e, depth)
	case js.Member:
		if n.Flags&js.Computed != 0 {
			return kid(0) + "[" + kid(1) + "]"
		}
		return kid(0) + "." + n.Kids[1].Text
	case js.Binary:
		if n.Text == "+" {
			return kid(0) + "+" + kid(1)
		}
		return "(" + kid(0) + n.Text + kid(1) + ")"
	case js.Cond:
		return "(" + kid(0) + "?" + kid(1) + ":" + kid(2) + ")"
	case js.CallExpr, js.New:
		return c.spellCall(e, depth)
	}
	return c.opaque(n)
}

// followed is what an expression denotes, also through a variable that is declared without a
// value and gets it at a single place.
func (c *checker) followed(e js.Expr) js.Expr {
	for range maxSteps {
		next := c.prog.Follow(e)
		if next.Node == nil {
			return e
		}
		if value := assignedOnce(next); value.Node != nil {
			e = value
			continue
		}
		if next.Node.Type == js.FuncLit || next.Node.Type == js.ObjectLit || next.Node.Type == js.ClassLit {
			return e // named, not spelled out
		}
		return next
	}
	return e
}

func assignedOnce(e js.Expr) js.Expr {
	if e.Node.Type != js.Ident {
		return js.Expr{}
	}
	b := e.Module.BindingOf(e.Node)
	if b == nil || b.Owner.Type != js.Declarator || b.Owner.Kids[1] != nil || len(b.Writes) != 1 || isLoopVariable(b.Owner) {
		return js.Expr{}
	}
	w := b.Writes[0]
	if w.Parent.Type != js.Assign || w.Parent.Text != "=" || w.Parent.Kids[0] != w {
		return js.Expr{}
	}
	return js.Expr{Module: e.Module, Node: w.Parent.Kids[1]}
}

// isLoopVariable reports whether a Declarator is that of a for-of or for-in.
func isLoopVariable(d *js.Node) bool {
	loop := d.Parent.Parent
	return loop != nil && (loop.Type == js.ForOf || loop.Type == js.ForIn) && loop.Kids[0] == d.Parent
}

func (c *checker) spellName(e js.Expr) string {
	b := e.Module.BindingOf(e.Node)
	if b == nil {
		return e.Node.Text
	}
	return c.spellBinding(b)
}

func (c *checker) spellBinding(b *js.Binding) string {
	id, ok := c.ids[b.Decl]
	if !ok {
		id = len(c.ids) + 1
		c.ids[b.Decl] = id
		c.variables[id] = b
	}
	return fmt.Sprintf("‹%d:%s›", id, b.Name)
}

// spellThis names the object of a method by the class, or the object literal, around it.
func (c *checker) spellThis(n *js.Node) string {
	for p := n.Parent; p != nil; p = p.Parent {
		switch {
		case p.Type == js.ClassLit || p.Type == js.ObjectLit:
			return "this" + c.opaque(p)
		case p.Type == js.FuncLit && p.Flags&js.Arrow == 0 && p.Parent.Type != js.ClassMember && p.Parent.Type != js.Property:
			return "this" + c.opaque(p)
		}
	}
	return "this"
}

func (c *checker) spellTemplate(e js.Expr, depth int) string {
	var parts []string
	for _, k := range e.Node.Kids {
		if k.Type == js.TemplateText && k.Text == "" {
			continue
		}
		parts = append(parts, c.spellStep(js.Expr{Module: e.Module, Node: k}, depth+1))
	}
	if len(parts) == 0 {
		return `""`
	}
	return strings.Join(parts, "+")
}

func (c *checker) spellCall(e js.Expr, depth int) string {
	n := e.Node
	var args []string
	for _, a := range n.Kids[1:] {
		args = append(args, c.spellStep(js.Expr{Module: e.Module, Node: a}, depth+1))
	}
	name := c.builtin(e.Module, n)
	if name == "" {
		if fns := c.callees(e.Module, n); len(fns) == 1 {
			fn := fns[0]
			if result := onlyResult(fn.Node); result != nil {
				text := c.spellStep(js.Expr{Module: fn.Module, Node: result}, depth+4)
				return c.substitute(text, e.Module, n, fn)
			}
			name = "fn" + c.opaque(fn.Node)
		} else {
			name = c.spellStep(js.Expr{Module: e.Module, Node: n.Kids[0]}, depth+1)
		}
	}
	return name + "(" + strings.Join(args, ",") + ")"
}

// onlyResult is what a function returns when that is all it does, or all but declarations.
func onlyResult(fn *js.Node) *js.Node {
	if fn.Flags&js.Generator != 0 {
		return nil
	}
	body := fn.Kids[1]
	if body.Type != js.Block {
		return body
	}
	for i, s := range body.Kids {
		switch {
		case s.Type == js.Return && i == len(body.Kids)-1:
			return s.Kids[0]
		case s.Type != js.VarDecl:
			return nil
		}
	}
	return nil
}

// substitute replaces the parameters of fn in a spelling by the arguments of a call.
func (c *checker) substitute(text string, m *js.Module, call *js.Node, fn js.Expr) string {
	if !strings.Contains(text, "‹") {
		return text
	}
	text = variable.ReplaceAllStringFunc(text, func(v string) string {
		b := c.variableOf(v)
		if b == nil || b.Owner != fn.Node {
			return v
		}
		i := b.Param()
		if i < 0 || !isPlainParam(fn.Node.Kids[2+i]) {
			return v
		}
		args := call.Kids[1:]
		for _, a := range args[:min(i+1, len(args))] {
			if a.Type == js.Spread {
				return v
			}
		}
		if i < len(args) {
			return c.spell(js.Expr{Module: m, Node: args[i]})
		}
		if p := fn.Node.Kids[2+i]; p.Type == js.Default {
			return c.spell(js.Expr{Module: fn.Module, Node: p.Kids[1]})
		}
		return "undefined"
	})
	if len(text) > maxSpelling {
		return c.opaque(call)
	}
	return text
}

func isPlainParam(p *js.Node) bool {
	return p.Type == js.Ident || p.Type == js.Default && p.Kids[0].Type == js.Ident
}

func (c *checker) variableOf(spelled string) *js.Binding {
	id, err := strconv.Atoi(variable.FindStringSubmatch(spelled)[1])
	if err != nil {
		return nil
	}
	return c.variables[id]
}

// opaque is the spelling of something that is only known by its place.
func (c *checker) opaque(n *js.Node) string {
	id, ok := c.ids[n]
	if !ok {
		id = len(c.ids) + 1
		c.ids[n] = id
	}
	return "#" + strconv.Itoa(id)
}

// family is a spelling with a * for what differs from call to call. Two files of one family
// hold the same kind of thing.
func (c *checker) family(text string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string {
		if c.isVaried(c.variableOf(v)) {
			return "*"
		}
		return v
	})
}

// isVaried reports whether a variable has another value in every call of a hook: those of
// the factory and the modules do not.
func (c *checker) isVaried(b *js.Binding) bool {
	return b != nil && c.perCall(ownerFunc(b.Decl))
}

var (
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	// onlyOurs are names in a path that tell that one session or process alone uses it.
	onlyOurs = regexp.MustCompile(`(?i)session_?(?:id|key|file|path|dir)|\bsession\b|\bpid\b|uuid|random|mkdtemp|(?:run|call|message|task|job|thread)_?id\b|nonce|\.now\(|hrtime|nanoid|os\.tmpdir`)
	lockPath = regexp.MustCompile(`(?i)lock`)
)

func looksLikeLock(spelling string) bool { return lockPath.MatchString(spelling) }

// isNamed reports whether a spelling holds text that names a file, and is not just handed
// in from elsewhere.
func isNamed(text string) bool {
	for _, q := range quoted.FindAllString(text, -1) {
		if len(strings.Trim(q, `"./\`)) > 1 {
			return true
		}
	}
	return false
}
