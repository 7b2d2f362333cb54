package js

import "errors"

var errPending = errors.New("not in this commit")

// Lookup evaluates path, the part of a directive after '#', in m. The error is a
// *NotFoundError, *NotConstError or *PathError, or an *Error of an imported module.
func (p *Program) Lookup(m *Module, path string) (Value, error) { return Value{}, errPending }

// Eval evaluates a constant expression. The error is a *NotConstError, or an *Error of an
// imported module.
func (p *Program) Eval(e Expr) (Value, error) { return Value{}, errPending }

// Calls returns every call of m whose callee's last name is fn, in order: fn(...),
// x.fn(...), x?.fn?.(...).
func (p *Program) Calls(m *Module, fn string) []Call { return nil }

// Resolve returns the file that specifier names in module from, by Bun's rules.
func (p *Program) Resolve(from *Module, specifier string) (string, error) { return "", errPending }

// Entries returns the modules of the package or .opencode directory dir that OpenCode
// loads as plugins.
func (p *Program) Entries(dir string) ([]string, error) { return nil, errPending }

// Hooks returns the hooks objects that the plugin entry m returns to OpenCode.
func (p *Program) Hooks(m *Module) ([]HooksObject, error) { return nil, errPending }

// Follow returns what e denotes: through bindings that are never reassigned, imports, and
// properties of objects that are never written to. It returns e itself where that ends.
func (p *Program) Follow(e Expr) Expr { return e }

// EnvReads returns the names that m reads from process.env, in order of place.
func (m *Module) EnvReads() []Ref { return nil }

// Imports returns the imports of m, import() and require() with a constant specifier included.
func (m *Module) Imports() []Import { return nil }

// Exports returns the exports of m.
func (m *Module) Exports() []Export { return nil }

// Directives returns the //ngvet: comments of m.
func (m *Module) Directives() []Directive { return nil }

// Origin tells from which parameter a value comes: the property path Path of parameter
// Param of function Fn, through destructuring and local aliases.
type Origin struct {
	Fn    *Node
	Param int
	Path  []string
}

// OriginOf returns the parameter that an expression reads, directly or through aliases.
func (m *Module) OriginOf(n *Node) (Origin, bool) { return Origin{}, false }

// Span returns the place of e.
func (e Expr) Span() Span { return Span{} }

// Object returns the properties of the object literal that e denotes, followed through
// local bindings that are never reassigned and through spreads of such.
func (e Expr) Object() ([]Prop, bool) { return nil, false }

// Mentions returns the first node below e that is an identifier or property name in names.
func (e Expr) Mentions(names ...string) *Node { return nil }

func (e *NotFoundError) Error() string { return "" }
func (e *NotConstError) Error() string { return e.Reason }
func (e *PathError) Error() string     { return e.Msg }
