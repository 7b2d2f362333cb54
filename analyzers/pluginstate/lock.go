package pluginstate

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

// lockOwners reports locks that are removed without a look at whose they are.
func (c *checker) lockOwners() {
	locks := make(map[string]bool)
	for _, fn := range c.functions {
		for _, o := range c.ops(fn) {
			if family := c.family(o.path); o.kind == opCreate && namesLock(family) {
				locks[family] = true
			}
		}
	}
	if len(locks) == 0 {
		return
	}
	removals := c.removals(locks)
	takeover := make(map[string]bool)
	for _, r := range removals {
		if r.isByTime && !r.looks {
			takeover[r.op.path] = true
		}
	}
	for _, r := range removals {
		switch {
		case r.looks:
		case r.isByTime:
			c.report("lockowner", r.op.call, "the lock is judged old by its time alone and removed; a slow owner goes on, and two processes are inside: write an owner into it, test that process, and compare before the removal")
		case takeover[r.op.path]:
			c.report("lockowner", r.op.call, "the lock is removed without a look at its owner; when it was taken over as old, this removes the lock of another process: write an owner into it and compare before the removal")
		}
	}
}

// namesLock reports whether a path holds text that calls it a lock.
func namesLock(spelling string) bool {
	for _, q := range quoted.FindAllString(spelling, -1) {
		if looksLikeLock(q) {
			return true
		}
	}
	return false
}

// removal is a call that removes a lock, seen from the closest function that knows the path.
type removal struct {
	op       op
	isByTime bool
	looks    bool
}

func (c *checker) removals(locks map[string]bool) []removal {
	var list []removal
	index := make(map[*js.Node]int)
	for _, fn := range c.functions {
		ops := c.ops(fn)
		for i, o := range ops {
			if o.kind != opRemove || !locks[c.family(o.path)] {
				continue
			}
			r := removal{o, isByTime(ops[:i], o.path), looksAtOwner(ops, o.path)}
			at, seen := index[o.call.Node]
			switch {
			case !seen:
				index[o.call.Node] = len(list)
				list = append(list, r)
			case o.deep < list[at].op.deep:
				list[at] = r
			}
		}
	}
	return list
}

// isByTime reports whether the time of a file was looked at.
func isByTime(before []op, path string) bool {
	for _, o := range before {
		if o.kind == opStat && o.path == path {
			return true
		}
	}
	return false
}

// looksAtOwner reports whether a function reads a lock, or a file in it, or asks whether a
// process lives.
func looksAtOwner(ops []op, path string) bool {
	for _, o := range ops {
		if o.kind == opProbe || o.kind == opRead && strings.Contains(o.path, path) {
			return true
		}
	}
	return false
}
