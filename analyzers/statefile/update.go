package statefile

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// updates reports a file that is read, changed and written back with no lock around both.
func (c *checker) updates(fn *ssa.Function) {
	written := accesses(fn, c.writesTo)
	if len(written) == 0 {
		return
	}
	for _, read := range accesses(fn, c.readsFrom) {
		content := goflow.Reaches(read.call.Value())
		for _, write := range written {
			if write.call == read.call || !goflow.Same(read.path, write.path) || !goflow.After(read.call, write.call, nil) {
				continue
			}
			if !carries(write.call, content) || c.isLocked(fn) {
				continue
			}
			c.report(ruleLostUpdate, write.call, "this file was read before and is written back without a lock around both: what another process writes in between is lost; hold a lock file over the read and the write")
			break
		}
	}
}

// carries reports whether a call writes something of a content: as an argument, or as what
// the function has put into the file that the call renames.
func carries(write ssa.CallInstruction, content map[ssa.Value]bool) bool {
	holds := func(v ssa.Value) bool { return content[v] }
	if goflow.Name(write) != "os.Rename" {
		return slices.ContainsFunc(goflow.Args(write)[1:], holds)
	}
	from := goflow.Arg(write, 0)
	var file ssa.Value
	if name, ok := goflow.Bare(from).(*ssa.Call); ok && goflow.Name(name) == "(*os.File).Name" {
		file = goflow.Arg(name, 0)
	}
	for call := range goflow.Calls(write.Parent()) {
		to := goflow.Arg(call, 0)
		if call != write && (goflow.Same(to, from) || goflow.Same(to, file)) && goflow.After(call, write, nil) && slices.ContainsFunc(goflow.Args(call)[1:], holds) {
			return true
		}
	}
	return false
}

// readsFrom returns the path that a call reads: of a file, or of a helper of the package
// that reads the file at one of its parameters.
func (c *checker) readsFrom(call ssa.CallInstruction) ssa.Value {
	if path := reads(call); path != nil {
		return path
	}
	return through(call, reads)
}

// writesTo is [checker.readsFrom] for what replaces a file, in place or by a rename.
func (c *checker) writesTo(call ssa.CallInstruction) ssa.Value {
	name := goflow.Name(call)
	if name == "os.WriteFile" || name == "io/ioutil.WriteFile" {
		return goflow.Arg(call, 0)
	}
	if name == "os.Rename" {
		return goflow.Arg(call, 1)
	}
	return through(call, func(inner ssa.CallInstruction) ssa.Value {
		if goflow.Name(inner) == "os.Rename" {
			return goflow.Arg(inner, 1)
		}
		return replaces(inner)
	})
}

// through returns the argument of a call of a helper whose parameter is the path of an
// access in the helper.
func through(call ssa.CallInstruction, path func(ssa.CallInstruction) ssa.Value) ssa.Value {
	body := goflow.Body(call)
	if body == nil || len(body.FreeVars) > 0 {
		return nil
	}
	for inner := range goflow.Calls(body) {
		p := path(inner)
		if p == nil {
			continue
		}
		for i, param := range body.Params {
			if goflow.Bare(p) == ssa.Value(param) {
				return goflow.Arg(call, i)
			}
		}
	}
	return nil
}

// inPlace reports files whose path is a field or a constant of the package, that one
// function writes in place and another reads.
func (c *checker) inPlace() {
	var read []access
	for _, fn := range c.pkg.Funcs {
		read = append(read, accesses(fn, reads)...)
	}
	for _, fn := range c.pkg.Funcs {
		for _, write := range accesses(fn, replaces) {
			if c.isRenamed(fn, write.path) || c.isLocked(fn) {
				continue
			}
			shared := func(r access) bool { return r.call.Parent() != fn && samePlace(r.path, write.path) }
			if slices.ContainsFunc(read, shared) {
				c.report(ruleInPlace, write.call, "another function reads this file while it is written in place and may see it empty or half: write a temporary file in the same directory and rename it")
			}
		}
	}
}

// samePlace reports whether two functions name one file: by equal constants, or by the
// same field of the same type.
func samePlace(a, b ssa.Value) bool {
	if text, ok := goflow.Text(a); ok {
		other, ok := goflow.Text(b)
		return ok && text == other
	}
	x, ok := goflow.Field(a)
	if !ok {
		return false
	}
	y, ok := goflow.Field(b)
	return ok && x.Field == y.Field && types.Identical(x.X.Type(), y.X.Type())
}

// isRenamed reports whether a function renames the file at a path.
func (c *checker) isRenamed(fn *ssa.Function, path ssa.Value) bool {
	for call := range goflow.Calls(fn) {
		if goflow.Name(call) == "os.Rename" && goflow.Same(goflow.Arg(call, 0), path) {
			return true
		}
	}
	return false
}
