package gate

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// builtin returns how a command is judged that changes the shell itself, or nil. The result
// tells what is known afterwards.
func builtin(name string) func(*command) result {
	switch name {
	case "cd", "pushd":
		return changeDirectory
	case "popd":
		return popDirectory
	case "exit", "return":
		return leave
	case "eval":
		return evaluate
	case "source", ".":
		return source
	case "trap":
		return trap
	case "set":
		return setParams
	case "shift":
		return shiftParams
	case "read", "mapfile", "readarray", "getopts":
		return readVariables
	case "unset":
		return unset
	case "printf":
		return printText
	case "alias":
		return aliases
	case "export", "declare", "typeset", "readonly", "local":
		return exportWords
	case "enable":
		return loadBuiltin
	}
	return nil
}

func changeDirectory(c *command) result {
	_, operands := c.split()
	target := c.ws.homeText()
	switch {
	case len(operands) > 1:
		target = anyText
	case len(operands) == 1:
		target = operands[0]
	}
	if target == "-" && c.name == "cd" && c.env.before != nil {
		after := c.env.clone()
		after.cwd, after.before = c.env.before, c.env.cwd
		return unchanged(after, "")
	}
	if target == "-" || strings.HasPrefix(target, "+") || strings.Contains(target, anyText) {
		target = "/" + anyText
	}
	c.access(target, accessMeta)
	after := c.env.clone()
	for i, p := range after.cwd {
		after.cwd[i] = p.enter(c.ws, target)
	}
	after.cwd, after.before = slices.Compact(after.cwd), c.env.cwd
	failed := c.env.clone()
	failed.dead = c.entersSurely(target)
	return result{ok: after, bad: failed}
}

// entersSurely reports whether cd cannot fail, as far as can be told: the directory is
// there, or is one of several that a pattern found.
func (c *command) entersSurely(target string) bool {
	for _, where := range c.env.cwd {
		path, _ := absolutePath(c.ws, target, where)
		if isOpen(strings.ReplaceAll(path, listText, "")) || !isDynamic(path) && !exists(path) {
			return false
		}
	}
	return true
}

func popDirectory(c *command) result {
	after := c.env.clone()
	after.cwd = []place{{path: "/" + anyText}}
	return unchanged(after, "")
}

func leave(c *command) result {
	after := cloneDead(c.env)
	after.dead = true
	return unchanged(after, "")
}

func evaluate(c *command) result {
	return c.program(strings.Join(c.args, " "), c.env, c.in)
}

// source runs a file in the shell itself: what it sets is not known.
func source(c *command) result {
	_, operands := c.split()
	if len(operands) == 0 {
		return unchanged(c.env, "")
	}
	c.runFile(shellLanguage, operands[0])
	return unchanged(c.env, anyText)
}

// trap keeps a program for the end: its variables may be set only after it.
func trap(c *command) result {
	_, operands := c.split()
	if len(operands) > 1 && operands[0] != "" && operands[0] != "-" {
		c.env.late.traps = append(c.env.late.traps, operands[0])
	}
	return unchanged(c.env, "")
}

func setParams(c *command) result {
	for i, arg := range c.args {
		if arg == "--" {
			c.env.params, c.env.unknown = c.args[i+1:], false
			return unchanged(c.env, "")
		}
		if arg == "" || arg[0] != '-' && arg[0] != '+' && (i == 0 || c.args[i-1] != "-o") {
			c.env.params, c.env.unknown = c.args[i:], false
			break
		}
	}
	return unchanged(c.env, envText)
}

func shiftParams(c *command) result {
	if len(c.args) > 0 || len(c.env.params) == 0 {
		c.env.unknown = true
	} else {
		c.env.params = c.env.params[1:]
	}
	return unchanged(c.env, "")
}

// readVariables sets variables from standard input.
func readVariables(c *command) result {
	_, operands := splitOptions(c.args, []string{"-d", "-n", "-N", "-p", "-t", "-u", "-i", "-C", "-c", "-O", "-s"})
	v := variable{cases: [][]string{{anyText}}}
	if lines := strings.Split(strings.TrimRight(c.in.text, "\n"), "\n"); c.in.piped && len(operands) == 1 && !strings.Contains(c.in.text, anyText) {
		v = oneOf(lines)
	}
	if c.name == "getopts" && len(operands) > 1 {
		operands = operands[1:]
	}
	for _, option := range c.args {
		if option == "-a" {
			v = variable{cases: [][]string{{anyText}}}
		}
	}
	for _, name := range append(operands, "REPLY", "MAPFILE", "OPTARG") {
		c.take(c.policy.judgeVariable(name, ""))
		if !isDynamic(name) {
			c.env.set(name, v)
		}
	}
	return unchanged(c.env, "")
}

func unset(c *command) result {
	_, operands := c.split()
	for _, name := range operands {
		c.take(c.policy.judgeVariable(name, ""))
		delete(c.env.vars, name)
	}
	return unchanged(c.env, "")
}

// printText is printf: with -v it sets a variable.
func printText(c *command) result {
	if len(c.args) > 1 && c.args[0] == "-v" {
		c.take(c.policy.judgeVariable(c.args[1], ""))
		c.env.setUnknown(c.args[1], anyText)
		return unchanged(c.env, "")
	}
	c.printsSecret()
	return unchanged(c.env, c.output())
}

func aliases(c *command) result {
	for _, arg := range c.args {
		if _, body, ok := strings.Cut(arg, "="); ok {
			c.program(body, c.env.clone(), input{})
		}
	}
	return unchanged(c.env, "")
}

// exportWords covers declarations that reach the gate as plain commands, because their
// words were expanded or a wrapper stood before them.
func exportWords(c *command) result {
	for _, arg := range c.args {
		name, text, assigns := strings.Cut(arg, "=")
		c.take(c.policy.judgeVariable(name, ""))
		if !assigns || isDynamic(name) {
			continue
		}
		name = strings.TrimSuffix(name, "+")
		c.variable(name, text, c.env)
		c.env.set(name, variable{cases: [][]string{{text}}, exported: true})
	}
	return unchanged(c.env, "")
}

func loadBuiltin(c *command) result {
	if slices.Contains(c.args, "-f") {
		c.deny(CodeUnseenCode, "enable -f loads machine code into the shell.")
	}
	return unchanged(c.env, "")
}

// judgeVariable judges the name of a variable that the agent sets, unsets or declares,
// and for some the value.
func (p *Policy) judgeVariable(name, text string) Verdict {
	upper := changeCase(name, 'a', 'A')
	switch {
	case strings.HasPrefix(upper, "NIGHTGAUGE_"), strings.HasPrefix(upper, "OPENCODE_"), upper == "OPENCODE":
		return denied(CodeSelfProtection, "the variable "+readable(name)+" belongs to the run that judges this call. Leave it alone.")
	case isDynamic(name) && hasAnyByte(name, anyText):
		return denied(CodeDynamic, "the name of the variable is known only when the command runs. Write it out.")
	}
	if slices.Contains([]string{"BASH_ENV", "ENV", "PROMPT_COMMAND", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "PYTHONSTARTUP", "PERL5OPT", "PERL5DB", "RUBYOPT", "BASH_FUNC"}, upper) && text != "" {
		return denied(CodeUnseenCode, "the variable "+readable(name)+" makes other programs run code that nobody has judged. Run the code itself.")
	}
	if (upper == "PS4" || upper == "PS1") && strings.ContainsAny(text, "`(") {
		return denied(CodeUnseenCode, "the shell runs what the prompt "+upper+" holds. Run it directly.")
	}
	return Verdict{}
}

// variable judges one assignment with its value.
func (s *shell) variable(name, text string, e *env) {
	s.take(s.policy.judgeVariable(name, text))
	s.gitVariable(name, text, e)
}

// enterDirectory judges an option that makes a command work in another directory.
func (c *command) enterDirectory(dir string) *command {
	inner := *c
	inner.env = c.env.clone()
	for i, p := range inner.env.cwd {
		inner.env.cwd[i] = p.enter(c.ws, dir)
	}
	return &inner
}

// worksHere judges the directory in which a command of unknown effect runs.
func (c *command) worksHere() {
	if c.away {
		return
	}
	for _, where := range c.env.cwd {
		if strings.Contains(where.path, hostText) || filepath.Clean(where.path) == c.ws.dir {
			continue
		}
		v := c.policy.judgeReach(c.ws, path.Clean(placeholders(where.path)), c.ws.resolve(placeholders(where.path)), where.scratch, where.path, accessWrite)
		if strings.Contains(where.path, anyText) {
			v = denied(CodeDynamic, c.line()+" runs in a directory that is known only when it runs. Write the directory out.")
		}
		c.take(v)
	}
}
