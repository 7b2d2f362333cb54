package goflow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// After reports whether to can run after from in one call of their function, without an
// instruction in between for which stop is true. stop may be nil.
func After(from, to ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	if from.Parent() != to.Parent() {
		return false
	}
	seen := make(map[*ssa.BasicBlock]bool)
	var walk func(b *ssa.BasicBlock, i int) bool
	walk = func(b *ssa.BasicBlock, i int) bool {
		for _, instr := range b.Instrs[i:] {
			if instr == to {
				return true
			}
			if stop != nil && stop(instr) {
				return false
			}
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				if walk(next, 0) {
					return true
				}
			}
		}
		return false
	}
	return walk(from.Block(), slices.Index(from.Block().Instrs, from)+1)
}

// Always reports whether first has run whenever then runs.
func Always(first, then ssa.Instruction) bool {
	if first.Parent() != then.Parent() {
		return false
	}
	if first.Block() == then.Block() {
		instrs := first.Block().Instrs
		return slices.Index(instrs, first) < slices.Index(instrs, then)
	}
	return first.Block().Dominates(then.Block())
}
