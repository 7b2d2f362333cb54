package plugincode

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

// API returns which function or object of the runtime an expression denotes: "fs.writeFile",
// "child_process.spawn", "process.exit", "process.stdout.write", "console.log", "Bun.file",
// "fetch". The modules have no node: and fs/promises is fs. It sees through imports,
// require, await import, destructuring, promisify, bind, and variables that are assigned once. A
// name that the plugin declares itself is none, and the result is "" for what is none.
func API(prog *js.Program, m *js.Module, n *js.Node) string { return api(prog, m, n, 0) }

// maxAlias bounds the names between a use and the import.
const maxAlias = 8

// globals are the global names that are, or hold, functions of the runtime.
var globals = map[string]string{
	"process": "process", "console": "console", "Bun": "Bun", "fetch": "fetch", "performance": "perf_hooks.performance",
	"crypto": "crypto", "setTimeout": "timers.setTimeout", "setInterval": "timers.setInterval", "setImmediate": "timers.setImmediate",
	"queueMicrotask": "queueMicrotask", "Math": "Math", "Date": "Date",
}

func api(prog *js.Program, m *js.Module, n *js.Node, depth int) string {
	if n == nil || depth > maxAlias {
		return ""
	}
	switch n.Type {
	case js.Ident:
		return apiOfName(prog, m, n, depth)
	case js.Member:
		return apiOfMember(prog, m, n, depth)
	case js.Await:
		return api(prog, m, n.Kids[0], depth+1)
	case js.ImportCall:
		return moduleOf(n.Kids[0])
	case js.CallExpr:
		callee := n.Kids[0]
		if len(n.Kids) == 2 && callee.Type == js.Ident && callee.Text == "require" && m.BindingOf(callee) == nil {
			return moduleOf(n.Kids[1])
		}
		if callee.Type == js.Member && MemberName(callee) == "bind" {
			return api(prog, m, callee.Kids[0], depth+1)
		}
		if len(n.Kids) == 2 && api(prog, m, callee, depth+1) == "util.promisify" {
			return api(prog, m, n.Kids[1], depth+1)
		}
	}
	return ""
}

// moduleOf returns the module of Node that a specifier names.
func moduleOf(n *js.Node) string {
	if n == nil || n.Type != js.StringLit {
		return ""
	}
	return moduleName(n.Text)
}

// modules are the modules of Node that somebody asks about.
var modules = map[string]bool{
	"fs": true, "child_process": true, "path": true, "process": true, "os": true, "util": true, "crypto": true, "perf_hooks": true,
	"http": true, "https": true, "http2": true, "net": true, "console": true, "timers": true, "dgram": true, "tls": true, "dns": true,
}

func moduleName(specifier string) string {
	name := strings.TrimPrefix(specifier, "node:")
	switch name {
	case "fs/promises":
		return "fs"
	case "path/posix", "path/win32":
		return "path"
	case "timers/promises", "dns/promises":
		return "" // other functions of the same names
	}
	if modules[name] {
		return name
	}
	return ""
}

func apiOfName(prog *js.Program, m *js.Module, n *js.Node, depth int) string {
	b := m.BindingOf(n)
	switch {
	case b == nil:
		return globals[n.Text]
	case len(b.Writes) > 0:
		return ""
	}
	switch b.Owner.Type {
	case js.ImportSpec:
		if module := moduleName(b.Owner.Parent.Text); module != "" {
			if b.Owner.Text == "*" || b.Owner.Text == "default" {
				return module
			}
			return member(module, b.Owner.Text)
		}
		if to := prog.Follow(js.Expr{Module: m, Node: n}); to.Node != nil && to.Node != n {
			return api(prog, to.Module, to.Node, depth+1)
		}
	case js.Declarator:
		source := api(prog, m, b.Owner.Kids[1], depth+1)
		if source == "" {
			return ""
		}
		for _, key := range patternKeys(b.Owner.Kids[0], b.Decl) {
			if key == "" {
				return ""
			}
			source = member(source, key)
		}
		return source
	}
	return ""
}

// patternKeys returns the keys by which a pattern takes a name out of its source, "" for one
// that is not spelled.
func patternKeys(pattern, target *js.Node) []string {
	var keys []string
	for n := target; n != pattern; n = n.Parent {
		switch p := n.Parent; {
		case p.Type == js.Property && p.Flags&js.Computed == 0:
			keys = append([]string{p.Kids[0].Text}, keys...)
		case p.Type == js.Property, p.Type == js.ArrayLit, p.Type == js.Spread:
			return []string{""}
		}
	}
	return keys
}

func apiOfMember(prog *js.Program, m *js.Module, n *js.Node, depth int) string {
	name := MemberName(n)
	if name == "" {
		return ""
	}
	if object := n.Kids[0]; object.Type == js.Ident && (object.Text == "globalThis" || object.Text == "global") && m.BindingOf(object) == nil {
		return globals[name]
	}
	if object := api(prog, m, n.Kids[0], depth+1); object != "" {
		return member(object, name)
	}
	if to := prog.Follow(js.Expr{Module: m, Node: n}); to.Node != nil && to.Node != n {
		return api(prog, to.Module, to.Node, depth+1)
	}
	return ""
}

// member returns a member of an API. What is the same under two names has one.
func member(object, name string) string {
	switch {
	case name == "default" && !strings.Contains(object, "."):
		return object
	case object == "fs" && name == "promises":
		return "fs"
	case object == "path" && (name == "posix" || name == "win32"):
		return "path"
	}
	return object + "." + name
}

// MemberName returns the name of a Member, "" for one that is computed.
func MemberName(n *js.Node) string {
	key := n.Kids[1]
	if n.Flags&js.Computed == 0 || key.Type == js.StringLit {
		return key.Text
	}
	return ""
}
