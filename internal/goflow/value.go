package goflow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// maxDepth bounds how deep expressions are followed.
const maxDepth = 24

// maxParts bounds how many parts of expressions one comparison looks at.
const maxParts = 512

// pure are functions whose result depends on their arguments alone, or on what does not
// change while a function runs.
var pure = map[string]bool{
	"path/filepath.Join": true, "path/filepath.Clean": true, "path/filepath.Dir": true, "path/filepath.Base": true,
	"path/filepath.FromSlash": true, "path/filepath.ToSlash": true, "path.Join": true, "path.Dir": true, "path.Base": true,
	"path.Clean": true, "fmt.Sprintf": true, "fmt.Sprint": true, "os.TempDir": true, "(*os.File).Name": true,
	"strings.TrimSuffix": true, "strings.TrimPrefix": true, "strings.TrimSpace": true, "strings.ToLower": true,
}

// Same reports whether two values are equal whenever both exist: the same value, equal
// constants, the same field of the same struct, or the same pure expression of such values.
// A method or function counts as pure when it calls only pure ones and stores nothing.
// Expressions of more than a few hundred parts count as different.
func (p *Package) Same(a, b ssa.Value) bool {
	c := comparison{pkg: p, budget: maxParts}
	return c.same(a, b)
}

// PureFunction is the answer about a function whose result depends on its arguments alone,
// or on what does not change while a function runs.
const PureFunction = "is pure"

// IsPure reports whether a function of the package is pure: see [Package.Same].
func (p *Package) IsPure(fn *ssa.Function) bool {
	c := comparison{pkg: p, budget: maxParts}
	return fn.Signature.Results().Len() > 0 && c.isPure(fn)
}

// comparison bounds the work of one question: an expression that uses a value twice, again
// and again, has far more parts than instructions.
type comparison struct {
	pkg    *Package
	budget int
}

func (c *comparison) same(a, b ssa.Value) bool {
	c.budget--
	if a == nil || b == nil || c.budget < 0 {
		return false
	}
	a, b = Bare(a), Bare(b)
	if a == b {
		return true
	}
	switch x := a.(type) {
	case *ssa.Const:
		y, ok := b.(*ssa.Const)
		return ok && x.Value != nil && y.Value != nil && x.Value.ExactString() == y.Value.ExactString()
	case *ssa.UnOp:
		y, ok := b.(*ssa.UnOp)
		return ok && x.Op == y.Op && c.same(x.X, y.X) && (x.Op != token.MUL || settled(x.X))
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && c.same(x.X, y.X)
	case *ssa.Field:
		y, ok := b.(*ssa.Field)
		return ok && x.Field == y.Field && c.same(x.X, y.X)
	case *ssa.BinOp:
		y, ok := b.(*ssa.BinOp)
		return ok && x.Op == y.Op && c.same(x.X, y.X) && c.same(x.Y, y.Y)
	case *ssa.Extract:
		y, ok := b.(*ssa.Extract)
		return ok && x.Index == y.Index && c.same(x.Tuple, y.Tuple)
	case *ssa.Convert:
		y, ok := b.(*ssa.Convert)
		return ok && c.same(x.X, y.X)
	case *ssa.Slice:
		xs, ys := Elements(a), Elements(b)
		return len(xs) > 0 && c.sameAll(xs, ys)
	case *ssa.Call:
		y, ok := b.(*ssa.Call)
		return ok && c.sameCall(x, y)
	}
	return false
}

func (c *comparison) sameCall(x, y *ssa.Call) bool {
	name := Name(x)
	if name == "" || name != Name(y) || !c.sameAll(Args(x), Args(y)) {
		return false
	}
	return c.isPureCall(x)
}

func (c *comparison) isPureCall(call *ssa.Call) bool {
	if pure[Name(call)] || c.pkg.Says(call, PureFunction) {
		return true
	}
	fn := Body(call)
	return fn != nil && c.isPure(fn)
}

func (c *comparison) sameAll(xs, ys []ssa.Value) bool {
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if !c.same(xs[i], ys[i]) {
			return false
		}
	}
	return true
}

// isPure reports whether a function of the package calls only pure ones, and stores nothing
// but the arguments of those and its own variables.
func (c *comparison) isPure(fn *ssa.Function) bool {
	c.budget -= 16
	if c.budget < 0 {
		return false
	}
	for instr := range Instrs(fn) {
		switch instr := instr.(type) {
		case *ssa.Call:
			if !c.isPureCall(instr) {
				return false
			}
		case *ssa.Store:
			if at, ok := instr.Addr.(*ssa.IndexAddr); ok {
				if _, ok := at.X.(*ssa.Alloc); ok {
					continue
				}
			}
			if _, ok := instr.Addr.(*ssa.Alloc); !ok {
				return false
			}
		case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MapUpdate:
			return false
		}
	}
	return true
}

// settled reports whether the function that uses an address never stores to it, so that
// two loads give the same.
func settled(addr ssa.Value) bool {
	field, ok := addr.(*ssa.FieldAddr)
	if !ok {
		_, isGlobal := addr.(*ssa.Global)
		return isGlobal
	}
	for instr := range Instrs(field.Parent()) {
		if store, ok := instr.(*ssa.Store); ok {
			if at, ok := store.Addr.(*ssa.FieldAddr); ok && at.Field == field.Field && at.X.Type() == field.X.Type() {
				if alloc, ok := at.X.(*ssa.Alloc); ok && alloc == field.X {
					continue // a composite literal
				}
				return false
			}
		}
	}
	return true
}

// Field returns the struct field that a value is loaded from, as owner type and index, if
// it is one.
func Field(v ssa.Value) (*ssa.FieldAddr, bool) {
	load, ok := Bare(v).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	return field, ok
}

// Sources calls f for a value and everything that it is made of within its function:
// operands of concatenations, arguments of calls, elements of literals, what an element or a
// field is of, both sides of a join. It stops below a value for which f returns false.
func Sources(v ssa.Value, f func(ssa.Value) bool) {
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value, depth int)
	visit = func(v ssa.Value, depth int) {
		if v == nil || depth == 0 {
			return
		}
		v = Bare(v)
		if seen[v] || !f(v) {
			return
		}
		seen[v] = true
		for _, part := range Elements(v) {
			visit(part, depth-1)
		}
		switch x := v.(type) {
		case *ssa.BinOp:
			visit(x.X, depth-1)
			visit(x.Y, depth-1)
		case *ssa.Phi:
			for _, e := range x.Edges {
				visit(e, depth-1)
			}
		case *ssa.Extract:
			visit(x.Tuple, depth-1)
		case *ssa.Convert:
			visit(x.X, depth-1)
		case *ssa.Slice:
			visit(x.X, depth-1)
		case *ssa.Field:
			visit(x.X, depth-1)
		case *ssa.UnOp:
			visit(x.X, depth-1)
		case *ssa.FieldAddr:
			visit(x.X, depth-1)
		case *ssa.IndexAddr:
			visit(x.X, depth-1)
		case *ssa.Call:
			for _, a := range Args(x) {
				visit(a, depth-1)
			}
		}
	}
	visit(v, maxDepth)
}

// Reaches returns everything that a value flows into within its function: through calls
// that get it, into variables that they fill, and out of both. Passing a pointer to a
// call with the value counts as filling it.
func Reaches(v ssa.Value) map[ssa.Value]bool {
	out := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	add := func(v ssa.Value) {
		if v != nil && !out[v] {
			out[v] = true
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v, work = work[len(work)-1], work[:len(work)-1]
		refs := v.Referrers()
		if refs == nil {
			continue
		}
		for _, ref := range *refs {
			switch ref := ref.(type) {
			case *ssa.Store:
				if ref.Val == v {
					add(root(ref.Addr))
				}
			case *ssa.MapUpdate:
				add(Bare(ref.Map))
			case ssa.CallInstruction:
				if value := ref.Value(); value != nil {
					add(value)
				}
				for _, a := range Args(ref) {
					for _, part := range append(Elements(a), a) {
						if r := filled(part); r != nil {
							add(r)
						}
					}
				}
			case ssa.Value:
				add(ref)
			}
		}
	}
	return out
}

// root returns the variable that an address is part of.
func root(v ssa.Value) ssa.Value {
	for range maxDepth {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return v
		}
	}
	return v
}

// filled returns the local variable whose address an argument is, or nil.
func filled(arg ssa.Value) ssa.Value {
	if arg == nil {
		return nil
	}
	if v, ok := root(Bare(arg)).(*ssa.Alloc); ok {
		return v
	}
	return nil
}
