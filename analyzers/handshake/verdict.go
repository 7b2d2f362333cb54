package handshake

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// dropped reports verdicts that nothing looks at.
func (c *checker) dropped(fn *ssa.Function) {
	for call := range goflow.Calls(fn) {
		if !c.isVerdict(call, loaded, late) {
			continue
		}
		did := "dropped"
		if value, ok := call.(*ssa.Call); ok && isRead(value) {
			if !isOnlyLogged(value) {
				continue
			}
			did = "only printed"
		}
		c.report(ruleDropped, call, "the verdict of the handshake is "+did+": a plugin that did not load, or loaded too late, gates nothing and the run still counts as gated; check the error and fail the run")
	}
}

// isVerdict reports whether the error of a call, its only result, is the verdict of a half.
func (c *checker) isVerdict(call ssa.CallInstruction, of ...*half) bool {
	results := call.Common().Signature().Results()
	return results.Len() == 1 && isError(results.At(0).Type()) &&
		slices.ContainsFunc(of, func(h *half) bool { return c.pkg.Performs(call, h.verdict) })
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// isRead reports whether something uses the result of a call.
func isRead(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		store, ok := ref.(*ssa.Store)
		if !ok {
			return true
		}
		if alloc, ok := store.Addr.(*ssa.Alloc); !ok || isLoadedFrom(alloc) {
			return true
		}
	}
	return false
}

// isLoadedFrom reports whether a variable is used other than by storing to it.
func isLoadedFrom(alloc *ssa.Alloc) bool {
	for _, ref := range *alloc.Referrers() {
		if store, ok := ref.(*ssa.Store); !ok || store.Addr != alloc {
			return true
		}
	}
	return false
}

// alone reports one half of the handshake in a package that has nothing of the other.
func (c *checker) alone(h, other *half) {
	if c.verifies(other) {
		return
	}
	for _, fn := range c.funcs {
		for call := range goflow.Calls(fn) {
			isCore := h.calls[goflow.Name(call)]
			if !isCore && !c.pkg.Says(call, h.verdict.Name) || c.isWrapper(fn, h) || isExit(call) {
				continue
			}
			c.report(ruleHalf, call, h.alone)
		}
	}
}

// isExit reports a call of Handshake.Exit, which also says that the plugin never loaded.
func isExit(call ssa.CallInstruction) bool {
	return goflow.Name(call) == "(*"+corePath+".Handshake).Exit"
}

// isWrapper reports whether a function does nothing with a verdict but return it; who calls
// it may be in another package.
func (c *checker) isWrapper(fn *ssa.Function, h *half) bool {
	results := fn.Signature.Results()
	return fn.Parent() == nil && fn.Object() != nil && fn.Object().Exported() && !startsAny(fn) &&
		results.Len() == 1 && isError(results.At(0).Type()) && c.pkg.Does(fn, h.verdict)
}

func startsAny(fn *ssa.Function) bool {
	for call := range goflow.Calls(fn) {
		if startsProcess(call) {
			return true
		}
	}
	return false
}

// early reports returns of success between the end of the process and the check for
// lateness. A check that merely stands under a condition is left alone: it may be that of
// the handshake as a whole.
func (c *checker) early(fn *ssa.Function) {
	var ends, lates, loads []ssa.Instruction
	for call := range goflow.Calls(fn) {
		switch {
		case c.pkg.Performs(call, late.verifies):
			if _, deferred := call.(*ssa.Defer); deferred {
				return
			}
			lates = append(lates, call)
		case endsProcess(call):
			ends = append(ends, call)
		}
		if c.pkg.Performs(call, loaded.verifies) {
			loads = append(loads, call)
		}
	}
	if len(loads) == 0 || len(ends) == 0 || len(lates) == 0 || c.shareCondition(loads, lates) {
		return
	}
	stop := func(i ssa.Instruction) bool {
		call, ok := i.(*ssa.Call)
		return ok && c.pkg.Performs(call, late.verifies)
	}
	for instr := range goflow.Instrs(fn) {
		ret, ok := instr.(*ssa.Return)
		if !ok || !succeeds(ret) || reachedFromAny(lates, ret, nil) || !reachedFromAny(ends, ret, stop) {
			continue
		}
		c.reportReturn(ret)
	}
}

// shareCondition reports whether both halves stand under one condition: a run may do
// without the handshake.
func (c *checker) shareCondition(loads, lates []ssa.Instruction) bool {
	for _, load := range loads {
		for _, a := range conditions(load.Block()) {
			for _, late := range lates {
				for _, b := range conditions(late.Block()) {
					if c.pkg.Same(a, b) {
						return true
					}
				}
			}
		}
	}
	return false
}

// conditions returns what decides whether a block runs.
func conditions(b *ssa.BasicBlock) []ssa.Value {
	var out []ssa.Value
	for d := b.Idom(); d != nil; d = d.Idom() {
		branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for _, next := range d.Succs {
			if len(next.Preds) == 1 && next.Dominates(b) && !isErrorTest(branch.Cond) {
				out = append(out, branch.Cond)
			}
		}
	}
	return out
}

// isErrorTest reports whether a condition compares an error: which of two halves comes
// after a failure of the other says nothing.
func isErrorTest(cond ssa.Value) bool {
	compare, ok := cond.(*ssa.BinOp)
	return ok && isError(compare.X.Type())
}

func reachedFromAny(from []ssa.Instruction, to ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	for _, f := range from {
		if goflow.After(f, to, stop) {
			return true
		}
	}
	return false
}

// succeeds reports whether a return gives no error: a nil, or a function that has none.
func succeeds(ret *ssa.Return) bool {
	if len(ret.Results) == 0 {
		return true
	}
	last := ret.Results[len(ret.Results)-1]
	if !isError(last.Type()) {
		return true
	}
	constant, ok := goflow.Bare(last).(*ssa.Const)
	return ok && constant.IsNil()
}

func endsProcess(call ssa.CallInstruction) bool {
	switch goflow.Name(call) {
	case "(*os/exec.Cmd).Run", "(*os/exec.Cmd).Wait", "(*os/exec.Cmd).Output", "(*os/exec.Cmd).CombinedOutput":
		_, plain := call.(*ssa.Call)
		return plain
	}
	return false
}

func startsProcess(call ssa.CallInstruction) bool {
	switch goflow.Name(call) {
	case "(*os/exec.Cmd).Run", "(*os/exec.Cmd).Start", "(*os/exec.Cmd).Output", "(*os/exec.Cmd).CombinedOutput":
		return true
	}
	return false
}
