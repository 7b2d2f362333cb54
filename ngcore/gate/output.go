package gate

import (
	"path"
	"slices"
	"strings"
)

// output returns what a command prints: text when its words say it, a marker otherwise.
func (c *command) output() string {
	switch c.name {
	case "echo":
		return echoed(c.args)
	case "printf":
		return printed(c.args)
	case "cat":
		if strings.Contains(c.in.text, secretText) {
			c.denyPrinting()
		}
		return c.passed()
	case "env", "printenv":
		if len(c.args) == 0 {
			return envText
		}
	case "pwd":
		return c.env.cwdText() + "\n"
	case "basename", "dirname", "realpath", "readlink", "which", "command", "type":
		return c.computed()
	case "mktemp":
		return c.temporary()
	case "gofmt", "gofumpt", "goimports":
		if has(c.args, "-l") {
			return listText + "\n"
		}
	case "pgrep", "pidof":
		if namesRun(c.args) { // as far as kill is concerned, the process that all depends on
			return "1\n"
		}
	case "grep", "rg", "egrep", "fgrep", "git", "head", "tail", "sort", "uniq", "tac", "ls", "ag", "awk", "sed", "tr", "cut", "xargs":
		return c.selected()
	}
	if slices.Contains(shellInits, strings.Join(append([]string{c.name}, c.args[:min(1, len(c.args))]...), " ")) {
		return ""
	}
	if slices.Contains(plainPrinters, c.name) {
		return atomText + "\n"
	}
	if slices.Contains(hostPrinters, strings.Join(append([]string{c.name}, c.args[:min(1, len(c.args))]...), " ")) {
		return hostText + "\n"
	}
	return anyText
}

// plainPrinters print numbers, dates and plain names.
var plainPrinters = []string{"date", "nproc", "id", "whoami", "hostname", "uname", "arch", "wc", "seq", "expr", "lsof", "pgrep", "pidof", "uuidgen", "sha256sum", "md5sum", "cksum", "stat", "bc"}

// hostPrinters print paths that the machine's owner has chosen, by command and first word.
var hostPrinters = []string{"go env", "go list", "npm root", "npm bin", "npm prefix", "npm config", "pnpm root", "yarn bin", "brew --prefix", "rustc --print", "python3-config --prefix", "python3-config --includes", "pkg-config --cflags", "pkg-config --libs", "pkg-config --variable", "bundle show", "gem env", "composer config", "pip show", "xcrun --show-sdk-path", "nproc ", "llvm-config --prefix", "go tool", "rustup which"}

// shellInits print settings of this machine for the shell to evaluate: as far as the gate
// is concerned, nothing.
var shellInits = []string{"ssh-agent -s", "brew shellenv", "pyenv init", "rbenv init", "nodenv init", "direnv hook", "direnv export", "fnm env", "opam env", "mise activate", "zoxide init", "dircolors -b", "conda shell.bash", "luarocks path", "minikube docker-env", "starship init"}

func echoed(args []string) string {
	end := "\n"
	for len(args) > 0 && (args[0] == "-n" || args[0] == "-e" || args[0] == "-E" || args[0] == "-ne" || args[0] == "-en") {
		if strings.Contains(args[0], "n") {
			end = ""
		}
		if strings.Contains(args[0], "e") && strings.Contains(strings.Join(args, " "), `\`) {
			return anyText
		}
		args = args[1:]
	}
	return strings.Join(args, " ") + end
}

// printed is the output of printf for the formats that only print words.
func printed(args []string) string {
	if len(args) == 0 {
		return ""
	}
	format := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(args[0])
	if strings.ContainsAny(strings.ReplaceAll(format, "%s", ""), `%\`) {
		return anyText
	}
	if !strings.Contains(format, "%s") {
		return format
	}
	var b strings.Builder
	for rest := args[1:]; ; {
		for piece := range strings.SplitSeq(format, "%s") {
			b.WriteString(piece)
			if len(rest) > 0 {
				b.WriteString(rest[0])
				rest = rest[1:]
			}
		}
		if len(rest) == 0 || b.Len() > commandMaxBytes {
			return b.String()
		}
	}
}

// passed is the output of cat without files: its input.
func (c *command) passed() string {
	if _, operands := c.split(); len(operands) > 0 || !c.in.piped {
		return anyText
	}
	return c.in.text
}

// computed covers commands that print a function of their words.
func (c *command) computed() string {
	_, operands := c.split()
	if len(operands) != 1 || strings.Contains(operands[0], anyText) {
		if c.name == "basename" && len(operands) == 2 {
			return strings.TrimSuffix(path.Base(operands[0]), operands[1]) + "\n"
		}
		return anyText
	}
	word := operands[0]
	switch c.name {
	case "basename":
		return path.Base(word) + "\n"
	case "dirname":
		return path.Dir(word) + "\n"
	case "which", "command", "type":
		return "/usr/bin/" + path.Base(word) + "\n"
	}
	return word + "\n"
}

// temporary is a new file or directory of mktemp.
func (c *command) temporary() string {
	dir := "/tmp"
	if c.ws.temp != "" {
		dir = c.ws.temp
	}
	_, operands := c.split("-p", "--tmpdir", "--suffix")
	if len(operands) == 1 && strings.Contains(operands[0], "/") {
		return strings.TrimRight(operands[0], "X") + atomText + "\n"
	}
	for i, arg := range c.args {
		if arg == "-p" && i+1 < len(c.args) {
			dir = c.args[i+1]
		}
	}
	return dir + "/tmp." + atomText + "\n"
}

// selected covers commands that print file names of this directory, or some of the lines
// that they read.
func (c *command) selected() string {
	options, operands := c.split()
	lists := false
	switch c.name {
	case "git":
		return c.gitOutput(operands)
	case "ls":
		return lsOutput(operands)
	case "rg", "ag":
		lists = has(options, "-l", "--files", "--files-with-matches", "-L")
	case "grep", "egrep", "fgrep":
		lists = has(options, "-l", "-L", "--files-with-matches", "--files-without-match") && !c.in.piped
	}
	if lists {
		return listText + "\n"
	}
	if c.in.piped && slices.Contains([]string{"head", "tail", "sort", "uniq", "tac", "grep", "egrep", "fgrep", "rg"}, c.name) {
		return c.narrowed(operands)
	}
	if c.in.piped && consistsOf(c.in.text, atomText+"\n") {
		return atomText + "\n"
	}
	return anyText
}

// narrowed is what a filter lets through. Of everything that a directory holds, a search
// with a pattern of its own picks some names.
func (c *command) narrowed(operands []string) string {
	options, _ := c.split()
	searches := c.name == "rg" || strings.HasSuffix(c.name, "grep")
	if !searches || len(operands) == 0 || strings.Trim(operands[0], ".*^$") == "" || isDynamic(operands[0]) || has(options, "-v", "--invert-match") {
		return c.in.text
	}
	lines := strings.SplitAfter(c.in.text, "\n")
	for i, line := range lines {
		if dir, ok := strings.CutSuffix(line, starText+"\n"); ok {
			lines[i] = dir + atomText + "\n"
		}
	}
	return strings.Join(lines, "")
}

// lsOutput is the names in a directory.
func lsOutput(operands []string) string {
	var out []string
	for _, o := range operands {
		if isDynamic(o) {
			out = append(out, o)
		}
	}
	if len(out) > 0 && len(out) == len(operands) {
		return strings.Join(out, "\n") + "\n"
	}
	return listText + "\n"
}

// gitOutput is what git prints: names in the work tree, or plain names.
func (c *command) gitOutput(operands []string) string {
	if len(operands) == 0 {
		return anyText
	}
	switch operands[0] {
	case "ls-files":
		if len(c.args) == 1 || len(c.args) == 2 && c.args[1] == "-z" { // everything
			return starText + "\n"
		}
		return listText + "\n"
	case "diff", "diff-tree", "grep", "diff-index":
		return listText + "\n"
	case "rev-parse":
		if slices.Contains(c.args, "--show-toplevel") {
			return c.ws.root + "\n"
		}
		return atomText + "\n"
	case "branch", "describe", "rev-list", "merge-base", "symbolic-ref", "tag", "hash-object", "stash", "write-tree", "commit-tree":
		return atomText + "\n"
	}
	return anyText
}
