package js

import (
	"slices"
	"strings"
)

// array evaluates an array literal.
func (ev *evaluator) array(m *Module, n *Node) Value {
	v := Value{Kind: Array}
	for _, kid := range n.Kids {
		switch {
		case kid == nil:
			v.Elems = append(v.Elems, Value{Kind: Undefined, Module: m, Span: n.Span})
		case kid.Type == Spread:
			list, reason := ev.iterate(ev.eval(m, kid.Kids[0]), m, kid.Span)
			if reason != nil {
				return *reason
			}
			v.Elems = append(v.Elems, list...)
		default:
			v.Elems = append(v.Elems, ev.eval(m, kid))
		}
	}
	return v
}

// iterate returns the elements of an iterable, or why there are none.
func (ev *evaluator) iterate(v Value, m *Module, span Span) ([]Value, *Value) {
	ev.steps += len(v.Elems) + len(v.Entries) + len(v.Str)
	if ev.steps > maxSteps {
		v = opaque(m, span, "too large to evaluate")
	}
	switch v.Kind {
	case Opaque:
		return nil, &v
	case Array, Set:
		return slices.Clone(v.Elems), nil
	case Map:
		list := make([]Value, 0, len(v.Entries))
		for _, e := range v.Entries {
			list = append(list, Value{Kind: Array, Elems: []Value{e.Key, e.Value}, Module: e.Value.Module, Span: e.Value.Span})
		}
		return list, nil
	case String:
		var list []Value
		for s := v.Str; s != ""; {
			r := firstRune(s)
			list = append(list, Value{Kind: String, Str: r, WellFormed: !hasLoneSurrogate(r), Module: v.Module, Span: v.Span})
			s = s[len(r):]
		}
		return list, nil
	}
	bad := opaque(m, span, "the value is not iterable")
	return nil, &bad
}

// object evaluates an object literal. A property that is not constant is Opaque; a key
// that is not constant makes the whole object so.
func (ev *evaluator) object(m *Module, n *Node) Value {
	var list entryList
	for _, kid := range n.Kids {
		if kid.Type == Spread {
			if reason := ev.spread(&list, m, kid); reason != nil {
				return *reason
			}
			continue
		}
		key, ok := staticKey(kid)
		if !ok {
			if key, ok = toString(ev.eval(m, kid.Kids[0])); !ok {
				return opaque(m, kid.Kids[0].Span, "the property name is computed")
			}
		}
		if key == "__proto__" && kid.Flags&(Computed|Shorthand) == 0 && kid.Text == "init" && !m.isJSON() {
			return opaque(m, kid.Span, "the prototype is set")
		}
		list.put(Entry{Key: stringValue(key), KeySpan: kid.Kids[0].Span, KeyModule: m, Value: ev.propertyValue(m, kid)})
	}
	return list.object()
}

// spread adds the properties of ...x to an object.
func (ev *evaluator) spread(list *entryList, m *Module, kid *Node) *Value {
	from := ev.eval(m, kid.Kids[0])
	ev.steps += len(from.Entries)
	switch from.Kind {
	case Object:
		for _, e := range from.Entries {
			list.put(e)
		}
	case Null, Undefined, Bool, Number, BigInt, Function, Set, Map, RegExp: // they have no properties of their own
	case Opaque:
		return &from
	default:
		bad := opaque(m, kid.Span, "what is spread is no plain object")
		return &bad
	}
	return nil
}

func (ev *evaluator) propertyValue(m *Module, kid *Node) Value {
	if kid.Text == "get" || kid.Text == "set" {
		return opaque(m, kid.Span, "the property is an accessor")
	}
	return ev.eval(m, kid.Kids[1])
}

func (m *Module) isJSON() bool { return strings.HasSuffix(strings.ToLower(m.path), ".json") }

// entryList collects the entries of an object, a Map or a Set: a later one of the same key
// replaces the value and keeps the place.
type entryList struct {
	list  []Entry
	index map[string]int
}

func (l *entryList) put(e Entry) {
	if l.index == nil {
		l.index = make(map[string]int)
	}
	id, ok := identity(e.Key)
	if i, found := l.index[id]; ok && found {
		l.list[i].Value = e.Value
		return
	}
	if ok {
		l.index[id] = len(l.list)
	}
	l.list = append(l.list, e)
}

// object returns the entries as an object. Keys that are array indexes come first,
// ascending, as JavaScript enumerates them.
func (l *entryList) object() Value {
	slices.SortStableFunc(l.list, func(a, b Entry) int {
		i, okA := arrayIndex(a.Key.Str)
		j, okB := arrayIndex(b.Key.Str)
		switch {
		case okA && okB:
			return i - j
		case okA:
			return -1
		case okB:
			return 1
		}
		return 0
	})
	return Value{Kind: Object, Entries: l.list}
}

// identity returns a text that two values share when a Set takes them for the same. Objects
// have none: each literal makes a new one.
func identity(v Value) (string, bool) {
	switch v.Kind {
	case Opaque, Array, Object, Set, Map, RegExp, Formula, Function:
		return "", false
	}
	s, ok := toString(v)
	return string(rune('a'+v.Kind)) + s, ok
}

// call evaluates the calls that only arrange or convert constants.
func (ev *evaluator) call(m *Module, n *Node) Value {
	name := globalName(n.Kids[0])
	args := n.Kids[1:]
	if name == "" || len(args) != 1 || args[0].Type == Spread {
		return opaque(m, n.Span, "the result of a call is known at run time only")
	}
	switch name {
	case "Object.freeze", "Object.seal", "Object.preventExtensions":
		v := ev.eval(m, args[0])
		v.Frozen = v.Frozen || name == "Object.freeze"
		return v
	case "Object.keys", "Object.values", "Object.entries", "Object.fromEntries":
		return ev.entries(m, n, name)
	case "String", "Number", "BigInt":
		return ev.convert(m, n, name)
	case "RegExp":
		return ev.regexp(m, n)
	}
	return opaque(m, n.Span, "the result of a call is known at run time only")
}

// globalName returns the dotted name of a global function, or "".
func globalName(callee *Node) string {
	switch {
	case callee.Type == Ident && callee.binding == nil:
		return callee.Text
	case callee.Type == Member && callee.Flags&Computed == 0 && callee.Kids[0].Type == Ident && callee.Kids[0].binding == nil:
		return callee.Kids[0].Text + "." + callee.Kids[1].Text
	}
	return ""
}

func (ev *evaluator) entries(m *Module, n *Node, name string) Value {
	from := ev.eval(m, n.Kids[1])
	if name == "Object.fromEntries" {
		return ev.fromEntries(from, m, n)
	}
	if from.Kind == Opaque {
		return from
	}
	if from.Kind != Object {
		return opaque(m, n.Span, "the argument is no plain object")
	}
	v := Value{Kind: Array}
	for _, e := range from.Entries {
		key := e.Key
		key.Module, key.Span = e.KeyModule, e.KeySpan
		switch name {
		case "Object.keys":
			v.Elems = append(v.Elems, key)
		case "Object.values":
			v.Elems = append(v.Elems, e.Value)
		default:
			v.Elems = append(v.Elems, Value{Kind: Array, Elems: []Value{key, e.Value}, Module: e.KeyModule, Span: e.KeySpan})
		}
	}
	return v
}

func (ev *evaluator) fromEntries(from Value, m *Module, n *Node) Value {
	var list entryList
	if reason := ev.pairs(from, m, n, func(key, value Value) bool {
		name, ok := toString(key)
		if ok {
			list.put(Entry{Key: stringValue(name), KeySpan: key.Span, KeyModule: key.Module, Value: value})
		}
		return ok
	}); reason != nil {
		return *reason
	}
	return list.object()
}

// pairs calls f for every [key, value] of an iterable.
func (ev *evaluator) pairs(from Value, m *Module, n *Node, f func(key, value Value) bool) *Value {
	list, reason := ev.iterate(from, m, n.Span)
	if reason != nil {
		return reason
	}
	for _, pair := range list {
		if pair.Kind != Array || len(pair.Elems) != 2 || pair.Elems[0].Kind == Opaque || !f(pair.Elems[0], pair.Elems[1]) {
			bad := opaque(m, n.Span, "an entry is no constant pair")
			return &bad
		}
	}
	return nil
}

// construct evaluates new Set, new Map and new RegExp.
func (ev *evaluator) construct(m *Module, n *Node) Value {
	name, args := globalName(n.Kids[0]), n.Kids[1:]
	switch {
	case name == "RegExp":
		return ev.regexp(m, n)
	case name != "Set" && name != "Map" || len(args) > 1:
		return opaque(m, n.Span, "the object is made at run time")
	}
	var from Value
	if len(args) == 1 {
		from = ev.eval(m, args[0])
	}
	if len(args) == 0 || from.Kind == Null || from.Kind == Undefined {
		from = Value{Kind: Array}
	}
	if name == "Map" {
		return ev.newMap(from, m, n)
	}
	list, reason := ev.iterate(from, m, n.Span)
	if reason != nil {
		return *reason
	}
	var set entryList
	for _, e := range list {
		if e.Kind == Opaque {
			return e
		}
		set.put(Entry{Key: e})
	}
	v := Value{Kind: Set}
	for _, e := range set.list {
		v.Elems = append(v.Elems, e.Key)
	}
	return v
}

func (ev *evaluator) newMap(from Value, m *Module, n *Node) Value {
	var list entryList
	if reason := ev.pairs(from, m, n, func(key, value Value) bool {
		list.put(Entry{Key: key, KeySpan: key.Span, KeyModule: key.Module, Value: value})
		return true
	}); reason != nil {
		return *reason
	}
	return Value{Kind: Map, Entries: list.list}
}

// regexp evaluates RegExp(pattern, flags) with strings or a regular expression.
func (ev *evaluator) regexp(m *Module, n *Node) Value {
	args := n.Kids[1:]
	if len(args) == 0 || len(args) > 2 {
		return opaque(m, n.Span, "the regular expression has no constant pattern")
	}
	v := Value{Kind: RegExp}
	switch p := ev.eval(m, args[0]); p.Kind {
	case String:
		v.Pattern = p.Str
	case RegExp:
		v.Pattern, v.Flags = p.Pattern, p.Flags
	case Opaque:
		return p
	default:
		return opaque(m, args[0].Span, "the pattern is no string")
	}
	if len(args) == 2 {
		f := ev.eval(m, args[1])
		if f.Kind != String {
			return opaque(m, args[1].Span, "the flags are no constant string")
		}
		v.Flags = f.Str
	}
	return v
}
