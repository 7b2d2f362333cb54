package js

import "slices"

// Origin tells which parameter a value is, or was read from: the property path Path of
// parameter Param of the function Fn.
type Origin struct {
	Fn    *Node
	Param int
	Path  []string // "*" for a property whose name is computed, or for any rest
}

// OriginOf returns the parameter that an expression reads: directly, through properties,
// destructuring, and local variables that are assigned once.
func (m *Module) OriginOf(n *Node) (Origin, bool) { return originOf(n, 0) }

func originOf(n *Node, depth int) (Origin, bool) {
	if n == nil || depth > maxAlias {
		return Origin{}, false
	}
	switch n.Type {
	case Await:
		return originOf(n.Kids[0], depth+1)
	case Member:
		o, ok := originOf(n.Kids[0], depth+1)
		if !ok {
			return Origin{}, false
		}
		o.Path = append(slices.Clone(o.Path), chainStep(n))
		return o, true
	case Binary: // x ?? {} reads x
		if n.Text == "??" || n.Text == "||" {
			return originOf(n.Kids[0], depth+1)
		}
	case Ident:
		return originOfBinding(n.binding, depth)
	}
	return Origin{}, false
}

// chainStep returns the property name of a Member, "*" when it is computed.
func chainStep(n *Node) string {
	key := n.Kids[1]
	if n.Flags&Computed == 0 {
		return key.Text
	}
	if text, ok := literalText(key); ok {
		return text
	}
	if num, ok := parseNumber(key.Text); ok && key.Type == NumberLit {
		return num.String()
	}
	return "*"
}

func originOfBinding(b *Binding, depth int) (Origin, bool) {
	if b == nil || len(b.Writes) > 0 {
		return Origin{}, false
	}
	var o Origin
	var root *Node
	switch {
	case b.Param() >= 0:
		o.Fn, o.Param = b.Owner, b.Param()
		root = b.Owner.Kids[2+o.Param]
	case b.Owner.Type == Declarator:
		var ok bool
		if o, ok = originOf(b.Owner.Kids[1], depth+1); !ok {
			return Origin{}, false
		}
		root = b.Owner.Kids[0]
	default:
		return Origin{}, false
	}
	o.Path = append(slices.Clone(o.Path), originPath(root, b.Decl)...)
	return o, true
}

// originPath is patternPath for reading: defaults do not matter, and what is not spelled
// is "*".
func originPath(pattern, target *Node) []string {
	var steps []string
	for n := target; n != pattern; n = n.Parent {
		switch n.Parent.Type {
		case Property:
			key, ok := staticKey(n.Parent)
			if !ok {
				key = "*"
			}
			steps = append(steps, key)
		case ArrayLit:
			steps = append(steps, numeric{num: float64(slices.Index(n.Parent.Kids, n))}.String())
		case Spread:
			steps = append(steps, "*")
		}
	}
	slices.Reverse(steps)
	return steps
}
