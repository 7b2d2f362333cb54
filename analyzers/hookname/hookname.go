package hookname

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/pluginhooks"
	"github.com/ngvet/ngvet/ngcore/host"
)

//go:embed doc.go
var doc string

// Check finds hooks that no host calls and events that no host publishes.
var Check = finding.NewJS("hookname", finding.Doc(doc), []finding.Rule{
	{Name: "unknown", Severity: finding.Error},
	{Name: "dead", Severity: finding.Error},
	{Name: "notfunction", Severity: finding.Error},
	{Name: "declared", Severity: finding.Error},
	{Name: "eventtype", Severity: finding.Error},
	{Name: "eventfield", Severity: finding.Error},
	{Name: "eventparam", Severity: finding.Error},
}, run)

func run(prog *js.Program, entry *js.Module, opts finding.Options) []finding.Finding {
	c := &checker{prog: prog}
	table, err := host.Lookup(cmp.Or(opts.Host, host.Default))
	if err != nil {
		c.report("unknown", finding.Place{Module: entry}, "hooks cannot be checked: %v", err)
		return c.found
	}
	c.table = table
	objects, err := prog.Hooks(entry)
	c.unread(entry, err)
	objects = c.plugins(objects)
	for _, o := range objects {
		c.keys(o)
	}
	c.declared(entry, objects)
	c.events(objects)
	return c.found
}

// checker is one run of the check.
type checker struct {
	prog  *js.Program
	table *host.Table
	found []finding.Finding
}

func (c *checker) report(rule string, at finding.Place, format string, args ...any) *finding.Finding {
	c.found = append(c.found, finding.Finding{Rule: rule, At: at, Message: fmt.Sprintf(format, args...)})
	return &c.found[len(c.found)-1]
}

// unread reports what hides some of the hooks: a module that the entry re-exports from
// and that is missing or does not parse.
func (c *checker) unread(entry *js.Module, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			c.unread(entry, e)
		}
		return
	}
	var cause *js.Error
	switch {
	case errors.As(err, &cause):
		c.report("unknown", finding.Place{Module: entry}, "hooks of %s cannot be checked: %s", filepath.Base(cause.Path), cause.Msg)
	case err != nil:
		c.report("unknown", finding.Place{Module: entry}, "hooks cannot be checked: %v", err)
	}
}

// plugins drops the objects of functions that OpenCode calls as factories only because a
// legacy entry exports them. Such a helper returns what it likes; that it is exported is
// another check's fault to report.
func (c *checker) plugins(objects []js.HooksObject) []js.HooksObject {
	return slices.DeleteFunc(objects, func(o js.HooksObject) bool {
		return o.Factory == js.FactoryLegacy && !pluginhooks.Meant(c.prog, c.table, o)
	})
}

// keys checks the names in one hooks object and the kind of their values.
func (c *checker) keys(o js.HooksObject) {
	for _, p := range o.Props {
		if p.Key == "" || p.Spread {
			continue // not a constant name: nothing can be said about it
		}
		hook, known := c.table.Hook(p.Key)
		_, later := c.table.LaterHook(p.Key)
		switch {
		case known && hook.Dispatched:
			c.kind(hook, p)
		case known || later:
			c.dead(p)
		default:
			c.unknown(o, p)
		}
	}
}

func keyPlace(p js.Prop) finding.Place { return finding.Place{Module: p.Module, Span: p.KeySpan} }

func (c *checker) dead(p js.Prop) {
	if c.prog.ShapeOf(p.Value) == js.ShapeFalsy {
		return
	}
	if later, ok := c.table.LaterHook(p.Key); ok {
		c.report("dead", keyPlace(p), "hook %q is never called by OpenCode %s: it came with a later version (%s has it)",
			p.Key, c.table.Version(), later.FirstWith)
		return
	}
	advice := ""
	if hook, _ := c.table.Hook(p.Key); hook.Instead != "" {
		advice = fmt.Sprintf(" (the event %s is published instead: handle it in the event hook)", hook.Instead)
	}
	c.report("dead", keyPlace(p), "hook %q is never called by OpenCode %s, although its types declare it%s",
		p.Key, c.table.Version(), advice)
}

// kind checks that a value can be used the way OpenCode uses the hook.
func (c *checker) kind(hook host.Hook, p js.Prop) {
	got := c.prog.ShapeOf(p.Value)
	at := finding.Place{Module: p.Value.Module, Span: p.Value.Span()}
	switch {
	case got == js.ShapeUnknown || got == js.ShapeFalsy:
	case hook.Object && got == js.ShapeFunction:
		c.report("notfunction", at, "hook %q is a function, not an object: OpenCode %s reads it without calling it, so what it returns is lost",
			p.Key, c.table.Version())
	case !hook.Object && got != js.ShapeFunction:
		consequence := "calls it, and the call throws"
		if hook.Name == "event" {
			consequence = "calls it at the first event, and the run hangs without a word"
		}
		c.report("notfunction", at, "hook %q is %s, not a function: OpenCode %s %s",
			p.Key, got, c.table.Version(), consequence)
	}
}

// endings are names that authors expect to be called at the end of a run.
var endings = map[string]bool{"close": true, "stop": true, "shutdown": true, "destroy": true}

func (c *checker) unknown(o js.HooksObject, p js.Prop) {
	got := c.prog.ShapeOf(p.Value)
	advice, rename := c.advise(p.Key)
	if advice == "" {
		advice = "it has no hook of such a name"
		// Anything else is for the plugin's own use, and OpenCode passes over it.
		if got != js.ShapeFunction && !(got == js.ShapeUnknown && strings.Contains(p.Key, ".")) {
			return
		}
	}
	if got == js.ShapeFalsy || got == js.ShapePlain {
		return
	}
	f := c.report("unknown", keyPlace(p), "hook %q is never called by OpenCode %s (%s)", p.Key, c.table.Version(), advice)
	if hook, ok := c.table.Hook(rename); ok && hook.Object == (got == js.ShapeObject) {
		f.Fixes = renameFix(o, p, rename)
	}
}

// advise tells what to do about a name that is like that of a hook or event, and the hook
// that it may be renamed to without further thought. It returns "" for any other name.
func (c *checker) advise(name string) (advice, rename string) {
	if _, ok := c.table.Event(name); ok {
		return "it is an event: handle it in the event hook", ""
	}
	if stale, ok := c.table.StaleEvent(name); ok {
		if stale.Use == "" {
			return "it was an event once and is not published any more", ""
		}
		return fmt.Sprintf("it was an event once: handle %s in the event hook", stale.Use), ""
	}
	if endings[strings.ToLower(name)] {
		if later, ok := c.table.LaterHook("dispose"); ok {
			return fmt.Sprintf("no hook of this version runs at the end; dispose does from %s on", later.FirstWith), ""
		}
		return "dispose is the hook that runs at the end", "dispose"
	}
	if near := c.table.NearestHook(name); near != "" {
		return fmt.Sprintf("did you mean %q?", near), near
	}
	if near := c.table.NearestEvent(name); near != "" {
		return fmt.Sprintf("if the event %s is meant, handle it in the event hook", near), ""
	}
	return "", ""
}

// renameFix replaces the key as it is written, unless the object has the new one already or
// the key is neither a name nor a string of its own.
func renameFix(o js.HooksObject, p js.Prop, name string) []finding.Fix {
	for _, other := range o.Props {
		if other.Key == name || other.Spread {
			return nil
		}
	}
	written := p.Module.Text(p.KeySpan)
	text := fmt.Sprintf("%q", name)
	switch {
	case p.Shorthand:
		text += ": " + written
	case strings.HasPrefix(written, "'"):
		text = "'" + name + "'"
	case strings.HasPrefix(written, `"`):
	case p.Computed:
		return nil // [NAME]: f, where NAME is declared elsewhere
	case strings.HasSuffix(strings.TrimSpace(p.Module.Text(js.Span{End: p.KeySpan.Start})), "."):
		return nil // h.name = f: a name with dots does not fit there
	case !strings.Contains(name, "."):
		text = name
	}
	return []finding.Fix{{
		Message: fmt.Sprintf("rename to %q", name),
		Edits:   []finding.Edit{{At: keyPlace(p), New: text}},
	}}
}
