// Package js reads JavaScript and TypeScript modules for the checks of ngvet: it parses
// them, resolves names and imports, and evaluates constant expressions with the semantics
// of JavaScript, without running any of it.
//
// Its one invariant: every [Span] is a range of bytes of the file as it lies on disk, also
// for TypeScript, which is parsed in translated form. What cannot be decided is an error
// with the place of the reason; no function guesses and none panics on any input.
//
// It does not promise a type checker, and it follows values only where doing so is exact:
// through bindings that are never reassigned and objects that are never written to.
package js

import (
	"fmt"
	"math/big"
)

// ReadFunc returns the content of a file. Names are absolute paths of the operating
// system. A missing file is an error that wraps fs.ErrNotExist.
type ReadFunc func(name string) ([]byte, error)

// Span is a range of bytes of the original file, End exclusive.
type Span struct{ Start, End int }

// Error tells why a module cannot be read: it is missing, not UTF-8, or not JavaScript.
type Error struct {
	Path string
	Span Span // where known, else empty
	Line int  // 1-based line and column in bytes of Span.Start; 0 when there is no text
	Col  int
	Msg  string
	Err  error // the cause, of a read that did not succeed
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Col, e.Msg)
}

func (e *Error) Unwrap() error { return e.Err }

// NotFoundError tells that a path names nothing.
type NotFoundError struct {
	Module  *Module
	Span    Span     // of the object or module in which the step was looked for
	Name    string   // the step that is missing
	Nearest []string // names that are there and look like it, best first

	// Erased says how TypeScript declares the name if nothing of that is left at run time,
	// such as "a type", and ErasedAt where.
	Erased   string
	ErasedAt Span
}

// NotConstError tells that a value is known only at run time.
type NotConstError struct {
	Module *Module
	Span   Span   // of the expression that is the reason
	Reason string // such as "x is a parameter", never empty
	Err    error  // an *Error when a module that would tell cannot be read
}

// PathError tells that the part of a directive after '#' is malformed.
type PathError struct {
	Path   string
	Offset int // byte offset in Path
	Msg    string
}

// Kind is the kind of a [Value].
type Kind uint8

// The kinds of value.
const (
	// Opaque stands in an object or array for an element that is not constant; Value.Err
	// says why. Lookup and Eval never return it themselves.
	Opaque Kind = iota
	Undefined
	Null
	Bool
	Number
	BigInt
	String
	Array
	Object
	Set
	Map
	RegExp
	Formula  // a string with holes
	Function // a function or class that is no formula
)

func (k Kind) String() string {
	return [...]string{
		"value known at run time only", "undefined", "null", "boolean", "number", "bigint", "string",
		"array", "object", "Set", "Map", "regular expression", "string with holes", "function",
	}[k]
}

// Value is a constant as JavaScript would compute it.
type Value struct {
	Kind   Kind
	Module *Module // the module that Span is of
	Span   Span    // of the expression that gave the value

	// Literal: Span is exactly one literal token, which a fix may replace.
	Literal bool
	// Product: Span is a multiplication, shift or power of number literals, such as
	// 64 * 1024. It is a literal in all but spelling.
	Product bool

	Bool       bool
	Num        float64
	Big        *big.Int
	Str        string // UTF-8; a lone surrogate is in its three-byte form
	WellFormed bool   // Str is UTF-8 without lone surrogates

	Elems   []Value // Array and Set, in order; a hole of an array is Undefined
	Entries []Entry // Object and Map, in order of insertion, the last of equal keys only
	Frozen  bool    // by Object.freeze: its own elements and entries cannot change

	Pattern string // RegExp
	Flags   string // RegExp

	Parts []Part // Formula
	Fn    Expr   // Function; for a Formula the function it was read from, if any

	Err *NotConstError // Opaque
}

// Entry is one property of an object or one entry of a Map.
type Entry struct {
	Key       Value // String for objects; any kind for a Map
	KeySpan   Span  // of the key as written, quotes included
	KeyModule *Module
	Value     Value
}

// Part is one piece of a Formula: text, or a hole.
type Part struct {
	Text string // literal text; "" for a hole
	Hole bool
	Span Span
	Name string // what fills the hole where it is a plain name or member chain
}

// Expr is an expression of a module. The zero Expr is no expression.
type Expr struct {
	Module *Module
	Node   *Node
}

// Prop is one property of an object literal, as written.
type Prop struct {
	Key     string // "" when computed from something not constant, or for a spread
	KeySpan Span   // the key as written; the whole property for a spread
	Value   Expr   // for a shorthand the identifier; for a spread its argument
	Module  *Module

	Computed  bool
	Shorthand bool
	Method    bool // method, getter or setter
	Spread    bool // a spread that could not be followed
}

// Ref is a name at a place.
type Ref struct {
	Name string
	Span Span
}

// Call is one call of a function.
type Call struct {
	Module *Module
	Node   *Node
	Span   Span
	Args   []Expr
}

// Import is one binding of an import, or one import for its effect.
type Import struct {
	Specifier string
	Span      Span   // of the specifier, quotes included
	Imported  string // "default", "*" for a namespace, "" for an import for its effect
	Local     string
	LocalSpan Span
	Dynamic   bool // import(...) or require(...)
}

// ExportKind is what an export is bound to.
type ExportKind uint8

// The kinds of export.
const (
	ExportUnknown ExportKind = iota // a value that only run time knows
	ExportFunction
	ExportClass
	ExportConst    // a string, number, boolean, array or other plain value
	ExportObject   // an object literal
	ExportReexport // from another module
	ExportStar     // export * from; Name is "*" unless renamed
)

// Export is one exported name.
type Export struct {
	Name      string // "default" for the default export
	Kind      ExportKind
	Span      Span   // of the exported name, or of the word default
	Stmt      Span   // of the whole export statement
	Local     string // the local or imported name, where there is one
	Specifier string // of a re-export
	Value     Expr   // the declaration or expression; zero for re-exports
}

// Directive is a //ngvet: comment.
type Directive struct {
	Verb     string // the word after "ngvet:"
	Args     string // the rest of the line, trimmed
	Span     Span   // of the whole comment
	ArgsSpan Span
	Trailing bool // code stands before it on its line
	Spaced   bool // "// ngvet:" rather than "//ngvet:"
	Stmt     Span // the statement it belongs to: that on its line, else the next one
	StmtLine int  // 1-based line on which Stmt starts; 0 when nothing follows
}

// HooksObject is an object that a plugin factory returns to OpenCode, as RULES.md defines
// it. Nothing else that has a hook-like key is one.
type HooksObject struct {
	Factory FactoryKind
	Export  string // the export that led to the factory
	Fn      Expr   // the factory
	Object  Expr   // the object literal
	Props   []Prop // in order; spreads of local calls and later assignments included
}

// FactoryKind tells how OpenCode finds a factory.
type FactoryKind uint8

// The kinds of factory.
const (
	FactoryServer  FactoryKind = iota + 1 // server of a V1 object
	FactoryDefault                        // default export function
	FactoryLegacy                         // exported function of a legacy entry
)
