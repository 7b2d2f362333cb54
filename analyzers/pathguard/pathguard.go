package pathguard

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

// Check finds guards of paths that let something through, and hooks that make every call of
// the model slower or dearer.
var Check = finding.NewJS("pathguard", finding.Doc(doc), []finding.Rule{
	{Name: "norealpath", Severity: finding.Warning},
	{Name: "realpathifexists", Severity: finding.Error},
	{Name: "prefix", Severity: finding.Error},
	{Name: "toolgap", Severity: finding.Warning},
	{Name: "unstableprompt", Severity: finding.Warning},
	{Name: "transformio", Severity: finding.Warning},
}, run)

const toolBefore = "tool.execute.before"

func run(prog *js.Program, entry *js.Module, opts finding.Options) []finding.Finding {
	table, err := host.Lookup(cmp.Or(opts.Host, host.Default))
	if err != nil {
		return nil // hookname reports a version that is not known, and modules that cannot be read
	}
	c := &checker{
		prog: prog, code: plugincode.Read(prog, table, entry),
		resolvers: make(map[*js.Module]bool), reported: make(map[*js.Node]bool),
	}
	for _, h := range c.code.Handlers {
		reach := c.code.Reach(h.Fn)
		if h.Hook == toolBefore || h.Hook == plugincode.Tool {
			c.guard(h, reach)
		}
		if h.Hook == toolBefore {
			c.toolGap(h, reach)
		}
		c.prompt(h)
		c.work(h, reach)
	}
	return c.found
}

// checker is one run of the check.
type checker struct {
	prog      *js.Program
	code      *plugincode.Code
	resolvers map[*js.Module]bool
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

// api names the function or object of the runtime that a node denotes.
func (c *checker) api(m *js.Module, n *js.Node) string { return plugincode.API(c.prog, m, n) }
