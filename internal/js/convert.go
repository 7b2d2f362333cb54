package js

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	"github.com/grafana/sobek/unistring"
)

// converter turns the parser's tree into Nodes with places in the original text. The
// parser read gen; m and near, see align, lead from its tokens to those of orig, or are nil
// when the two are one.
type converter struct {
	gen, orig *tokens
	m, near   []int32
	shift     int // bytes that were put before the text for the parser
	slab      []Node
}

// unsupported aborts a conversion; parse turns it into an error.
type unsupported struct {
	span Span
	what string
}

// genTok returns the index of the token of gen at idx.
func (c *converter) genTok(idx file.Idx) int { return c.gen.at(int(idx) - 1 - c.shift) }

// tok returns the index of the token of orig that corresponds to idx, and whether it is
// that very token rather than the closest one before it.
func (c *converter) tok(idx file.Idx) (int, bool) { return c.toOrig(c.genTok(idx)) }

func (c *converter) toOrig(g int) (int, bool) {
	if c.m == nil {
		return max(0, min(g, len(c.orig.list)-1)), g < len(c.orig.list)
	}
	if g < len(c.near) && c.m[g] < 0 && c.near[g] >= 0 {
		return int(c.near[g]), false
	}
	return nearest(c.m, g)
}

// at is tok without the second result, for brackets and keywords.
func (c *converter) at(idx file.Idx) int {
	o, _ := c.tok(idx)
	return o
}

// make returns a node from token first to token last, and becomes the parent of kids.
func (c *converter) make(t Type, first, last int, text string, kids ...*Node) *Node {
	if len(c.slab) == 0 {
		c.slab = make([]Node, 256)
	}
	n := &c.slab[0]
	c.slab = c.slab[1:]
	if len(c.orig.list) > 0 {
		first = min(max(first, 0), len(c.orig.list)-1)
		last = min(max(last, first), len(c.orig.list)-1)
		n.Span = Span{int(c.orig.list[first].start), int(c.orig.list[last].end)}
	}
	n.Type, n.Text, n.Kids, n.first, n.last = t, text, kids, int32(first), int32(last)
	for _, kid := range kids {
		if kid != nil {
			kid.Parent = n
		}
	}
	return n
}

// mark flags n when the token that makes it, at idx, is not in the original.
func (c *converter) mark(n *Node, idx file.Idx) *Node { return c.markAt(n, c.genTok(idx)) }

func (c *converter) markAt(n *Node, g int) *Node {
	if _, exact := c.toOrig(g); !exact {
		n.Flags |= Synthetic
	}
	return n
}

// leaf returns a node of one token.
func (c *converter) leaf(t Type, idx file.Idx, text string) *Node {
	return c.leafAt(t, c.genTok(idx), text)
}

func (c *converter) leafAt(t Type, g int, text string) *Node {
	o, exact := c.toOrig(g)
	n := c.make(t, o, o, text)
	if !exact || c.m != nil && !c.sameLiteral(g, o) {
		n.Flags |= Synthetic
	}
	return n
}

// sameLiteral reports whether the token at o still says what the token at g says.
func (c *converter) sameLiteral(g, o int) bool {
	if !sameToken(c.gen, g, c.orig, o) {
		return false
	}
	if c.gen.kindOf(g) != tokNumber {
		return true
	}
	gen, ok1 := parseNumber(c.gen.text(g))
	orig, ok2 := parseNumber(c.orig.text(o))
	return ok1 && ok2 && gen.same(orig)
}

// name returns an Ident, Name or PrivateName, spelled as in the original.
func (c *converter) name(t Type, idx file.Idx, name string) *Node {
	return c.nameAt(t, c.genTok(idx), name)
}

func (c *converter) nameAt(t Type, g int, name string) *Node {
	n := c.leafAt(t, g, name)
	if n.Flags&Synthetic != 0 {
		return n
	}
	if text := c.orig.text(int(n.first)); c.orig.kindOf(int(n.first)) == tokIdent && strings.IndexByte(text, '\\') < 0 {
		n.Text = text
	}
	return n
}

// firstOf returns the first token of n as the left part of a larger expression whose rest
// begins at token limit: parentheses around n belong to it.
func (c *converter) firstOf(n *Node, limit int) int {
	first, last := int(n.first), int(n.last)
	for first > 0 && c.orig.is(first-1, "(") {
		match := int(c.orig.list[first-1].match)
		if match <= last || match >= limit {
			break
		}
		first, last = first-1, match
	}
	return first
}

// lastOf returns the last token of n as the right part of a larger expression that has the
// token limit before n.
func (c *converter) lastOf(n *Node, limit int) int {
	first, last := int(n.first), int(n.last)
	for first-1 > limit && c.orig.is(first-1, "(") {
		match := int(c.orig.list[first-1].match)
		if match <= last {
			break
		}
		first, last = first-1, match
	}
	return last
}

// decode returns the text of a decoded string in UTF-8, lone surrogates as three bytes
// each, and whether there are any.
func decode(s unistring.String) (text string, lone bool) {
	units := s.AsUtf16()
	if units == nil {
		return string(s), false
	}
	return decodeUTF16(units[1:])
}

func decodeUTF16(units []uint16) (text string, lone bool) {
	buf := make([]byte, 0, len(units)+len(units)/2)
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		switch {
		case r < 0xD800 || r > 0xDFFF:
		case r < 0xDC00 && i+1 < len(units) && units[i+1] >= 0xDC00 && units[i+1] <= 0xDFFF:
			i++
			r = 0x10000 + (r-0xD800)<<10 + (rune(units[i]) - 0xDC00)
		default:
			buf = append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF)
			lone = true
			continue
		}
		buf = utf8.AppendRune(buf, r)
	}
	return string(buf), lone
}

// text returns a leaf with decoded text.
func (c *converter) text(t Type, idx file.Idx, s unistring.String) *Node {
	text, lone := decode(s)
	n := c.leaf(t, idx, text)
	if lone {
		n.Flags |= Lone
	}
	return n
}

func (c *converter) fail(n ast.Node, what string) *Node {
	span := Span{}
	if n != nil {
		if o, ok := c.tok(n.Idx0()); ok {
			span = Span{int(c.orig.list[o].start), int(c.orig.list[o].end)}
		}
	}
	panic(unsupported{span, what})
}

func (c *converter) unknown(n ast.Node) *Node {
	return c.fail(n, fmt.Sprintf("unexpected syntax (%T)", n))
}

// key returns the key of a property or class member.
func (c *converter) key(e ast.Expression, computed bool) *Node {
	if computed {
		return c.expr(e)
	}
	if s, ok := e.(*ast.StringLiteral); ok {
		g := c.genTok(s.Idx)
		if c.gen.kindOf(g) == tokString {
			return c.text(StringLit, s.Idx, s.Value)
		}
		text, _ := decode(s.Value)
		return c.nameAt(Name, g, text)
	}
	return c.expr(e)
}

// keyFirst returns the first token of a key, its bracket included.
func (c *converter) keyFirst(key *Node, computed bool) int {
	first := int(key.first)
	if computed {
		for first--; first > 0 && !c.orig.is(first, "["); first-- {
		}
	}
	return first
}

func (c *converter) property(p ast.Property, pattern bool) *Node {
	switch p := p.(type) {
	case *ast.SpreadElement:
		return c.spread(p)
	case *ast.PropertyShort:
		name, _ := decode(p.Name.Name)
		value := c.name(Ident, p.Name.Idx, name)
		if p.Initializer != nil {
			init := c.expr(p.Initializer)
			value = c.make(Default, int(value.first), c.lastOf(init, int(value.first)), "", value, init)
		}
		n := c.make(Property, int(value.first), int(value.last), "init", c.name(Name, p.Name.Idx, name), value)
		n.Flags |= Shorthand
		return n
	case *ast.PropertyKeyed:
		return c.keyed(p, pattern)
	}
	return c.unknown(p)
}

func (c *converter) keyed(p *ast.PropertyKeyed, pattern bool) *Node {
	key := c.key(p.Key, p.Computed)
	first := c.keyFirst(key, p.Computed)
	var value *Node
	kind := "init"
	if fn, ok := p.Value.(*ast.FunctionLiteral); ok && p.Kind != ast.PropertyKindValue {
		value = c.function(fn)
		first = min(first, c.at(fn.Function))
		kind = map[ast.PropertyKind]string{ast.PropertyKindGet: "get", ast.PropertyKindSet: "set", ast.PropertyKindMethod: "method"}[p.Kind]
	} else {
		value = c.element(p.Value, pattern)
	}
	n := c.make(Property, first, c.lastOf(value, int(key.last)), kind, key, value)
	if p.Computed {
		n.Flags |= Computed
	} else if kind == "init" && key.first == value.first && key.Type == Name {
		n.Flags |= Shorthand
	}
	return n
}

func (c *converter) spread(s *ast.SpreadElement) *Node {
	arg := c.expr(s.Expression)
	first := int(arg.first)
	for first > 0 && !c.orig.is(first, "...") {
		first--
	}
	return c.make(Spread, first, c.lastOf(arg, first), "", arg)
}

// rest returns the rest target of a pattern, or nil.
func (c *converter) rest(e ast.Expression) *Node {
	if e == nil {
		return nil
	}
	return c.spread(&ast.SpreadElement{Expression: e})
}

// element returns a value of an object or array; an assignment in a pattern is a target
// with a default.
func (c *converter) element(e ast.Expression, pattern bool) *Node {
	assign, ok := e.(*ast.AssignExpression)
	if !ok || !pattern {
		return c.expr(e)
	}
	target, value := c.expr(assign.Left), c.expr(assign.Right)
	return c.make(Default, int(target.first), c.lastOf(value, int(target.last)), "", target, value)
}

// binding returns a declared target with its default.
func (c *converter) binding(b *ast.Binding) *Node {
	target := c.expr(b.Target)
	if b.Initializer == nil {
		return target
	}
	init := c.expr(b.Initializer)
	return c.make(Default, int(target.first), c.lastOf(init, int(target.last)), "", target, init)
}
