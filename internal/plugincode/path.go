package plugincode

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

// Dir is where a path starts.
type Dir string

// The directories that a path can be followed to.
const (
	Unknown Dir = ""
	Project Dir = "project" // directory or worktree of the plugin's input, or the working directory
	Home    Dir = "home"
	Temp    Dir = "temp"
)

// Path is what is known of a path.
type Path struct {
	Dir  Dir
	Tail string // the constant text behind the directory, "*" for what is not constant
}

// Exact reports whether the path is the directory itself.
func (p Path) Exact() bool { return p.Dir != Unknown && strings.Trim(p.Tail, "/.") == "" }

const (
	maxPath  = 40   // steps between a path and its directory
	pathFuel = 2000 // steps that all ways to it take together
)

// PathOf follows a path to the directory that it lies in: through variables, parameters
// of functions whose calls are known, functions of node:path, concatenation and templates.
func (c *Code) PathOf(e js.Expr) Path {
	c.fuel = pathFuel
	return c.pathOf(e, 0)
}

func (c *Code) pathOf(e js.Expr, depth int) Path {
	n := e.Node
	if c.fuel--; n == nil || depth > maxPath || c.fuel < 0 {
		return Path{}
	}
	again := func(n *js.Node) Path { return c.pathOf(js.Expr{Module: e.Module, Node: n}, depth+1) }
	if p := c.pathOfInput(e, depth); p.Dir != Unknown {
		return p
	}
	switch n.Type {
	case js.Await:
		return again(n.Kids[0])
	case js.Cond:
		return either(again(n.Kids[1]), again(n.Kids[2]))
	case js.Binary:
		switch n.Text {
		case "??", "||":
			return either(again(n.Kids[0]), again(n.Kids[1]))
		case "+":
			return again(n.Kids[0]).behind(c.text(e.Module, n.Kids[1]))
		}
	case js.Template:
		if len(n.Kids) > 1 && n.Kids[0].Text == "" {
			p := again(n.Kids[1])
			for _, kid := range n.Kids[2:] {
				p = p.behind(c.text(e.Module, kid))
			}
			return p
		}
	case js.CallExpr:
		return c.pathOfCall(e, depth)
	case js.Ident, js.Member:
		return c.pathOfName(e, depth)
	}
	return Path{}
}

// pathOfInput returns the path of a directory of the input that a factory gets, or of a
// parameter whose arguments are known.
func (c *Code) pathOfInput(e js.Expr, depth int) Path {
	o, ok := e.Module.OriginOf(e.Node)
	if !ok {
		return Path{}
	}
	for _, f := range c.Factories {
		if f.Node == o.Fn {
			return c.inputPath(o)
		}
	}
	for _, site := range c.sites[o.Fn] {
		if p := c.pathOfArgument(site, o, depth); p.Dir != Unknown {
			return p
		}
	}
	return Path{}
}

func (c *Code) inputPath(o js.Origin) Path {
	switch key := strings.Join(o.Path, "."); {
	case o.Param == 0 && (key == "directory" || key == "worktree" || key == "project.worktree"):
		return Path{Dir: Project}
	}
	return Path{}
}

// pathOfArgument returns the path that a call passes for a parameter, or for a property of
// one.
func (c *Code) pathOfArgument(site js.Expr, o js.Origin, depth int) Path {
	if 1+o.Param >= len(site.Node.Kids) || depth > maxPath/2 {
		return Path{}
	}
	arg := js.Expr{Module: site.Module, Node: site.Node.Kids[1+o.Param]}
	if len(o.Path) == 0 {
		return c.pathOf(arg, depth+4)
	}
	if from, ok := site.Module.OriginOf(arg.Node); ok { // the input, handed on
		from.Path = append(append([]string(nil), from.Path...), o.Path...)
		for _, f := range c.Factories {
			if f.Node == from.Fn {
				return c.inputPath(from)
			}
		}
		for _, outer := range c.sites[from.Fn] {
			if p := c.pathOfArgument(outer, from, depth+4); p.Dir != Unknown {
				return p
			}
		}
		return Path{}
	}
	props, _ := c.Prog.Follow(arg).Object()
	for _, p := range props {
		if len(o.Path) == 1 && p.Key == o.Path[0] {
			return c.pathOf(p.Value, depth+4)
		}
	}
	return Path{}
}

// pathOfCall returns the path that a function of the runtime returns, or one of the plugin.
func (c *Code) pathOfCall(e js.Expr, depth int) Path {
	n := e.Node
	first := func() Path {
		if len(n.Kids) < 2 {
			return Path{}
		}
		return c.pathOf(js.Expr{Module: e.Module, Node: n.Kids[1]}, depth+1)
	}
	switch name := API(c.Prog, e.Module, n.Kids[0]); name {
	case "process.cwd":
		return Path{Dir: Project}
	case "os.homedir":
		return Path{Dir: Home}
	case "os.tmpdir":
		return Path{Dir: Temp}
	case "path.join", "path.resolve":
		return c.joined(e, name, depth)
	case "path.normalize", "fs.realpathSync", "fs.realpath", "fs.realpathSync.native":
		return first()
	case "path.dirname":
		if p := first(); p.Dir != Unknown && !p.Exact() {
			return Path{p.Dir, p.Tail[:max(0, strings.LastIndexByte(p.Tail, '/'))]}
		}
		return Path{}
	}
	for _, r := range c.Prog.Results(e) {
		if r.Node != n {
			if p := c.pathOf(r, depth+1); p.Dir != Unknown {
				return p
			}
		}
	}
	return Path{}
}

// joined returns the path of path.join or path.resolve.
func (c *Code) joined(e js.Expr, name string, depth int) Path {
	var p Path
	args := e.Node.Kids[1:]
	if name == "path.resolve" && (len(args) == 0 || c.isRelative(e.Module, args[0])) {
		p.Dir = Project // resolved against the working directory
	}
	for i, arg := range args {
		if i == 0 && p.Dir == Unknown {
			p = c.pathOf(js.Expr{Module: e.Module, Node: arg}, depth+1)
			continue
		}
		if name == "path.resolve" {
			if q := c.pathOf(js.Expr{Module: e.Module, Node: arg}, depth+1); q.Dir != Unknown {
				p = q // absolute: what stands before it does not count
				continue
			}
		}
		p = p.behind("/").behind(c.text(e.Module, arg))
	}
	return p
}

func (c *Code) isRelative(m *js.Module, n *js.Node) bool {
	text := c.text(m, n)
	return text != "*" && !strings.HasPrefix(text, "/")
}

// pathOfName returns the path that a variable or property holds.
func (c *Code) pathOfName(e js.Expr, depth int) Path {
	if to := c.Prog.Follow(e); to.Node != nil && to.Node != e.Node {
		return c.pathOf(to, depth+1)
	}
	b := e.Module.BindingOf(e.Node)
	if b == nil || b.Owner.Type != js.Declarator || b.Owner.Kids[0] != b.Decl {
		return Path{}
	}
	p := c.pathOf(js.Expr{Module: e.Module, Node: b.Owner.Kids[1]}, depth+1)
	for _, w := range b.Writes {
		if p.Dir == Unknown && w.Parent.Type == js.Assign && w.Parent.Text == "=" {
			p = c.pathOf(js.Expr{Module: e.Module, Node: w.Parent.Kids[1]}, depth+4)
		}
	}
	return p
}

// text returns a constant text, "*" for one that is not.
func (c *Code) text(m *js.Module, n *js.Node) string {
	if n.Type == js.TemplateText {
		return n.Text
	}
	v, err := c.Prog.Eval(js.Expr{Module: m, Node: n})
	if err != nil || v.Kind != js.String {
		return "*"
	}
	return v.Str
}

func (p Path) behind(text string) Path {
	if p.Dir != Unknown {
		p.Tail += text
	}
	return p
}

// either returns the one of two paths that is known. Where both are and differ, neither is.
func either(a, b Path) Path {
	switch {
	case a.Dir == Unknown:
		return b
	case b.Dir == Unknown || a.Dir == b.Dir:
		return a
	}
	return Path{}
}
