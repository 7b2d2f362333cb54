package js

import (
	"slices"
	"strings"
)

// Calls returns every call of m whose callee's last name is fn, in order of place: fn(...),
// x.fn(...), x["fn"](...), x?.fn?.(...).
func (p *Program) Calls(m *Module, fn string) []Call {
	var calls []Call
	Walk(m.root, func(n *Node) bool {
		if n.Type == CallExpr && CalleeName(n) == fn {
			calls = append(calls, callOf(m, n))
		}
		return true
	})
	slices.SortStableFunc(calls, func(a, b Call) int { return a.Node.Kids[0].Span.End - b.Node.Kids[0].Span.End })
	return calls
}

func callOf(m *Module, n *Node) Call {
	c := Call{Module: m, Node: n, Span: n.Span}
	for _, arg := range n.Kids[1:] {
		c.Args = append(c.Args, Expr{m, arg})
	}
	return c
}

// CalleeName returns the last name of what a CallExpr or New calls, or "".
func CalleeName(call *Node) string {
	callee := call.Kids[0]
	switch {
	case callee.Type == Ident:
		return callee.Text
	case callee.Type == Member && callee.Flags&Computed == 0:
		return callee.Kids[1].Text
	case callee.Type == Member:
		name, _ := literalText(callee.Kids[1])
		return name
	}
	return ""
}

// firstArguments is #calls(fn): the distinct constant first arguments of every call of fn.
func (p *Program) firstArguments(m *Module, fn string) (Value, error) {
	calls := p.Calls(m, fn)
	if len(calls) == 0 {
		return Value{}, p.noCall(m, fn)
	}
	v := Value{Kind: Array, Module: m, Span: m.root.Span}
	seen := make(map[string]bool)
	for _, call := range calls {
		if len(call.Args) == 0 {
			return Value{}, &NotConstError{Module: m, Span: call.Span, Reason: "the call has no argument"}
		}
		arg, err := p.Eval(call.Args[0])
		if err != nil {
			return Value{}, err
		}
		if arg.Module != m || arg.Span != call.Args[0].Span() { // where the call says it, not where it is defined
			arg.Literal, arg.Product = false, false
			arg.Module, arg.Span = m, call.Args[0].Span()
		}
		if id, ok := identity(arg); !ok || !seen[id] {
			seen[id] = ok
			v.Elems = append(v.Elems, arg)
		}
	}
	return v, nil
}

// noCall is the error for a function that is never called, with the names that are.
func (p *Program) noCall(m *Module, fn string) error {
	var names []string
	Walk(m.root, func(n *Node) bool {
		if n.Type == CallExpr {
			names = append(names, CalleeName(n))
		}
		return true
	})
	return &NotFoundError{Module: m, Span: m.root.Span, Name: fn, Nearest: nearestNames(fn, names)}
}

// argumentWords is #argv(fn): the distinct words that the argument arrays of every call of fn
// hold as constants. Of --flag=value the flag counts.
func (p *Program) argumentWords(m *Module, fn string) (Value, error) {
	calls := p.Calls(m, fn)
	if len(calls) == 0 {
		return Value{}, p.noCall(m, fn)
	}
	v := Value{Kind: Array, Module: m, Span: m.root.Span}
	seen := make(map[string]bool)
	arrays := 0
	t := p.tracer()
	for _, call := range calls {
		for _, arg := range call.Args {
			list, ok := t.words(arg)
			if ok {
				arrays++
			}
			for _, word := range list {
				if !seen[word.Str] {
					seen[word.Str] = true
					v.Elems = append(v.Elems, word)
				}
			}
		}
	}
	if arrays == 0 {
		return Value{}, &NotConstError{Module: m, Span: calls[0].Span, Reason: "no argument is an array that can be followed"}
	}
	return v, nil
}

// words lists the constant strings of an array: elements, those of spreads and of both
// sides of a conditional, and what is pushed on it. It reports false for what is no array.
func (t *tracer) words(e Expr) ([]Value, bool) {
	if e.Node == nil || !t.burn(1) {
		return nil, false
	}
	if e.Node.Type == Cond {
		yes, okYes := t.words(Expr{e.Module, e.Node.Kids[1]})
		no, okNo := t.words(Expr{e.Module, e.Node.Kids[2]})
		return append(yes, no...), okYes || okNo
	}
	var list []Value
	pushed := t.pushed(e)
	e = t.follow(e)
	switch {
	case e.Node.Type == Cond:
		return t.words(e)
	case e.Node.Type == CallExpr && CalleeName(e.Node) == "concat" && e.Node.Kids[0].Type == Member:
		list, _ = t.words(Expr{e.Module, e.Node.Kids[0].Kids[0]})
		for _, arg := range e.Node.Kids[1:] {
			list = append(list, t.word(Expr{e.Module, arg})...)
		}
	case e.Node.Type == ArrayLit:
		for _, kid := range e.Node.Kids {
			if kid != nil {
				list = append(list, t.word(Expr{e.Module, kid})...)
			}
		}
	default:
		return nil, false
	}
	return append(list, pushed...), true
}

// pushed lists the words of x.push(...) and x.unshift(...) where e is the variable x.
func (t *tracer) pushed(e Expr) []Value {
	if e.Node.Type != Ident || e.Node.binding == nil {
		return nil
	}
	var list []Value
	for _, ref := range e.Node.binding.Refs {
		member := ref.Parent
		if member.Type != Member || member.Kids[0] != ref || member.Parent.Type != CallExpr || member.Parent.Kids[0] != member {
			continue
		}
		if name := CalleeName(member.Parent); name == "push" || name == "unshift" {
			for _, arg := range member.Parent.Kids[1:] {
				list = append(list, t.word(Expr{e.Module, arg})...)
			}
		}
	}
	return list
}

// word lists the words of one element of an argument array.
func (t *tracer) word(e Expr) []Value {
	switch e.Node.Type {
	case Spread:
		list, _ := t.words(Expr{e.Module, e.Node.Kids[0]})
		return list
	case Cond:
		return append(t.word(Expr{e.Module, e.Node.Kids[1]}), t.word(Expr{e.Module, e.Node.Kids[2]})...)
	case Binary:
		if e.Node.Text == "&&" || e.Node.Text == "||" || e.Node.Text == "??" {
			return append(t.word(Expr{e.Module, e.Node.Kids[0]}), t.word(Expr{e.Module, e.Node.Kids[1]})...)
		}
	case ArrayLit:
		list, _ := t.words(e)
		return list
	}
	v, err := t.Eval(e)
	if err != nil {
		return nil
	}
	text := v.Str
	if v.Kind == Formula && len(v.Parts) > 0 && !v.Parts[0].Hole && strings.HasPrefix(v.Parts[0].Text, "-") && strings.Contains(v.Parts[0].Text, "=") {
		v.Kind, text = String, v.Parts[0].Text
	}
	if v.Kind != String || text == "" {
		return nil
	}
	if strings.HasPrefix(text, "-") {
		if flag, _, cut := strings.Cut(text, "="); cut {
			text, v.Literal = flag, false
		}
	}
	v.Str = text
	v.WellFormed = !hasLoneSurrogate(text)
	return []Value{v}
}

// returned is #returned(fn): the object that the function fn of the module returns. Where it
// returns several, their keys are united in order.
func (p *Program) returned(m *Module, fn string) (Value, error) {
	target, err := p.function(m, fn)
	if err != nil {
		return Value{}, err
	}
	ev := &evaluator{p: p, active: make(map[*Node]bool)}
	var list entryList
	found := false
	for _, result := range returnedValues(target.Node) {
		v := ev.eval(target.Module, result)
		switch v.Kind {
		case Object:
			found = true
			for _, e := range v.Entries {
				list.put(e)
			}
		case Null, Undefined:
		case Opaque:
			return Value{}, v.Err
		default:
			return Value{}, &NotConstError{Module: target.Module, Span: result.Span, Reason: "what is returned is no object"}
		}
	}
	if !found {
		return Value{}, &NotConstError{Module: target.Module, Span: target.Node.Span, Reason: fn + " returns no object"}
	}
	v := list.object()
	v.Module, v.Span = target.Module, target.Node.Span
	return v, nil
}

// function follows a name at the top of the module to a function.
func (p *Program) function(m *Module, fn string) (Expr, error) {
	b := m.TopLevel(fn)
	if b == nil {
		return Expr{}, m.noBinding(fn)
	}
	target := p.Follow(Expr{m, b.Decl})
	if target.Node.Type != FuncLit {
		return Expr{}, &NotConstError{Module: m, Span: b.Decl.Span, Reason: fn + " is no function that can be followed"}
	}
	return target, nil
}

// cases evaluates the tests of the one switch in a function.
func (p *Program) cases(m *Module, fn string) (Value, error) {
	target, err := p.function(m, fn)
	if err != nil {
		return Value{}, err
	}
	var found []*Node
	Walk(target.Node.Kids[1], func(n *Node) bool {
		if n.Type == Switch {
			found = append(found, n)
		}
		return n.Type != FuncLit
	})
	switch len(found) {
	case 0:
		return Value{}, &NotConstError{Module: target.Module, Span: target.Node.Span, Reason: fn + " has no switch"}
	case 1:
	default:
		return Value{}, &NotConstError{Module: target.Module, Span: found[1].Span, Reason: fn + " has more than one switch"}
	}
	v := Value{Kind: Set, Module: target.Module, Span: found[0].Span}
	for _, clause := range found[0].Kids[1:] {
		if clause.Kids[0] == nil { // default
			continue
		}
		test, err := p.Eval(Expr{target.Module, clause.Kids[0]})
		if err != nil {
			return Value{}, err
		}
		if test.Module != target.Module || test.Span != clause.Kids[0].Span { // where the case says it
			test.Literal, test.Product = false, false
			test.Module, test.Span = target.Module, clause.Kids[0].Span
		}
		v.Elems = append(v.Elems, test)
	}
	return v, nil
}

// returnedValues lists the expressions that a function returns.
func returnedValues(fn *Node) []*Node {
	body := fn.Kids[1]
	if body.Type != Block {
		return []*Node{body}
	}
	var list []*Node
	for _, r := range Returns(body) {
		if r.Kids[0] != nil {
			list = append(list, r.Kids[0])
		}
	}
	return list
}
