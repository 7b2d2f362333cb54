package pluginstate

import (
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// appending is a statement that does nothing but append.
type appending struct {
	stmt *js.Node
	file string // the spelling of the path, stream or descriptor
	data js.Expr
}

// splitAppends reports records whose line break is appended by a call of its own.
func (c *checker) splitAppends(fn js.Expr) {
	plugincode.Body(fn, func(*js.Node) bool { return false }, func(n *js.Node) {
		if n.Type != js.Block && n.Type != js.Case {
			return
		}
		var last appending
		for _, s := range n.Kids {
			next := c.appendingOf(fn.Module, s)
			if last.file != "" && next.file == last.file && c.isSplit(last.data, next.data) {
				c.reportSplit(last, next)
				next = appending{} // the pair is one record
			}
			last = next
		}
	})
}

// isSplit reports whether one of two pieces is a line break that the other lacks. A line break
// after a whole line is an empty line.
func (c *checker) isSplit(first, second js.Expr) bool {
	if c.isLineBreak(first) {
		return !c.isLineBreak(second) && !endsLine(second.Node)
	}
	return c.isLineBreak(second) && !endsLine(first.Node)
}

// endsLine reports whether text ends with a line break that the source shows.
func endsLine(n *js.Node) bool {
	switch n.Type {
	case js.StringLit, js.TemplateText:
		return strings.HasSuffix(n.Text, "\n")
	case js.Template, js.Binary:
		last := len(n.Kids) - 1
		if n.Type == js.Template && last > 0 && n.Kids[last].Type == js.TemplateText && n.Kids[last].Text == "" {
			last--
		}
		return endsLine(n.Kids[last])
	case js.Member:
		return n.Kids[1].Text == "EOL"
	case js.Ident:
		return n.Text == "EOL"
	}
	return false
}

func (c *checker) reportSplit(first, second appending) {
	f := c.report("splitappend", js.Expr{Module: second.data.Module, Node: second.stmt},
		"the record and its line break are appended by two calls; what another process appends in between is welded to the record and both are lost: append them in one call")
	if !c.isLineBreak(second.data) || !isText(first.data.Node) {
		return
	}
	m := first.data.Module
	f.Fixes = []finding.Fix{{
		Message: "append the line break with the record",
		Edits: []finding.Edit{
			{At: finding.Place{Module: m, Span: end(first.data.Node.Span)}, New: " + " + m.Text(second.data.Node.Span)},
			{At: finding.Place{Module: m, Span: js.Span{Start: first.stmt.Span.End, End: second.stmt.Span.End}}},
		},
	}}
}

func end(s js.Span) js.Span { return js.Span{Start: s.End, End: s.End} }

// isText reports whether an expression is a string to which another one can be added with no
// brackets.
func isText(n *js.Node) bool {
	switch n.Type {
	case js.StringLit, js.Template:
		return true
	case js.CallExpr:
		return js.CalleeName(n) == "stringify"
	case js.Binary:
		return n.Text == "+"
	}
	return false
}

// isLineBreak reports whether what is appended is one or more line breaks and nothing else.
func (c *checker) isLineBreak(data js.Expr) bool {
	v, err := c.prog.Eval(data)
	if err == nil && v.Kind == js.String {
		return v.Str != "" && strings.Trim(v.Str, "\r\n") == ""
	}
	return c.api(data) == "os.EOL"
}

func (c *checker) api(e js.Expr) string { return plugincode.API(c.prog, e.Module, e.Node) }

// appendingOf tells what a statement appends to; file is empty for other statements.
func (c *checker) appendingOf(m *js.Module, s *js.Node) appending {
	if s == nil || s.Type != js.ExprStmt {
		return appending{}
	}
	n := s.Kids[0]
	if n.Type == js.Await {
		n = n.Kids[0]
	}
	if n.Type != js.CallExpr {
		return appending{}
	}
	call := js.Expr{Module: m, Node: n}
	if o, ok := c.fileOp(call); ok {
		if o.kind != opAppend || o.data.Node == nil {
			return appending{}
		}
		return appending{s, o.path, o.data}
	}
	if len(n.Kids) < 2 {
		return appending{}
	}
	if c.builtin(m, n) == "fs.writeSync" && len(n.Kids) > 2 && c.opensToAppend(js.Expr{Module: m, Node: n.Kids[1]}) {
		return appending{s, c.spell(js.Expr{Module: m, Node: n.Kids[1]}), js.Expr{Module: m, Node: n.Kids[2]}}
	}
	if callee := n.Kids[0]; callee.Type == js.Member && plugincode.MemberName(callee) == "write" {
		stream := js.Expr{Module: m, Node: callee.Kids[0]}
		if c.opensToAppend(stream) {
			return appending{s, c.spell(stream), js.Expr{Module: m, Node: n.Kids[1]}}
		}
	}
	return appending{}
}

// opensToAppend reports whether an expression denotes a stream or descriptor that was opened
// with flag a.
func (c *checker) opensToAppend(e js.Expr) bool {
	open := c.prog.Follow(e)
	if open.Node != nil && open.Node.Type == js.Await {
		open.Node = open.Node.Kids[0]
	}
	if open.Node == nil || open.Node.Type != js.CallExpr || len(open.Node.Kids) < 3 {
		return false
	}
	switch c.builtin(open.Module, open.Node) {
	case "fs.createWriteStream", "fs.openSync", "fs.open":
		return strings.HasPrefix(c.flagOf(js.Expr{Module: open.Module, Node: open.Node.Kids[2]}), "a")
	}
	return false
}
