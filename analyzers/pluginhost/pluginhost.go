package pluginhost

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

// Check finds what a plugin does to the process that it shares with OpenCode.
var Check = finding.NewJS("pluginhost", finding.Doc(doc), []finding.Rule{
	{Name: "stdout", Severity: finding.Error},
	{Name: "stderr", Severity: finding.Info},
	{Name: "hostexit", Severity: finding.Error},
	{Name: "deadexithook", Severity: finding.Error},
	{Name: "syncspawn", Severity: finding.Warning},
	{Name: "bunonly", Severity: finding.Warning},
	{Name: "sideeffect", Severity: finding.Warning},
	{Name: "autoapprove", Severity: finding.Warning},
}, run)

func run(prog *js.Program, entry *js.Module, opts finding.Options) []finding.Finding {
	table, err := host.Lookup(cmp.Or(opts.Host, host.Default))
	if err != nil {
		return nil // hookname reports a version that is not known, and modules that cannot be read
	}
	c := &checker{
		prog: prog, entry: entry, code: plugincode.Read(prog, table, entry),
		replaced: make(map[string]bool), once: make(map[onceKey]*once), bunSeen: make(map[*js.Module]bool), reported: make(map[*js.Node]bool),
	}
	c.live(entry)
	c.handlers()
	return c.found
}

// live checks everything that something can run.
func (c *checker) live(entry *js.Module) {
	c.prog.WalkLive(entry, func(m *js.Module, n *js.Node) bool {
		c.replacement(m, n)
		c.ends(m, n)
		c.exitListener(m, n)
		c.bun(m, n)
		return true
	})
	c.prog.WalkLive(entry, func(m *js.Module, n *js.Node) bool {
		c.output(m, n)
		return !isLogin(n)
	})
	c.reportOnce()
}

// isLogin reports whether a property is the function by which somebody logs in: opencode auth
// login runs it on a terminal, and what it prints there is read.
func isLogin(n *js.Node) bool {
	return n.Type == js.Property && n.Flags&js.Computed == 0 && n.Kids[0].Text == "authorize"
}

// handlers checks what runs when OpenCode starts, and what it calls.
func (c *checker) handlers() {
	for _, f := range c.code.Factories {
		for _, r := range c.code.ReachNow(f) {
			c.starts(r)
		}
	}
	for _, h := range c.code.Handlers {
		for _, r := range c.code.Reach(h.Fn) {
			c.spawns(h, r)
			c.approvals(h, r)
		}
	}
}

// api names the function or object of the runtime that a node denotes.
func (c *checker) api(m *js.Module, n *js.Node) string { return plugincode.API(c.prog, m, n) }

// checker is one run of the check.
type checker struct {
	prog      *js.Program
	entry     *js.Module
	code      *plugincode.Code
	callers   map[*js.Node][]js.Expr // names of functions in live code; nil before they are asked for
	replaced  map[string]bool        // methods that the plugin assigns to
	once      map[onceKey]*once
	onceOrder []onceKey
	bunSeen   map[*js.Module]bool
	reported  map[*js.Node]bool
	found     []finding.Finding
}

// report reports a place once: a helper may be reached from several hooks. It returns the
// finding, for a fix.
func (c *checker) report(rule string, m *js.Module, n *js.Node, format string, args ...any) *finding.Finding {
	if c.reported[n] {
		return new(finding.Finding)
	}
	c.reported[n] = true
	c.found = append(c.found, finding.Finding{
		Rule: rule, At: finding.Place{Module: m, Span: n.Span}, Message: fmt.Sprintf(format, args...),
	})
	return &c.found[len(c.found)-1]
}
