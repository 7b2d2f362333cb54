package js

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
)

// semicolon returns the token of the semicolon behind token last, else last.
func (c *converter) semicolon(last int) int {
	if c.orig.is(last+1, ";") {
		return last + 1
	}
	return last
}

func (c *converter) stmts(list []ast.Statement) []*Node {
	kids := make([]*Node, 0, len(list))
	for _, s := range list {
		kids = append(kids, c.stmt(s))
	}
	return kids
}

func (c *converter) block(b *ast.BlockStatement) *Node {
	return c.make(Block, c.at(b.LeftBrace), c.at(b.RightBrace), "", c.stmts(b.List)...)
}

// stmt converts a statement; nil gives nil.
func (c *converter) stmt(s ast.Statement) *Node {
	switch s := s.(type) {
	case nil:
		return nil
	case *ast.ExpressionStatement:
		e := c.expr(s.Expression)
		first, last := c.outermost(e)
		n := c.make(ExprStmt, first, c.semicolon(last), "", e)
		n.Flags |= e.Flags & Synthetic
		return n
	case *ast.VariableStatement:
		return c.variables(s.Var, "var", s.List, true)
	case *ast.LexicalDeclaration:
		return c.variables(s.Idx, s.Token.String(), s.List, true)
	case *ast.FunctionDeclaration:
		return c.declaration(c.function(s.Function))
	case *ast.ClassDeclaration:
		return c.declaration(c.class(s.Class))
	case *ast.ImportDeclaration:
		return c.importDecl(s)
	case *ast.ExportDeclaration:
		return c.exportDecl(s)
	case *ast.BlockStatement:
		return c.block(s)
	case *ast.EmptyStatement:
		return c.leaf(Empty, s.Semicolon, "")
	case *ast.DebuggerStatement:
		at := c.at(s.Debugger)
		return c.make(Debugger, at, c.semicolon(at), "")
	case *ast.BadStatement:
		return c.fail(s, "syntax that the parser gave up on")
	}
	return c.control(s)
}

// outermost returns the first and last token of an expression that is a whole statement.
func (c *converter) outermost(e *Node) (first, last int) {
	first, last = int(e.first), int(e.last)
	for first > 0 && c.orig.is(first-1, "(") && int(c.orig.list[first-1].match) > last {
		first, last = first-1, int(c.orig.list[first-1].match)
	}
	return first, last
}

func (c *converter) declaration(n *Node) *Node {
	n.Flags |= Decl
	return n
}

// control converts the statements that decide what runs next.
func (c *converter) control(s ast.Statement) *Node {
	switch s := s.(type) {
	case *ast.IfStatement:
		test, yes, no := c.expr(s.Test), c.stmt(s.Consequent), c.stmt(s.Alternate)
		last := yes.last
		if no != nil {
			last = no.last
		}
		return c.make(If, c.keywordBefore(test, "if"), int(last), "", test, yes, no)
	case *ast.SwitchStatement:
		kids := []*Node{c.expr(s.Discriminant)}
		for _, clause := range s.Body {
			kids = append(kids, c.clause(clause))
		}
		return c.make(Switch, c.at(s.Switch), c.at(s.RightBrace), "", kids...)
	case *ast.ReturnStatement:
		return c.finish(c.prefix(Return, s.Return, s.Argument, ""))
	case *ast.ThrowStatement:
		return c.finish(c.prefix(Throw, s.Throw, s.Argument, ""))
	case *ast.BranchStatement:
		return c.branch(s)
	case *ast.TryStatement:
		return c.try(s)
	case *ast.LabelledStatement:
		name, _ := decode(s.Label.Name)
		label, body := c.name(Name, s.Label.Idx, name), c.stmt(s.Statement)
		return c.make(Labelled, int(label.first), int(body.last), "", label, body)
	case *ast.WithStatement:
		object, body := c.expr(s.Object), c.stmt(s.Body)
		return c.make(With, c.at(s.With), int(body.last), "", object, body)
	}
	return c.loop(s)
}

// finish extends a statement over its semicolon.
func (c *converter) finish(n *Node) *Node {
	n.last = int32(c.semicolon(int(n.last)))
	n.Span.End = int(c.orig.list[n.last].end)
	return n
}

// keywordBefore returns the token of a keyword whose parenthesis holds n. The parser does
// not keep the place of an if.
func (c *converter) keywordBefore(n *Node, word string) int {
	i := int(n.first) - 1
	for i > 0 && !c.orig.is(i, word) {
		i--
	}
	return i
}

func (c *converter) clause(s *ast.CaseStatement) *Node {
	kids := append([]*Node{c.expr(s.Test)}, c.stmts(s.Consequent)...)
	first := c.at(s.Case)
	last := first + 1
	if end := kids[len(kids)-1]; end != nil {
		last = int(end.last)
		if len(kids) == 1 {
			last = c.lastOf(end, first) + 1
		}
	}
	return c.make(Case, first, last, "", kids...)
}

func (c *converter) branch(s *ast.BranchStatement) *Node {
	t := Break
	if s.Token.String() == "continue" {
		t = Continue
	}
	first := c.at(s.Idx)
	if s.Label == nil {
		return c.finish(c.make(t, first, first, "", nil))
	}
	name, _ := decode(s.Label.Name)
	label := c.name(Name, s.Label.Idx, name)
	return c.finish(c.make(t, first, int(label.last), "", label))
}

func (c *converter) try(s *ast.TryStatement) *Node {
	kids := []*Node{c.block(s.Body), nil, nil}
	last := kids[0].last
	if s.Catch != nil {
		param := c.expr(s.Catch.Parameter)
		body := c.block(s.Catch.Body)
		kids[1] = c.make(Catch, c.at(s.Catch.Catch), int(body.last), "", param, body)
		last = body.last
	}
	if s.Finally != nil {
		kids[2] = c.block(s.Finally)
		last = kids[2].last
	}
	return c.make(Try, c.at(s.Try), int(last), "", kids...)
}

func (c *converter) loop(s ast.Statement) *Node {
	switch s := s.(type) {
	case *ast.ForStatement:
		body := c.stmt(s.Body)
		return c.make(For, c.at(s.For), int(body.last), "", c.forInit(s.Initializer), c.expr(s.Test), c.expr(s.Update), body)
	case *ast.ForInStatement:
		body := c.stmt(s.Body)
		return c.make(ForIn, c.at(s.For), int(body.last), "", c.forInto(s.Into), c.expr(s.Source), body)
	case *ast.ForOfStatement:
		body := c.stmt(s.Body)
		n := c.make(ForOf, c.at(s.For), int(body.last), "", c.forInto(s.Into), c.expr(s.Source), body)
		if c.gen.is(c.genTok(s.For)+1, "await") {
			n.Flags |= Async
		}
		return n
	case *ast.WhileStatement:
		test, body := c.expr(s.Test), c.stmt(s.Body)
		return c.make(While, c.at(s.While), int(body.last), "", test, body)
	case *ast.DoWhileStatement:
		body, test := c.stmt(s.Body), c.expr(s.Test)
		return c.finish(c.make(DoWhile, c.at(s.Do), c.at(s.RightParenthesis), "", body, test))
	}
	return c.unknown(s)
}

func (c *converter) forInit(init ast.ForLoopInitializer) *Node {
	switch i := init.(type) {
	case nil:
		return nil
	case *ast.ForLoopInitializerExpression:
		return c.expr(i.Expression)
	case *ast.ForLoopInitializerVarDeclList:
		return c.variables(c.wordBefore(i.List), "var", i.List, false)
	case *ast.ForLoopInitializerLexicalDecl:
		d := i.LexicalDeclaration
		return c.variables(d.Idx, d.Token.String(), d.List, false)
	}
	return c.unknown(init)
}

// wordBefore returns the place of the "var" in a loop head, which the parser does not keep.
func (c *converter) wordBefore(list []*ast.Binding) file.Idx {
	g := c.genTok(list[0].Idx0()) - 1
	return file.Idx(int(c.gen.list[max(g, 0)].start) + 1 + c.shift)
}

func (c *converter) forInto(into ast.ForInto) *Node {
	switch i := into.(type) {
	case *ast.ForIntoExpression:
		return c.expr(i.Expression)
	case *ast.ForIntoVar:
		return c.variables(c.wordBefore([]*ast.Binding{i.Binding}), "var", []*ast.Binding{i.Binding}, false)
	case *ast.ForDeclaration:
		word := "let"
		if i.IsConst {
			word = "const"
		}
		return c.variables(i.Idx, word, []*ast.Binding{{Target: i.Target}}, false)
	}
	return c.unknown(into)
}

// variables converts a declaration; a whole statement reaches over its semicolon.
func (c *converter) variables(idx file.Idx, word string, list []*ast.Binding, statement bool) *Node {
	kids := make([]*Node, 0, len(list))
	for _, b := range list {
		kids = append(kids, c.declarator(b))
	}
	last := int(kids[len(kids)-1].last)
	if statement {
		last = c.semicolon(last)
	}
	return c.make(VarDecl, c.at(idx), last, word, kids...)
}

func (c *converter) declarator(b *ast.Binding) *Node {
	target := c.expr(b.Target)
	last := int(target.last)
	var init *Node
	if call, ok := b.Initializer.(*ast.CallExpression); ok && c.m != nil && c.orig.is(int(target.first)-1, "enum") {
		init = c.enum(call)
	}
	if init == nil {
		init = c.expr(b.Initializer)
	}
	if init != nil {
		last = c.lastOf(init, last)
	}
	return c.make(Declarator, int(target.first), last, "", target, init)
}

// enum converts what an enum of TypeScript is translated to, a function that fills an
// object, back to an object literal. It returns nil when the call is something else.
func (c *converter) enum(call *ast.CallExpression) *Node {
	arrow, ok := call.Callee.(*ast.ArrowFunctionLiteral)
	if !ok {
		return nil
	}
	body, ok := arrow.Body.(*ast.BlockStatement)
	if !ok {
		return nil
	}
	var kids []*Node
	for _, s := range body.List {
		if _, ok := s.(*ast.ReturnStatement); ok {
			continue
		}
		member := c.enumMember(s)
		if member == nil {
			return nil
		}
		kids = append(kids, member)
	}
	first, last := c.at(arrow.Idx0()), c.at(arrow.Idx0())
	if len(kids) > 0 {
		first, last = int(kids[0].first), int(kids[len(kids)-1].last)
	}
	n := c.make(ObjectLit, first, last, "", kids...)
	n.Flags |= Enum
	return n
}

// enumMember converts E["A"] = "a" or E[E["A"] = 0] = "A" to a property.
func (c *converter) enumMember(s ast.Statement) *Node {
	statement, ok := s.(*ast.ExpressionStatement)
	if !ok {
		return nil
	}
	assign, ok := statement.Expression.(*ast.AssignExpression)
	if !ok {
		return nil
	}
	left, ok := assign.Left.(*ast.BracketExpression)
	if !ok {
		return nil
	}
	if inner, ok := left.Member.(*ast.AssignExpression); ok {
		assign = inner
		if left, ok = inner.Left.(*ast.BracketExpression); !ok {
			return nil
		}
	}
	name, ok := left.Member.(*ast.StringLiteral)
	if !ok {
		return nil
	}
	key, value := c.text(StringLit, name.Idx, name.Value), c.expr(assign.Right)
	if !c.orig.is(int(key.last)+1, "=") { // numbered by the translation: the value has no place of its own
		value.first, value.last, value.Span = key.first, key.last, key.Span
	}
	return c.make(Property, int(key.first), max(int(key.last), int(value.last)), "init", key, value)
}
