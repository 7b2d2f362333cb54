package js

// Node is a node of the syntax tree. The tree is that of the program as it runs: types of
// TypeScript are gone, its enums are constants bound to an object literal, parentheses are
// gone. Nodes are read-only.
type Node struct {
	Type   Type
	Flags  Flags
	Span   Span
	Text   string // name, operator, keyword or decoded string, see Type
	Kids   []*Node
	Parent *Node

	first, last int32    // tokens of the module
	binding     *Binding // of an Ident
}

// Flags are the marks of a Node.
type Flags uint16

// The marks.
const (
	Async     Flags = 1 << iota // Func; ForOf with await
	Generator                   // Func
	Arrow                       // Func
	Decl                        // Func, Class: a declaration, not an expression
	Computed                    // Member, Property, ClassMember: key in brackets
	Optional                    // Member, Call: ?.
	Shorthand                   // Property: {x}
	Static                      // ClassMember
	Postfix                     // Update
	Delegate                    // Yield: yield*
	Enum                        // ObjectLit: an enum of TypeScript
	Synthetic                   // not in the source: made by the translation of TypeScript
	Lone                        // StringLit, TemplateText: Text has a lone surrogate or is an invalid escape
)

// Type is the type of a Node.
type Type uint8

// The types of node. The comment gives the layout of Kids; "x?" may be nil, "x..." is any
// number. Text is named where it is used.
const (
	Root Type = iota // stmt...

	Ident        // a variable, read, written or declared. Text: its name
	Name         // a property name or label. Text: the name
	PrivateName  // Text: the name with '#'
	NumberLit    // Text: as written
	BigIntLit    // Text: as written, with n
	StringLit    // Text: decoded
	BoolLit      // Text: true or false
	NullLit      //
	RegExpLit    // Text: as written
	Template     // TemplateText, expr, TemplateText, ..., TemplateText
	TemplateText // Text: decoded
	Tagged       // tag, Template
	This         //
	Super        //
	Meta         // Text: import.meta or new.target
	ArrayLit     // elem?...; also as a pattern
	ObjectLit    // (Property|Spread)...; also as a pattern
	Property     // key, value. Text: init, get, set or method
	Spread       // expr; in a pattern the rest target
	Default      // target, value: a target with a default
	FuncLit      // name?, body (Block or expr), param...
	ClassLit     // name?, super?, ClassMember...
	ClassMember  // key?, value?. Text: method, get, set, field or block
	Unary        // expr. Text: operator
	Update       // expr. Text: ++ or --
	Binary       // left, right. Text: operator, also && || ??
	Assign       // target, value. Text: operator
	Cond         // test, then, else
	CallExpr     // callee, arg...
	New          // callee, arg...
	ImportCall   // specifier, options?
	Member       // object, Name or PrivateName or (Computed) expr
	Sequence     // expr...
	Yield        // expr?
	Await        // expr

	Block      // stmt...
	Empty      //
	ExprStmt   // expr
	VarDecl    // Declarator... . Text: var, let, const, using or await using
	Declarator // target, init?
	If         // test, then, else?
	For        // init?, test?, update?, body
	ForIn      // left, right, body
	ForOf      // left, right, body
	While      // test, body
	DoWhile    // body, test
	Return     // expr?
	Break      // Name?
	Continue   // Name?
	Throw      // expr
	Try        // Block, Catch?, finally Block?
	Catch      // param?, Block
	Switch     // discriminant, Case...
	Case       // test? (nil: default), stmt...
	Labelled   // Name, stmt
	Debugger   //
	With       // object, body

	ImportDecl    // StringLit, ImportSpec...
	ImportSpec    // Ident. Text: imported name, "default" or "*"
	ExportDecl    // the declaration
	ExportDefault // expr or declaration
	ExportList    // StringLit? (from), ExportSpec...
	ExportSpec    // Ident (Name with from), Name (exported). Text: exported name
	ExportAll     // StringLit (from), Name?. Text: the name it is exported under, "" for export *
)

// Walk calls f for n and, where f returns true, for the nodes below it. Kids come in the
// order of their layout, which is that of the source but for a DoWhile and a FuncLit.
func Walk(n *Node, f func(*Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, kid := range n.Kids {
		Walk(kid, f)
	}
}
