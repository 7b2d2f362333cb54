package gate

import (
	"slices"
	"strings"
)

// fileCommand describes what a command does to the files that it names.
type fileCommand struct {
	operands access   // what it does to its operands
	last     access   // what it does to the last of several; accessMeta: the same
	skip     int      // first operands that are no files, such as a pattern
	skipWith []string // options that supply what skip would skip
	values   []string // options that take the next word and name no file
	reads    []string // options whose value is a file that it reads
	writes   []string // options whose value is a file that it writes
	changes  []string // options that make it write its operands
	tree     []string // options that make a deletion one of whole directories
	inquiry  []string // options that make it list only
	programs []string // options whose value it runs
}

// fileCommands are the ordinary commands on files. What is not in the table is judged as
// an unknown command.
var fileCommands = table[fileCommand]{
	{"rm", fileCommand{operands: accessDelete, tree: []string{"-r", "-R", "--recursive"}}},
	{"del", fileCommand{operands: accessTree}},
	{"erase", fileCommand{operands: accessTree}},
	{"rd", fileCommand{operands: accessTree}},
	{"rmdir", fileCommand{operands: accessDelete}},
	{"unlink", fileCommand{operands: accessDelete}},
	{"shred", fileCommand{operands: accessDelete, values: []string{"-n", "-s", "--iterations", "--size"}}},
	{"srm", fileCommand{operands: accessTree}},
	{"wipe", fileCommand{operands: accessTree}},
	{"rimraf", fileCommand{operands: accessTree}},
	{"del-cli", fileCommand{operands: accessTree}},
	{"trash", fileCommand{operands: accessTree}},
	{"trash-put", fileCommand{operands: accessTree}},
	{"truncate", fileCommand{operands: accessWrite, values: []string{"-s", "--size"}, reads: []string{"-r", "--reference"}}},
	{"mkdir", fileCommand{operands: accessWrite, values: []string{"-m", "--mode"}}},
	{"mkfifo", fileCommand{operands: accessWrite, values: []string{"-m", "--mode"}}},
	{"mknod", fileCommand{operands: accessWrite}},
	{"touch", fileCommand{operands: accessWrite, values: []string{"-t", "-d", "--date"}, reads: []string{"-r"}}},
	{"tee", fileCommand{operands: accessWrite}},
	{"sponge", fileCommand{operands: accessWrite}},
	{"chattr", fileCommand{operands: accessWrite, skip: 1}},
	{"setfacl", fileCommand{operands: accessWrite, values: []string{"-m", "-x", "-M", "-X"}}},
	{"xattr", fileCommand{operands: accessWrite}},
	{"cp", fileCommand{operands: accessRead, last: accessWrite, writes: []string{"-t", "--target-directory"}, values: []string{"-S", "--suffix"}}},
	{"scp", fileCommand{operands: accessRead, last: accessWrite, values: []string{"-c", "-F", "-J", "-l", "-o", "-P", "-S"}, reads: []string{"-i"}}},
	{"install", fileCommand{operands: accessRead, last: accessWrite, writes: []string{"-t"}, values: []string{"-m", "-o", "-g", "-S"}}},
	{"mv", fileCommand{operands: accessTree, last: accessWrite, writes: []string{"-t", "--target-directory"}, values: []string{"-S", "--suffix"}}},
	{"link", fileCommand{operands: accessWrite}},
	{"gzip", fileCommand{operands: accessWrite, values: []string{"-S"}, inquiry: []string{"-c", "--stdout", "-l", "-t", "-k"}}},
	{"gunzip", fileCommand{operands: accessWrite, inquiry: []string{"-c", "--stdout", "-l", "-t", "-k"}}},
	{"bzip2", fileCommand{operands: accessWrite, inquiry: []string{"-c", "-t", "-k"}}},
	{"xz", fileCommand{operands: accessWrite, inquiry: []string{"-c", "-l", "-t", "-k"}}},
	{"zstd", fileCommand{operands: accessRead, writes: []string{"-o"}}},
	{"zip", fileCommand{operands: accessRead, values: []string{"-x", "-i", "-P"}, programs: []string{"-TT", "--unzip-command"}}},
	{"cpio", fileCommand{operands: accessWrite, writes: []string{"-D", "--directory"}, reads: []string{"-I", "-F", "--file"}, programs: []string{"--rsh-command"}}},
	{"unzip", fileCommand{operands: accessRead, skip: 0, writes: []string{"-d"}, values: []string{"-x", "-P"}, inquiry: []string{"-l", "-p", "-t", "-Z"}}},
	{"patch", fileCommand{operands: accessWrite, values: []string{"-p", "-F", "-z", "-B", "-Y", "-D"}, reads: []string{"-i", "--input"}, writes: []string{"-o", "--output", "-d", "-r"}}},
	{"split", fileCommand{operands: accessRead, last: accessWrite, values: []string{"-b", "-l", "-n", "-a", "-C"}}},
	{"cat", fileCommand{operands: accessRead}},
	{"bat", fileCommand{operands: accessRead, values: []string{"-l", "--language", "-r", "--line-range", "--style", "--theme", "--paging", "--color"}}},
	{"tac", fileCommand{operands: accessRead}},
	{"nl", fileCommand{operands: accessRead, values: []string{"-b", "-n", "-s", "-w", "-v", "-i"}}},
	{"head", fileCommand{operands: accessRead, values: []string{"-n", "-c", "--lines", "--bytes"}}},
	{"tail", fileCommand{operands: accessRead, values: []string{"-n", "-c", "-s", "--lines", "--bytes", "--pid"}}},
	{"less", fileCommand{operands: accessRead}},
	{"more", fileCommand{operands: accessRead}},
	{"wc", fileCommand{operands: accessRead, reads: []string{"--files0-from"}}},
	{"sort", fileCommand{operands: accessRead, values: []string{"-k", "-t", "-S", "-T"}, writes: []string{"-o", "--output"}, reads: []string{"--files0-from"}}},
	{"uniq", fileCommand{operands: accessRead, last: accessWrite, values: []string{"-f", "-s", "-w"}}},
	{"cut", fileCommand{operands: accessRead, values: []string{"-d", "-f", "-c", "-b", "--output-delimiter"}}},
	{"paste", fileCommand{operands: accessRead, values: []string{"-d"}}},
	{"join", fileCommand{operands: accessRead, values: []string{"-t", "-j", "-1", "-2", "-o", "-e", "-a", "-v"}}},
	{"comm", fileCommand{operands: accessRead}},
	{"diff", fileCommand{operands: accessRead, values: []string{"-U", "-C", "-I", "-x", "-L", "-W", "--label", "--exclude"}}},
	{"colordiff", fileCommand{operands: accessRead, values: []string{"-U"}}},
	{"cmp", fileCommand{operands: accessRead, values: []string{"-n", "-i"}}},
	{"column", fileCommand{operands: accessRead, values: []string{"-s", "-o", "-N", "-c"}}},
	{"fold", fileCommand{operands: accessRead, values: []string{"-w"}}},
	{"fmt", fileCommand{operands: accessRead, values: []string{"-w"}}},
	{"expand", fileCommand{operands: accessRead, values: []string{"-t"}}},
	{"rev", fileCommand{operands: accessRead}},
	{"base64", fileCommand{operands: accessRead, values: []string{"-w"}}},
	{"base32", fileCommand{operands: accessRead, values: []string{"-w"}}},
	{"xxd", fileCommand{operands: accessRead, last: accessWrite, values: []string{"-c", "-g", "-l", "-s", "-o"}}},
	{"od", fileCommand{operands: accessRead, values: []string{"-A", "-t", "-N", "-j", "-w"}}},
	{"hexdump", fileCommand{operands: accessRead, values: []string{"-n", "-s", "-e", "-f"}}},
	{"strings", fileCommand{operands: accessRead, values: []string{"-n", "-t", "-e"}}},
	{"md5sum", fileCommand{operands: accessRead}},
	{"sha1sum", fileCommand{operands: accessRead}},
	{"sha256sum", fileCommand{operands: accessRead}},
	{"sha512sum", fileCommand{operands: accessRead}},
	{"shasum", fileCommand{operands: accessRead, values: []string{"-a"}}},
	{"cksum", fileCommand{operands: accessRead}},
	{"iconv", fileCommand{operands: accessRead, values: []string{"-f", "-t"}, writes: []string{"-o"}}},
	{"grep", fileCommand{operands: accessRead, skip: 1, skipWith: []string{"-e", "-f", "--regexp", "--file"}, values: []string{"-e", "-A", "-B", "-C", "-m", "-d", "-D", "--include", "--exclude", "--exclude-dir", "--color", "--regexp", "--label", "--max-count"}, reads: []string{"-f", "--file"}}},
	{"rg", fileCommand{operands: accessRead, skip: 1, skipWith: []string{"-e", "-f", "--regexp", "--file", "--files"}, values: []string{"-e", "-A", "-B", "-C", "-m", "-g", "-t", "-T", "-j", "-M", "-r", "--glob", "--iglob", "--type", "--type-not", "--max-count", "--max-depth", "-d", "--context", "--after-context", "--before-context", "--sort", "--color", "--replace", "--max-columns"}, reads: []string{"-f", "--file"}}},
	{"ag", fileCommand{operands: accessRead, skip: 1, values: []string{"-A", "-B", "-C", "-G", "-m", "--ignore", "--ignore-dir"}}},
	{"ack", fileCommand{operands: accessRead, skip: 1, values: []string{"-A", "-B", "-C", "-m"}}},
	{"jq", fileCommand{operands: accessRead, skip: 1, skipWith: []string{"-f", "--from-file"}, values: []string{"--arg", "--argjson", "--indent"}, reads: []string{"-f", "--from-file"}}},
	{"yq", fileCommand{operands: accessRead, skip: 1, values: []string{"-p", "-o", "--input-format", "--output-format", "-I"}, changes: []string{"-i", "--inplace"}}},
	{"openssl", fileCommand{operands: accessMeta, skip: 99, reads: []string{"-in", "-inkey", "-key", "-CAkey", "-kfile"}, writes: []string{"-out", "-keyout"}}},
	{"gofmt", fileCommand{operands: accessRead, changes: []string{"-w"}, values: []string{"-r", "-cpuprofile"}}},
	{"gofumpt", fileCommand{operands: accessRead, changes: []string{"-w"}}},
	{"goimports", fileCommand{operands: accessRead, changes: []string{"-w"}, values: []string{"-local"}}},
	{"prettier", fileCommand{operands: accessRead, changes: []string{"--write", "-w"}, values: []string{"--parser", "--config", "--ignore-path"}}},
	{"black", fileCommand{operands: accessWrite, values: []string{"-l", "--line-length", "-t", "--target-version", "--config"}}},
	{"isort", fileCommand{operands: accessWrite, values: []string{"--profile"}}},
	{"rustfmt", fileCommand{operands: accessWrite, values: []string{"--edition", "--config", "--check"}}},
	{"clang-format", fileCommand{operands: accessRead, changes: []string{"-i"}}},
	{"dos2unix", fileCommand{operands: accessWrite}},
	{"crontab", fileCommand{operands: accessMeta}},
	{"ls", fileCommand{operands: accessMeta, values: []string{"-I", "-w"}}},
	{"tree", fileCommand{operands: accessMeta, values: []string{"-I", "-L", "-P", "-o"}}},
	{"stat", fileCommand{operands: accessMeta, values: []string{"-c", "-f"}}},
	{"file", fileCommand{operands: accessMeta}},
	{"du", fileCommand{operands: accessMeta, values: []string{"-d", "--max-depth"}}},
	{"df", fileCommand{operands: accessMeta}},
	{"man", fileCommand{operands: accessMeta, skip: 99, programs: []string{"-P", "--pager", "-H"}}},
	{"test", fileCommand{operands: accessMeta}},
	{"[", fileCommand{operands: accessMeta}},
	{"realpath", fileCommand{operands: accessMeta}},
	{"readlink", fileCommand{operands: accessMeta}},
	{"basename", fileCommand{operands: accessMeta}},
	{"dirname", fileCommand{operands: accessMeta}},
	{"pwd", fileCommand{operands: accessMeta}},
}

// textCommands print or ignore their words; nothing that they name is touched.
var textCommands = []string{"echo", "true", "false", ":", "sleep", "seq", "date", "expr", "yes", "which", "type", "hash", "whereis", "uname", "whoami", "id", "nproc", "uptime", "env", "printenv", "tr", "let", "wait", "jobs", "bg", "fg", "shopt", "ulimit", "umask", "times", "command", "clear", "tput", "arch", "hostname", "lsof", "ps", "pgrep", "top", "free", "builtin", "mktemp", "break", "continue", "nohup", "time", "locale", "getconf", "groups", "ss", "netstat", "ping", "dig", "nslookup", "info", "history", "fc", "disown", "complete", "compgen", "bind", "pidof", "cal", "bc", "numfmt", "factor", "logger"}

// judgeFiles judges a command of the table.
func judgeFiles(spec fileCommand) func(*command) {
	return func(c *command) {
		values := slices.Concat(spec.values, spec.reads, spec.writes)
		options, operands := c.split(slices.Concat(values, spec.programs)...)
		c.optionPrograms(spec.programs)
		c.optionFiles(spec.reads, accessRead)
		c.optionFiles(spec.writes, accessWrite)
		what := spec.operands
		if has(options, spec.changes...) {
			what = accessWrite
		}
		if what == accessDelete && has(options, spec.tree...) {
			what = accessTree
		}
		if has(options, spec.inquiry...) {
			what = accessRead
		}
		if !has(options, spec.skipWith...) {
			operands = operands[min(spec.skip, len(operands)):]
		}
		toOption := has(options, "-t", "--target-directory") && slices.Contains(spec.writes, "-t")
		for i, word := range operands {
			a := what
			if spec.last != accessMeta && i > 0 && i == len(operands)-1 && !toOption {
				a = spec.last
			}
			c.operand(word, a)
		}
		c.carry(options, operands)
	}
}

// carry follows what this program wrote through tee, cp, mv and ln.
func (c *command) carry(options, operands []string) {
	switch c.name {
	case "tee":
		for _, word := range operands {
			c.wrote(word, c.in.text, has(options, "-a", "--append"))
		}
	case "cp", "mv", "install", "ln":
		if len(operands) != 2 {
			return
		}
		if text, ok := c.files[fileKey(operands[0])]; ok {
			c.wrote(operands[1], text, false)
		}
	}
}

// judgeMode judges chmod and its kin, whose mode can look like an option.
func judgeMode(c *command) {
	skip := 1
	for _, arg := range c.args {
		if strings.HasPrefix(arg, "--reference") || len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "rwxXstugo=,+-") == "" && strings.Trim(arg[1:], "rwxXst") != arg[1:] && arg != "--" {
			skip = 0
		}
	}
	_, operands := c.split()
	if skip == 1 && len(operands) > 0 && c.name == "chmod" && setsUser(operands[0]) {
		c.deny(CodeSystemChange, c.line()+" lets a program run with its owner's rights. Run it as who you are.")
	}
	for _, word := range operands[min(skip, len(operands)):] {
		c.operand(word, accessWrite)
	}
}

// setsUser reports whether a mode has the set-user-ID bit.
func setsUser(mode string) bool {
	who, rights, symbolic := strings.Cut(mode, "+")
	if symbolic {
		return strings.Contains(rights, "s") && who != "g"
	}
	return len(mode) == 4 && mode[0] >= '4' && mode[0] <= '7'
}

// judgeLink judges both ends of a link: what lies behind it can be changed through it. A
// symbolic link's target is relative to the directory of the link.
func judgeLink(c *command) {
	options, operands := c.split("-S", "--suffix", "-t", "--target-directory")
	c.optionFiles([]string{"-t", "--target-directory"}, accessWrite)
	if len(operands) == 0 {
		return
	}
	link := operands[len(operands)-1]
	c.operand(link, accessWrite)
	for _, target := range operands[:max(len(operands)-1, 1)] {
		if dir, _, ok := cutLast(link, "/"); ok && has(options, "-s", "--symbolic") && !strings.HasPrefix(target, "/") && len(operands) > 1 {
			target = dir + "/" + target
		}
		c.operand(target, accessWrite)
	}
	c.carry(options, operands)
}

// cutLast cuts text around the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// operand judges a word that names a file. A word that could be options as well is one
// that nobody can judge when the command changes files.
func (c *command) operand(word string, a access) {
	if word == "-" || isRemote(word) {
		return
	}
	c.access(word, a)
}

// isRemote reports whether a word is host:path or a URL, for commands that copy.
func isRemote(word string) bool {
	host, _, ok := strings.Cut(word, ":")
	return ok && host != "" && !strings.ContainsAny(host, "/.~") || strings.Contains(word, "://") || ok && strings.Contains(host, "@")
}

// optionFiles judges the files that options name.
func (c *command) optionFiles(names []string, a access) {
	for i, arg := range c.args {
		for _, name := range names {
			if arg == name && i+1 < len(c.args) {
				c.operand(c.args[i+1], a)
			}
			if value, ok := strings.CutPrefix(arg, name+"="); ok && strings.HasPrefix(name, "-") {
				c.operand(value, a)
			}
			if value, ok := strings.CutPrefix(arg, name); ok && len(name) == 2 && value != "" && strings.ContainsAny(value, "/.") {
				c.operand(value, a)
			}
		}
	}
}

// outputOptions name, by widespread custom, a file or a directory that a program writes.
var outputOptions = []string{"-o", "--output", "--out", "--outfile", "--out-file", "--outdir", "--out-dir", "--output-dir", "--output-file", "--dest", "--destdir", "--install-dir", "--prefix", "--target-dir", "--directory", "--log-file", "--report"}

// unknownCommand judges a program that the tables do not know: it may do its work in the
// workspace. What it is told to write has to lie there, and no word may name a secret or
// a part of the gate.
func (c *command) unknownCommand() {
	c.worksHere()
	c.optionFiles(outputOptions, accessWrite)
	for i, arg := range c.args {
		if c.done() {
			return
		}
		c.mention(arg)
		if c.handsOver(i) {
			c.again(c.args[i:], c.in)
			return
		}
	}
	c.framework()
}

// handsOver reports whether an unknown command seems to run the rest of its words: a
// known command after "--", a shell with a program, or a deletion.
func (c *command) handsOver(i int) bool {
	name, ok := commandName(c.args[i])
	if !ok || i+1 >= len(c.args) {
		return false
	}
	if i > 0 && c.args[i-1] == "--" {
		_, wraps := wrappers.get(name)
		_, runs := findInterpreter(name)
		return wraps || runs || runner(name) != nil || judgeOf(name) != nil || c.policy.denyCommands[name] != nil
	}
	next := c.args[i+1]
	if in, ok := findInterpreter(name); ok {
		return isInline(next, in)
	}
	return name == "rm" && strings.HasPrefix(next, "-")
}

// mention judges a word of an unknown command that may name a file. It is read if it is
// a file at all, so that only secrets and the gate's own files matter.
func (c *command) mention(arg string) {
	if c.away || strings.Contains(arg, "exclude") || strings.Contains(arg, "ignore") {
		return
	}
	name := arg
	if arg != "" && arg[0] == '-' {
		_, name, _ = strings.Cut(arg, "=")
	}
	name = strings.TrimPrefix(name, "@")
	if name == "" || strings.ContainsAny(name, " \n\t,;(){}<>|") || hasAnyByte(name, anyText+hostText) || strings.Contains(name, "://") {
		return
	}
	for _, where := range c.env.cwd {
		c.work.spend(pathWork + len(name))
		target, _ := absolutePath(c.ws, name, where)
		for _, spelling := range []string{target, c.ws.resolve(placeholders(target))} {
			a := accessRead
			if strings.Contains(name, "/") || strings.HasPrefix(name, "opencode") {
				a = accessWrite
			}
			v := c.policy.judgeNames(c.ws, spelling, name, a)
			if v.Code == CodeGitInternals && !strings.Contains(name, ".git/") {
				continue
			}
			c.take(v)
		}
	}
}
