package statefile

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// updates reports a file that is read, changed and written back with no lock around both.
func (c *checker) updates(fn *ssa.Function) {
	written := accesses(fn, c.overwrites)
	if len(written) == 0 {
		return
	}
	for _, read := range accesses(fn, c.reads) {
		content := goflow.Reaches(read.call.Value())
		for _, write := range written {
			if write.call == read.call || !c.pkg.Same(read.path, write.path) || !goflow.After(read.call, write.call, nil) {
				continue
			}
			if !c.carries(write, content) || c.isLocked(fn) {
				continue
			}
			c.report(ruleLostUpdate, write.call, "this file was read before and is written back without a lock around both: what another process writes in between is lost; hold a lock file over the read and the write")
			break
		}
	}
}

// carries reports whether a call writes something of a content: as an argument, or as what
// the function has put into the file that the call renames.
func (c *checker) carries(write access, content map[ssa.Value]bool) bool {
	if goflow.Name(write.call) != "os.Rename" {
		return gets(write.call, write.path, content)
	}
	from := goflow.Arg(write.call, 0)
	var file ssa.Value
	if name, ok := goflow.Bare(from).(*ssa.Call); ok && goflow.Name(name) == "(*os.File).Name" {
		file = goflow.Arg(name, 0)
	}
	for call := range goflow.Calls(write.call.Parent()) {
		to := goflow.Arg(call, 0)
		if call != write.call && (c.pkg.Same(to, from) || c.pkg.Same(to, file)) && goflow.After(call, write.call, nil) && gets(call, to, content) {
			return true
		}
	}
	return false
}

// gets reports whether a call gets something of a content beside the file that it writes.
func gets(call ssa.CallInstruction, file ssa.Value, content map[ssa.Value]bool) bool {
	return slices.ContainsFunc(goflow.Args(call), func(v ssa.Value) bool { return v != file && content[v] })
}

// inPlace reports files whose path is a field or a constant of the package, that one
// function writes in place and another reads.
func (c *checker) inPlace() {
	var read []access
	for _, fn := range c.pkg.Funcs {
		written := accesses(fn, c.replaces)
		for _, r := range accesses(fn, c.reads) {
			// A helper that does both updates the file, which is no other's reading of it.
			if !slices.ContainsFunc(written, func(w access) bool { return w.call == r.call }) {
				read = append(read, r)
			}
		}
	}
	for _, fn := range c.pkg.Funcs {
		for _, write := range accesses(fn, c.replaces) {
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
		if goflow.Name(call) == "os.Rename" && c.pkg.Same(goflow.Arg(call, 0), path) {
			return true
		}
	}
	return false
}
