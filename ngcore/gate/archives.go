package gate

import "strings"

// tarValues are options of tar that take the next word.
var tarValues = []string{
	"-f", "--file", "-C", "--directory", "--exclude", "-X", "-T", "--files-from", "--transform", "--strip-components", "-I",
	"--use-compress-program", "-b", "--owner", "--group", "--mode", "--checkpoint-action", "--to-command", "-F",
}

// tarPrograms are options of tar whose value it runs.
var tarPrograms = []string{"--to-command", "--use-compress-program", "-I", "--rsh-command", "--info-script", "--new-volume-script", "-F"}

// judgeTar judges the archive, the members, and the programs that options run.
func judgeTar(c *command) {
	inner := *c
	if len(c.args) > 0 && c.args[0] != "" && c.args[0][0] != '-' { // tar xzf: a cluster without its dash
		inner.args = append([]string{"-" + c.args[0]}, c.args[1:]...)
	}
	inner.in = input{piped: true, text: anyText} // the programs get what the archive holds
	inner.optionPrograms(tarPrograms)
	options, members := splitOptions(inner.args, tarValues)
	creates := has(options, "-c", "--create", "-r", "--append", "-u", "--update")
	where := inner.tarOptions(creates)
	if has(options, "-x", "--extract", "--get") {
		if has(options, "-P", "--absolute-names", "--absolute-paths") {
			c.deny(CodeOutsideWorkspace, c.line()+" lets the archive choose where its files go. Extract without -P.")
		}
		where.worksHere()
	}
	if !creates {
		return
	}
	a := accessRead
	if has(options, "--remove-files") {
		a = accessTree
	}
	for _, member := range members {
		where.access(member, a)
	}
}

// tarOptions judges what the options name and returns the command in the directory in
// which it works.
func (c *command) tarOptions(creates bool) *command {
	archive, where := accessRead, c
	if creates {
		archive = accessWrite
	}
	for i, arg := range c.args {
		name, value, attached := strings.Cut(arg, "=")
		if !attached && i+1 < len(c.args) {
			value = c.args[i+1]
		}
		switch {
		case name == "-C" || name == "--directory":
			where = c.enterDirectory(value)
		case name == "--file" || isShortOption(arg, 'f'):
			c.operand(value, archive)
		case name == "--checkpoint-action":
			if program, ok := strings.CutPrefix(value, "exec="); ok {
				c.runShell(program, nil)
			}
		}
	}
	return where
}
