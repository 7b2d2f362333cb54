package gate

import (
	"slices"
	"strings"
)

// judgeOf returns how a command that the gate knows is judged, or nil.
func judgeOf(name string) func(*command) {
	switch name {
	case "egrep", "fgrep", "zgrep":
		name = "grep"
	case "zcat", "bzcat", "xzcat", "batcat":
		name = "cat"
	}
	if client, ok := sqlClients.get(name); ok {
		return judgeSQL(client)
	}
	if judge := ownJudge(name); judge != nil {
		return judge
	}
	if slices.Contains(textCommands, name) {
		return func(*command) {}
	}
	if spec, ok := fileCommands.get(name); ok {
		return judgeFiles(spec)
	}
	return nil
}

// ownJudge returns the function of a command that has one of its own, or nil.
func ownJudge(name string) func(*command) {
	switch name {
	case "git":
		return judgeGit
	case "ln":
		return judgeLink
	case "chmod", "chown", "chgrp":
		return judgeMode
	case "dd":
		return judgeDD
	case "sed", "gsed":
		return judgeSed
	case "awk", "gawk", "mawk", "nawk":
		return judgeAwk
	case "tar", "gtar", "bsdtar":
		return judgeTar
	case "rsync":
		return judgeRsync
	case "curl":
		return judgeCurl
	case "wget":
		return judgeWget
	case "kill", "pkill", "killall", "skill":
		return judgeKill
	case "make", "gmake":
		return judgeMake
	case "vim", "vi", "nvim", "ex", "view", "ed", "emacs", "nano":
		return judgeEditor
	case "gdb", "lldb":
		return judgeDebugger
	case "echo":
		return func(c *command) { c.printsSecret() }
	case "printenv":
		return judgePrintenv
	case "nightgauge":
		return judgeOwn
	case "eslint":
		return judgeFixer
	case "nc", "ncat", "netcat", "socat":
		return judgeNetcat
	case "crontab":
		return judgeCrontab
	case "gh":
		return judgeGitHub
	}
	return nil
}

func judgeDD(c *command) {
	for _, arg := range c.args {
		if name, ok := strings.CutPrefix(arg, "of="); ok {
			c.access(name, accessWrite)
		}
		if name, ok := strings.CutPrefix(arg, "if="); ok {
			c.access(name, accessRead)
		}
	}
}

// judgeRsync judges the copy, what --delete takes away, and the program of -e.
func judgeRsync(c *command) {
	values := []string{"-e", "--rsh", "--exclude", "--include", "--filter", "-f", "--rsync-path", "--exclude-from", "--include-from", "--files-from", "--bwlimit", "--chmod", "--chown", "--max-size", "--timeout"}
	options, operands := c.split(values...)
	c.optionPrograms([]string{"-e", "--rsh", "--rsync-path"})
	for i, word := range operands {
		a := accessRead
		switch {
		case i > 0 && i == len(operands)-1 && slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, "--del") }):
			a = accessTree
		case i > 0 && i == len(operands)-1:
			a = accessWrite
		case has(options, "--remove-source-files"):
			a = accessTree
		}
		if a == accessTree && isRemote(word) {
			c.deny(CodeDestroysData, c.line()+" deletes files on another machine. Copy without --delete.")
		}
		c.operand(word, a)
	}
}

// optionPrograms judges programs that options name.
func (c *command) optionPrograms(names []string) {
	for i, arg := range c.args {
		name, value, attached := strings.Cut(arg, "=")
		if !attached && i+1 < len(c.args) {
			value = c.args[i+1]
		}
		if contains(names, name) && value != "" {
			c.runShell(value, nil)
		}
	}
}

// judgeKill lets the agent stop what it started, by number or by name, but not the
// processes that hold the run together.
func judgeKill(c *command) {
	words := c.args
	if c.name == "kill" && len(words) > 0 && words[0] != "" && words[0][0] == '-' && words[0] != "-1" {
		words = words[1:]
	}
	for i, word := range words {
		if i == 0 && c.name != "kill" && strings.HasPrefix(word, "-") {
			continue
		}
		lower := changeCase(word, 'A', 'a')
		switch {
		case c.name == "kill" && (word == "-1" || word == "1" || word == "0"),
			namesRun([]string{lower}),
			c.name != "kill" && (lower == "node" || lower == "bun"), lower == "-u":
			c.deny(CodeSystemChange, c.line()+" could stop the run itself. Kill what you started, by its number.")
		}
	}
}

// namesRun reports whether a word names the programs that hold the run together.
func namesRun(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		lower := changeCase(w, 'A', 'a')
		return strings.Contains(lower, "opencode") || strings.Contains(lower, "nightgauge")
	})
}

// makeDirectories are options of build tools that name where they work.
var makeDirectories = []string{"-C", "--directory"}

func judgeMake(c *command) {
	inner := c
	for i, arg := range c.args {
		name, value, attached := strings.Cut(arg, "=")
		if !attached && i+1 < len(c.args) {
			value = c.args[i+1]
		}
		switch {
		case contains(makeDirectories, name):
			inner = inner.enterDirectory(value)
		case name == "-f" || name == "--file" || name == "--makefile":
			if value == "-" || value == processFile || value == "/dev/stdin" {
				c.deny(CodeUnseenCode, c.line()+" runs rules from a pipe. Write them to a file.")
			}
			c.operand(value, accessRead)
		case name == "--eval" || name == "-E" || strings.Contains(arg, "$(shell") || name == "SHELL" && attached:
			c.deny(CodeUnseenCode, c.line()+" runs code that is given to make as text. Run the command directly.")
		}
	}
	inner.worksHere()
}

// judgeEditor allows opening files; commands for the editor could run anything.
func judgeEditor(c *command) {
	for i, arg := range c.args {
		text := ""
		switch {
		case (isShortOption(arg, 'c') || arg == "--cmd" || arg == "--eval" || arg == "-eval" || arg == "-f" || arg == "--funcall" || arg == "-l" || arg == "-S") && i+1 < len(c.args):
			text = c.args[i+1]
		case strings.HasPrefix(arg, "+"):
			text = arg[1:]
		case strings.HasPrefix(arg, "--eval="):
			text = arg[len("--eval="):]
		default:
			if arg != "" && arg[0] != '-' {
				c.operand(arg, accessWrite)
			}
		}
		if editorEscapes(text) {
			c.deny(CodeUnseenCode, c.line()+" makes the editor run commands. Run them directly, or use the edit tool.")
		}
	}
	if c.in.piped && (editorEscapes(c.in.text) || isDynamic(c.in.text)) {
		c.deny(CodeUnseenCode, c.line()+" feeds the editor commands that run programs. Use the edit tool.")
	}
}

func editorEscapes(text string) bool {
	return strings.Contains(text, "!") && !strings.HasSuffix(strings.TrimRight(text, "\n"), "q!") || slices.ContainsFunc([]string{"system(", "delete(", "shell", "call-process", "delete-", "writefile(", "python", "perl", "lua", "source", "execute"}, func(s string) bool { return strings.Contains(text, s) })
}

func judgeDebugger(c *command) {
	for i, arg := range c.args {
		if (arg == "--args" || arg == "--") && i+1 < len(c.args) {
			c.again(c.args[i+1:], c.in)
			return
		}
		if (arg == "-ex" || arg == "-o" || arg == "--one-line" || arg == "--eval-command") && i+1 < len(c.args) {
			word, _, _ := strings.Cut(strings.TrimSpace(c.args[i+1]), " ")
			if slices.Contains([]string{"shell", "python", "pipe", "make", "script", "platform", "source", "|"}, word) || strings.HasPrefix(word, "!") {
				c.deny(CodeUnseenCode, c.line()+" makes the debugger run commands. Run them directly.")
			}
		}
	}
}

// secretNames are parts of the names of variables that hold credentials.
var secretNames = []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL"}

func isSecretName(name string) bool {
	upper := changeCase(name, 'a', 'A')
	return slices.ContainsFunc(secretNames, func(s string) bool { return strings.Contains(upper, s) })
}

// printsSecret denies printing a credential of the environment into the transcript. The
// value of a variable that the program itself set is no secret.
func (c *command) printsSecret() {
	if slices.ContainsFunc(c.args, func(a string) bool { return strings.Contains(a, secretText) }) {
		c.denyPrinting()
	}
}

func (c *command) denyPrinting() {
	c.deny(CodeSecret, c.line()+" would print a credential. Use the variable where it is needed without printing it.")
}

// picksSecrets denies looking for credentials among all variables, as in env | grep TOKEN.
func (c *command) picksSecrets() {
	if options, _ := c.split(); strings.Contains(c.in.text, envText) && slices.ContainsFunc(c.args, isSecretName) && !has(options, "-v", "-c", "-q", "--invert-match", "--count", "--quiet") {
		c.denyPrinting()
	}
}

func judgePrintenv(c *command) {
	for _, name := range c.args {
		if isSecretName(name) {
			c.denyPrinting()
		}
	}
}

// judgeOwn keeps the agent from answering for the run: its hook verbs write records.
func judgeOwn(c *command) {
	_, operands := c.split()
	if len(operands) > 0 && (operands[0] == "hook" || operands[0] == "run") {
		c.deny(CodeSelfProtection, "nightgauge "+operands[0]+" belongs to the run that judges this call. Leave it alone.")
	}
	c.unknownCommand()
}

func judgeFixer(c *command) { c.unknownCommand() }

// judgeNetcat allows plain connections; a program at the other end is a shell for others.
func judgeNetcat(c *command) {
	for _, arg := range c.args {
		upper := changeCase(arg, 'a', 'A')
		if arg == "-e" || arg == "-c" || strings.HasPrefix(arg, "--exec") || strings.HasPrefix(arg, "--sh-exec") || strings.Contains(upper, "EXEC:") || strings.Contains(upper, "SYSTEM:") {
			c.deny(CodeUnseenCode, c.line()+" gives a program to the network. Leave that to the operator.")
		}
	}
}

func judgeCrontab(c *command) {
	if options, _ := c.split("-u"); !has(options, "-l") {
		c.deny(CodeSystemChange, c.line()+" changes what the machine runs later. Leave that to the operator.")
	}
}

// judgeGitHub judges gh api, whose method decides what it does.
func judgeGitHub(c *command) {
	_, operands := c.split("-X", "--method", "-H", "--header", "-f", "-F", "--field", "--raw-field", "-q", "--jq", "-t", "--template", "-R", "--repo", "--input")
	if len(operands) > 0 && operands[0] == "api" && c.deletesByMethod("-X", "--method") {
		c.deny(CodeDestroysData, c.line()+" deletes something on the server. Leave that to the operator.")
	}
	c.optionFiles([]string{"--input", "-F", "--body-file"}, accessRead)
	c.worksHere()
}

// deletesByMethod reports whether an option sets the HTTP method DELETE.
func (c *command) deletesByMethod(names ...string) bool {
	for i, arg := range c.args {
		name, value, attached := strings.Cut(arg, "=")
		if !attached && i+1 < len(c.args) {
			value = c.args[i+1]
		}
		if contains(names, name) && changeCase(value, 'a', 'A') == "DELETE" || changeCase(arg, 'a', 'A') == "-XDELETE" {
			return true
		}
	}
	return false
}
