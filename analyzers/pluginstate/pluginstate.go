package pluginstate

import (
	"cmp"
	_ "embed"
	"fmt"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
	"github.com/ngvet/ngvet/ngcore/host"
)

//go:embed doc.go
var doc string

// Check finds state of a plugin that is shared, lost or spoiled.
var Check = finding.NewJS("pluginstate", finding.Doc(doc), []finding.Rule{
	{Name: "modulestate", Severity: finding.Warning},
	{Name: "unbounded", Severity: finding.Warning},
	{Name: "flushwithoutdispose", Severity: finding.Warning},
	{Name: "lostupdate", Severity: finding.Warning},
	{Name: "nonatomic", Severity: finding.Warning},
	{Name: "dirtyflag", Severity: finding.Warning},
	{Name: "checkact", Severity: finding.Warning},
	{Name: "lockowner", Severity: finding.Warning},
	{Name: "corruptoverwrite", Severity: finding.Error, Off: true}, // 1 of 2 on public plugins
	{Name: "weaktemp", Severity: finding.Warning},
	{Name: "splitappend", Severity: finding.Error},
}, run)

func run(prog *js.Program, entry *js.Module, opts finding.Options) []finding.Finding {
	table, err := host.Lookup(cmp.Or(opts.Host, host.Default))
	if err != nil {
		return nil // hookname reports a version that is not known, and modules that cannot be read
	}
	c := newChecker(prog, plugincode.Read(prog, table, entry), table)
	c.hooks, _ = prog.Hooks(entry)
	for _, fn := range c.functions {
		c.splitAppends(fn)
		c.weakTemps(fn)
		c.dirtyFlags(fn)
		c.checksThenActs(fn)
		c.lostUpdates(fn)
		c.corruptOverwrites(fn)
	}
	c.nonAtomic()
	c.lockOwners()
	c.flushes()
	c.moduleState()
	c.unbounded()
	return c.found
}

// checker is one run of the check.
type checker struct {
	prog      *js.Program
	code      *plugincode.Code
	table     *host.Table
	functions []js.Expr         // those that the factory and the handlers reach, nested ones too
	handled   map[*js.Node]bool // those of them that handlers reach
	modules   []*js.Module      // where they stand

	ids       map[*js.Node]int // of what spellings name by number
	variables map[int]*js.Binding
	fuel      int               // what the spelling at hand may still do
	effects   map[*js.Node][]op // by function; nil while they are being listed
	parsed    map[parsedKey]bool
	locked    map[*js.Node]bool // functions that run where a lock may be held; nil before they are asked for
	hooks     []js.HooksObject
	flows     map[flowKey]values
	parsers   map[*js.Node][]*js.Node // calls of parsers, by function
	reported  map[reportKey]bool
	found     []finding.Finding
}

type reportKey struct {
	rule string
	at   *js.Node
}

func newChecker(prog *js.Program, code *plugincode.Code, table *host.Table) *checker {
	c := &checker{
		prog: prog, code: code, table: table, handled: make(map[*js.Node]bool),
		ids: make(map[*js.Node]int), variables: make(map[int]*js.Binding), effects: make(map[*js.Node][]op),
		parsed: make(map[parsedKey]bool), flows: make(map[flowKey]values), parsers: make(map[*js.Node][]*js.Node), reported: make(map[reportKey]bool),
	}
	listed := make(map[*js.Node]bool)
	inModules := make(map[*js.Module]bool)
	list := func(fn js.Expr) {
		if listed[fn.Node] {
			return
		}
		listed[fn.Node] = true
		c.functions = append(c.functions, fn)
		if !inModules[fn.Module] {
			inModules[fn.Module] = true
			c.modules = append(c.modules, fn.Module)
		}
	}
	for _, h := range code.Handlers {
		for _, r := range code.Reach(h.Fn) {
			for _, fn := range nested(r.Fn, plugincode.All) {
				c.handled[fn.Node] = true
				list(fn)
			}
		}
	}
	for _, f := range code.Factories {
		for _, r := range code.ReachNow(f) {
			for _, fn := range nested(r.Fn, plugincode.Now) {
				list(fn)
			}
		}
	}
	return c
}

// nested returns a function and those in it that enters admits.
func nested(fn js.Expr, enters func(*js.Node) bool) []js.Expr {
	list := []js.Expr{fn}
	plugincode.Body(fn, enters, func(n *js.Node) {
		if n.Type == js.FuncLit {
			list = append(list, js.Expr{Module: fn.Module, Node: n})
		}
	})
	return list
}

// perCall reports whether a function, or one around it, runs for calls of a handler rather
// than once for the factory or the module.
func (c *checker) perCall(fn *js.Node) bool {
	for ; fn != nil; fn = ownerFunc(fn.Parent) {
		if c.handled[fn] {
			return true
		}
	}
	return false
}

// ownerFunc returns the function that a node lies in, itself included, or nil.
func ownerFunc(n *js.Node) *js.Node {
	for ; n != nil; n = n.Parent {
		if n.Type == js.FuncLit {
			return n
		}
	}
	return nil
}

// builtin names the function of the runtime that a CallExpr or New calls, or "".
func (c *checker) builtin(m *js.Module, call *js.Node) string {
	return plugincode.API(c.prog, m, call.Kids[0])
}

// callees returns the functions of the plugin that a CallExpr or New runs.
func (c *checker) callees(m *js.Module, call *js.Node) []js.Expr {
	if c.builtin(m, call) != "" {
		return nil
	}
	return c.code.Called(js.Expr{Module: m, Node: call})
}

// report reports a place once for a rule: a function may be reached in several ways.
func (c *checker) report(rule string, e js.Expr, format string, args ...any) *finding.Finding {
	key := reportKey{rule, e.Node}
	if c.reported[key] {
		return new(finding.Finding)
	}
	c.reported[key] = true
	c.found = append(c.found, finding.Finding{
		Rule: rule, At: finding.Place{Module: e.Module, Span: e.Node.Span}, Message: fmt.Sprintf(format, args...),
	})
	return &c.found[len(c.found)-1]
}
