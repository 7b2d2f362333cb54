package handshake

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// isOnlyLogged reports whether all that happens with an error is that it is printed, perhaps
// after a look at whether there is one: what follows is the same either way.
func isOnlyLogged(err ssa.Value) bool {
	logged := false
	for _, ref := range *err.Referrers() {
		switch ref := ref.(type) {
		case *ssa.BinOp:
			logged = isTestBeforeLog(ref) || ref.Op == token.ADD && isOnlyLogged(ref)
		case *ssa.Call:
			logged = isLog(ref) || isText(ref) && isOnlyLogged(ref)
		case *ssa.ChangeInterface:
			logged = isOnlyLogged(ref)
		case *ssa.MakeInterface:
			logged = isOnlyLogged(ref)
		case *ssa.Store:
			call := variadic(ref)
			logged = call != nil && isLog(call)
		default:
			logged = false
		}
		if !logged {
			return false
		}
	}
	return logged
}

// isText reports whether a call is that of the text of an error.
func isText(call *ssa.Call) bool { return goflow.Name(call) == "(error).Error" }

// variadic returns the call whose variable arguments a store adds to, or nil.
func variadic(store *ssa.Store) ssa.CallInstruction {
	index, ok := store.Addr.(*ssa.IndexAddr)
	if !ok || index.X.Referrers() == nil {
		return nil // an element of a global array has no list of uses
	}
	for _, ref := range *index.X.Referrers() {
		slice, ok := ref.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, use := range *slice.Referrers() {
			if call, ok := use.(ssa.CallInstruction); ok {
				return call
			}
		}
	}
	return nil
}

// isTestBeforeLog reports whether a comparison only decides whether something is printed.
func isTestBeforeLog(test *ssa.BinOp) bool {
	refs := *test.Referrers()
	if len(refs) != 1 || test.Op != token.NEQ && test.Op != token.EQL {
		return false
	}
	branch, ok := refs[0].(*ssa.If)
	if !ok {
		return false
	}
	failed, next := branch.Block().Succs[0], branch.Block().Succs[1]
	if test.Op == token.EQL {
		failed, next = next, failed
	}
	if len(failed.Preds) != 1 || len(failed.Succs) != 1 || failed.Succs[0] != next {
		return false
	}
	if _, differs := next.Instrs[0].(*ssa.Phi); differs {
		return false // a variable tells that it failed
	}
	return !slices.ContainsFunc(failed.Instrs, func(i ssa.Instruction) bool { return !isPartOfLog(i) })
}

// isPartOfLog reports whether an instruction prints something, or prepares to.
func isPartOfLog(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Call:
		return isLog(i) || isText(i)
	case *ssa.Store:
		return variadic(i) != nil
	case *ssa.Alloc, *ssa.IndexAddr, *ssa.Slice, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.UnOp, *ssa.FieldAddr, *ssa.BinOp, *ssa.Jump:
		return true
	}
	return false
}

// isLog reports whether a call prints its arguments and goes on.
func isLog(call ssa.CallInstruction) bool {
	name := goflow.Name(call)
	for _, prefix := range []string{"fmt.Print", "fmt.Fprint", "log.Print", "(*log.Logger).Print", "log.Output", "log/slog.", "(*log/slog.Logger)."} {
		if strings.HasPrefix(name, prefix) {
			return !strings.HasSuffix(name, ".With") && !strings.HasSuffix(name, ".New")
		}
	}
	return false
}
