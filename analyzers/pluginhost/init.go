package pluginhost

import (
	"regexp"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// writers are the functions of fs that change what their first argument names, Sync or not.
var writers = withSync("writeFile", "appendFile", "mkdir", "rm", "rmdir", "unlink", "rename", "copyFile", "cp", "symlink", "link", "truncate", "mkdtemp", "createWriteStream", "chmod")

// destinations are those of them that change what their second argument names.
var destinations = map[string]bool{"rename": true, "copyFile": true, "cp": true, "symlink": true, "link": true}

func withSync(names ...string) map[string]bool {
	set := make(map[string]bool, 2*len(names))
	for _, name := range names {
		set[name], set[name+"Sync"] = true, true
	}
	return set
}

// gitChange matches a git command that changes the repository.
var gitChange = regexp.MustCompile(`(?:^|[\s;&|(])git\s+(?:-\S+\s+(?:[^-\s]\S*\s+)??)*(add|commit|init|checkout|switch|reset|stash|merge|rebase|push|pull|clean|rm|mv|tag|config\s+(?:--(?:global|local|system|add|replace-all|unset|unset-all)\s+)*[A-Za-z][\w.*-]*\s+[^\s;&|<>-]\S*|worktree\s+add|restore|apply|am|cherry-pick|revert)(?:\s|$)`)

// starts reports what a factory does to the project merely because OpenCode has started.
func (c *checker) starts(r plugincode.Reached) {
	m := r.Fn.Module
	plugincode.Body(r.Fn, plugincode.Now, func(n *js.Node) {
		if m.Vendored(n.Span.Start) || n.Type != js.CallExpr && n.Type != js.Tagged {
			return
		}
		what := c.projectChange(m, n)
		if what == "" || c.isAsked(r, n) {
			return
		}
		c.report("sideeffect", m, n, "%s whenever OpenCode starts here, also for commands that run no model: a clean work tree is clean no more (do it when there is something to write)", what)
	})
}

// isAsked reports whether a node, or a call that leads to it, runs only because of a setting,
// or because something is there already: somebody has set the plugin up here.
func (c *checker) isAsked(r plugincode.Reached, n *js.Node) bool {
	for _, cond := range r.Conditions(n) {
		test := js.Expr{Module: cond.Module, Node: cond.Test}
		if cond.Case == nil && (c.isOn(test, cond.Holds, 0) || c.isThere(test, cond.Holds)) {
			return true
		}
	}
	return false
}

// isThere reports whether a test that holds, or does not, says that a file exists.
func (c *checker) isThere(test js.Expr, holds bool) bool {
	n := test.Node
	if n.Type == js.Await {
		n = n.Kids[0]
	}
	switch {
	case n.Type == js.Unary && n.Text == "!":
		return c.isThere(js.Expr{Module: test.Module, Node: n.Kids[0]}, !holds)
	case n.Type == js.Binary && (n.Text == "&&" && holds || n.Text == "||" && !holds):
		return c.isThere(js.Expr{Module: test.Module, Node: n.Kids[0]}, holds) || c.isThere(js.Expr{Module: test.Module, Node: n.Kids[1]}, holds)
	case n.Type == js.CallExpr:
		return holds && c.api(test.Module, n.Kids[0]) == "fs.existsSync"
	}
	return false
}

// projectChange tells what a call does to the project, "" for nothing.
func (c *checker) projectChange(m *js.Module, n *js.Node) string {
	if n.Type == js.Tagged {
		return gitText(m.Text(n.Kids[1].Span))
	}
	name := c.api(m, n.Kids[0])
	module, fn, _ := strings.Cut(name, ".")
	switch {
	case name == "Bun.write", module == "fs" && writers[fn]:
		return c.writesProject(m, n, name, fn)
	case module == "child_process" || name == "Bun.spawn" || name == "Bun.spawnSync":
		return gitText(c.command(m, n))
	}
	return ""
}

// writesProject tells whether a call changes a path of the project. Below .git nothing
// shows.
func (c *checker) writesProject(m *js.Module, n *js.Node, name, fn string) string {
	target := 1
	if destinations[strings.TrimSuffix(fn, "Sync")] {
		target = 2
	}
	if len(n.Kids) <= target {
		return ""
	}
	p := c.code.PathOf(js.Expr{Module: m, Node: n.Kids[target]})
	if p.Dir != plugincode.Project || strings.Contains(p.Tail+"/", "/.git/") {
		return ""
	}
	return name + " writes below the project directory"
}

// command returns the words of a program and its arguments, as far as they are constant.
func (c *checker) command(m *js.Module, n *js.Node) string {
	var words []string
	for _, arg := range n.Kids[1:] {
		to := c.prog.Follow(js.Expr{Module: m, Node: arg})
		if to.Node == nil {
			continue
		}
		list := []*js.Node{to.Node}
		if to.Node.Type == js.ArrayLit {
			list = to.Node.Kids
		}
		for _, word := range list {
			switch {
			case word == nil:
			case word.Type == js.StringLit:
				words = append(words, word.Text)
			case word.Type == js.Template:
				words = append(words, strings.Trim(to.Module.Text(word.Span), "`"))
			case word.Type != js.ObjectLit:
				words = append(words, "*")
			}
		}
	}
	return strings.Join(words, " ")
}

// gitText tells which git command in a text changes the repository, "" for none.
func gitText(text string) string {
	found := gitChange.FindStringSubmatch(strings.Trim(text, "`"))
	if found == nil {
		return ""
	}
	return "git " + strings.Fields(found[1])[0] + " changes the repository"
}
