package gate

import (
	"slices"
	"strings"
)

// runner returns how a command is judged that runs others in a way of its own, or nil.
func runner(name string) func(*command) result {
	switch name {
	case "su", "runuser":
		return switchUser
	case "xargs", "gxargs":
		return runXargs
	case "parallel":
		return runParallel
	case "find", "gfind":
		return runFind
	case "fd", "fdfind":
		return runFd
	case "hyperfine", "concurrently":
		return runPrograms
	case "tmux":
		return runMultiplexer
	case "docker", "podman", "nerdctl", "docker-compose":
		return runContainer
	case "exec":
		return replaceShell
	case "ssh":
		return runRemote
	}
	return nil
}

// replaceShell is exec: nothing runs after it, unless it only redirects.
func replaceShell(c *command) result {
	r := c.runOperands(wrapper{values: []string{"-a"}})
	if len(c.args) == 0 {
		return r
	}
	after := cloneDead(c.env)
	after.dead = true
	return unchanged(after, r.out)
}

// switchUser is su: only -c gives it something to run.
func switchUser(c *command) result {
	for i, arg := range c.args {
		if (arg == "-c" || arg == "--command") && i+1 < len(c.args) {
			return c.runShell(c.args[i+1], nil)
		}
		if text, ok := strings.CutPrefix(arg, "--command="); ok {
			return c.runShell(text, nil)
		}
	}
	if i := slices.Index(c.args, "--"); i >= 0 && i+1 < len(c.args) {
		return c.again(c.args[i+1:], c.in)
	}
	c.runInput(shellLanguage)
	return unchanged(c.env, anyText)
}

// xargsOptions take the next word.
var xargsOptions = []string{"-I", "-n", "-L", "-P", "-s", "-d", "-E", "-a", "--max-args", "--max-lines", "--max-procs", "--max-chars", "--delimiter", "--arg-file", "--replace", "--process-slot-var"}

func runXargs(c *command) result {
	rest, replace := c.xargsWords()
	if len(rest) == 0 {
		return unchanged(c.env, anyText)
	}
	items := c.in.items()
	if slices.ContainsFunc(c.args, func(a string) bool { return a == "-a" || strings.HasPrefix(a, "--arg-file") }) {
		items = []string{anyText}
	}
	if replace == "" {
		return c.again(append(rest[:len(rest):len(rest)], items...), input{})
	}
	if c.in.piped && items[0] != anyText {
		items = c.in.lines()
	}
	r := unchanged(c.env, "")
	for _, item := range items {
		line := make([]string, len(rest))
		for i, word := range rest {
			line[i] = strings.ReplaceAll(word, replace, item)
		}
		r = c.again(line, input{})
	}
	return unchanged(r.ok, anyText)
}

// xargsWords returns the command line of xargs and the mark that it replaces.
func (c *command) xargsWords() (rest []string, replace string) {
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		if len(arg) < 2 || arg[0] != '-' {
			return c.args[i:], replace
		}
		switch {
		case arg == "--":
			return c.args[i+1:], replace
		case arg == "-i" || arg == "--replace":
			replace = "{}"
			continue
		case arg == "-I" && i+1 < len(c.args):
			replace = c.args[i+1]
		case strings.HasPrefix(arg, "-I") || strings.HasPrefix(arg, "-i"):
			replace = arg[2:]
			continue
		case strings.HasPrefix(arg, "--replace="):
			replace = arg[len("--replace="):]
			continue
		}
		if takesValue(arg, xargsOptions) {
			i++
		}
	}
	return nil, replace
}

// items are the words of a command's input.
func (in input) items() []string {
	if !in.piped {
		return []string{anyText}
	}
	items := strings.FieldsFunc(in.text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == 0 })
	if len(items) > maxCases {
		return []string{anyText}
	}
	return items
}

// lines are the lines of a command's input.
func (in input) lines() []string {
	lines := strings.FieldsFunc(in.text, func(r rune) bool { return r == '\n' || r == 0 })
	if !in.piped || len(lines) > maxCases {
		return []string{anyText}
	}
	return lines
}

// runParallel is GNU parallel: its words are one shell program, or its input is one per
// line.
func runParallel(c *command) result {
	var words, items []string
	own := true
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		if strings.HasPrefix(arg, ":::") {
			items = c.args[i+1:]
			break
		}
		if own && strings.HasPrefix(arg, "-") {
			if takesValue(arg, []string{"-j", "-P", "-a", "-S", "-I", "-n", "-N", "-L", "--jobs", "--delay", "--timeout", "--joblog", "--results", "--colsep"}) {
				i++
			}
			continue
		}
		own = false
		words = append(words, arg)
	}
	if items == nil {
		items = c.in.items()
	}
	if len(words) == 0 {
		for _, item := range items {
			c.runShell(item, nil)
		}
		return unchanged(c.env, anyText)
	}
	for _, item := range items {
		if c.done() {
			break
		}
		c.work.spend(10 * len(words))
		line := strings.Join(words, " ")
		if strings.Contains(line, "{") {
			line = strings.NewReplacer("{}", item, "{.}", item, "{/}", item, "{//}", item, "{/.}", item).Replace(line)
		} else {
			line += " " + item
		}
		c.again(strings.Fields(line), input{})
		if !isDynamic(line) {
			c.runShell(line, nil)
		}
	}
	return unchanged(c.env, anyText)
}

// runPrograms covers tools whose operands are shell programs.
func runPrograms(c *command) result {
	_, operands := c.split("-w", "--warmup", "-m", "-M", "-r", "--runs", "-n", "--names", "-c", "--prefix-colors", "--export-json", "--export-markdown")
	for _, text := range operands {
		c.runShell(text, nil)
	}
	return unchanged(c.env, anyText)
}

// runMultiplexer is tmux, whose commands start programs or type into them.
func runMultiplexer(c *command) result {
	_, operands := splitOptions(c.args, []string{"-t", "-s", "-n", "-c", "-x", "-y", "-F", "-L", "-S", "-f", "-e", "-l"})
	if len(operands) < 2 || operands[0] == "attach" || strings.HasPrefix(operands[0], "kill-") || strings.HasPrefix(operands[0], "list-") {
		return unchanged(c.env, anyText)
	}
	keys := operands[1:]
	if operands[0] == "send-keys" || operands[0] == "send" {
		keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool {
			return k == "Enter" || k == "Space" || k == "C-m" || k == "C-c" || k == "C-d" || k == "q"
		})
	}
	return c.runText(strings.Join(keys, " "), false)
}

// runRemote is ssh: its own options can run programs here, its operands run there.
func runRemote(c *command) result {
	for i, arg := range c.args {
		value := strings.TrimPrefix(arg, "-o")
		if arg == "-o" && i+1 < len(c.args) {
			value = c.args[i+1]
		}
		end := max(strings.IndexAny(value, "= "), 0)
		text := strings.TrimLeft(value[end:], "= ")
		if k := changeCase(value[:end], 'A', 'a'); k == "proxycommand" || k == "localcommand" || k == "knownhostscommand" {
			c.runShell(text, nil)
		}
	}
	w, _ := wrappers.get("ssh")
	if len(c.remoteWords(w)) == 0 && c.in.piped {
		return c.runForeign([]string{"sh"})
	}
	return c.runOperands(w)
}

func (c *command) remoteWords(w wrapper) []string {
	_, operands := splitOptions(c.args, w.values)
	if len(operands) == 0 {
		return nil
	}
	return operands[1:]
}
