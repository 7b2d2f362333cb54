package js

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	jstoken "github.com/grafana/sobek/token"
)

// expr converts an expression or pattern; nil gives nil.
func (c *converter) expr(e ast.Expression) *Node {
	switch e := e.(type) {
	case nil:
		return nil
	case *ast.Identifier:
		name, _ := decode(e.Name)
		return c.name(Ident, e.Idx, name)
	case *ast.StringLiteral:
		return c.text(StringLit, e.Idx, e.Value)
	case *ast.NumberLiteral:
		return c.number(e)
	case *ast.BooleanLiteral:
		return c.leaf(BoolLit, e.Idx, e.Literal)
	case *ast.NullLiteral:
		return c.leaf(NullLit, e.Idx, "")
	case *ast.RegExpLiteral:
		return c.leaf(RegExpLit, e.Idx, c.gen.text(c.genTok(e.Idx)))
	case *ast.ThisExpression:
		return c.leaf(This, e.Idx, "")
	case *ast.SuperExpression:
		return c.leaf(Super, e.Idx, "")
	case *ast.PrivateIdentifier:
		return c.private(e)
	case *ast.TemplateLiteral:
		return c.template(e)
	case *ast.OptionalChain:
		return c.expr(e.Expression)
	case *ast.Optional:
		return c.expr(e.Expression)
	case *ast.SpreadElement:
		return c.spread(e)
	case *ast.BadExpression:
		return c.fail(e, "syntax that the parser gave up on")
	case *ast.Binding:
		return c.binding(e)
	case *ast.PropertyShort, *ast.PropertyKeyed:
		return c.property(e.(ast.Property), false)
	}
	return c.compound(e)
}

// compound converts the expressions that have operands.
func (c *converter) compound(e ast.Expression) *Node {
	switch e := e.(type) {
	case *ast.ArrayLiteral:
		return c.array(e.LeftBracket, e.RightBracket, e.Value, nil, false)
	case *ast.ArrayPattern:
		return c.array(e.LeftBracket, e.RightBracket, e.Elements, e.Rest, true)
	case *ast.ObjectLiteral:
		return c.object(e.LeftBrace, e.RightBrace, e.Value, nil, false)
	case *ast.ObjectPattern:
		return c.object(e.LeftBrace, e.RightBrace, e.Properties, e.Rest, true)
	case *ast.FunctionLiteral:
		return c.function(e)
	case *ast.ArrowFunctionLiteral:
		return c.arrow(e)
	case *ast.ClassLiteral:
		return c.class(e)
	case *ast.DotExpression:
		name, _ := decode(e.Identifier.Name)
		return c.member(e.Left, c.name(Name, e.Identifier.Idx, name))
	case *ast.PrivateDotExpression:
		return c.member(e.Left, c.private(&e.Identifier))
	case *ast.BracketExpression:
		return c.bracket(e)
	case *ast.CallExpression:
		return c.call(e)
	case *ast.NewExpression:
		return c.new(e)
	case *ast.MetaProperty:
		return c.meta(e)
	}
	return c.operation(e)
}

// operation converts the expressions that have operators.
func (c *converter) operation(e ast.Expression) *Node {
	switch e := e.(type) {
	case *ast.BinaryExpression:
		left, right := c.expr(e.Left), c.expr(e.Right)
		op := e.Operator.String()
		if left.Type == PrivateName { // the parser records the token after "in"
			op = "in"
		}
		return c.make(Binary, c.firstOf(left, int(right.first)), c.lastOf(right, int(left.last)), op, left, right)
	case *ast.AssignExpression:
		return c.assign(e)
	case *ast.ConditionalExpression:
		test, yes, no := c.expr(e.Test), c.expr(e.Consequent), c.expr(e.Alternate)
		return c.make(Cond, c.firstOf(test, int(yes.first)), c.lastOf(no, int(yes.last)), "", test, yes, no)
	case *ast.SequenceExpression:
		kids := c.exprs(e.Sequence)
		last := len(kids) - 1
		return c.make(Sequence, c.firstOf(kids[0], int(kids[min(1, last)].first)), c.lastOf(kids[last], int(kids[max(0, last-1)].last)), "", kids...)
	case *ast.UnaryExpression:
		return c.unary(e)
	case *ast.AwaitExpression:
		return c.prefix(Await, e.Await, e.Argument, "")
	case *ast.YieldExpression:
		n := c.prefix(Yield, e.Yield, e.Argument, "")
		if e.Delegate {
			n.Flags |= Delegate
		}
		return n
	}
	return c.unknown(e)
}

func (c *converter) exprs(list []ast.Expression) []*Node {
	kids := make([]*Node, len(list))
	for i, e := range list {
		kids[i] = c.expr(e)
	}
	return kids
}

func (c *converter) number(e *ast.NumberLiteral) *Node {
	if n := len(e.Literal); n > 0 && e.Literal[n-1] == 'n' {
		return c.leaf(BigIntLit, e.Idx, e.Literal)
	}
	return c.leaf(NumberLit, e.Idx, e.Literal)
}

func (c *converter) private(e *ast.PrivateIdentifier) *Node {
	name, _ := decode(e.Name)
	return c.name(PrivateName, e.Idx, "#"+name)
}

// template converts a template literal; its chunks are chained by their matches.
func (c *converter) template(e *ast.TemplateLiteral) *Node {
	g := c.genTok(e.OpenQuote)
	first, _ := c.toOrig(g)
	last := first
	var kids []*Node
	for i, element := range e.Elements {
		text, lone := decode(element.Parsed)
		chunk := c.leafAt(TemplateText, g, text)
		last = max(last, int(chunk.last))
		chunk.Span.Start++
		chunk.Span.End--
		if kind := c.orig.kindOf(int(chunk.first)); kind == tokTemplateHead || kind == tokTemplateMiddle {
			chunk.Span.End--
		}
		chunk.Span.End = max(chunk.Span.Start, chunk.Span.End)
		if lone || !element.Valid {
			chunk.Flags |= Lone
		}
		kids = append(kids, chunk)
		if i < len(e.Expressions) {
			kids = append(kids, c.expr(e.Expressions[i]))
			g = max(g, int(c.gen.list[g].match))
		}
	}
	n := c.make(Template, first, last, "", kids...)
	if e.Tag == nil {
		return n
	}
	tag := c.expr(e.Tag)
	return c.make(Tagged, c.firstOf(tag, first), last, "", tag, n)
}

func (c *converter) array(open, end file.Idx, list []ast.Expression, rest ast.Expression, pattern bool) *Node {
	kids := make([]*Node, 0, len(list)+1)
	for _, e := range list {
		kids = append(kids, c.element(e, pattern))
	}
	if rest != nil {
		kids = append(kids, c.rest(rest))
	}
	return c.mark(c.make(ArrayLit, c.at(open), c.at(end), "", kids...), open)
}

func (c *converter) object(open, end file.Idx, list []ast.Property, rest ast.Expression, pattern bool) *Node {
	kids := make([]*Node, 0, len(list)+1)
	for _, p := range list {
		kids = append(kids, c.property(p, pattern))
	}
	if rest != nil {
		kids = append(kids, c.rest(rest))
	}
	return c.mark(c.make(ObjectLit, c.at(open), c.at(end), "", kids...), open)
}

// optional reports whether ?. stands behind left.
func optional(left ast.Expression) bool {
	_, ok := left.(*ast.Optional)
	return ok
}

func (c *converter) member(left ast.Expression, property *Node) *Node {
	object := c.expr(left)
	if object.Type == Ident && object.Flags&Synthetic != 0 && property.Flags&Synthetic == 0 && !c.orig.is(int(property.first)-1, ".") && !c.orig.is(int(property.first)-1, "?.") {
		property.Type = Ident // a name of a namespace, to which the translation adds the namespace
		return property
	}
	n := c.make(Member, c.firstOf(object, int(property.first)), int(property.last), "", object, property)
	if optional(left) {
		n.Flags |= Optional
	}
	n.Flags |= object.Flags & Synthetic
	return n
}

func (c *converter) bracket(e *ast.BracketExpression) *Node {
	object, property := c.expr(e.Left), c.expr(e.Member)
	n := c.make(Member, c.firstOf(object, c.at(e.LeftBracket)), c.at(e.RightBracket), "", object, property)
	n.Flags |= Computed
	if optional(e.Left) {
		n.Flags |= Optional
	}
	return n
}

func (c *converter) call(e *ast.CallExpression) *Node {
	open, end := c.at(e.LeftParenthesis), c.at(e.RightParenthesis)
	if _, ok := e.Callee.(*ast.DynamicImportExpression); ok {
		return c.make(ImportCall, open-1, end, "", c.exprs(e.ArgumentList)...)
	}
	callee := c.expr(e.Callee)
	if callee.Type == Sequence && callee.Kids[0].Flags&Synthetic != 0 { // (0, f)(): what keeps f from being a method
		callee = callee.Kids[len(callee.Kids)-1]
	}
	n := c.make(CallExpr, c.firstOf(callee, open), end, "", append([]*Node{callee}, c.exprs(e.ArgumentList)...)...)
	if optional(e.Callee) {
		n.Flags |= Optional
	}
	n.Flags |= callee.Flags & Synthetic
	return n
}

func (c *converter) new(e *ast.NewExpression) *Node {
	callee := c.expr(e.Callee)
	first := c.at(e.New)
	last := c.lastOf(callee, first)
	if e.RightParenthesis > 0 {
		last = c.at(e.RightParenthesis)
	}
	return c.make(New, first, last, "", append([]*Node{callee}, c.exprs(e.ArgumentList)...)...)
}

func (c *converter) meta(e *ast.MetaProperty) *Node {
	if e.Property == nil {
		return c.unknown(e)
	}
	meta, _ := decode(e.Meta.Name)
	property, _ := decode(e.Property.Name)
	return c.make(Meta, c.at(e.Meta.Idx), c.at(e.Property.Idx), meta+"."+property)
}

func (c *converter) assign(e *ast.AssignExpression) *Node {
	target, value := c.expr(e.Left), c.expr(e.Right)
	op := "="
	if e.Operator != jstoken.ASSIGN {
		op = e.Operator.String() + "="
	}
	n := c.make(Assign, c.firstOf(target, int(value.first)), c.lastOf(value, int(target.last)), op, target, value)
	n.Flags |= target.Flags & Synthetic
	return n
}

func (c *converter) unary(e *ast.UnaryExpression) *Node {
	op := e.Operator.String()
	update := e.Operator == jstoken.INCREMENT || e.Operator == jstoken.DECREMENT
	switch {
	case update && e.Postfix:
		operand, at := c.expr(e.Operand), c.at(e.Idx)
		n := c.make(Update, c.firstOf(operand, at), at, op, operand)
		n.Flags |= Postfix
		return n
	case update:
		return c.prefix(Update, e.Idx, e.Operand, op)
	}
	return c.prefix(Unary, e.Idx, e.Operand, op)
}

// prefix converts an operator that stands before its operand, if it has one.
func (c *converter) prefix(t Type, idx file.Idx, operand ast.Expression, op string) *Node {
	first := c.at(idx)
	if operand == nil {
		return c.make(t, first, first, op, nil)
	}
	arg := c.expr(operand)
	return c.mark(c.make(t, first, c.lastOf(arg, first), op, arg), idx)
}

func (c *converter) function(e *ast.FunctionLiteral) *Node {
	var name *Node
	g := c.genTok(e.Function)
	for c.gen.is(g, "export") || c.gen.is(g, "default") { // where the parser starts a function that is exported
		g++
	}
	if e.Name != nil {
		if text, _ := decode(e.Name.Name); text != "default" {
			name = c.name(Ident, e.Name.Idx, text)
		}
	}
	body := c.block(e.Body)
	first, _ := c.toOrig(g)
	n := c.make(FuncLit, first, int(body.last), "", append([]*Node{name, body}, c.params(e.ParameterList)...)...)
	n.Flags |= functionFlags(e.Async, e.Generator)
	return c.markAt(n, g)
}

func functionFlags(async, generator bool) (f Flags) {
	if async {
		f |= Async
	}
	if generator {
		f |= Generator
	}
	return f
}

func (c *converter) arrow(e *ast.ArrowFunctionLiteral) *Node {
	params := c.params(e.ParameterList)
	first := c.at(e.Start)
	g := c.genTok(e.Body.Idx0()) - 1 // the arrow, behind which parentheses may stand
	for g > 0 && !c.gen.is(g, "=>") {
		g--
	}
	arrow, _ := c.toOrig(g)
	var body *Node
	switch b := e.Body.(type) {
	case *ast.BlockStatement:
		body = c.block(b)
	case *ast.ExpressionBody:
		body = c.expr(b.Expression)
	default:
		return c.unknown(e)
	}
	n := c.make(FuncLit, first, c.lastOf(body, arrow), "", append([]*Node{nil, body}, params...)...)
	n.Flags |= Arrow | functionFlags(e.Async, false)
	return c.markAt(n, g)
}

func (c *converter) params(list *ast.ParameterList) []*Node {
	var params []*Node
	for _, b := range list.List {
		params = append(params, c.binding(b))
	}
	if list.Rest != nil {
		params = append(params, c.rest(list.Rest))
	}
	return params
}

func (c *converter) class(e *ast.ClassLiteral) *Node {
	var name *Node
	if e.Name != nil {
		text, _ := decode(e.Name.Name)
		name = c.name(Ident, e.Name.Idx, text)
	}
	kids := []*Node{name, c.expr(e.SuperClass)}
	for _, element := range e.Body {
		kids = append(kids, c.classMember(element))
	}
	return c.make(ClassLit, c.at(e.Class), c.at(e.RightBrace), "", kids...)
}

func (c *converter) classMember(element ast.ClassElement) *Node {
	switch e := element.(type) {
	case *ast.FieldDefinition:
		key, value := c.key(e.Key, e.Computed), c.expr(e.Initializer)
		last := int(key.last)
		if value != nil {
			last = c.lastOf(value, last)
		} else if e.Computed {
			last++
		}
		n := c.make(ClassMember, c.at(e.Idx), c.semicolon(last), "field", key, value)
		n.Flags |= memberFlags(e.Computed, e.Static)
		return n
	case *ast.MethodDefinition:
		key, value := c.key(e.Key, e.Computed), c.function(e.Body)
		n := c.make(ClassMember, c.at(e.Idx), int(value.last), string(e.Kind), key, value)
		n.Flags |= memberFlags(e.Computed, e.Static)
		return n
	case *ast.ClassStaticBlock:
		body := c.block(e.Block)
		n := c.make(ClassMember, c.at(e.Static), int(body.last), "block", nil, body)
		n.Flags |= Static
		return n
	}
	return c.unknown(element)
}

func memberFlags(computed, static bool) (f Flags) {
	if computed {
		f |= Computed
	}
	if static {
		f |= Static
	}
	return f
}
