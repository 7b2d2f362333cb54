package gate

import (
	"cmp"
	"slices"
	"strings"
)

// wrapper describes a command that runs another command.
type wrapper struct {
	sub      []string // first operands that make it one, as in "uv run"; nil: always
	values   []string // its own options that take the next word
	operands int      // its own operands before the command
	assigns  bool     // NAME=value words may stand before the command
	program  []string // options whose value is a shell program
	chdir    []string // options that name the directory in which the command runs
	joined   bool     // the command's words are joined and given to a shell
	foreign  bool     // the command runs in a container or on another machine
	inquiry  []string // options that make it answer a question and run nothing
	shell    bool     // without a command it starts a shell
}

// wrappers are the commands that run their operands. A program that is not in the table
// and runs its operands all the same is judged as an unknown command.
var wrappers = table[wrapper]{
	{"sudo", wrapper{shell: true, values: []string{"-u", "-g", "-h", "-p", "-C", "-D", "-r", "-t", "-T", "-U", "-R", "--user", "--group"}, chdir: []string{"-D", "--chdir"}, assigns: true, inquiry: []string{"-l", "-v", "-k", "-K", "-V"}}},
	{"doas", wrapper{shell: true, values: []string{"-u", "-C", "-a"}}},
	{"env", wrapper{values: []string{"-u", "--unset", "-a", "--argv0"}, chdir: []string{"-C", "--chdir"}, program: []string{"-S", "--split-string"}, assigns: true}},
	{"nohup", wrapper{}},
	{"setsid", wrapper{}},
	{"time", wrapper{values: []string{"-f", "-o", "--format", "--output"}}},
	{"nice", wrapper{values: []string{"-n", "--adjustment"}}},
	{"ionice", wrapper{values: []string{"-c", "-n", "-p", "-P", "-u", "--class", "--classdata"}}},
	{"chrt", wrapper{operands: 1, values: []string{"-T", "-P", "-D"}}},
	{"taskset", wrapper{operands: 1}},
	{"stdbuf", wrapper{values: []string{"-i", "-o", "-e", "--input", "--output", "--error"}}},
	{"unbuffer", wrapper{}},
	{"timeout", wrapper{operands: 1, values: []string{"-s", "-k", "--signal", "--kill-after"}}},
	{"gtimeout", wrapper{operands: 1, values: []string{"-s", "-k", "--signal", "--kill-after"}}},
	{"command", wrapper{inquiry: []string{"-v", "-V"}}},
	{"builtin", wrapper{}},
	{"noglob", wrapper{}},
	{"nocorrect", wrapper{}},
	{"-", wrapper{}},
	{"chroot", wrapper{shell: true, operands: 1, values: []string{"--userspec", "--groups"}}},
	{"fakeroot", wrapper{shell: true, values: []string{"-l", "-f", "-i", "-s", "-b"}}},
	{"unshare", wrapper{shell: true, values: []string{"-S", "-G", "-R", "-w", "--wd"}}},
	{"flock", wrapper{operands: 1, values: []string{"-w", "-E", "--timeout", "--conflict-exit-code"}, program: []string{"-c", "--command"}}},
	{"watch", wrapper{values: []string{"-n", "--interval", "-q", "--equexit"}, joined: true}},
	{"script", wrapper{shell: true, operands: 1, values: []string{"-E", "-I", "-O", "-B", "-T", "-m", "-o"}, program: []string{"-c", "--command"}}},
	{"strace", wrapper{values: []string{"-e", "-o", "-p", "-s", "-u", "-E", "-a", "-P", "-I", "-S", "-b", "-X"}}},
	{"ltrace", wrapper{values: []string{"-e", "-o", "-p", "-s", "-u", "-l", "-n", "-a"}}},
	{"valgrind", wrapper{}},
	{"caffeinate", wrapper{values: []string{"-t", "-w"}}},
	{"xvfb-run", wrapper{values: []string{"-e", "-f", "-n", "-p", "-s", "-w"}}},
	{"faketime", wrapper{operands: 1}},
	{"proxychains", wrapper{values: []string{"-f"}}},
	{"torsocks", wrapper{}},
	{"busybox", wrapper{}},
	{"toybox", wrapper{}},
	{"ld.so", wrapper{}},
	{"entr", wrapper{}},
	{"cross-env", wrapper{assigns: true}},
	{"dotenv", wrapper{values: []string{"-e", "-f", "-c"}}},
	{"shx", wrapper{}},
	{"tini", wrapper{}},
	{"dumb-init", wrapper{}},
	{"setpriv", wrapper{}},
	{"prlimit", wrapper{}},
	{"eatmydata", wrapper{}},
	{"rlwrap", wrapper{}},
	{"chronic", wrapper{}},
	{"setarch", wrapper{operands: 1}},
	{"numactl", wrapper{values: []string{"-C", "-N", "-m"}}},
	{"watchexec", wrapper{values: []string{"-e", "-w", "-i", "--exts", "--watch", "--ignore"}}},
	{"nodemon", wrapper{values: []string{"-w", "-e", "--watch", "--ext"}, program: []string{"-x", "--exec"}}},
	{"lerna", wrapper{sub: []string{"exec"}, values: []string{"--scope", "--ignore"}}},
	{"volta", wrapper{sub: []string{"run"}, values: []string{"--node", "--npm"}}},
	{"nvm", wrapper{sub: []string{"exec", "run"}, operands: 1}},
	{"fnm", wrapper{sub: []string{"exec"}, values: []string{"--using"}}},
	{"pyenv", wrapper{sub: []string{"exec"}}},
	{"rbenv", wrapper{sub: []string{"exec"}}},
	{"corepack", wrapper{}},
	{"dotenvx", wrapper{sub: []string{"run"}, values: []string{"-f", "-e"}}},
	{"doppler", wrapper{sub: []string{"run"}, values: []string{"-p", "-c"}, program: []string{"--command"}}},
	{"env-cmd", wrapper{values: []string{"-f", "-e", "-r"}}},
	{"foreman", wrapper{sub: []string{"run"}, values: []string{"-e", "-f"}}},
	{"heroku", wrapper{sub: []string{"run"}, values: []string{"-a", "--app"}, foreign: true}},
	{"screen", wrapper{values: []string{"-S", "-t", "-c", "-h", "-p", "-L", "-Logfile", "-X"}}},
	{"gosu", wrapper{operands: 1}},
	{"npx", wrapper{values: []string{"-p", "--package"}, program: []string{"-c", "--call"}}},
	{"bunx", wrapper{}},
	{"uvx", wrapper{values: []string{"--from", "--with", "-p", "--python"}}},
	{"pipx", wrapper{sub: []string{"run"}, values: []string{"--spec"}}},
	{"npm", wrapper{sub: []string{"exec", "x"}, values: []string{"-p", "--package", "--prefix"}, program: []string{"-c", "--call"}}},
	{"pnpm", wrapper{sub: []string{"exec", "dlx"}, values: []string{"-C", "--dir", "--filter", "-F", "--package"}}},
	{"yarn", wrapper{sub: []string{"exec", "dlx"}, values: []string{"--cwd", "-p", "--package"}}},
	{"bun", wrapper{sub: []string{"x"}}},
	{"uv", wrapper{sub: []string{"run"}, values: []string{"--with", "--python", "-p", "--extra", "--group", "--env-file", "--project", "--directory", "--with-requirements"}}},
	{"poetry", wrapper{sub: []string{"run"}, values: []string{"-C", "--directory", "-P"}}},
	{"pipenv", wrapper{sub: []string{"run"}}},
	{"hatch", wrapper{sub: []string{"run"}, values: []string{"-e", "--env"}}},
	{"pdm", wrapper{sub: []string{"run"}}},
	{"rye", wrapper{sub: []string{"run"}}},
	{"bundle", wrapper{sub: []string{"exec"}}},
	{"mise", wrapper{sub: []string{"exec", "x"}}},
	{"asdf", wrapper{sub: []string{"exec"}}},
	{"direnv", wrapper{sub: []string{"exec"}, operands: 1}},
	{"conda", wrapper{sub: []string{"run"}, values: []string{"-n", "--name", "-p", "--prefix"}}},
	{"mamba", wrapper{sub: []string{"run"}, values: []string{"-n", "--name", "-p", "--prefix"}}},
	{"rustup", wrapper{sub: []string{"run"}, operands: 1}},
	{"nix", wrapper{sub: []string{"develop", "shell"}, values: []string{"-f", "--file"}, program: []string{"-c", "--command"}}},
	{"nix-shell", wrapper{shell: true, values: []string{"-p", "-A", "-I"}, program: []string{"--run", "--command"}, operands: 1}},
	{"ssh", wrapper{operands: 1, values: []string{"-B", "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-O", "-o", "-p", "-Q", "-R", "-S", "-W", "-w"}, joined: true, foreign: true}},
	{"kubectl", wrapper{sub: []string{"exec"}, operands: 1, values: []string{"-n", "--namespace", "-c", "--container", "--context", "--kubeconfig", "-f"}, foreign: true}},
	{"oc", wrapper{sub: []string{"exec", "rsh"}, operands: 1, values: []string{"-n", "--namespace", "-c", "--container"}, foreign: true}},
	{"vagrant", wrapper{sub: []string{"ssh"}, program: []string{"-c", "--command"}, foreign: true}},
}

// wrapped judges what a wrapper runs. Without a command to run it is a plain command.
func (c *command) wrapped(w wrapper) result {
	if w.sub != nil {
		_, operands := c.split(w.values...)
		if len(operands) == 0 || !slices.Contains(w.sub, operands[0]) {
			return c.itself()
		}
	}
	return c.runOperands(w)
}

// runOperands judges the command line that follows a wrapper's own words.
func (c *command) runOperands(w wrapper) result {
	own := ownWords{wrapper: w, command: c, rest: c.args, need: w.operands, named: w.sub != nil}
	own.read()
	switch {
	case own.ran:
		return unchanged(c.env, own.out)
	case len(own.rest) == 0:
		if w.shell && !contains(c.args, "--help") {
			c.runInput(shellLanguage)
		}
		return c.itself()
	case c.policyRule():
		return unchanged(c.env, anyText)
	case w.joined:
		return own.command.runText(strings.Join(own.rest, " "), w.foreign)
	case w.foreign:
		return own.command.runForeign(own.rest)
	}
	r := own.command.again(own.rest, c.in)
	if own.command == c { // the command may be one that changes the shell, as after builtin
		return r
	}
	return unchanged(c.env, r.out)
}

// ownWords reads the words of a wrapper up to the command that it runs.
type ownWords struct {
	wrapper
	command *command // in the directory and with the variables that the words set
	rest    []string // words that are not read yet; in the end, the command
	need    int      // operands of the wrapper still to come
	named   bool     // its first operand is the word that makes it a wrapper
	ran     bool     // the program was the value of an option, and is judged
	out     string   // what that program prints
}

func (o *ownWords) read() {
	for len(o.rest) > 0 && !o.ran {
		arg := o.rest[0]
		name, value, attached := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			o.rest = o.rest[min(1+o.need, len(o.rest)):]
			return
		case len(arg) > 1 && arg[0] == '-':
			o.rest = o.rest[1:]
			if slices.Contains(o.inquiry, arg) {
				o.rest = nil
				return
			}
			o.option(arg, name, value, attached)
			continue
		case strings.HasPrefix(arg, anyText):
			o.command.deny(CodeDynamic, o.command.name+" gets words that are known only when it runs. Write the command out.")
			o.ran = true
			return
		case o.named:
			o.named = false
		case o.assigns && attached && isName(name):
			o.command = o.command.withVariable(name, value)
		case o.need > 0:
			o.need--
		default:
			return
		}
		o.rest = o.rest[1:]
	}
}

// option reads one option, and the next word when it is the option's value.
func (o *ownWords) option(arg, name, value string, attached bool) {
	next := ""
	if len(o.rest) > 0 {
		next = o.rest[0]
	}
	text, stuck := attachedProgram(arg, o.program)
	switch {
	case takesValue(name, o.program) && attached:
		o.run(name, value, o.rest)
	case takesValue(name, o.program):
		o.run(name, next, o.rest[min(1, len(o.rest)):])
	case stuck:
		o.run(arg[:2], text, o.rest)
	case slices.Contains(o.chdir, name) && attached:
		o.command = o.command.enterDirectory(value)
	case slices.Contains(o.chdir, name):
		o.command = o.command.enterDirectory(next)
		o.rest = o.rest[min(1, len(o.rest)):]
	case !attached && takesValue(arg, o.values):
		o.rest = o.rest[min(1, len(o.rest)):]
	}
	if name == "-u" || name == "--unset" { // of env: it takes a variable away
		o.command.take(o.command.policy.judgeVariable(cmp.Or(value, next), ""))
	}
}

// run judges an option's program. That of env -S goes on in the words that follow it.
func (o *ownWords) run(name, text string, following []string) {
	if name == "-S" || name == "--split-string" {
		text = strings.Join(append([]string{text}, following...), " ")
	}
	o.out, o.ran = o.command.runText(text, o.foreign).out, true
}

// attachedProgram returns the value of a short option written without a blank, -Sprogram.
func attachedProgram(arg string, options []string) (string, bool) {
	for _, o := range options {
		if len(o) == 2 && len(arg) > 2 && strings.HasPrefix(arg, o) && !isLetters(arg[1:]) {
			return arg[2:], true
		}
	}
	return "", false
}

func isName(text string) bool {
	for i, r := range text {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return text != ""
}

func (c *command) withVariable(name, text string) *command {
	c.variable(name, text, c.env)
	inner := *c
	inner.env = c.env.clone()
	inner.env.set(name, variable{cases: [][]string{{text}}, exported: true})
	return &inner
}

// runText judges a text that the command gives to a shell.
func (c *command) runText(text string, foreign bool) result {
	if foreign {
		return c.runForeign([]string{"sh", "-c", text})
	}
	return c.runShell(text, nil)
}

// runForeign judges a command that runs where the workspace is not: what it deletes
// there is somebody's data, and what it reads is not the user's.
func (c *command) runForeign(argv []string) result {
	saved := c.shell.away
	c.shell.away = true
	defer func() { c.shell.away = saved }()
	return unchanged(c.env, c.again(argv, c.in).out)
}
