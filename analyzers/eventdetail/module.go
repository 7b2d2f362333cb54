package eventdetail

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/plugin"
)

const (
	// writer is the name under which the modules of a tree call the events writer.
	writer = "appendEvent"
	// sanitizer is the function whose result is an id or "".
	sanitizer = "sanitizeEventID"
)

// textNames are the names under which OpenCode hands text of the model to a hook.
var textNames = []string{"args", "patterns", "metadata", "parts", "output"}

// checkModules checks the calls of the events writer in the tree that a package embeds. A
// package without any directive of ngvet has promised nothing.
func checkModules(pass *analysis.Pass) error {
	if !slices.ContainsFunc(pass.Files, declaresAny) {
		return nil
	}
	paths, err := embedtree.Modules(pass.Fset, pass.Files)
	if err != nil {
		return err
	}
	positions := finding.NewPositions(pass.Fset)
	prog := finding.ProgramOf(pass)
	for _, path := range paths {
		m, err := prog.Load(path)
		if err != nil {
			continue // the driver reports a module that cannot be read
		}
		c := &moduleChecker{prog: prog}
		for _, call := range prog.Calls(m, writer) {
			c.call(call)
		}
		for _, f := range c.found {
			pass.Report(positions.Diagnostic(f))
		}
	}
	return nil
}

func declaresAny(file *ast.File) bool {
	return slices.ContainsFunc(file.Comments, func(g *ast.CommentGroup) bool {
		return slices.ContainsFunc(g.List, func(c *ast.Comment) bool {
			d, ok := ast.ParseDirective(c.Pos(), c.Text)
			return ok && d.Tool == "ngvet"
		})
	})
}

// moduleChecker checks the calls of one module.
type moduleChecker struct {
	prog  *js.Program
	found []finding.Finding
}

// call checks appendEvent(kind, {sessionID, child, detail}).
func (c *moduleChecker) call(call js.Call) {
	if len(call.Args) == 0 {
		c.report(ruleUnknownKind, call.Module, call.Span, "an event without a kind: the writer refuses it")
		return
	}
	c.kind(call.Args[0])
	if len(call.Args) > 1 {
		c.object(call.Args[1], false, 0)
	}
}

// kind checks the first argument. It must be a constant: the kinds that a tree writes are
// compared with those that Go reads, and a name known only at run time would escape that.
func (c *moduleChecker) kind(e js.Expr) {
	v, err := c.prog.Eval(e)
	switch {
	case err != nil || v.Kind != js.String:
		c.report(ruleUnknownKind, e.Module, e.Span(), "the kind of this event is known only at run time: write it as a constant, so that it can be compared with the kinds that Go reads")
	case !slices.Contains(kinds, v.Str):
		c.report(ruleUnknownKind, e.Module, e.Span(), "%q is no event kind: the writer refuses the event (kinds are %s)", v.Str, strings.Join(kinds, ", "))
	}
}

// maxDepth bounds the nesting that is looked at; a detail has none.
const maxDepth = 16

// object checks the properties of an object as far as it is in sight. In a detail values
// must be scalars; around it sits what the writer itself checks.
func (c *moduleChecker) object(e js.Expr, inDetail bool, depth int) {
	props, ok := e.Object()
	if !ok || depth > maxDepth {
		return
	}
	for _, p := range props {
		switch {
		case p.Spread:
			c.spread(p)
		case p.Key == "":
			c.report(ruleBannedKey, p.Module, p.KeySpan, "the name of this detail is known only at run time and may be free text: use a constant")
		case slices.Contains(plugin.EventBannedKeys, strings.ToLower(p.Key)):
			c.report(ruleBannedKey, p.Module, p.KeySpan, "%q names free text: the writer refuses the event, and where it does not, text of the model leaks into telemetry", p.Key)
		case inDetail:
			c.value(p, depth)
		default:
			c.object(p.Value, p.Key == "detail", depth+1)
		}
	}
}

// spread checks a spread that cannot be followed to an object literal.
func (c *moduleChecker) spread(p js.Prop) {
	if at := p.Value.Mentions(textNames...); at != nil {
		c.report(ruleFreeText, p.Module, p.KeySpan, "%s is text of the model: spread into an event it brings names and values that nothing bounds", at.Text)
	}
}

// value checks one value of a detail.
func (c *moduleChecker) value(p js.Prop, depth int) {
	if p.Method {
		c.report(ruleNonScalar, p.Module, p.KeySpan, "a method is no id, count or code: the writer refuses the event")
		return
	}
	e := c.prog.Follow(p.Value)
	if e.Node == nil {
		return
	}
	switch e.Node.Type {
	case js.ObjectLit, js.ArrayLit, js.FuncLit, js.ClassLit, js.RegExpLit, js.NullLit, js.New:
		c.report(ruleNonScalar, p.Value.Module, p.Value.Span(), "this value is no id, count or code: the writer refuses the event")
		c.object(p.Value, true, depth+1)
		return
	}
	if v, err := c.prog.Eval(p.Value); err == nil {
		switch {
		case v.Kind == js.String && (!v.WellFormed || !isCodeText(v.Str)):
			c.report(ruleFreeText, p.Value.Module, p.Value.Span(), "%s is not a code: the writer refuses the event (at most %d of the characters A-Z a-z 0-9 . _ : / -)", strconv.Quote(v.Str), plugin.EventCodeMaxBytes)
			return
		case v.Kind == js.String || v.Kind == js.Number || v.Kind == js.Bool:
			return
		}
	}
	if at := c.text(e, 0); at != nil {
		c.report(ruleFreeText, p.Value.Module, p.Value.Span(), "this value comes from %q, which is text of the model: keep a count or a code of it, or pass it through %s", at.Text, sanitizer)
	}
}

// text returns the node through which text of the model gets into the value of e, or nil.
// Counts, comparisons and sanitized ids carry none.
func (c *moduleChecker) text(e js.Expr, depth int) *js.Node {
	if depth > maxDepth || e.Node == nil {
		return nil
	}
	n := e.Node
	first := func(kids ...*js.Node) *js.Node {
		for _, k := range kids {
			if at := c.text(c.prog.Follow(js.Expr{Module: e.Module, Node: k}), depth+1); at != nil {
				return at
			}
		}
		return nil
	}
	switch n.Type {
	case js.Template:
		return first(n.Kids...)
	case js.Cond:
		return first(n.Kids[1:]...)
	case js.Binary:
		if slices.Contains([]string{"+", "??", "||", "&&"}, n.Text) {
			return first(n.Kids...)
		}
		return nil // a number or a boolean
	case js.Await, js.Sequence:
		return first(n.Kids[len(n.Kids)-1])
	case js.Member:
		if n.Flags&js.Computed == 0 && n.Kids[1].Text == "length" {
			return nil
		}
		return e.Mentions(textNames...)
	case js.Ident:
		return e.Mentions(textNames...)
	case js.CallExpr:
		if isScalarCall(n) {
			return nil
		}
		return e.Mentions(textNames...)
	}
	return nil
}

// isScalarCall reports whether a call gives an id, a number or a boolean, whatever it gets.
func isScalarCall(call *js.Node) bool {
	callee := call.Kids[0]
	if callee.Type == js.Member && callee.Flags&js.Computed == 0 {
		callee = callee.Kids[1]
	}
	switch callee.Type {
	case js.Ident, js.Name:
		scalar := []string{sanitizer, "Number", "Boolean", "parseInt", "parseFloat", "includes", "startsWith", "endsWith", "indexOf", "isArray", "has", "test", "some", "every"}
		return slices.Contains(scalar, callee.Text)
	}
	return false
}

func (c *moduleChecker) report(rule string, m *js.Module, at js.Span, format string, args ...any) {
	c.found = append(c.found, finding.Finding{
		Rule: rule, At: finding.Place{Module: m, Span: at}, Message: fmt.Sprintf(format, args...),
	})
}
