package hookasync

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

// Check finds what goes wrong between hooks of a plugin and a host that does, or does not,
// wait for them.
var Check = finding.NewJS("hookasync", finding.Doc(doc), []finding.Rule{
	{Name: "syncevent", Severity: finding.Error},
	{Name: "idlework", Severity: finding.Warning},
	{Name: "guardswallow", Severity: finding.Error},
	{Name: "guardfailopen", Severity: finding.Warning},
	{Name: "fatalthrow", Severity: finding.Warning, Off: true},
	{Name: "unboundedwait", Severity: finding.Warning},
	{Name: "floating", Severity: finding.Warning},
}, run)

// The hooks that rules are about.
const (
	hookEvent   = "event"
	hookBefore  = "tool.execute.before"
	hookDispose = "dispose"
)

func run(prog *js.Program, entry *js.Module, opts finding.Options) []finding.Finding {
	table, err := host.Lookup(cmp.Or(opts.Host, host.Default))
	if err != nil {
		return nil // hookname reports a version that is not known, and modules that cannot be read
	}
	c := &checker{
		prog: prog, table: table, code: plugincode.Read(prog, table, entry),
		reported: make(map[*js.Node]bool), rejects: make(map[*js.Node]bool), throws: make(map[*js.Node]string),
		yields: make(map[*js.Node]bool), awaits: make(map[*js.Node][]*js.Node),
	}
	for _, f := range c.code.Factories {
		c.unbounded("start", "OpenCode waits for it before the first turn", c.code.ReachNow(f))
	}
	for _, h := range c.code.Handlers {
		if hook, _ := table.Hook(h.Hook); hook.Dispatched {
			c.handler(h)
		}
	}
	return c.found
}

// handler applies the rules to one function that OpenCode calls.
func (c *checker) handler(h plugincode.Handler) {
	now := c.code.ReachNow(h.Fn)
	switch h.Hook {
	case hookEvent:
		c.syncEvent(h)
		c.idleWork(h)
	case hookBefore:
		c.guard(h)
		c.unbounded(h.Hook, "the tool call waits", now)
	case hookDispose:
		c.unbounded(h.Hook, "opencode run waits at its end", now)
	}
	if c.isFatal(h) {
		c.fatal(h, now)
	}
	c.floating(h, now)
}

// checker is one run of the check.
type checker struct {
	prog     *js.Program
	table    *host.Table
	code     *plugincode.Code
	reported map[*js.Node]bool
	rejects  map[*js.Node]bool       // what canReject,
	throws   map[*js.Node]string     // throwsNow,
	yields   map[*js.Node]bool       // fnGivesUp
	awaits   map[*js.Node][]*js.Node // and awaitsOf have answered, by function
	found    []finding.Finding
}

// report reports a place once: a helper may be reached from several hooks. It returns the
// finding, for a fix.
func (c *checker) report(rule string, m *js.Module, n *js.Node, format string, args ...any) *finding.Finding {
	if c.reported[n] || m.Vendored(n.Span.Start) {
		return new(finding.Finding)
	}
	c.reported[n] = true
	c.found = append(c.found, finding.Finding{
		Rule: rule, At: finding.Place{Module: m, Span: n.Span}, Message: fmt.Sprintf(format, args...),
	})
	return &c.found[len(c.found)-1]
}

// api names the function of the runtime that a call calls, "" for none.
func (c *checker) api(m *js.Module, call *js.Node) string {
	return plugincode.API(c.prog, m, call.Kids[0])
}

// isClient reports whether a call is one of OpenCode's client.
func (c *checker) isClient(m *js.Module, call *js.Node) bool {
	path := c.code.Input(m, call.Kids[0])
	return len(path) > 1 && path[0] == "client"
}

// isShell reports whether a node is a command of Bun's shell, the $ of the plugin's input.
func (c *checker) isShell(m *js.Module, n *js.Node) bool {
	if n.Type != js.Tagged {
		return false
	}
	path := c.code.Input(m, n.Kids[0])
	return len(path) == 1 && path[0] == "$"
}
