package pathguard

import (
	"regexp"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// comparison is a test whether a path lies in a directory.
type comparison struct {
	r    plugincode.Reached
	node *js.Node // the call of startsWith, or the comparison of indexOf with 0
	path *js.Node
	dir  *js.Node // nil for a test of what path.relative returns
	sep  bool     // dir ends with a separator
}

// guard checks the comparisons of paths that a handler reaches.
func (c *checker) guard(h plugincode.Handler, reach []plugincode.Reached) {
	var list []comparison
	throws, resolves := false, false
	for _, r := range reach {
		if r.Fn.Module.Vendored(r.Fn.Node.Span.Start) {
			continue
		}
		resolves = resolves || c.namesResolver(r.Fn.Module)
		plugincode.Body(r.Fn, plugincode.All, func(n *js.Node) {
			throws = throws || n.Type == js.Throw
			if cmp, ok := c.comparison(r, n); ok && decides(n) {
				list = append(list, cmp)
			}
		})
	}
	if len(list) == 0 {
		return
	}
	for _, cmp := range list {
		c.prefix(cmp)
	}
	if h.Hook == toolBefore && throws && !resolves {
		c.noRealpath(list)
	}
	if h.Hook == plugincode.Tool || throws {
		for _, r := range reach {
			c.realpathIfExists(r)
		}
	}
}

// resolverName matches what resolves symbolic links, or looks for them.
var resolverName = regexp.MustCompile(`(?i)real_?path|canonical|symlink|readlink|lstat`)

// namesResolver reports whether a module names such a thing anywhere: a way to it that could
// not be followed must not lead to an accusation.
func (c *checker) namesResolver(m *js.Module) bool {
	names, known := c.resolvers[m]
	if !known {
		js.Walk(m.Root(), func(n *js.Node) bool {
			names = names || (n.Type == js.Ident || n.Type == js.Name) && resolverName.MatchString(n.Text)
			return !names
		})
		c.resolvers[m] = names
	}
	return names
}

func isRealpath(name string) bool { return strings.HasPrefix(name, "fs.realpath") }

// noRealpath reports the comparisons of a guard that resolves nothing, one for a function.
func (c *checker) noRealpath(list []comparison) {
	seen := make(map[*js.Node]bool)
	for _, cmp := range list {
		if !seen[cmp.r.Fn.Node] {
			seen[cmp.r.Fn.Node] = true
			c.report("norealpath", cmp.r.Fn.Module, cmp.node, "this guard compares the text of paths and resolves no symbolic link: a link in the directory that leads out of it passes (compare what realpath makes of both, of a new file by its deepest existing directory)")
		}
	}
}

// decides reports whether the outcome of a test is more than a part of some text: it is the
// test of a statement, or kept or returned.
func decides(n *js.Node) bool {
	for kid, p := n, n.Parent; p != nil; kid, p = p, p.Parent {
		switch p.Type {
		case js.Binary, js.Unary, js.Cond, js.Await:
		case js.CallExpr:
			switch js.CalleeName(p) {
			case "some", "every", "find", "filter", "Boolean", "assert", "ok":
			default:
				return p.Kids[0] == kid
			}
		case js.FuncLit, js.If, js.Return, js.Declarator, js.Assign, js.Switch, js.Case, js.While, js.Property:
			if p.Type == js.FuncLit && p.Parent != nil && p.Parent.Type == js.CallExpr {
				continue // roots.some((root) => ...)
			}
			return true
		default:
			return false
		}
	}
	return false
}

// comparison reads a node as a test whether a path lies in a directory.
func (c *checker) comparison(r plugincode.Reached, n *js.Node) (comparison, bool) {
	m := r.Fn.Module
	call := n
	if n.Type == js.Binary && isZero(n.Kids[1]) && strings.HasSuffix(n.Text, "==") {
		call = n.Kids[0]
	}
	if call.Type != js.CallExpr || len(call.Kids) != 2 || call.Kids[0].Type != js.Member {
		return comparison{}, false
	}
	method := plugincode.MemberName(call.Kids[0])
	if call == n && method != "startsWith" || call != n && method != "indexOf" {
		return comparison{}, false
	}
	path, dir := call.Kids[0].Kids[0], call.Kids[1]
	switch {
	case dir.Type == js.StringLit:
		if strings.HasPrefix(dir.Text, "..") && c.isRelative(m, path) {
			return comparison{r: r, node: n, path: path}, true
		}
		return comparison{}, false
	case !c.isPath(m, path):
		return comparison{}, false
	case c.endsWithSeparator(js.Expr{Module: m, Node: dir}, 0):
		return comparison{r: r, node: n, path: path, dir: dir, sep: true}, c.isDirectory(m, withoutSeparator(dir))
	}
	return comparison{r: r, node: n, path: path, dir: dir}, c.isDirectory(m, dir)
}

func isZero(n *js.Node) bool { return n.Type == js.NumberLit && n.Text == "0" }

// withoutSeparator returns what a separator is added to.
func withoutSeparator(n *js.Node) *js.Node {
	if n.Type == js.Binary && n.Text == "+" {
		return n.Kids[0]
	}
	if n.Type == js.Template && len(n.Kids) > 1 {
		return n.Kids[1]
	}
	return n
}

// isRelative reports whether an expression is what path.relative returns.
func (c *checker) isRelative(m *js.Module, n *js.Node) bool {
	to := c.prog.Follow(js.Expr{Module: m, Node: n})
	return to.Node != nil && to.Node.Type == js.CallExpr && c.api(to.Module, to.Node.Kids[0]) == "path.relative"
}

var (
	pathName = regexp.MustCompile(`(?i)path|file|target|resolved|abs|real|full|candidate|child|location|dest|^p$|^f$`)
	dirName  = regexp.MustCompile(`(?i)^_?(?:.*(?:root|base|worktree|workspace)|cwd|parent|(?:.*_)?dir(?:ectory)?|.*[a-z](?:Dir|Directory|Parent|Folder)|folder)(?:Path|Dir|Real|Resolved)?$`)
	sepName  = regexp.MustCompile(`(?i)sep|slash|prefix`)
)

// pathMakers are the functions whose result is a whole path.
var pathMakers = map[string]bool{
	"path.resolve": true, "path.join": true, "path.normalize": true, "path.dirname": true,
	"fs.realpath": true, "fs.realpathSync": true, "fs.realpathSync.native": true, "process.cwd": true, "os.homedir": true, "os.tmpdir": true,
}

// madeBy returns the function of the runtime whose result an expression is.
func (c *checker) madeBy(m *js.Module, n *js.Node) string {
	to := c.prog.Follow(js.Expr{Module: m, Node: n})
	if to.Node != nil && to.Node.Type == js.Await {
		to.Node = to.Node.Kids[0]
	}
	if to.Node == nil || to.Node.Type != js.CallExpr {
		return ""
	}
	return c.api(to.Module, to.Node.Kids[0])
}

// isPath reports whether an expression is a whole path: made as one, or called so.
func (c *checker) isPath(m *js.Module, n *js.Node) bool {
	n = unchanged(n)
	made := c.madeBy(m, n)
	if made != "" {
		return pathMakers[made]
	}
	return c.code.PathOf(js.Expr{Module: m, Node: n}).Dir != plugincode.Unknown || pathName.MatchString(lastName(n))
}

// isDirectory reports whether an expression is a directory: made or known as one, or a
// parameter or variable that is called so.
func (c *checker) isDirectory(m *js.Module, n *js.Node) bool {
	n = unchanged(n)
	if pathMakers[c.madeBy(m, n)] || c.code.PathOf(js.Expr{Module: m, Node: n}).Dir != plugincode.Unknown {
		return true
	}
	return (n.Type == js.Ident || n.Type == js.Member) && dirName.MatchString(lastName(n))
}

// unchanged returns what a text is made of by a method that keeps its meaning.
func unchanged(n *js.Node) *js.Node {
	for n.Type == js.CallExpr && n.Kids[0].Type == js.Member && keepers[plugincode.MemberName(n.Kids[0])] {
		n = n.Kids[0].Kids[0]
	}
	return n
}

var keepers = map[string]bool{"toLowerCase": true, "toUpperCase": true, "trim": true, "toString": true}

// lastName returns the name of a variable, or of the last property of a chain or call.
func lastName(n *js.Node) string {
	switch n.Type {
	case js.Ident:
		return n.Text
	case js.Member:
		return plugincode.MemberName(n)
	case js.CallExpr:
		return js.CalleeName(n)
	}
	return ""
}

// maxText bounds the variables and functions between a text and its end.
const maxText = 8

// endsWithSeparator reports whether a text ends with a separator, at least in one case.
func (c *checker) endsWithSeparator(e js.Expr, depth int) bool {
	if e.Node == nil || depth > maxText {
		return false
	}
	again := func(n *js.Node) bool {
		return c.endsWithSeparator(js.Expr{Module: e.Module, Node: n}, depth+1)
	}
	switch n := e.Node; n.Type {
	case js.StringLit, js.TemplateText:
		return strings.HasSuffix(n.Text, "/") || strings.HasSuffix(n.Text, `\`)
	case js.Binary:
		return n.Text == "+" && again(n.Kids[1])
	case js.Template:
		if last := n.Kids[len(n.Kids)-1]; last.Text != "" || len(n.Kids) == 1 {
			return again(last)
		}
		return again(n.Kids[len(n.Kids)-2])
	case js.Cond:
		return again(n.Kids[1]) || again(n.Kids[2])
	case js.CallExpr:
		if sepName.MatchString(js.CalleeName(n)) {
			return true
		}
		if c.api(e.Module, n.Kids[0]) == "path.join" {
			return again(n.Kids[len(n.Kids)-1])
		}
		for _, r := range c.prog.Results(e) {
			if r.Node != n && c.endsWithSeparator(r, depth+1) {
				return true
			}
		}
		return false
	case js.Ident, js.Member:
		if sepName.MatchString(lastName(n)) {
			return true
		}
		to := c.prog.Follow(e)
		return to.Node != n && c.endsWithSeparator(to, depth+1)
	}
	return false
}
