package pluginstate

import (
	"regexp"
	"slices"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// weakTemps reports temporary files with a name that two processes share, or on what can be
// another file system than the file that they become.
func (c *checker) weakTemps(fn js.Expr) {
	ops := c.ops(fn)
	for i, r := range ops {
		if r.kind != opRename {
			continue
		}
		w := slices.IndexFunc(ops[:i], func(o op) bool { return o.kind == opWrite && o.path == r.path })
		if w < 0 {
			continue
		}
		switch temp := ops[w]; {
		case c.crossesDevices(r):
			c.report("weaktemp", r.call, "the file is written in the directory for temporary files and renamed from there; where that is another file system, rename fails with EXDEV and nothing is saved: write it beside its target")
		case isConstantBeside(r.path, r.to) && !c.isLocked(fn, ops) && !isOnlyOurs(r.to):
			c.report("weaktemp", temp.call, "the temporary file has one name in all processes; two that write at once mix their content, and rename makes it the state: put process.pid and something random into its name")
		}
	}
}

// crossesDevices reports whether a file is renamed out of the directory for temporary files.
func (c *checker) crossesDevices(r op) bool {
	args := r.call.Node.Kids[1:]
	if len(args) < 2 {
		return false
	}
	from := c.code.PathOf(js.Expr{Module: r.call.Module, Node: args[0]}).Dir
	to := c.code.PathOf(js.Expr{Module: r.call.Module, Node: args[1]}).Dir
	return from == plugincode.Temp && (to == plugincode.Project || to == plugincode.Home) && !namesError(r.call.Module)
}

// namesError reports whether a module handles the failure itself.
func namesError(m *js.Module) bool {
	found := false
	js.Walk(m.Root(), func(n *js.Node) bool {
		found = found || n.Type == js.StringLit && n.Text == "EXDEV"
		return !found
	})
	return found
}

var word = regexp.MustCompile(`‹\d+:[^›]*›|#\d+|[\w.$]+`)

// isConstantBeside reports whether a spelling is made of nothing but constants and what
// another one, the target, is made of.
func isConstantBeside(path, target string) bool {
	if path == target {
		return false
	}
	known := make(map[string]bool)
	for _, w := range word.FindAllString(unquoted(target), -1) {
		known[w] = true
	}
	words := word.FindAllString(unquoted(path), -1)
	for _, w := range words {
		if !known[w] && w != "path.dirname" && w != "path.basename" && w != "path.join" {
			return false
		}
	}
	return len(words) > 0 && !isOnlyOurs(path)
}

func unquoted(spelling string) string { return quoted.ReplaceAllString(spelling, `""`) }

// isOnlyOurs reports whether a path tells by the names in it that one session or process
// alone uses it.
func isOnlyOurs(spelling string) bool { return onlyOurs.MatchString(unquoted(spelling)) }
