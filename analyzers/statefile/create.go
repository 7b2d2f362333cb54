package statefile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// temporary reports a temporary file that is made in the system's directory and renamed to
// another.
func (c *checker) temporary(fn *ssa.Function) {
	for rename := range goflow.Calls(fn) {
		if goflow.Name(rename) != "os.Rename" || copies(fn) {
			continue
		}
		made, in := madeInTempDir(goflow.Arg(rename, 0))
		if made == nil {
			continue
		}
		if other, _ := madeInTempDir(goflow.Arg(rename, 1)); other != nil {
			continue
		}
		c.reportFix(ruleTempElsewhere, rename, c.sameDirectory(made, in, rename),
			"the temporary file is in the system's directory, often another file system: there the rename fails every time; create it in the directory of the target")
	}
}

// copies reports whether a function copies when it cannot rename.
func copies(fn *ssa.Function) bool {
	for call := range goflow.Calls(fn) {
		switch goflow.Name(call) {
		case "io.Copy", "io.CopyBuffer":
			for other := range goflow.Calls(fn) {
				if goflow.Name(other) == "os.Rename" && goflow.After(other, call, nil) {
					return true
				}
			}
		}
	}
	return false
}

// madeInTempDir returns the call that makes a file in the system's directory of temporary
// files, and the argument that says so, when a path is made of it.
func madeInTempDir(path ssa.Value) (made *ssa.Call, in ssa.Value) {
	goflow.Sources(path, func(v ssa.Value) bool {
		call, ok := v.(*ssa.Call)
		if !ok {
			return true
		}
		switch goflow.Name(call) {
		case "os.CreateTemp", "io/ioutil.TempFile", "os.MkdirTemp", "io/ioutil.TempDir":
			dir := goflow.Arg(call, 0)
			if text, ok := goflow.Text(dir); ok && text == "" {
				made, in = call, dir
			} else if isTempDir(dir) {
				made = call
			}
			return false
		case "os.TempDir":
			made = call
		}
		return true
	})
	return made, in
}

func isTempDir(dir ssa.Value) bool {
	found := false
	goflow.Sources(dir, func(v ssa.Value) bool {
		call, ok := v.(*ssa.Call)
		found = found || ok && goflow.Name(call) == "os.TempDir"
		return true
	})
	return found
}

// sameDirectory is the fix for os.CreateTemp("", ...) when the target of the rename is a
// parameter or a field, which is there before the file is made.
func (c *checker) sameDirectory(made *ssa.Call, in ssa.Value, rename ssa.CallInstruction) *analysis.SuggestedFix {
	if _, ok := in.(*ssa.Const); !ok || goflow.Name(made) != "os.CreateTemp" {
		return nil
	}
	create, ok := goflow.Node(c.pass, made).(*ast.CallExpr)
	if !ok {
		return nil
	}
	move, ok := goflow.Node(c.pass, rename).(*ast.CallExpr)
	if !ok || len(move.Args) != 2 || len(create.Args) != 2 {
		return nil
	}
	if _, isParam := goflow.Bare(goflow.Arg(rename, 1)).(*ssa.Parameter); !isParam {
		return nil
	}
	target, ok := ast.Unparen(move.Args[1]).(*ast.Ident)
	name := goflow.ImportName(c.pass, create, "path/filepath")
	if !ok || name == "" {
		return nil
	}
	return replace("create it beside the target", create.Args[0], name+".Dir("+target.Name+")")
}

// statCreate reports a file that is created because a look a moment ago did not find it.
func (c *checker) statCreate(fn *ssa.Function) {
	for _, create := range accesses(fn, c.replaces) {
		for stat := range goflow.Calls(fn) {
			switch goflow.Name(stat) {
			case "os.Stat", "os.Lstat":
			default:
				continue
			}
			if !c.pkg.Same(goflow.Arg(stat, 0), create.path) || !onMissing(stat, create.call) || c.isLocked(fn) {
				continue
			}
			c.report(ruleStatCreate, create.call, "this overwrites a file that another process created after the look: open it with os.O_CREATE|os.O_EXCL and handle fs.ErrExist")
			break
		}
	}
}

// onMissing reports whether a call runs only when a stat said that nothing is there.
func onMissing(stat, call ssa.CallInstruction) bool {
	value := stat.Value()
	if value == nil || !goflow.Always(stat, call) {
		return false
	}
	for block := call.Block(); block != nil; block = block.Idom() {
		up := block.Idom()
		if up == nil || len(up.Instrs) == 0 || len(block.Preds) != 1 {
			continue
		}
		branch, ok := up.Instrs[len(up.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		taken := up.Succs[0] == block
		if taken == (up.Succs[1] == block) {
			continue
		}
		if missing, ok := saysMissing(branch.Cond, value); ok && missing == taken {
			return true
		}
	}
	return false
}

// saysMissing reports whether a condition tests a stat for a missing file, and the outcome
// that means missing.
func saysMissing(cond ssa.Value, stat ssa.Value) (missing, ok bool) {
	isErr := func(v ssa.Value) bool {
		e, ok := goflow.Bare(v).(*ssa.Extract)
		return ok && e.Tuple == stat && e.Index == 1
	}
	switch cond := cond.(type) {
	case *ssa.Call:
		switch goflow.Name(cond) {
		case "os.IsNotExist":
			return true, isErr(goflow.Arg(cond, 0))
		case "errors.Is":
			return true, isErr(goflow.Arg(cond, 0)) && isGlobal(goflow.Arg(cond, 1), "ErrNotExist")
		}
	case *ssa.UnOp:
		if cond.Op == token.NOT {
			missing, ok = saysMissing(cond.X, stat)
			return !missing, ok
		}
	}
	return false, false
}

func isGlobal(v ssa.Value, name string) bool {
	load, ok := goflow.Bare(v).(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Name() == name
}

// lockSteal reports lock files that are removed by one who does not hold them and has not
// read whose they are.
func (c *checker) lockSteal(fn *ssa.Function) {
	removed := accesses(fn, removes)
	if len(removed) == 0 {
		return
	}
	for _, lock := range accesses(fn, excludes) {
		for _, remove := range removed {
			if !c.pkg.Same(lock.path, remove.path) || !c.isForeign(lock, remove) {
				continue
			}
			c.report(ruleLockSteal, remove.call, "this removes the lock of another process without reading whose it is: two that find it stale both remove and take it; read the owner in it, and remove only what still holds that owner")
		}
	}
}

// isForeign reports whether a removal follows a failed attempt to lock, or a look at the
// age of the lock, and nothing read the file.
func (c *checker) isForeign(lock, remove access) bool {
	readsLock := func(instr ssa.Instruction) bool {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			return false
		}
		if p := reads(call); p != nil && c.pkg.Same(p, lock.path) {
			return true
		}
		return reads(call) == nil && c.pkg.Performs(call, readsFile)
	}
	value := lock.call.Value()
	return failed(value, remove.call.Block()) && goflow.After(lock.call, remove.call, readsLock)
}

// failed reports whether a block runs only when the error of a call is not nil.
func failed(value ssa.Value, block *ssa.BasicBlock) bool {
	for ; block != nil; block = block.Idom() {
		up := block.Idom()
		if up == nil || len(block.Preds) != 1 {
			continue
		}
		branch, ok := up.Instrs[len(up.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		taken := up.Succs[0] == block
		if want, ok := saysFailed(branch.Cond, value); ok && want == taken {
			return true
		}
	}
	return false
}

// saysFailed reports whether a condition tests the error of a call, and the outcome that
// means an error.
func saysFailed(cond, value ssa.Value) (isFailed, ok bool) {
	isErr := func(v ssa.Value) bool {
		e, ok := goflow.Bare(v).(*ssa.Extract)
		return ok && e.Tuple == value && e.Index == 1
	}
	switch cond := cond.(type) {
	case *ssa.BinOp:
		k, isConst := cond.Y.(*ssa.Const)
		if isConst && k.IsNil() && isErr(cond.X) {
			return cond.Op == token.NEQ, cond.Op == token.NEQ || cond.Op == token.EQL
		}
	case *ssa.Call:
		switch goflow.Name(cond) {
		case "os.IsExist", "errors.Is":
			return true, isErr(goflow.Arg(cond, 0))
		}
	case *ssa.UnOp:
		if cond.Op == token.NOT {
			isFailed, ok = saysFailed(cond.X, value)
			return !isFailed, ok
		}
	}
	return false, false
}

// dirtyFlag reports a flag that says that something is to be written and is cleared before
// it was.
func (c *checker) dirtyFlag(fn *ssa.Function) {
	for instr := range goflow.Instrs(fn) {
		cleared, ok := instr.(*ssa.Store)
		if !ok || !isBool(cleared.Val, false) {
			continue
		}
		flag, ok := cleared.Addr.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		guarded := c.guarded(fn, flag)
		if !runsIn(guarded, cleared) {
			continue
		}
		for call := range goflow.Calls(fn) {
			if _, ok := call.(*ssa.Call); !ok || !returnsError(call) || !runsIn(guarded, call) || !c.pkg.Performs(call, writesFile) {
				continue
			}
			if !goflow.After(cleared, call, nil) || goflow.After(call, cleared, nil) || c.setAfter(fn, flag, call) {
				continue
			}
			c.report(ruleDirtyFlag, cleared, "the flag is cleared before the write that it stands for: when that fails the change is never written; clear it after the write, or set it again")
			break
		}
	}
}

func isBool(v ssa.Value, want bool) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value) == want
}

// guarded returns the blocks that the function comes to only with the flag set.
func (c *checker) guarded(fn *ssa.Function, flag *ssa.FieldAddr) []*ssa.BasicBlock {
	var out []*ssa.BasicBlock
	for _, block := range fn.Blocks {
		if len(block.Instrs) == 0 {
			continue
		}
		branch, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		tested, set := branch.Cond, block.Succs[0]
		if not, ok := tested.(*ssa.UnOp); ok && not.Op == token.NOT {
			tested, set = not.X, block.Succs[1]
		}
		load, ok := tested.(*ssa.UnOp)
		if !ok || load.Op != token.MUL || len(set.Preds) != 1 {
			continue
		}
		if at, ok := load.X.(*ssa.FieldAddr); ok && at.Field == flag.Field && c.pkg.Same(at.X, flag.X) {
			out = append(out, set)
		}
	}
	return out
}

// runsIn reports whether an instruction runs only after one of the blocks.
func runsIn(blocks []*ssa.BasicBlock, i ssa.Instruction) bool {
	return slices.ContainsFunc(blocks, func(b *ssa.BasicBlock) bool { return b.Dominates(i.Block()) })
}

// setAfter reports whether anything may set the flag again once the write has run.
func (c *checker) setAfter(fn *ssa.Function, flag *ssa.FieldAddr, write ssa.CallInstruction) bool {
	for _, f := range append([]*ssa.Function{fn}, fn.AnonFuncs...) {
		for instr := range goflow.Instrs(f) {
			store, ok := instr.(*ssa.Store)
			if !ok || isBool(store.Val, false) {
				continue
			}
			at, ok := store.Addr.(*ssa.FieldAddr)
			if !ok || at.Field != flag.Field || !types.Identical(at.X.Type(), flag.X.Type()) {
				continue
			}
			if f != fn || goflow.After(write, store, nil) {
				return true
			}
		}
	}
	return false
}

func returnsError(call ssa.CallInstruction) bool {
	results := call.Common().Signature().Results()
	return results.Len() > 0 && results.At(results.Len()-1).Type().String() == "error"
}
