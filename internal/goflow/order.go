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

type reachKey struct {
	fn   *ssa.Function
	what string
}

// Does reports whether a function, or one of the package that it calls, holds a call for
// which is is true. what names the question, so that each function is asked once.
func (p *Package) Does(fn *ssa.Function, what string, is func(ssa.CallInstruction) bool) bool {
	key := reachKey{fn, what}
	if known, ok := p.reach[key]; ok {
		return known
	}
	p.reach[key] = false // a recursive call adds nothing
	for call := range Calls(fn) {
		if is(call) {
			p.reach[key] = true
			return true
		}
		if body := Body(call); body != nil && p.Does(body, what, is) {
			p.reach[key] = true
			return true
		}
	}
	for _, anon := range fn.AnonFuncs {
		if p.Does(anon, what, is) {
			p.reach[key] = true
			return true
		}
	}
	return p.reach[key]
}

// Performs reports whether a call is one for which is is true, or runs one.
func (p *Package) Performs(call ssa.CallInstruction, what string, is func(ssa.CallInstruction) bool) bool {
	if is(call) {
		return true
	}
	body := Body(call)
	return body != nil && p.Does(body, what, is)
}
