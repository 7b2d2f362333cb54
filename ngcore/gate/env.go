package gate

import (
	"maps"
	"path/filepath"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// env is what is known about a shell at one point of its program.
type env struct {
	cwd     []place             // one of these
	before  []place             // $OLDPWD: one of these, or not known
	vars    map[string]variable // assigned by the program
	funcs   map[string]*syntax.Stmt
	params  []string // $1 and on
	zero    string   // $0, when the program was given one
	unknown bool     // the parameters are not known
	dead    bool     // the program has ended on the way here
	late    *late    // shared by all environments of one program
	work    *work    // shared by all environments of one call
}

// late is what a program leaves for its end.
type late struct {
	defined []*syntax.FuncDecl
	judged  map[*syntax.Stmt]bool // bodies of functions that something called
	ever    map[string]variable   // every value that a variable has had
	traps   []string              // programs that may run at any time
}

// variable is one of several values, each with its fields: one for a scalar.
type variable struct {
	cases    [][]string
	exported bool
}

func newLate() *late {
	return &late{judged: map[*syntax.Stmt]bool{}, ever: map[string]variable{}}
}

func newEnv(start place) *env {
	return &env{cwd: []place{start}, vars: map[string]variable{}, funcs: map[string]*syntax.Stmt{}, late: newLate(), work: new(work)}
}

// clone returns a copy for a branch or a subshell. It is alive: code after an exit is
// judged as well.
func (e *env) clone() *env {
	e.work.spend(len(e.cwd) + len(e.vars) + len(e.funcs))
	c := *e
	c.cwd = slices.Clone(e.cwd)
	c.vars = maps.Clone(e.vars)
	c.funcs = maps.Clone(e.funcs)
	c.dead = false
	return &c
}

// child returns the environment of a new process: only exported variables reach it.
func (e *env) child() *env {
	c := e.clone()
	maps.DeleteFunc(c.vars, func(_ string, v variable) bool { return !v.exported })
	c.params, c.zero, c.unknown = nil, "", false
	c.late = newLate()
	return c
}

// merge returns what is known when either a or b holds.
func merge(a, b *env) *env {
	switch {
	case a == b || b.dead:
		return a
	case a.dead:
		return b
	}
	a.work.spend(4 * (len(a.vars) + len(b.vars)))
	m := a.clone()
	for _, p := range b.cwd {
		if !slices.Contains(m.cwd, p) {
			m.cwd = append(m.cwd, p)
		}
	}
	if len(m.cwd) > maxCases {
		m.cwd = []place{{path: "/" + anyText}}
	}
	for name, v := range b.vars {
		w, ok := a.vars[name]
		if !ok {
			w = hostVariable()
		}
		m.vars[name] = w.union(v)
	}
	for name, v := range a.vars {
		if _, ok := b.vars[name]; !ok {
			m.vars[name] = v.union(hostVariable())
		}
	}
	if !slices.Equal(a.before, b.before) {
		m.before = nil
	}
	maps.Copy(m.funcs, b.funcs)
	m.unknown = a.unknown || b.unknown || !slices.Equal(a.params, b.params)
	return m
}

// hostVariable is a variable that the program did not assign: the host's, or unset.
func hostVariable() variable { return variable{cases: [][]string{{hostText}}} }

func (v variable) union(w variable) variable {
	u := variable{cases: slices.Clone(v.cases), exported: v.exported || w.exported}
	for _, c := range w.cases {
		if !slices.ContainsFunc(u.cases, func(o []string) bool { return slices.Equal(o, c) }) {
			u.cases = append(u.cases, c)
		}
	}
	if len(u.cases) > maxCases {
		u.cases = [][]string{{anyText}}
	}
	return u
}

func (e *env) set(name string, v variable) {
	v.exported = v.exported || e.vars[name].exported
	e.vars[name] = v
	e.late.ever[name] = e.late.ever[name].union(v)
}

// setUnknown makes a variable unknown, as read and mapfile do.
func (e *env) setUnknown(name, text string) {
	e.set(name, variable{cases: [][]string{{text}}})
}

// sameKnowledge reports whether two environments say the same about variables and places.
func sameKnowledge(a, b *env) bool {
	return slices.Equal(a.cwd, b.cwd) && maps.EqualFunc(a.vars, b.vars, func(v, w variable) bool {
		return slices.EqualFunc(v.cases, w.cases, func(x, y []string) bool { return slices.Equal(x, y) })
	})
}

// enter returns the place after a change to the directory dir.
func (p place) enter(ws Workspace, dir string) place {
	target, absolute := absolutePath(ws, dir, p)
	target = filepath.Clean(target)
	if len(target) > maxPathBytes {
		target = "/" + anyText
	}
	return place{path: target, scratch: (absolute || p.scratch) && ws.isScratch(target, ws.resolve(target), accessRead)}
}
