package statefile

import (
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// Flags of os.OpenFile. A package is checked for the platform that ngvet runs on.
const (
	flagCreate    = int64(os.O_CREATE)
	flagExclusive = int64(os.O_EXCL)
	flagAppend    = int64(os.O_APPEND)
	flagTruncate  = int64(os.O_TRUNC)
)

// access is what a call does to the file at a path.
type access struct {
	call ssa.CallInstruction
	path ssa.Value
}

// reads returns the path that a call reads as a whole or opens for reading.
func reads(call ssa.CallInstruction) ssa.Value {
	switch goflow.Name(call) {
	case "os.ReadFile", "io/ioutil.ReadFile", "os.Open":
		return goflow.Arg(call, 0)
	case "os.OpenFile":
		if flags, ok := goflow.Int(goflow.Arg(call, 1)); ok && flags == 0 {
			return goflow.Arg(call, 0)
		}
	}
	return nil
}

// replaces returns the path whose content a call replaces, in place.
func replaces(call ssa.CallInstruction) ssa.Value {
	switch goflow.Name(call) {
	case "os.WriteFile", "io/ioutil.WriteFile", "os.Create":
		return goflow.Arg(call, 0)
	case "os.OpenFile":
		flags, ok := goflow.Int(goflow.Arg(call, 1))
		if ok && flags&flagTruncate != 0 && flags&flagExclusive == 0 {
			return goflow.Arg(call, 0)
		}
	}
	return nil
}

// What a call does with files, itself or in a helper of whatever package.
var (
	reading   = &goflow.Use{Name: "reads the file at", Of: reads}
	replacing = &goflow.Use{Name: "writes the file at", Of: replaces}
	moving    = &goflow.Use{Name: "moves a file to", Of: func(call ssa.CallInstruction) ssa.Value {
		if goflow.Name(call) != "os.Rename" {
			return nil
		}
		return goflow.Arg(call, 1)
	}}
	decoding = &goflow.Use{Name: "decodes JSON from", Of: decodes, Flow: true}

	readsFile  = &goflow.Question{Name: "reads a file", Is: func(call ssa.CallInstruction) bool { return reads(call) != nil }}
	writesFile = &goflow.Question{Name: "writes a file", Is: putsBytes}
	locking    = &goflow.Question{Name: "locks", Is: locks}
	unlocking  = &goflow.Question{Name: "unlocks", Is: unlocks}
)

func (c *checker) reads(call ssa.CallInstruction) ssa.Value    { return c.pkg.Used(call, reading) }
func (c *checker) replaces(call ssa.CallInstruction) ssa.Value { return c.pkg.Used(call, replacing) }

// overwrites is [checker.replaces] for a rename as well.
func (c *checker) overwrites(call ssa.CallInstruction) ssa.Value {
	if to := c.pkg.Used(call, moving); to != nil {
		return to
	}
	return c.replaces(call)
}

// putsBytes reports whether a call puts bytes into a file or moves one into place.
func putsBytes(call ssa.CallInstruction) bool {
	switch goflow.Name(call) {
	case "os.WriteFile", "io/ioutil.WriteFile", "os.Rename", "(*os.File).Write", "(*os.File).WriteString":
		return true
	}
	return false
}

// excludes returns the path that a call creates unless it exists.
func excludes(call ssa.CallInstruction) ssa.Value {
	if goflow.Name(call) != "os.OpenFile" {
		return nil
	}
	flags, ok := goflow.Int(goflow.Arg(call, 1))
	if !ok || flags&flagExclusive == 0 || flags&flagCreate == 0 {
		return nil
	}
	return goflow.Arg(call, 0)
}

// removes returns the path that a call removes.
func removes(call ssa.CallInstruction) ssa.Value {
	switch goflow.Name(call) {
	case "os.Remove", "os.RemoveAll":
		return goflow.Arg(call, 0)
	}
	return nil
}

// accesses returns the calls of a function for which path returns one.
func accesses(fn *ssa.Function, path func(ssa.CallInstruction) ssa.Value) []access {
	var out []access
	for call := range goflow.Calls(fn) {
		if _, ok := call.(*ssa.Call); !ok {
			continue
		}
		if p := path(call); p != nil {
			out = append(out, access{call, p})
		}
	}
	return out
}

// locks reports whether a call takes part in locking. The body of a function of another
// package is not in sight, so that its name counts: it only ever makes a rule silent.
func locks(call ssa.CallInstruction) bool {
	if excludes(call) != nil {
		return true
	}
	fn := goflow.Func(call)
	if fn == nil {
		return false
	}
	name := strings.ToLower(fn.FullName())
	name = strings.ReplaceAll(name, "block", "")
	name = strings.ReplaceAll(name, "clock", "")
	return strings.Contains(name, "lock") || strings.Contains(name, "mutex") || strings.Contains(name, "singleflight") || strings.Contains(name, "transaction")
}

func unlocks(call ssa.CallInstruction) bool {
	fn := goflow.Func(call)
	return fn != nil && strings.Contains(strings.ToLower(fn.Name()), "unlock")
}

// more answers about an exported function what neither a question nor a use does.
func (c *checker) more(fn *ssa.Function) []string {
	var yes []string
	if c.pkg.IsPure(fn) {
		yes = append(yes, goflow.PureFunction)
	}
	if c.locksForCaller(fn) {
		yes = append(yes, locking.Name)
	}
	return yes
}

// locksForCaller reports whether a function locks around what its caller does: it leaves
// the lock taken, returns what releases it, or runs a function under it. One that only
// guards its own work says nothing about the caller's.
func (c *checker) locksForCaller(fn *ssa.Function) bool {
	if !c.pkg.Does(fn, locking) {
		return false
	}
	sig := fn.Signature
	return !c.pkg.Does(fn, unlocking) || slices.ContainsFunc(vars(sig.Params(), sig.Results()), func(v *types.Var) bool {
		return isFunc(v.Type()) || isReleaser(v.Type())
	})
}

func vars(tuples ...*types.Tuple) []*types.Var {
	var out []*types.Var
	for _, tuple := range tuples {
		out = slices.AppendSeq(out, tuple.Variables())
	}
	return out
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isReleaser reports whether a type has a method that gives a lock back.
func isReleaser(t types.Type) bool {
	for _, name := range []string{"Unlock", "Release"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			return true
		}
	}
	return false
}

// isLocked reports whether a function or a function around it locks, or each caller of it
// in the package does.
func (c *checker) isLocked(fn *ssa.Function) bool {
	return c.lockedAbove(fn, make(map[*ssa.Function]bool))
}

func (c *checker) lockedAbove(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	for seen[fn] = true; ; fn = fn.Parent() {
		if c.pkg.Does(fn, locking) {
			return true
		}
		if fn.Parent() == nil {
			break
		}
	}
	if strings.Contains(strings.ToLower(fn.Name()), "locked") {
		return true
	}
	callers := c.pkg.Callers(fn)
	if len(callers) == 0 {
		return false
	}
	for _, call := range callers {
		if !seen[call.Parent()] && !c.lockedAbove(call.Parent(), seen) {
			return false
		}
	}
	return true
}
