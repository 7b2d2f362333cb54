package pluginstate

import (
	"regexp"
	"slices"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// lostUpdates reports files that a handler reads, changes and writes back with nothing that
// keeps others from doing so at the same time.
func (c *checker) lostUpdates(fn js.Expr) {
	if !c.perCall(fn.Node) {
		return
	}
	ops := c.ops(fn)
	for i, r := range ops {
		if r.kind != opRead || !isReplaced(ops[i+1:], r.path) || !isNamed(r.path) || isOnlyOurs(r.path) || c.family(r.path) != r.path {
			continue
		}
		for _, w := range ops[i+1:] {
			if !replaces(w, r.path) || r.call.Node == w.call.Node || c.isLocked(fn, ops) || !c.carries(fn, r, w) {
				continue
			}
			f := c.report("lostupdate", w.call, "%s", lostText(r, w))
			f.Related = []finding.Related{{At: finding.Place{Module: r.call.Module, Span: r.call.Node.Span}, Message: "read here"}}
			break
		}
	}
}

func lostText(r, w op) string {
	if r.sync && w.sync {
		return "the file is read, changed and written back without a lock; what another OpenCode process writes in between is lost: hold a lock around both, or append"
	}
	return "the file is read, changed and written back without a lock; what another hook or process writes in between is lost: hold a lock around both, queue the updates, or append"
}

func isReplaced(ops []op, path string) bool {
	return slices.ContainsFunc(ops, func(o op) bool { return replaces(o, path) })
}

// replaces reports whether an operation gives the file at path other content as a whole.
func replaces(o op, path string) bool {
	return o.kind == opWrite && o.path == path || o.kind == opRename && o.to == path
}

// carries reports whether what a function writes is made of what it read.
func (c *checker) carries(fn js.Expr, r, w op) bool {
	v := c.flow(fn, r.site)
	if w.kind == opRename { // the data is that of the temporary file
		for _, o := range c.ops(fn) {
			if o.kind == opWrite && o.path == w.path && c.carries(fn, r, o) {
				return true
			}
		}
		return false
	}
	for _, arg := range w.site.Kids[1:] {
		if v.has(arg) {
			return true
		}
	}
	return w.data.Node != nil && v.hasIn(w.data.Module, w.data.Node)
}

// isLocked reports whether a function, or one that leads to it, takes turns with others.
func (c *checker) isLocked(fn js.Expr, ops []op) bool {
	for _, o := range ops {
		if o.kind == opLock || o.kind == opCreate && looksLikeLock(o.path) {
			return true
		}
	}
	if c.locked == nil {
		c.findLocked()
	}
	return c.locked[fn.Node]
}

// findLocked lists the functions that run where a lock may be held.
func (c *checker) findLocked() {
	c.locked = make(map[*js.Node]bool)
	for _, fn := range c.functions {
		isHolder := false
		plugincode.Body(fn, func(*js.Node) bool { return false }, func(n *js.Node) {
			isHolder = isHolder || n.Type == js.CallExpr && takesTurns(fn.Module, n)
		})
		if !isHolder {
			continue
		}
		for _, r := range c.code.Reach(fn) {
			for _, inner := range nested(r.Fn, plugincode.All) {
				c.locked[inner.Node] = true
			}
		}
	}
}

// takesTurns reports whether the name of what is called, or of its object, tells of a lock
// or a queue.
func takesTurns(m *js.Module, call *js.Node) bool {
	if lockName.match(js.CalleeName(call)) {
		return true
	}
	callee := call.Kids[0]
	return callee.Type == js.Member && plugincode.MemberName(callee) == "then" && (lockName.match(m.Text(callee.Kids[0].Span)) || chainName.match(m.Text(callee.Kids[0].Span)))
}

var chainName = words{"chain", "tail", "pending", "last"}

// nonAtomic reports files that are parsed when they are read and are written in place.
func (c *checker) nonAtomic() {
	parsed := make(map[string]js.Expr)
	for _, fn := range c.functions {
		for _, r := range c.ops(fn) {
			if r.kind == opRead && c.isParsed(fn, r) {
				parsed[c.family(r.path)] = r.call
			}
		}
	}
	for _, fn := range c.functions {
		for _, w := range c.ops(fn) {
			family := c.family(w.path)
			read, ok := parsed[family]
			if w.kind != opWrite || !ok || !isNamed(family) || !isSaving(w) || asideName.MatchString(w.path) {
				continue
			}
			f := c.report("nonatomic", w.call, "the file is written in place and parsed when it is read; a reader at the same time, or the next start after a crash, finds half of it: write a temporary file beside it and rename that")
			f.Related = []finding.Related{{At: finding.Place{Module: read.Module, Span: read.Node.Span}, Message: "read here"}}
		}
	}
}

// asideName are names of files that become what is read only later, or that tell the owner
// of something: they are too short for half of them to be seen.
var asideName = regexp.MustCompile(`(?i)staging|te?mp|backup|\.bak|"[^"]*(?:owner|\bpid\b)[^"]*"`)

// isParsed reports whether a function parses what it reads, itself or through a call.
func (c *checker) isParsed(fn js.Expr, r op) bool {
	if c.builtin(r.call.Module, r.call.Node) == "" { // of Bun.file
		return js.CalleeName(r.call.Node) == "json"
	}
	key := parsedKey{fn.Node, r.site, r.call.Node}
	found, known := c.parsed[key]
	if !known {
		c.parsed[key] = false // a recursive call adds nothing
		found = c.parsesIn(fn, fn.Node, r) || r.deep > 0 && c.isParsedBelow(fn, r)
		c.parsed[key] = found
	}
	return found
}

// parsesIn reports whether a part of a function hands what it reads to a parser.
func (c *checker) parsesIn(fn js.Expr, part *js.Node, r op) bool {
	for _, n := range c.parsersOf(fn) {
		if !contains(part, n) {
			continue
		}
		v := c.flow(fn, r.site)
		for _, arg := range n.Kids[1:] {
			if v.has(arg) {
				return true
			}
		}
	}
	return false
}

// parsersOf lists the calls of parsers in a function.
func (c *checker) parsersOf(fn js.Expr) []*js.Node {
	list, ok := c.parsers[fn.Node]
	if !ok {
		plugincode.Body(fn, plugincode.All, func(n *js.Node) {
			if c.isParser(fn.Module, n) {
				list = append(list, n)
			}
		})
		c.parsers[fn.Node] = list
	}
	return list
}

// isParsedBelow looks for the parser in the functions that a call leads through.
func (c *checker) isParsedBelow(fn js.Expr, r op) bool {
	for _, callee := range c.callees(fn.Module, r.site) {
		if callee.Node == fn.Node {
			continue
		}
		for _, o := range c.ops(callee) {
			if o.call.Node == r.call.Node && o.deep < r.deep && c.isParsed(callee, o) {
				return true
			}
		}
	}
	return false
}

type parsedKey struct{ fn, site, call *js.Node }

// isParser reports whether a call makes values of the text of a whole file.
func (c *checker) isParser(m *js.Module, n *js.Node) bool {
	if n.Type != js.CallExpr || notFiles.MatchString(m.Text(n.Kids[0].Span)) {
		return false
	}
	return parseName.match(js.CalleeName(n)) && c.builtin(m, n) != "path.parse"
}

var (
	parseName = words{"parse"}
	notFiles  = regexp.MustCompile(`(?i)parse(?:int|float|args|number)|date\.parse|\burl\b`)
)
