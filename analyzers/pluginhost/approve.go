package pluginhost

import (
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// The hooks that can answer a permission: directly, by the configuration, or by the client.
const (
	permissionAsk = "permission.ask"
	configHook    = "config"
	eventHook     = "event"
)

// approvals reports the answers that a function which a hook reaches gives blindly.
func (c *checker) approvals(h plugincode.Handler, r plugincode.Reached) {
	js.Walk(r.Fn.Node.Kids[1], func(n *js.Node) bool {
		switch {
		case h.Hook == permissionAsk && n.Type == js.Assign:
			c.allowedStatus(h, r, n, n.Kids[0], n.Kids[1])
		case h.Hook == permissionAsk && n.Type == js.CallExpr:
			c.allowedByAssign(h, r, n)
		case h.Hook == eventHook && n.Type == js.CallExpr:
			c.reply(h, r, n)
		case h.Hook == configHook && n.Type == js.Assign:
			c.allowedConfig(r, n)
		case h.Hook == configHook && n.Type == js.CallExpr:
			c.allowedConfigAssign(r, n)
		}
		return true
	})
}

// allowedStatus reports output.status = "allow".
func (c *checker) allowedStatus(h plugincode.Handler, r plugincode.Reached, n, target, value *js.Node) {
	if target.Type != js.Member || plugincode.MemberName(target) != "status" || !c.isText(r.Fn.Module, value, "allow") {
		return
	}
	if c.isBlind(h, r, n) {
		c.blindAnswer(r.Fn.Module, n)
	}
}

// allowedByAssign reports Object.assign(output, { status: "allow" }).
func (c *checker) allowedByAssign(h plugincode.Handler, r plugincode.Reached, call *js.Node) {
	if r.Fn.Module.Text(call.Kids[0].Span) != "Object.assign" || len(call.Kids) < 3 || call.Kids[2].Type != js.ObjectLit {
		return
	}
	props, _ := js.Expr{Module: r.Fn.Module, Node: call.Kids[2]}.Object()
	for _, p := range props {
		if p.Key == "status" && c.isText(p.Value.Module, p.Value.Node, "allow") && c.isBlind(h, r, call) {
			c.blindAnswer(r.Fn.Module, call)
		}
	}
}

func (c *checker) blindAnswer(m *js.Module, n *js.Node) {
	c.report("autoapprove", m, n, "this allows whatever is asked for: every command of the model runs without a question (test what input asks for first)")
}

// reply reports the answer "always" or "once" to permission.asked, by the SDK's client.
func (c *checker) reply(h plugincode.Handler, r plugincode.Reached, call *js.Node) {
	callee := strings.ToLower(r.Fn.Module.Text(call.Kids[0].Span))
	if !strings.Contains(callee, "permission") || len(call.Kids) < 2 {
		return
	}
	answer := ""
	js.Walk(call, func(n *js.Node) bool {
		if n.Type != js.Property || n.Flags&js.Computed != 0 || n.Kids[0].Text != "reply" && n.Kids[0].Text != "response" {
			return true
		}
		for _, text := range []string{"always", "once", "allow"} {
			if c.isText(r.Fn.Module, n.Kids[1], text) {
				answer = text
			}
		}
		return true
	})
	if answer != "" && c.isBlind(h, r, call) {
		c.report("autoapprove", r.Fn.Module, call, "this answers %q without a look at what is asked for: every command of the model runs without a question (test the permission first)", answer)
	}
}

// allowedConfig reports an assignment that makes OpenCode's own configuration allow
// everything, or all of a tool.
func (c *checker) allowedConfig(r plugincode.Reached, n *js.Node) {
	path, ok := configPath(r, n.Kids[0])
	if !ok || n.Text != "=" || len(path) == 0 || path[0] != "permission" {
		return
	}
	switch value := (js.Expr{Module: r.Fn.Module, Node: n.Kids[1]}); {
	case len(path) == 1:
		c.blindConfig(r, n, c.allowedTool(value))
	case len(path) == 2 && c.isText(value.Module, value.Node, "allow"):
		c.blindConfig(r, n, path[1])
	}
}

// allowedConfigAssign reports the same by Object.assign.
func (c *checker) allowedConfigAssign(r plugincode.Reached, call *js.Node) {
	if len(call.Kids) < 3 || r.Fn.Module.Text(call.Kids[0].Span) != "Object.assign" {
		return
	}
	path, ok := configPath(r, call.Kids[1])
	for _, arg := range call.Kids[2:] {
		value := js.Expr{Module: r.Fn.Module, Node: arg}
		switch {
		case !ok:
		case len(path) == 1 && path[0] == "permission":
			c.blindConfig(r, call, c.allowedTool(value))
		case len(path) == 0:
			props, _ := value.Object()
			for _, p := range props {
				if p.Key == "permission" {
					c.blindConfig(r, call, c.allowedTool(p.Value))
				}
			}
		}
	}
}

// configPath returns which property of the configuration an expression is.
func configPath(r plugincode.Reached, n *js.Node) ([]string, bool) {
	o, ok := r.Fn.Module.OriginOf(n)
	return o.Path, ok && o.Fn == r.Fn.Node && o.Param == 0
}

// blindConfig reports that the configuration allows a tool, if nothing was asked before.
func (c *checker) blindConfig(r plugincode.Reached, n *js.Node, tool string) {
	if len(r.Conditions(n)) > 0 {
		return
	}
	switch tool {
	case "*":
		c.report("autoapprove", r.Fn.Module, n, "this allows everything in OpenCode's configuration, whatever the user has set: every command of the model runs without a question")
	case "bash", "edit", "write", "external_directory":
		c.report("autoapprove", r.Fn.Module, n, "this allows %s in OpenCode's configuration, whatever the user has set: nobody is asked any more", tool)
	}
}

// allowedTool returns the tool that a permission configuration allows altogether, the worst
// first. What is spread in, or assigned, behind a key is the user's own word on it.
func (c *checker) allowedTool(e js.Expr) string {
	if c.isText(e.Module, e.Node, "allow") {
		return "*"
	}
	var tools []string
	for _, part := range c.configParts(c.prog.Follow(e)) {
		if part.Node.Type != js.Property {
			tools = nil
		} else if part.Node.Flags&js.Computed == 0 && c.isText(part.Module, part.Node.Kids[1], "allow") {
			tools = append(tools, part.Node.Kids[0].Text)
		}
	}
	for _, tool := range []string{"*", "bash", "edit", "write", "external_directory"} {
		if slices.Contains(tools, tool) {
			return tool
		}
	}
	return ""
}

// configParts returns the properties of an object, and what else is put into it, in order.
func (c *checker) configParts(e js.Expr) []js.Expr {
	var list []js.Expr
	switch {
	case e.Node.Type == js.ObjectLit:
		for _, p := range e.Node.Kids {
			list = append(list, js.Expr{Module: e.Module, Node: p})
		}
	case e.Node.Type == js.CallExpr && e.Module.Text(e.Node.Kids[0].Span) == "Object.assign":
		for _, arg := range e.Node.Kids[1:] {
			part := js.Expr{Module: e.Module, Node: arg}
			if arg.Type == js.ObjectLit {
				list = append(list, c.configParts(part)...)
			} else {
				list = append(list, part)
			}
		}
	}
	return list
}

// isText reports whether an expression is a constant text.
func (c *checker) isText(m *js.Module, n *js.Node, text string) bool {
	v, err := c.prog.Eval(js.Expr{Module: m, Node: n})
	return err == nil && v.Kind == js.String && v.Str == text
}

// isBlind reports whether nothing decides about an answer but the type of the event, or
// whether there is something to answer at all.
func (c *checker) isBlind(h plugincode.Handler, r plugincode.Reached, n *js.Node) bool {
	for _, cond := range r.Conditions(n) {
		if !isIncident(h, cond) {
			return false
		}
	}
	return true
}

// isIncident reports whether a test says nothing about the permission: it reads only the
// type of the event, identifiers, and the output.
func isIncident(h plugincode.Handler, cond plugincode.Condition) bool {
	incident := true
	js.Walk(cond.Test, func(n *js.Node) bool {
		switch n.Type {
		case js.CallExpr, js.New, js.Await, js.FuncLit, js.This:
			incident = false
		case js.Member:
			if o, ok := cond.Module.OriginOf(n); ok && o.Fn == h.Fn.Node {
				incident = incident && isIncidental(h, o)
				return false
			}
		case js.Ident:
			o, ok := cond.Module.OriginOf(n)
			incident = incident && (ok && o.Fn == h.Fn.Node && isIncidental(h, o) || n.Text == "undefined")
		}
		return incident
	})
	return incident
}

// incidental are the fields of an event that say nothing about what is asked for.
var incidental = map[string]bool{
	"": true, "event": true, "event.type": true, "event.properties": true, "event.properties.id": true,
	"event.properties.sessionID": true, "event.properties.requestID": true, "event.properties.permissionID": true,
}

func isIncidental(h plugincode.Handler, o js.Origin) bool {
	return o.Param == 1 || len(o.Path) == 0 || h.Hook == eventHook && incidental[strings.Join(o.Path, ".")]
}
