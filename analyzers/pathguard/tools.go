package pathguard

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// Tools by which a model reads and writes files (HOST.md section 2), in the order of messages.
var (
	pathTools = []string{"read", "edit", "write", "grep", "glob", "list", "apply_patch", "bash"}
	readers   = []string{"read", "grep", "glob", "list", "bash"}
	writers   = []string{"edit", "write", "apply_patch", "bash"}
)

// guarded is what the tests in one function name: a plugin may have several guards.
type guarded struct {
	at    plugincode.Condition // the first test
	tools []string
}

// toolGap reports a guard that throws for some tools that touch files, and not for others.
func (c *checker) toolGap(h plugincode.Handler, reach []plugincode.Reached) {
	t := &toolTests{checker: c}
	guards := make(map[*js.Node]*guarded)
	var order []*guarded
	general := false
	for _, r := range reach {
		plugincode.Body(r.Fn, plugincode.All, func(n *js.Node) {
			if n.Type != js.Throw || isCaught(n) || r.Fn.Module.Vendored(n.Span.Start) {
				return
			}
			tools, at, ok := t.of(r, n)
			if !ok {
				general = true
				return
			}
			if !t.judgesText(r, n) {
				return
			}
			fn := function(at.Test)
			if guards[fn] == nil {
				guards[fn] = &guarded{at: at}
				order = append(order, guards[fn])
			}
			guards[fn].tools = append(guards[fn].tools, tools...)
		})
	}
	if general {
		return
	}
	for _, g := range order {
		if missing := gap(g.tools); len(missing) > 0 {
			c.report("toolgap", g.at.Module, g.at.Test, "this guard names %s and leaves out %s, by which the model reaches the same files (judge these as well, or every tool that is not known to be harmless)",
				strings.Join(only(pathTools, g.tools), ", "), strings.Join(missing, ", "))
		}
	}
}

// function returns the function around a node, or the root.
func function(n *js.Node) *js.Node {
	for n.Parent != nil && n.Type != js.FuncLit {
		n = n.Parent
	}
	return n
}

// isCaught reports whether a throw stays in its function.
func isCaught(n *js.Node) bool {
	for kid, p := n, n.Parent; p != nil && kid.Type != js.FuncLit; kid, p = p, p.Parent {
		if p.Type == js.Try && p.Kids[0] == kid && p.Kids[1] != nil {
			return !hasThrow(p.Kids[1])
		}
	}
	return false
}

// only returns those of list that are in names.
func only(list, names []string) []string {
	var common []string
	for _, name := range list {
		if slices.Contains(names, name) {
			common = append(common, name)
		}
	}
	return common
}

// gap returns the tools that a guard of the named ones has to name as well. bash alone is
// judged by its command, and another tool alone by what is special to it.
func gap(named []string) []string {
	named = only(pathTools, named)
	if len(named) < 2 {
		return nil
	}
	var missing []string
	for _, tool := range pathTools {
		isWanted := slices.Contains(readers, tool) && named[0] != "bash" && containsAny(named, readers[:4]) ||
			slices.Contains(writers, tool) && containsAny(named, writers[:3])
		if isWanted && !slices.Contains(named, tool) {
			missing = append(missing, tool)
		}
	}
	return missing
}

func containsAny(list, names []string) bool { return len(only(list, names)) > 0 }

// toolTests reads which tools a test lets through.
type toolTests struct{ *checker }

// of returns the tools for which a node runs, as far as the tests around it, and around the
// calls that lead to it, name them. It reports false where they name none.
func (t *toolTests) of(r plugincode.Reached, n *js.Node) (tools []string, at plugincode.Condition, ok bool) {
	for _, cond := range r.Conditions(n) {
		test := js.Expr{Module: cond.Module, Node: cond.Test}
		if cond.Case != nil {
			if t.isTool(test) {
				names, found := t.cases(cond)
				if found {
					return names, cond, true
				}
			}
			continue
		}
		if names, found := t.names(test, cond.Holds, 0); found {
			return names, cond, true
		}
	}
	return nil, plugincode.Condition{}, false
}

// cases returns the values of a case, and of those that fall through to it.
func (t *toolTests) cases(cond plugincode.Condition) ([]string, bool) {
	var names []string
	for _, k := range cond.Case.Parent.Kids[1:] {
		if k.Kids[0] == nil {
			if k == cond.Case {
				return nil, false // default
			}
			continue
		}
		if v, err := t.prog.Eval(js.Expr{Module: cond.Module, Node: k.Kids[0]}); err == nil && v.Kind == js.String {
			names = append(names, v.Str)
		}
		if k == cond.Case {
			return names, len(names) > 0
		}
		if len(k.Kids) > 1 {
			names = nil
		}
	}
	return nil, false
}

// names returns the tools for which a test holds, or does not.
func (t *toolTests) names(e js.Expr, holds bool, depth int) ([]string, bool) {
	n := e.Node
	if n == nil || depth > maxText {
		return nil, false
	}
	again := func(n *js.Node, holds bool) ([]string, bool) {
		return t.names(js.Expr{Module: e.Module, Node: n}, holds, depth+1)
	}
	switch n.Type {
	case js.Unary:
		if n.Text == "!" {
			return again(n.Kids[0], !holds)
		}
	case js.Binary:
		return t.binary(e, holds, depth)
	case js.CallExpr:
		return t.call(e, holds, depth)
	case js.Member:
		if n.Flags&js.Computed != 0 && holds && t.isTool(js.Expr{Module: e.Module, Node: n.Kids[1]}) {
			return t.list(js.Expr{Module: e.Module, Node: n.Kids[0]})
		}
	case js.Ident:
		if to := t.prog.Follow(e); to.Node != n {
			return t.names(to, holds, depth+1)
		}
	}
	return nil, false
}

// binary reads tool === "edit", and tests joined by && and ||.
func (t *toolTests) binary(e js.Expr, holds bool, depth int) ([]string, bool) {
	n := e.Node
	left := js.Expr{Module: e.Module, Node: n.Kids[0]}
	right := js.Expr{Module: e.Module, Node: n.Kids[1]}
	switch n.Text {
	case "&&", "||":
		a, okA := t.names(left, holds, depth+1)
		b, okB := t.names(right, holds, depth+1)
		if holds == (n.Text == "||") { // either: both have to name tools
			return append(a, b...), okA && okB
		}
		if okA {
			return a, true
		}
		return b, okB
	case "===", "==", "!==", "!=":
		if holds != strings.HasPrefix(n.Text, "=") {
			return nil, false
		}
		for _, pair := range [][2]js.Expr{{left, right}, {right, left}} {
			if v, err := t.prog.Eval(pair[1]); err == nil && v.Kind == js.String && t.isTool(pair[0]) {
				return []string{v.Str}, true
			}
		}
	case "in":
		if holds && t.isTool(left) {
			return t.list(right)
		}
	}
	return nil, false
}

var word = regexp.MustCompile(`[a-z_]+`)

// call reads list.includes(tool), set.has(tool), /^(edit|write)$/.test(tool), and a function
// of the plugin that does.
func (t *toolTests) call(e js.Expr, holds bool, depth int) ([]string, bool) {
	n := e.Node
	if n.Kids[0].Type == js.Member && len(n.Kids) == 2 && t.isTool(js.Expr{Module: e.Module, Node: n.Kids[1]}) {
		object := js.Expr{Module: e.Module, Node: n.Kids[0].Kids[0]}
		switch method := plugincode.MemberName(n.Kids[0]); {
		case !holds:
			return nil, false
		case method == "includes" || method == "has":
			return t.list(object)
		case method == "test":
			if to := t.prog.Follow(object); to.Node.Type == js.RegExpLit {
				return word.FindAllString(to.Node.Text, -1), true
			}
		}
	}
	fn := t.prog.Follow(js.Expr{Module: e.Module, Node: n.Kids[0]})
	if fn.Node == nil || fn.Node.Type != js.FuncLit {
		return nil, false
	}
	body := fn.Node.Kids[1]
	if body.Type == js.Block {
		returns := js.Returns(body)
		if len(returns) != 1 || returns[0].Kids[0] == nil {
			return nil, false
		}
		body = returns[0].Kids[0]
	}
	return t.names(js.Expr{Module: fn.Module, Node: body}, holds, depth+1)
}

// list returns the strings of an array or Set, or the keys of an object or Map.
func (t *toolTests) list(e js.Expr) ([]string, bool) {
	v, err := t.prog.Eval(e)
	if err != nil {
		props, ok := t.prog.Follow(e).Object()
		var keys []string
		for _, p := range props {
			keys = append(keys, p.Key)
		}
		return keys, ok
	}
	var names []string
	for _, elem := range v.Elems {
		names = append(names, elem.Str)
	}
	for _, entry := range v.Entries {
		names = append(names, entry.Key.Str)
	}
	return names, len(names) > 0
}

// isTool reports whether an expression is the name of the tool: input.tool, or called so,
// also in lower case.
func (t *toolTests) isTool(e js.Expr) bool {
	n := e.Node
	if n.Type == js.CallExpr && n.Kids[0].Type == js.Member {
		switch plugincode.MemberName(n.Kids[0]) {
		case "toLowerCase", "trim", "toString":
			return t.isTool(js.Expr{Module: e.Module, Node: n.Kids[0].Kids[0]})
		}
		return false
	}
	if o, ok := e.Module.OriginOf(n); ok && len(o.Path) > 0 && o.Path[len(o.Path)-1] == "tool" {
		return true
	}
	if to := t.prog.Follow(e); n.Type == js.Ident && to.Node != nil && to.Node != n && to.Node.Type == js.CallExpr {
		return t.isTool(to)
	}
	switch strings.ToLower(lastName(n)) {
	case "tool", "toolname", "tool_name":
		return true
	}
	return false
}
