package hookasync

import (
	"regexp"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// diskWork are the functions of Node and Bun that change files in the background: opencode
// run is gone before they are done (20 of 20 lines lost, measured on OpenCode 1.18.30).
var diskWork = map[string]bool{
	"fs.writeFile": true, "fs.appendFile": true, "fs.rename": true, "fs.copyFile": true, "fs.cp": true,
	"fs.unlink": true, "fs.rm": true, "fs.createWriteStream": true, "Bun.write": true,
}

// otherWork is what still happens when it is begun at once, and is lost when it is begun late.
var otherWork = map[string]bool{
	"fetch": true, "http.request": true, "https.request": true, "http.get": true, "https.get": true,
	"child_process.spawn": true, "child_process.exec": true, "child_process.execFile": true, "child_process.fork": true,
	"child_process.spawnSync": true, "child_process.execSync": true, "child_process.execFileSync": true,
	"Bun.spawn": true, "Bun.spawnSync": true,
	"fs.writeFileSync": true, "fs.appendFileSync": true, "fs.renameSync": true, "fs.copyFileSync": true, "fs.unlinkSync": true, "fs.rmSync": true,
}

// idleWork reports work for session.idle that opencode run does not live to see.
func (c *checker) idleWork(h plugincode.Handler) {
	if c.disposes() {
		return
	}
	i := &idler{checker: c, seen: make(map[visit]bool), said: make(map[*js.Node]bool)}
	i.walk(h.Fn, visit{fn: h.Fn.Node}, 0)
}

// idler walks from an event handler along the calls, with what is known on the way.
type idler struct {
	*checker
	seen map[visit]bool
	said map[*js.Node]bool // functions with a finding: its cure is one
}

// visit is a function in a state.
type visit struct {
	fn   *js.Node
	late string // why it runs late, "" when it does not
	when when
	from *js.Node // the node that is late, of the first function that has waited
	past int      // calls behind from
	in   *js.Module
}

// when tells for which events something runs.
type when uint8

const (
	always    when = iota
	sometimes      // there is a test that says nothing of the type
	atIdle         // a test names the last events of a run
)

const (
	maxVisits = 2000
	maxCalls  = 8 // between the handler and the work
	maxLate   = 2 // between the first place that is late and the work: further on, tests decide
)

func (i *idler) walk(fn js.Expr, v visit, depth int) {
	key := v
	key.from, key.in = nil, nil
	if v.from != nil {
		key.from = enclosing(v.from)
	}
	if i.seen[key] || len(i.seen) > maxVisits || depth > maxCalls || v.past > maxLate {
		return
	}
	i.seen[key] = true
	plugincode.Body(fn, plugincode.All, func(n *js.Node) {
		if n.Type != js.CallExpr && n.Type != js.Tagged {
			return
		}
		next, ok := i.at(fn, v, n)
		if !ok {
			return
		}
		i.work(fn.Module, n, next)
		if n.Type == js.CallExpr {
			i.follow(js.Expr{Module: fn.Module, Node: n}, next, depth)
		}
	})
}

// at returns the state in which a node of a function runs; ok is false where it does not run
// for the last events of a run, or nobody knows when.
func (i *idler) at(fn js.Expr, v visit, n *js.Node) (next visit, ok bool) {
	next = v
	if late := i.lateIn(fn.Module, n, fn.Node); late == unknownTime {
		return v, false
	} else if late != "" && v.late == "" {
		next.late, next.from, next.in = late, n, fn.Module
	}
	for _, cond := range js.Conditions(n) {
		if !isWithin(cond.Test, fn.Node) {
			break // around the function: made there, not run there
		}
		switch i.says(js.Expr{Module: fn.Module, Node: cond.Test}, cond) {
		case saysOther:
			return v, false
		case saysIdle:
			next.when = atIdle
		case saysNothing:
			next.when = max(next.when, sometimes)
		}
	}
	return next, true
}

// work reports the work that a node does, if it is lost: where it is, or where the code that
// comes too late begins.
func (i *idler) work(m *js.Module, n *js.Node, v visit) {
	name := i.workOf(m, n)
	if name == "" || v.when == sometimes || v.late == "" && !diskWork[name] || isLogger(n) {
		return
	}
	short := strings.TrimPrefix(strings.TrimPrefix(name, "child_process."), "fs.")
	if v.late == "" {
		if at := enclosing(n); !i.said[at] {
			i.said[at] = true
			i.report("idlework", m, n, "%s works in the background, and opencode run exits about 0.1 s after session.idle without waiting for event handlers: what it should change is lost (use the Sync form before any await, or do it in dispose)", short)
		}
		return
	}
	if at := enclosing(v.from); !i.said[at] {
		i.said[at] = true
		f := i.report("idlework", v.in, v.from, "%s runs %s, and opencode run exits about 0.1 s after session.idle without waiting for event handlers: it may never run (do it before, or in dispose)", short, v.late)
		if f.Rule != "" && v.from != n {
			f.Related = []finding.Related{{At: finding.Place{Module: m, Span: n.Span}, Message: "this runs too late"}}
		}
	}
}

// isLogger reports whether work is that of a log: nobody misses the last lines of it.
func isLogger(n *js.Node) bool {
	for f := enclosing(n); f != nil; f = enclosing(f) {
		if logNames.MatchString(functionName(f)) {
			return true
		}
	}
	return false
}

var logNames = regexp.MustCompile(`(?i)log($|[^i])|debug|trace`)

// functionName returns the name of a function or, without one, of what it is assigned to.
func functionName(f *js.Node) string {
	switch p := f.Parent; {
	case f.Kids[0] != nil:
		return f.Kids[0].Text
	case (p.Type == js.Declarator || p.Type == js.Property || p.Type == js.ClassMember) && p.Kids[1] == f && p.Kids[0] != nil:
		return p.Kids[0].Text
	}
	return ""
}

// follow walks on into what a call runs, or passes on by name to something that will.
func (i *idler) follow(call js.Expr, v visit, depth int) {
	for _, fn := range i.code.Called(call) {
		next := v
		next.fn = fn.Node
		if v.late != "" {
			next.past++
		}
		i.walk(fn, next, depth+1)
	}
	late := callbackTime(call.Node, false)
	if late == unknownTime {
		return
	}
	for _, arg := range call.Node.Kids[1:] {
		if to := i.prog.Follow(js.Expr{Module: call.Module, Node: arg}); arg.Type == js.Ident && to.Node != nil && to.Node.Type == js.FuncLit {
			next := v
			next.fn = to.Node
			if v.late == "" {
				next.late, next.from, next.in = late, call.Node, call.Module
			}
			i.walk(to, next, depth+1)
		}
	}
}

// disposes reports whether the plugin has a dispose hook that can wait: what event handlers
// leave unfinished may well be finished there.
func (c *checker) disposes() bool {
	for _, h := range c.code.Handlers {
		if h.Hook == hookDispose {
			return true
		}
	}
	return false
}

// workOf names the work that a call does, or returns "".
func (c *checker) workOf(m *js.Module, n *js.Node) string {
	if c.isShell(m, n) {
		return "$"
	}
	if n.Type != js.CallExpr {
		return ""
	}
	if name := c.api(m, n); diskWork[name] || otherWork[name] {
		return name
	}
	return ""
}
