package goflow

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Question asks of functions whether they do something: hold a call for which Is is true,
// or call one that does. With Result it asks whether what they return is made of such a
// call's result.
type Question struct {
	Name   string // the answer yes, as in "deletes a sentinel"
	Is     func(ssa.CallInstruction) bool
	Result bool
}

// Use is something that calls do with one of their arguments.
type Use struct {
	Name string                              // what they do, as in "reads the file at"
	Of   func(ssa.CallInstruction) ssa.Value // the argument, or nil
	Flow bool                                // a parameter counts when the argument is made of it
}

// answer is that of a function that does so with one of its parameters, the receiver
// included.
func (u *Use) answer(param int) string { return u.Name + " argument " + strconv.Itoa(param) }

// Answers is the fact that carries what a function does, or what its result is, to the
// packages that import its own. A check embeds it in a type of its own: facts of two checks
// must not be mixed up.
type Answers struct {
	Yes []string // names, sorted
}

// AFact implements [analysis.Fact].
func (*Answers) AFact() {}

// String returns the names; analysistest compares it.
func (a *Answers) String() string { return strings.Join(a.Yes, ", ") }

func (a *Answers) answers() *Answers { return a }

// Fact is a pointer to a type that embeds [Answers].
type Fact interface {
	analysis.Fact
	answers() *Answers
}

// Does reports whether the answer about a function is yes. A literal in a function counts
// as part of it. What a function of another package does is known for those that are
// exported and whose package the driver shows; what is called through an interface or a
// variable is not.
func (p *Package) Does(fn *ssa.Function, q *Question) bool {
	known, ok := p.doers[q]
	if !ok {
		known = p.ask(q)
		p.doers[q] = known
	}
	return known[declared(fn)]
}

// ask returns the functions of the package about which the answer is yes.
func (p *Package) ask(q *Question) map[*ssa.Function]bool {
	out := make(map[*ssa.Function]bool)
	p.spread(func(fn *ssa.Function) bool {
		out[fn] = holds(fn, q.Result, func(call ssa.CallInstruction) bool {
			return q.Is(call) || p.Says(call, q.Name) || out[Body(call)]
		})
		return out[fn]
	})
	return out
}

// holds reports whether a function, or a literal in it, holds a call for which is is true,
// or returns the result of one.
func holds(fn *ssa.Function, result bool, is func(ssa.CallInstruction) bool) bool {
	if result {
		return returns(fn, is)
	}
	for call := range Calls(fn) {
		if is(call) {
			return true
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(anon *ssa.Function) bool { return holds(anon, false, is) })
}

func returns(fn *ssa.Function, is func(ssa.CallInstruction) bool) bool {
	found := false
	for instr := range Instrs(fn) {
		ret, ok := instr.(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			Sources(v, func(v ssa.Value) bool {
				call, ok := v.(*ssa.Call)
				found = found || ok && is(call)
				return !found
			})
		}
	}
	return found
}

// Performs reports whether a call is one that a question is about, or runs a function about
// which the answer is yes.
func (p *Package) Performs(call ssa.CallInstruction, q *Question) bool {
	if q.Is(call) || p.Says(call, q.Name) {
		return true
	}
	body := Body(call)
	return body != nil && p.Does(body, q)
}

// Used returns the argument with which a call does what use is about, itself or in the
// function that it runs, or nil.
func (p *Package) Used(call ssa.CallInstruction, use *Use) ssa.Value {
	return p.used(call, use, p.params(use))
}

func (p *Package) used(call ssa.CallInstruction, use *Use, params map[*ssa.Function]int) ssa.Value {
	if v := use.Of(call); v != nil {
		return v
	}
	if body := Body(call); body != nil {
		if i, ok := params[body]; ok {
			return Arg(call, i)
		}
		return nil
	}
	for i, arg := range Args(call) {
		if p.Says(call, use.answer(i)) {
			return arg
		}
	}
	return nil
}

// params returns the functions of the package that do what use is about with one of their
// parameters, and its index.
func (p *Package) params(use *Use) map[*ssa.Function]int {
	if known, ok := p.users[use]; ok {
		return known
	}
	out := make(map[*ssa.Function]int)
	p.users[use] = out
	p.spread(func(fn *ssa.Function) bool {
		for call := range Calls(fn) {
			v := p.used(call, use, out)
			if v == nil {
				continue
			}
			if i := slices.IndexFunc(fn.Params, func(param *ssa.Parameter) bool { return use.is(v, param) }); i >= 0 {
				out[fn] = i
				return true
			}
		}
		return false
	})
	return out
}

// is reports whether the argument of a call in a function is its parameter.
func (u *Use) is(v ssa.Value, param *ssa.Parameter) bool {
	return Bare(v) == ssa.Value(param) || u.Flow && Reaches(param)[v]
}

// spread calls is for every function until it is true, again for those that call one for
// which it has become true, and for what is around that.
func (p *Package) spread(is func(*ssa.Function) bool) {
	done := make(map[*ssa.Function]bool)
	work := slices.Clone(p.Funcs)
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if done[fn] || !is(fn) {
			continue
		}
		done[fn] = true
		if fn.Parent() != nil {
			work = append(work, fn.Parent())
		}
		for _, call := range p.callers[fn] {
			work = append(work, call.Parent())
		}
	}
}

// Says reports whether another package has exported an answer about the function that is
// called.
func (p *Package) Says(call ssa.CallInstruction, answer string) bool {
	fn := Func(call)
	return fn != nil && slices.Contains(p.said(fn), answer)
}

// said returns what another package has exported about a function.
func (p *Package) said(fn *types.Func) []string {
	if p.fact == nil || fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg {
		return nil
	}
	if known, ok := p.facts[fn]; ok {
		return known
	}
	var names []string
	fact := p.newFact()
	if p.pass.ImportObjectFact(fn, fact) {
		names = fact.answers().Yes
	}
	p.facts[fn] = names
	return names
}

// Asked is everything that a check asks of functions.
type Asked struct {
	Questions []*Question
	Uses      []*Use
	More      func(*ssa.Function) []string // other answers about a function, or nil
}

// Export says to the packages that import this one what its exported functions do.
func (p *Package) Export(asked Asked) {
	for _, fn := range p.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() {
			continue
		}
		yes := p.answers(fn, asked)
		if len(yes) == 0 {
			continue
		}
		slices.Sort(yes)
		fact := p.newFact()
		fact.answers().Yes = yes
		p.pass.ExportObjectFact(obj, fact)
	}
}

func (p *Package) answers(fn *ssa.Function, asked Asked) []string {
	var yes []string
	for _, q := range asked.Questions {
		if p.Does(fn, q) {
			yes = append(yes, q.Name)
		}
	}
	for _, use := range asked.Uses {
		if i, ok := p.params(use)[fn]; ok {
			yes = append(yes, use.answer(i))
		}
	}
	if asked.More != nil {
		yes = append(yes, asked.More(fn)...)
	}
	return yes
}

func (p *Package) newFact() Fact {
	return reflect.New(reflect.TypeOf(p.fact).Elem()).Interface().(Fact)
}
