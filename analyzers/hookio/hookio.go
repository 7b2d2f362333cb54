package hookio

import (
	"cmp"
	_ "embed"
	"fmt"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/pluginhooks"
	"github.com/ngvet/ngvet/ngcore/host"
)

//go:embed doc.go
var doc string

// Check finds what hooks read from and write to their arguments in vain.
var Check = finding.NewJS("hookio", finding.Doc(doc), []finding.Rule{
	{Name: "reassign", Severity: finding.Error},
	{Name: "rebind", Severity: finding.Error},
	{Name: "unread", Severity: finding.Error},
	{Name: "ignoredreturn", Severity: finding.Error},
	{Name: "inputargs", Severity: finding.Error},
	{Name: "aftershape", Severity: finding.Warning},
}, run)

// The hooks around a tool call, and the field of their arguments that only the one hook
// has in its output and the other in its input (HOST.md section 2).
const (
	toolBefore = "tool.execute.before"
	toolAfter  = "tool.execute.after"
	argsField  = "args"
)

func run(prog *js.Program, entry *js.Module, opts finding.Options) []finding.Finding {
	table, err := host.Lookup(cmp.Or(opts.Host, host.Default))
	if err != nil {
		return nil // hookname reports a version that is not known, and modules that cannot be read
	}
	objects, _ := prog.Hooks(entry)
	c := &checker{prog: prog, table: table, reported: make(map[*js.Node]bool)}
	c.handlers(objects)
	for _, h := range c.list {
		c.handler(h)
	}
	c.unread()
	return c.found
}

// handler is a function that OpenCode calls for a hook.
type handler struct {
	hook   host.Hook
	module *js.Module
	fn     *js.Node
}

// checker is one run of the check.
type checker struct {
	prog     *js.Program
	table    *host.Table
	list     []handler
	written  []write         // fields of outputs that the host does not know
	read     map[string]bool // fields of outputs that the plugin itself reads
	reported map[*js.Node]bool
	found    []finding.Finding
}

// report reports a place once: a helper may be reached from several hooks.
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

// handlers collects the functions that OpenCode calls.
func (c *checker) handlers(objects []js.HooksObject) {
	for _, o := range objects {
		if o.Factory == js.FactoryLegacy && !pluginhooks.Meant(c.prog, c.table, o) {
			continue
		}
		for _, p := range o.Props {
			hook, known := c.table.Hook(p.Key)
			if !known || hook.Object || !hook.Dispatched {
				continue // hookname reports it
			}
			for _, e := range c.prog.Results(p.Value) {
				if e.Node.Type == js.FuncLit && !js.IsAccessor(e.Node) {
					c.list = append(c.list, handler{hook, e.Module, e.Node})
				}
			}
		}
	}
}

// handler checks one handler and the functions that it hands its arguments to.
func (c *checker) handler(h handler) {
	shared := calledElsewhere(h)
	if !shared {
		c.returns(h)
	}
	if h.hook.Kind != host.Trigger {
		return
	}
	if !shared {
		c.output(h)
	}
	switch {
	case h.hook.Name == toolAfter:
		c.afterShape(h)
	case h.hook.Name == toolBefore && !c.handles(h.fn, toolAfter):
		c.inputArgs(h)
	}
}

// handles reports whether a function is also the handler of another hook.
func (c *checker) handles(fn *js.Node, hook string) bool {
	for _, h := range c.list {
		if h.fn == fn && h.hook.Name == hook {
			return true
		}
	}
	return false
}
