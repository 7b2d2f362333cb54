package goflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Calls returns the calls of a function in the order of its blocks: plain, go and defer.
func Calls(fn *ssa.Function) iter.Seq[ssa.CallInstruction] {
	return func(yield func(ssa.CallInstruction) bool) {
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok && !yield(call) {
					return
				}
			}
		}
	}
}

// Instrs returns the instructions of a function.
func Instrs(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				if !yield(instr) {
					return
				}
			}
		}
	}
}

// Name returns the full name of what is called, as in "os.ReadFile" or
// "(*os/exec.Cmd).Run", whether by name, through an interface, an alias of the package, an
// instance of a generic function or a method value. It is "" for a function that is known
// only at run time.
func Name(call ssa.CallInstruction) string {
	if fn := Func(call); fn != nil {
		return fn.FullName()
	}
	return ""
}

// Func returns the declared function that is called, or nil.
func Func(call ssa.CallInstruction) *types.Func {
	c := call.Common()
	if c.IsInvoke() {
		return c.Method.Origin()
	}
	if callee := c.StaticCallee(); callee != nil {
		if fn, ok := callee.Object().(*types.Func); ok {
			return fn.Origin()
		}
	}
	return nil
}

// Args returns the receiver, if any, and the arguments of a call.
func Args(call ssa.CallInstruction) []ssa.Value {
	c := call.Common()
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	if closure, ok := c.Value.(*ssa.MakeClosure); ok {
		if fn, ok := closure.Fn.(*ssa.Function); ok && fn.Synthetic != "" {
			return append(append([]ssa.Value(nil), closure.Bindings...), c.Args...)
		}
	}
	return c.Args
}

// Arg returns one of [Args], or nil.
func Arg(call ssa.CallInstruction, i int) ssa.Value {
	if args := Args(call); i < len(args) {
		return args[i]
	}
	return nil
}

// Body returns the function that a call runs when its body is in the package, or nil.
func Body(call ssa.CallInstruction) *ssa.Function {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return nil
	}
	if callee = declared(callee); len(callee.Blocks) == 0 {
		return nil
	}
	return callee
}

// declared returns the function in the source that fn is an instance of, or a method value
// or method expression of, or fn.
func declared(fn *ssa.Function) *ssa.Function {
	if fn.Synthetic != "" {
		if obj, ok := fn.Object().(*types.Func); ok {
			if of := fn.Prog.FuncValue(obj.Origin()); of != nil {
				return of
			}
		}
	}
	return fn
}

// Elements returns what a variadic argument or another slice literal holds, in order, or
// nil when it is not written out.
func Elements(v ssa.Value) []ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	array, ok := s.X.(*ssa.Alloc)
	if !ok || s.Low != nil || s.High != nil {
		return nil
	}
	t, ok := array.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	if !ok || t.Len() > 1<<10 {
		return nil
	}
	out := make([]ssa.Value, t.Len())
	for _, ref := range *array.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		index, ok := at.Index.(*ssa.Const)
		if !ok {
			return nil
		}
		for _, use := range *at.Referrers() {
			if store, ok := use.(*ssa.Store); ok && store.Addr == at {
				out[index.Int64()] = store.Val
			}
		}
	}
	return out
}

// Text returns the value of a constant string.
func Text(v ssa.Value) (string, bool) {
	if c, ok := Bare(v).(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}

// Int returns the value of a constant integer.
func Int(v ssa.Value) (int64, bool) {
	if c, ok := Bare(v).(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int {
		return constant.Int64Val(c.Value)
	}
	return 0, false
}

// Bare returns a value without the conversions around it. A variable that is stored to
// once counts as what is stored.
func Bare(v ssa.Value) ssa.Value {
	for range maxDepth {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.UnOp:
			stored := onlyStore(x)
			if stored == nil {
				return v
			}
			v = stored
		case *ssa.FreeVar:
			bound := binding(x)
			if bound == nil {
				return v
			}
			v = bound
		default:
			return v
		}
	}
	return v
}

// onlyStore returns what a loaded local variable holds when one statement sets it.
func onlyStore(load *ssa.UnOp) ssa.Value {
	if load.Op != token.MUL {
		return nil
	}
	addr := load.X
	if free, ok := addr.(*ssa.FreeVar); ok {
		addr = binding(free)
	}
	alloc, ok := addr.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var stored ssa.Value
	for _, ref := range *alloc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != alloc || stored != nil {
				return nil
			}
			stored = ref.Val
		case *ssa.UnOp:
		case *ssa.MakeClosure:
			if assignsFree(ref, alloc) {
				return nil
			}
		default:
			return nil
		}
	}
	return stored
}

// assignsFree reports whether a closure may assign to the variable that it captures.
func assignsFree(closure *ssa.MakeClosure, alloc *ssa.Alloc) bool {
	fn := closure.Fn.(*ssa.Function)
	for i, bound := range closure.Bindings {
		if bound != alloc || i >= len(fn.FreeVars) {
			continue
		}
		for _, ref := range *fn.FreeVars[i].Referrers() {
			if load, ok := ref.(*ssa.UnOp); !ok || load.Op != token.MUL {
				return true
			}
		}
	}
	return false
}

// binding returns what a captured variable is in the function around, or nil when the
// closure is made in several places.
func binding(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	if fn.Parent() == nil {
		return nil
	}
	var bound ssa.Value
	for instr := range Instrs(fn.Parent()) {
		closure, ok := instr.(*ssa.MakeClosure)
		if !ok || closure.Fn != fn {
			continue
		}
		for i, v := range fn.FreeVars {
			if v == free && i < len(closure.Bindings) {
				if bound != nil {
					return nil
				}
				bound = closure.Bindings[i]
			}
		}
	}
	return bound
}
