package pathguard

import (
	"regexp"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// The hooks whose output the model reads, with the fields that it does.
const (
	systemTransform   = "experimental.chat.system.transform"
	messagesTransform = "experimental.chat.messages.transform"
	toolDefinition    = "tool.definition"
)

// prompt reports what a handler puts into the prompt and what differs from call to call.
func (c *checker) prompt(h plugincode.Handler) {
	switch h.Hook {
	case systemTransform, messagesTransform, toolDefinition:
	default:
		return
	}
	m := h.Fn.Module
	plugincode.Body(h.Fn, plugincode.All, func(n *js.Node) {
		switch {
		case n.Type == js.Assign && n.Kids[0].Type == js.Member && c.isPromptField(h, n.Kids[0]):
			c.unstable(h, m, n.Kids[1])
		case n.Type == js.CallExpr && n.Kids[0].Type == js.Member && isAdder(n.Kids[0]) && c.isOutput(h, n.Kids[0].Kids[0]):
			for _, arg := range n.Kids[1:] {
				c.added(h, m, arg)
			}
		}
	})
}

func isAdder(callee *js.Node) bool {
	switch plugincode.MemberName(callee) {
	case "push", "unshift", "splice":
		return true
	}
	return false
}

// isOutput reports whether an expression is the output of the hook or something in it.
func (c *checker) isOutput(h plugincode.Handler, n *js.Node) bool {
	for n.Type == js.CallExpr && n.Kids[0].Type == js.Member { // output.messages.at(-1).parts
		n = n.Kids[0].Kids[0]
	}
	if n.Type == js.Member {
		if o, ok := h.Fn.Module.OriginOf(n); ok && o.Fn == h.Fn.Node && o.Param == 1 {
			return true
		}
		return c.isOutput(h, n.Kids[0])
	}
	o, ok := h.Fn.Module.OriginOf(n)
	return ok && o.Fn == h.Fn.Node && o.Param == 1
}

// isPromptField reports whether an assignment changes what the model reads.
func (c *checker) isPromptField(h plugincode.Handler, target *js.Node) bool {
	if h.Hook == messagesTransform { // of a part, however it was found
		return plugincode.MemberName(target) == "text" || plugincode.MemberName(target) == "content"
	}
	return c.isOutput(h, target)
}

// added checks a value that is added to a list of the output. Of a message or part only the
// texts are sent.
func (c *checker) added(h plugincode.Handler, m *js.Module, n *js.Node) {
	to := c.prog.Follow(js.Expr{Module: m, Node: n})
	if h.Hook != messagesTransform || to.Node == nil {
		c.unstable(h, m, n)
		return
	}
	js.Walk(to.Node, func(k *js.Node) bool {
		if k.Type == js.Property && k.Flags&js.Computed == 0 && (k.Kids[0].Text == "text" || k.Kids[0].Text == "content") {
			c.unstable(h, to.Module, k.Kids[1])
			return false
		}
		return k.Type != js.FuncLit
	})
}

// unstable reports the first thing in a value that differs from call to call.
func (c *checker) unstable(h plugincode.Handler, m *js.Module, n *js.Node) {
	s := &stability{checker: c, h: h, seen: make(map[*js.Node]bool)}
	if what := s.find(m, n, 0); what != "" {
		c.report("unstableprompt", m, n, "%s differs from call to call, so that from here on no provider can take the prompt from its cache: each call of the model is computed and paid for anew (leave it out, or keep the first value)", what)
	}
}

// changing are the functions whose result differs from call to call.
var changing = map[string]bool{
	"Date.now": true, "Math.random": true, "perf_hooks.performance.now": true, "crypto.randomUUID": true, "crypto.randomBytes": true, "crypto.randomInt": true,
	"process.hrtime": true, "process.hrtime.bigint": true, "process.uptime": true, "process.memoryUsage": true, "os.uptime": true, "os.freemem": true, "os.loadavg": true,
}

// stability looks for what is not stable in a value.
type stability struct {
	*checker
	h    plugincode.Handler
	seen map[*js.Node]bool
}

// find returns the name of something that differs from call to call, "" for nothing.
func (s *stability) find(m *js.Module, n *js.Node, depth int) string {
	if n == nil || s.seen[n] || depth > maxText {
		return ""
	}
	s.seen[n] = true
	what := ""
	js.Walk(n, func(k *js.Node) bool {
		if what != "" || k.Type == js.FuncLit && !plugincode.Now(k) {
			return false
		}
		switch k.Type {
		case js.Cond:
			for _, branch := range k.Kids[1:] {
				if what == "" {
					what = s.find(m, branch, depth)
				}
			}
			return false
		case js.Binary:
			return !isComparison(k.Text)
		case js.New:
			if isNow(m, k) && !isCoarse(m, k) {
				what = "the time of new Date()"
			}
		case js.CallExpr:
			what = s.call(m, k, depth)
		case js.Member:
			if k.Parent.Type != js.CallExpr || k.Parent.Kids[0] != k { // one property of something
				if to := s.prog.Follow(js.Expr{Module: m, Node: k}); to.Node != k {
					what = s.find(to.Module, to.Node, depth+1)
				} else {
					what = s.element(m, k, depth)
				}
				return false
			}
		case js.Ident:
			what = s.variable(m, k, depth)
		case js.Property:
			what = s.find(m, k.Kids[1], depth)
			return false
		}
		return what == ""
	})
	return what
}

// element judges a member that cannot be followed: of a list any element may be meant.
func (s *stability) element(m *js.Module, n *js.Node, depth int) string {
	if n.Flags&js.Computed != 0 {
		return s.find(m, n.Kids[1], depth)
	}
	if n.Kids[0].Type == js.CallExpr { // new Date().toISOString().length
		return s.find(m, n.Kids[0], depth)
	}
	return ""
}

func isComparison(op string) bool {
	switch op {
	case "<", ">", "<=", ">=", "==", "===", "!=", "!==", "in", "instanceof":
		return true
	}
	return false
}

func isNow(m *js.Module, n *js.Node) bool {
	return len(n.Kids) == 1 && n.Kids[0].Type == js.Ident && n.Kids[0].Text == "Date" && m.BindingOf(n.Kids[0]) == nil
}

// coarse matches what makes a day or more of a time.
var coarse = regexp.MustCompile(`toDateString\(|toLocaleDateString\(|get(?:UTC)?(?:FullYear|Month|Date|Day)\(|(?:slice|substring|substr)\(0, ?(?:4|7|10)\)|split\(["']T["']\)\[0\]|split\(["']T["']\, ?1\)`)

// isCoarse reports whether what is made of a time changes once a day at most.
func isCoarse(m *js.Module, n *js.Node) bool {
	top := n
	for p := n.Parent; p.Type == js.Member && p.Kids[0] == top || p.Type == js.CallExpr && p.Kids[0] == top; p = p.Parent {
		top = p
	}
	return coarse.MatchString(m.Text(js.Span{Start: n.Span.End, End: top.Span.End}))
}

// call judges the result of a call.
func (s *stability) call(m *js.Module, n *js.Node, depth int) string {
	name := s.api(m, n.Kids[0])
	switch {
	case changing[name]:
		return name + "()"
	case strings.HasPrefix(name, "fs.readdir") && !isSorted(m, n):
		return "the order of " + strings.TrimPrefix(name, "fs.")
	case name != "" || isCoarse(m, n):
		return ""
	}
	fn := s.prog.Follow(js.Expr{Module: m, Node: n.Kids[0]})
	if fn.Node == nil || fn.Node.Type != js.FuncLit || isCoarse(m, n) {
		return ""
	}
	for _, result := range results(fn.Node) {
		if !isText(fn.Module, result, 0) {
			continue
		}
		if what := s.find(fn.Module, result, depth+1); what != "" {
			return what
		}
	}
	return ""
}

// results returns what a function returns.
func results(fn *js.Node) []*js.Node {
	body := fn.Kids[1]
	if body.Type != js.Block {
		return []*js.Node{body}
	}
	var list []*js.Node
	for _, r := range js.Returns(body) {
		if r.Kids[0] != nil {
			list = append(list, r.Kids[0])
		}
	}
	return list
}

// isText reports whether a result is a text, number or time as far as the source shows. Of an
// object one property is used, and which one that is is not followed.
func isText(m *js.Module, n *js.Node, depth int) bool {
	if n == nil || depth > maxText {
		return false
	}
	switch n.Type {
	case js.Template, js.StringLit, js.NumberLit, js.Binary, js.New:
		return true
	case js.CallExpr:
		return n.Kids[0].Type == js.Member
	case js.Await:
		return isText(m, n.Kids[0], depth+1)
	case js.Cond:
		return isText(m, n.Kids[1], depth+1) || isText(m, n.Kids[2], depth+1)
	case js.Ident:
		b := m.BindingOf(n)
		return b != nil && b.Owner.Type == js.Declarator && b.Owner.Kids[0] == b.Decl && isText(m, b.Owner.Kids[1], depth+1)
	}
	return false
}

// isSorted reports whether a list is sorted where it is used, or by its name later.
func isSorted(m *js.Module, n *js.Node) bool {
	top := n
	for p := n.Parent; p != nil && p.Type != js.FuncLit && p.Type != js.Block; p = p.Parent {
		top = p
	}
	if strings.Contains(strings.ToLower(m.Text(top.Span)), "sort") {
		return true
	}
	if top.Type == js.VarDecl && len(top.Kids) == 1 {
		if b := m.BindingOf(top.Kids[0].Kids[0]); b != nil {
			for _, ref := range b.Refs {
				if p := ref.Parent; p.Type == js.Member && strings.Contains(strings.ToLower(plugincode.MemberName(p)), "sort") {
					return true
				}
			}
		}
	}
	return false
}

// variable judges a variable that is made in the handler, or in a function that it calls.
func (s *stability) variable(m *js.Module, n *js.Node, depth int) string {
	b := m.BindingOf(n)
	if b == nil || b.Owner.Type != js.Declarator || !isLocal(b.Decl, s.h.Fn.Node) || b.Owner.Kids[0] != b.Decl {
		return ""
	}
	init := b.Owner.Kids[1]
	if init != nil && (isCoarse(m, n) || init.Type == js.ObjectLit && !isWhole(m, n)) {
		return ""
	}
	if what := s.find(m, init, depth+1); what != "" {
		return what
	}
	for _, ref := range b.Refs {
		for _, value := range put(ref) {
			if what := s.find(m, value, depth+1); what != "" {
				return what
			}
		}
	}
	return ""
}

// isWhole reports whether an object is used with all its properties, as text.
func isWhole(m *js.Module, n *js.Node) bool {
	return n.Parent.Type == js.CallExpr && m.Text(n.Parent.Kids[0].Span) == "JSON.stringify"
}

// put returns the values that a variable gets at a place: what is assigned to it, or added
// to the list that it holds.
func put(ref *js.Node) []*js.Node {
	p := ref.Parent
	if p.Type == js.Assign && p.Kids[0] == ref {
		return p.Kids[1:]
	}
	if p.Type == js.Member && p.Kids[0] == ref && isAdder(p) && p.Parent.Type == js.CallExpr && p.Parent.Kids[0] == p {
		return p.Parent.Kids[1:]
	}
	return nil
}

// isLocal reports whether a variable is made anew each time: in the handler, or in a function
// that does not lie around it.
func isLocal(decl, handler *js.Node) bool {
	fn := decl
	for fn != nil && fn.Type != js.FuncLit {
		fn = fn.Parent
	}
	return fn != nil && (contains(handler, fn) || !contains(fn, handler))
}
