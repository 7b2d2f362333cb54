package js

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Limits of one evaluation; a constant of a contract is far below them.
const (
	maxSteps  = 1 << 17 // expressions and elements
	maxDepth  = 8000    // of expressions in expressions, bindings followed
	maxString = 1 << 20 // bytes
)

// evaluator computes constants. Without a program it does not follow imports.
type evaluator struct {
	p      *Program
	active map[*Node]bool // what is being evaluated, to find what refers to itself
	steps  int
	depth  int
}

// Eval evaluates a constant expression. The error is a *NotConstError; it wraps an *Error
// when the reason is an imported module that cannot be read.
func (p *Program) Eval(e Expr) (Value, error) {
	if e.Node == nil {
		return Value{}, &NotConstError{Module: e.Module, Reason: "there is no expression"}
	}
	ev := &evaluator{p: p, active: make(map[*Node]bool)}
	return known(ev.eval(e.Module, e.Node))
}

// known returns the error of an opaque value.
func known(v Value) (Value, error) {
	if v.Kind == Opaque {
		return Value{}, v.Err
	}
	return v, nil
}

func opaque(m *Module, span Span, format string, args ...any) Value {
	return Value{Kind: Opaque, Module: m, Span: span, Err: &NotConstError{Module: m, Span: span, Reason: fmt.Sprintf(format, args...)}}
}

// eval returns the value of n, Opaque where it has none.
func (ev *evaluator) eval(m *Module, n *Node) Value {
	ev.steps++
	ev.depth++
	defer func() { ev.depth-- }()
	switch {
	case ev.steps > maxSteps || ev.depth > maxDepth:
		return opaque(m, n.Span, "too large to evaluate")
	case ev.active[n]:
		return opaque(m, n.Span, "it refers to itself")
	}
	ev.active[n] = true
	defer delete(ev.active, n)
	v := ev.primary(m, n)
	if v.Module == nil { // what was looked up keeps its own place: that is where a fix belongs
		v.Module, v.Span = m, n.Span
		v.Literal, v.Product = isLiteral(n), isProduct(n)
	}
	return v
}

// isLiteral reports whether n is one literal token of the source.
func isLiteral(n *Node) bool {
	switch n.Type {
	case NumberLit, BigIntLit, StringLit, BoolLit, NullLit, RegExpLit:
		return n.Flags&Synthetic == 0
	case Template:
		return len(n.Kids) == 1 && n.Kids[0].Flags&Synthetic == 0
	}
	return false
}

// isProduct reports whether n is an operation on two number literals, such as 64 * 1024.
func isProduct(n *Node) bool {
	return n.Type == Binary && slices.Contains([]string{"*", "<<", "**"}, n.Text) &&
		n.Kids[0].Type == NumberLit && isLiteral(n.Kids[0]) && n.Kids[1].Type == NumberLit && isLiteral(n.Kids[1])
}

// primary evaluates literals and names.
func (ev *evaluator) primary(m *Module, n *Node) Value {
	switch n.Type {
	case StringLit:
		return stringValue(n.Text)
	case NumberLit, BigIntLit:
		num, ok := parseNumber(n.Text)
		if !ok {
			return opaque(m, n.Span, "the number is malformed")
		}
		return num.value()
	case BoolLit:
		return Value{Kind: Bool, Bool: n.Text == "true"}
	case NullLit:
		return Value{Kind: Null}
	case RegExpLit:
		slash := strings.LastIndexByte(n.Text, '/')
		return Value{Kind: RegExp, Pattern: n.Text[1:slash], Flags: n.Text[slash+1:]}
	case Template:
		return ev.template(m, n)
	case Tagged:
		return ev.raw(m, n)
	case FuncLit:
		return ev.function(m, n)
	case ClassLit:
		return Value{Kind: Function, Fn: Expr{m, n}}
	case ArrayLit:
		return ev.array(m, n)
	case ObjectLit:
		return ev.object(m, n)
	case Ident:
		return ev.ident(m, n)
	}
	return ev.compound(m, n)
}

// compound evaluates expressions with operands.
func (ev *evaluator) compound(m *Module, n *Node) Value {
	switch n.Type {
	case Member:
		return ev.member(m, n)
	case Unary:
		return ev.unary(m, n)
	case Binary:
		return ev.binary(m, n)
	case CallExpr:
		return ev.call(m, n)
	case New:
		return ev.construct(m, n)
	}
	return opaque(m, n.Span, "%s", reasons[n.Type])
}

// reasons tell why an expression is not constant.
var reasons = map[Type]string{
	Cond: "a conditional is decided at run time", Assign: "an assignment is not a constant", Update: "an update is not a constant",
	Await: "a promise settles at run time", Yield: "yield is not a constant", ImportCall: "a module is imported at run time",
	This: "this depends on the call", Super: "super depends on the call", Meta: "the value is known at run time only",
	Sequence: "a sequence of expressions is not a constant", Spread: "a spread stands where no list is",
	Default: "a default is used at run time only", PrivateName: "a private name has no value of its own",
}

func stringValue(s string) Value {
	return Value{Kind: String, Str: s, WellFormed: !hasLoneSurrogate(s)}
}

// hasLoneSurrogate looks for the three bytes in which decodeUTF16 writes one.
func hasLoneSurrogate(s string) bool {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == 0xED && s[i+1] >= 0xA0 {
			return true
		}
	}
	return false
}

func (n numeric) value() Value {
	if n.big != nil {
		return Value{Kind: BigInt, Big: n.big}
	}
	return Value{Kind: Number, Num: n.num}
}

// ident evaluates a variable.
func (ev *evaluator) ident(m *Module, n *Node) Value {
	b := n.binding
	if b == nil {
		switch n.Text {
		case "undefined":
			return Value{Kind: Undefined}
		case "NaN":
			return Value{Kind: Number, Num: math.NaN()}
		case "Infinity":
			return Value{Kind: Number, Num: math.Inf(1)}
		}
		return opaque(m, n.Span, "%s is a global", n.Text)
	}
	v := ev.bound(m, b)
	if isContainer(v) {
		if at := mutation(b, v.Frozen && (v.Kind == Object || v.Kind == Array)); at != nil {
			return opaque(m, at.Span, "%s is changed here", b.Name)
		}
	}
	return v
}

func isContainer(v Value) bool {
	return v.Kind == Object || v.Kind == Array || v.Kind == Set || v.Kind == Map
}

// bound evaluates what a name is bound to.
func (ev *evaluator) bound(m *Module, b *Binding) Value {
	if len(b.Writes) > 0 {
		if at, ok := m.namespace(b.Name); ok {
			return opaque(m, at, "%s is a namespace, which is filled at run time", b.Name)
		}
		return opaque(m, b.Writes[0].Span, "%s is assigned to again", b.Name)
	}
	switch b.Owner.Type {
	case Declarator:
		return ev.declared(m, b)
	case FuncLit:
		if b.Owner.Kids[0] == b.Decl {
			return ev.eval(m, b.Owner)
		}
		return opaque(m, b.Decl.Span, "%s is a parameter", b.Name)
	case ClassLit:
		return ev.eval(m, b.Owner)
	case ImportSpec:
		return ev.imported(m, b)
	}
	return opaque(m, b.Decl.Span, "%s is known at run time only", b.Name)
}

// declared evaluates a declared variable, also one taken out of an object by a pattern.
func (ev *evaluator) declared(m *Module, b *Binding) Value {
	init := b.Owner.Kids[1]
	if loop := b.Owner.Parent.Parent; loop != nil && (loop.Type == ForIn || loop.Type == ForOf || loop.Type == For) && loop.Kids[0] == b.Owner.Parent {
		return opaque(m, b.Decl.Span, "%s is a loop variable", b.Name)
	}
	if init == nil {
		return Value{Kind: Undefined, Module: m, Span: b.Decl.Span}
	}
	v := ev.eval(m, init)
	if b.Owner.Kids[0] == b.Decl {
		return v
	}
	steps, ok := patternPath(b.Owner.Kids[0], b.Decl)
	if !ok {
		return opaque(m, b.Decl.Span, "%s is taken out of a pattern in a way that is not followed", b.Name)
	}
	for _, step := range steps {
		if v.Kind == Opaque {
			return v
		}
		v = property(v, step, m, b.Decl.Span)
	}
	return v
}

// patternPath returns the property names that lead from a pattern to a target in it. It
// reports false for a default, a rest and a computed key.
func patternPath(pattern, target *Node) (steps []string, ok bool) {
	for n := target; n != pattern; n = n.Parent {
		switch n.Parent.Type {
		case Property:
			key, ok := staticKey(n.Parent)
			if !ok {
				return nil, false
			}
			steps = append(steps, key)
		case ArrayLit:
			steps = append(steps, fmt.Sprint(slices.Index(n.Parent.Kids, n)))
		case ObjectLit:
		default:
			return nil, false
		}
		if n.Type == Spread {
			return nil, false
		}
	}
	slices.Reverse(steps)
	return steps, true
}

// staticKey returns the key of a Property or ClassMember where the source spells it.
func staticKey(property *Node) (string, bool) {
	key := property.Kids[0]
	if key == nil {
		return "", false
	}
	switch {
	case property.Flags&Computed != 0 && key.Type != StringLit && key.Type != NumberLit:
		if key.Type == Template && len(key.Kids) == 1 {
			return key.Kids[0].Text, true
		}
		return "", false
	case key.Type == NumberLit || key.Type == BigIntLit:
		num, ok := parseNumber(key.Text)
		if !ok {
			return "", false
		}
		return num.String(), true
	}
	return key.Text, true
}

// property returns a property of a value; the place is that of the access.
func property(v Value, name string, m *Module, span Span) Value {
	switch v.Kind {
	case Object:
		for _, e := range v.Entries {
			if e.Key.Str == name {
				return e.Value
			}
		}
		if inherited[name] {
			return opaque(m, span, "%s is inherited", name)
		}
		return Value{Kind: Undefined, Module: m, Span: span}
	case Array:
		if name == "length" {
			return Value{Kind: Number, Num: float64(len(v.Elems)), Module: m, Span: span}
		}
		if i, ok := arrayIndex(name); ok && i < len(v.Elems) {
			return v.Elems[i]
		} else if ok {
			return Value{Kind: Undefined, Module: m, Span: span}
		}
	case String:
		if name == "length" {
			return Value{Kind: Number, Num: float64(utf16Length(v.Str)), Module: m, Span: span}
		}
	case Set, Map:
		if name == "size" {
			return Value{Kind: Number, Num: float64(max(len(v.Elems), len(v.Entries))), Module: m, Span: span}
		}
	}
	return opaque(m, span, "property %s is known at run time only", name)
}

// inherited are the properties that every object has without declaring them.
var inherited = map[string]bool{
	"constructor": true, "hasOwnProperty": true, "isPrototypeOf": true, "propertyIsEnumerable": true,
	"toLocaleString": true, "toString": true, "valueOf": true, "__proto__": true,
}

// arrayIndex reads the decimal index of an array element; leading zeros make a name.
func arrayIndex(name string) (int, bool) {
	if name == "" || len(name) > 9 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	i := 0
	for _, c := range []byte(name) {
		if !isDigit(c) {
			return 0, false
		}
		i = i*10 + int(c-'0')
	}
	return i, true
}

// member evaluates a property access.
func (ev *evaluator) member(m *Module, n *Node) Value {
	name, ok := ev.memberName(m, n)
	if !ok {
		return opaque(m, n.Kids[1].Span, "the property name is computed")
	}
	object := n.Kids[0]
	if object.Type == Ident && object.binding == nil {
		if f, ok := wellKnown[object.Text+"."+name]; ok {
			return Value{Kind: Number, Num: f}
		}
	}
	if target, ok := ev.p.namespaceMember(m, object, name); ok {
		return ev.eval(target.Module, target.Node)
	}
	v := ev.eval(m, object)
	switch v.Kind {
	case Opaque:
		return v
	case Function:
		return ev.static(v.Fn, name, m, n.Span)
	}
	return property(v, name, m, n.Span)
}

// wellKnown are numbers that the language defines.
var wellKnown = map[string]float64{
	"Number.MAX_SAFE_INTEGER": 1<<53 - 1, "Number.MIN_SAFE_INTEGER": -(1<<53 - 1), "Number.MAX_VALUE": math.MaxFloat64,
	"Number.MIN_VALUE": math.SmallestNonzeroFloat64, "Number.EPSILON": 0x1p-52,
	"Number.POSITIVE_INFINITY": math.Inf(1), "Number.NEGATIVE_INFINITY": math.Inf(-1), "Number.NaN": math.NaN(),
}

// memberName returns the property name of a Member.
func (ev *evaluator) memberName(m *Module, n *Node) (string, bool) {
	key := n.Kids[1]
	if n.Flags&Computed == 0 {
		return key.Text, key.Type == Name
	}
	return toString(ev.eval(m, key))
}

// static evaluates a static member of a class.
func (ev *evaluator) static(class Expr, name string, m *Module, span Span) Value {
	if class.Node.Type == ClassLit {
		for _, member := range class.Node.Kids[2:] {
			key, ok := staticKey(member)
			if !ok || key != name || member.Flags&Static == 0 {
				continue
			}
			switch {
			case member.Text == "get" || member.Text == "set":
				return opaque(class.Module, member.Span, "%s is an accessor", name)
			case member.Kids[1] == nil:
				return Value{Kind: Undefined, Module: class.Module, Span: member.Span}
			}
			return ev.eval(class.Module, member.Kids[1])
		}
	}
	return opaque(m, span, "property %s of a function is known at run time only", name)
}
