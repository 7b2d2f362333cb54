package js

import "slices"

// mutators are the methods that change an array, Set or Map in place.
var mutators = map[string]bool{
	"push": true, "pop": true, "shift": true, "unshift": true, "splice": true, "sort": true, "reverse": true, "fill": true,
	"copyWithin": true, "set": true, "add": true, "delete": true, "clear": true,
}

// mutation returns the first place at which what b is bound to is changed, or nil. Writes
// through another name, in another module or by a function that got it as an argument are
// not seen. What is frozen cannot change itself, but what it holds can.
func mutation(b *Binding, frozen bool) *Node {
	b.mutations.Do(func() {
		for _, ref := range b.Refs {
			at := changes(ref)
			if at != nil && b.mutated == nil {
				b.mutated = at
			}
			if at != nil && at != ref.Parent {
				b.mutatedWithin = at
				return
			}
		}
	})
	if frozen {
		return b.mutatedWithin
	}
	return b.mutated
}

// changes returns the member chain on ref, or the call, by which its object is changed.
func changes(ref *Node) *Node {
	n := ref
	for n.Parent.Type == Member && n.Parent.Kids[0] == n {
		n = n.Parent
	}
	p := n.Parent
	switch {
	case n == ref:
		if p.Type == CallExpr && len(p.Kids) > 1 && p.Kids[1] == ref && changers[globalName(p.Kids[0])] {
			return p
		}
		return nil
	case p.Type == CallExpr && p.Kids[0] == n && n.Flags&Computed == 0 && mutators[n.Kids[1].Text]:
		return n
	case p.Type == Update, p.Type == Unary && p.Text == "delete", isTarget(n):
		return n
	}
	return nil
}

// changers are the functions that change their first argument.
var changers = map[string]bool{
	"Object.assign": true, "Object.defineProperty": true, "Object.defineProperties": true, "Object.setPrototypeOf": true,
	"Reflect.set": true, "Reflect.defineProperty": true, "Reflect.deleteProperty": true,
}

// isTarget reports whether n is assigned to, directly or in a pattern.
func isTarget(n *Node) bool {
	for p := n.Parent; p != nil; n, p = p, p.Parent {
		switch p.Type {
		case Assign:
			return p.Kids[0] == n
		case ForIn, ForOf:
			return p.Kids[0] == n
		case Default:
			if p.Kids[0] != n {
				return false
			}
		case Property:
			if p.Kids[1] != n {
				return false
			}
		case ArrayLit, ObjectLit, Spread:
		default:
			return false
		}
	}
	return false
}

// Follow returns what e denotes: through bindings that are assigned once, imports, and
// properties of objects that are never changed. It returns the last expression reached.
func (p *Program) Follow(e Expr) Expr { return p.tracer().follow(e) }

// tracer follows names and properties. Its fuel bounds all steps of one question together:
// code can be written in which they branch or lead in a circle.
type tracer struct {
	*Program
	fuel int
}

// maxFollow bounds the names and properties between a use and its definition, and what is
// listed of an object on the way.
const maxFollow = 10000

func (p *Program) tracer() *tracer { return &tracer{p, maxFollow} }

func (t *tracer) follow(e Expr) Expr {
	for {
		next, ok := t.step(e)
		if !ok {
			return e
		}
		e = next
	}
}

// burn takes n units of fuel and reports whether there were as many.
func (t *tracer) burn(n int) bool {
	t.fuel -= n
	return t.fuel >= 0
}

// step follows one name or property.
func (t *tracer) step(e Expr) (Expr, bool) {
	if e.Node == nil || !t.burn(1) {
		return e, false
	}
	switch n := e.Node; n.Type {
	case Ident:
		return t.stepName(e.Module, n.binding)
	case Member:
		key, ok := (&evaluator{p: t.Program, active: make(map[*Node]bool)}).memberName(e.Module, n)
		if !ok {
			return e, false
		}
		if target, ok := t.namespaceMember(e.Module, n.Kids[0], key); ok {
			return target, true
		}
		return t.stepProperty(Expr{e.Module, n.Kids[0]}, key)
	case CallExpr:
		if name := globalName(n.Kids[0]); len(n.Kids) == 2 && (name == "Object.freeze" || name == "Object.seal") {
			return Expr{e.Module, n.Kids[1]}, true
		}
	}
	return e, false
}

// stepName follows a binding to its initial value.
func (t *tracer) stepName(m *Module, b *Binding) (Expr, bool) {
	if b == nil || len(b.Writes) > 0 {
		return Expr{}, false
	}
	switch b.Owner.Type {
	case FuncLit:
		return Expr{m, b.Owner}, b.Owner.Kids[0] == b.Decl
	case ClassLit:
		return Expr{m, b.Owner}, true
	case ImportSpec:
		target, err := t.importTarget(m, b)
		return target, err == nil && target.Node != nil
	case Declarator:
		init := Expr{m, b.Owner.Kids[1]}
		if init.Node == nil {
			return Expr{}, false
		}
		if b.Owner.Kids[0] == b.Decl {
			return init, true
		}
		steps, ok := patternPath(b.Owner.Kids[0], b.Decl)
		for _, step := range steps {
			if !ok {
				break
			}
			init, ok = t.stepProperty(init, step)
		}
		return init, ok
	}
	return Expr{}, false
}

// stepProperty follows a property of an object or array literal that e denotes.
func (t *tracer) stepProperty(e Expr, key string) (Expr, bool) {
	if e.Node.Type == Ident && e.Node.binding != nil && mutation(e.Node.binding, false) != nil {
		return Expr{}, false
	}
	e = t.follow(e)
	switch e.Node.Type {
	case ObjectLit:
		return propertyOf(e, key)
	case ArrayLit:
		return elementOf(e, key)
	case ClassLit:
		for _, member := range e.Node.Kids[2:] {
			if name, ok := staticKey(member); ok && name == key && member.Flags&Static != 0 && member.Kids[1] != nil && member.Text != "get" && member.Text != "set" {
				return Expr{e.Module, member.Kids[1]}, true
			}
		}
	}
	return Expr{}, false
}

// propertyOf returns the value of a property of an object literal: that of the last one,
// if nothing behind it can replace it.
func propertyOf(e Expr, key string) (Expr, bool) {
	for _, kid := range slices.Backward(e.Node.Kids) {
		if kid.Type == Spread {
			return Expr{}, false
		}
		if name, ok := staticKey(kid); ok && name == key && kid.Text != "get" && kid.Text != "set" {
			return Expr{e.Module, kid.Kids[1]}, true
		}
	}
	return Expr{}, false
}

// elementOf returns an element of an array literal, if its place is known.
func elementOf(e Expr, key string) (Expr, bool) {
	i, ok := arrayIndex(key)
	if !ok || i >= len(e.Node.Kids) {
		return Expr{}, false
	}
	for _, kid := range e.Node.Kids[:i+1] {
		if kid == nil || kid.Type == Spread {
			return Expr{}, false
		}
	}
	return Expr{e.Module, e.Node.Kids[i]}, true
}

// stepProperty follows a property of what e denotes.
func (p *Program) stepProperty(e Expr, key string) (Expr, bool) {
	return p.tracer().stepProperty(e, key)
}

// namespaceMember follows ns.name where ns is import * as ns.
func (p *Program) namespaceMember(m *Module, object *Node, name string) (Expr, bool) {
	if object.Type != Ident || object.binding == nil || object.binding.Owner.Type != ImportSpec || object.binding.Owner.Text != "*" {
		return Expr{}, false
	}
	from, err := p.imported(m, object.binding.Owner.Parent.Text)
	if err != nil {
		return Expr{}, false
	}
	target, err := p.exported(from, name)
	return target, err == nil
}

// Span returns the place of e.
func (e Expr) Span() Span {
	if e.Node == nil {
		return Span{}
	}
	return e.Node.Span
}

// Object returns the properties of the object literal that e denotes, followed through
// local bindings that are assigned once and through spreads of such. Assignments to
// properties after the literal are included: h["x"] = f.
func (e Expr) Object() ([]Prop, bool) {
	return objectProps(NewProgram(nil), e)
}

// objectProps lists the properties of what e denotes; p follows imports if it can read.
func objectProps(p *Program, e Expr) ([]Prop, bool) { return p.tracer().props(e) }

func (t *tracer) props(e Expr) ([]Prop, bool) {
	var later []Prop
	for {
		if e.Node != nil && e.Node.Type == Ident && e.Node.binding != nil {
			later = append(t.assignedProps(e.Module, e.Node.binding), later...)
		}
		next, ok := t.step(e)
		if !ok {
			break
		}
		e = next
	}
	if e.Node == nil || e.Node.Type != ObjectLit || !t.burn(len(e.Node.Kids)) {
		return nil, false
	}
	props := make([]Prop, 0, len(e.Node.Kids)+len(later))
	for _, kid := range e.Node.Kids {
		if kid.Type == Spread {
			arg := Expr{e.Module, kid.Kids[0]}
			if inner, ok := t.props(arg); ok {
				props = append(props, inner...)
				continue
			}
			props = append(props, Prop{Module: e.Module, KeySpan: kid.Span, Value: arg, Spread: true})
			continue
		}
		props = append(props, t.propOf(e.Module, kid))
	}
	return append(props, later...), true
}

func (p *Program) propOf(m *Module, n *Node) Prop {
	key, ok := staticKey(n)
	if !ok {
		key = p.computedKey(m, n.Kids[0])
	}
	return Prop{
		Key: key, KeySpan: n.Kids[0].Span, Value: Expr{m, n.Kids[1]}, Module: m,
		Computed: n.Flags&Computed != 0, Shorthand: n.Flags&Shorthand != 0, Method: n.Text != "init",
	}
}

// computedKey returns the constant string in the brackets of a key, or "".
func (p *Program) computedKey(m *Module, key *Node) string {
	v, err := p.Eval(Expr{m, key})
	if err != nil || v.Kind != String {
		return ""
	}
	return v.Str
}

// assignedProps returns the properties that x.key = value and x["key"] = value set.
func (p *Program) assignedProps(m *Module, b *Binding) []Prop {
	var props []Prop
	for _, ref := range b.Refs {
		target := ref.Parent
		if target.Type != Member || target.Kids[0] != ref || target.Parent.Type != Assign || target.Parent.Kids[0] != target || target.Parent.Text != "=" {
			continue
		}
		prop := Prop{KeySpan: target.Kids[1].Span, Value: Expr{m, target.Parent.Kids[1]}, Module: m, Computed: target.Flags&Computed != 0}
		if key := target.Kids[1]; !prop.Computed {
			prop.Key = key.Text
		} else {
			prop.Key = p.computedKey(m, key)
		}
		props = append(props, prop)
	}
	return props
}

// Mentions returns the first node at or below e that is an identifier or a property name
// in names, or nil. Keys of object literals do not count, shorthands do.
func (e Expr) Mentions(names ...string) *Node {
	var found *Node
	Walk(e.Node, func(n *Node) bool {
		if found != nil {
			return false
		}
		isKey := n.Type == Name && n.Parent != nil && (n.Parent.Type == Property || n.Parent.Type == ClassMember) && n.Parent.Kids[0] == n
		if (n.Type == Ident || n.Type == Name && !isKey) && slices.Contains(names, n.Text) {
			found = n
		}
		return found == nil
	})
	return found
}
