package gate

import (
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
	special  func(*command) result
}

// wrappers are the commands that run their operands. A program that is not in the table
// and runs its operands all the same is judged as an unknown command.
var wrappers map[string]wrapper

func init() {
	plain := wrapper{}
	wrappers = map[string]wrapper{
		"sudo":           {values: []string{"-u", "-g", "-h", "-p", "-C", "-D", "-r", "-t", "-T", "-U", "-R", "--user", "--group"}, chdir: []string{"-D", "--chdir"}, assigns: true, inquiry: []string{"-l", "-v", "-k", "-K", "-V"}},
		"doas":           {values: []string{"-u", "-C", "-a"}},
		"su":             {special: switchUser},
		"runuser":        {special: switchUser},
		"env":            {values: []string{"-u", "--unset", "-a", "--argv0"}, chdir: []string{"-C", "--chdir"}, program: []string{"-S", "--split-string"}, assigns: true},
		"nohup":          plain,
		"setsid":         plain,
		"time":           {values: []string{"-f", "-o", "--format", "--output"}},
		"nice":           {values: []string{"-n", "--adjustment"}},
		"ionice":         {values: []string{"-c", "-n", "-p", "-P", "-u", "--class", "--classdata"}},
		"chrt":           {operands: 1, values: []string{"-T", "-P", "-D"}},
		"taskset":        {operands: 1},
		"stdbuf":         {values: []string{"-i", "-o", "-e", "--input", "--output", "--error"}},
		"unbuffer":       plain,
		"timeout":        {operands: 1, values: []string{"-s", "-k", "--signal", "--kill-after"}},
		"gtimeout":       {operands: 1, values: []string{"-s", "-k", "--signal", "--kill-after"}},
		"command":        {inquiry: []string{"-v", "-V"}},
		"builtin":        plain,
		"noglob":         plain,
		"nocorrect":      plain,
		"-":              plain,
		"exec":           {values: []string{"-a"}, special: replaceShell},
		"chroot":         {operands: 1, values: []string{"--userspec", "--groups"}},
		"fakeroot":       {values: []string{"-l", "-f", "-i", "-s", "-b"}},
		"unshare":        {values: []string{"-S", "-G", "-R", "-w", "--wd"}},
		"flock":          {operands: 1, values: []string{"-w", "-E", "--timeout", "--conflict-exit-code"}, program: []string{"-c", "--command"}},
		"watch":          {values: []string{"-n", "--interval", "-q", "--equexit"}, joined: true},
		"script":         {operands: 1, values: []string{"-E", "-I", "-O", "-B", "-T", "-m", "-o"}, program: []string{"-c", "--command"}},
		"strace":         {values: []string{"-e", "-o", "-p", "-s", "-u", "-E", "-a", "-P", "-I", "-S", "-b", "-X"}},
		"ltrace":         {values: []string{"-e", "-o", "-p", "-s", "-u", "-l", "-n", "-a"}},
		"valgrind":       plain,
		"caffeinate":     {values: []string{"-t", "-w"}},
		"xvfb-run":       {values: []string{"-e", "-f", "-n", "-p", "-s", "-w"}},
		"faketime":       {operands: 1},
		"proxychains":    {values: []string{"-f"}},
		"torsocks":       plain,
		"busybox":        plain,
		"toybox":         plain,
		"ld.so":          plain,
		"xargs":          {special: runXargs},
		"gxargs":         {special: runXargs},
		"parallel":       {special: runParallel},
		"find":           {special: runFind},
		"gfind":          {special: runFind},
		"fd":             {special: runFd},
		"fdfind":         {special: runFd},
		"entr":           plain,
		"hyperfine":      {special: runPrograms},
		"concurrently":   {special: runPrograms},
		"cross-env":      {assigns: true},
		"dotenv":         {values: []string{"-e", "-f", "-c"}},
		"shx":            plain,
		"tini":           plain,
		"dumb-init":      plain,
		"setpriv":        plain,
		"prlimit":        plain,
		"eatmydata":      plain,
		"rlwrap":         plain,
		"chronic":        plain,
		"setarch":        {operands: 1},
		"numactl":        {values: []string{"-C", "-N", "-m"}},
		"watchexec":      {values: []string{"-e", "-w", "-i", "--exts", "--watch", "--ignore"}},
		"nodemon":        {values: []string{"-w", "-e", "--watch", "--ext"}, program: []string{"-x", "--exec"}},
		"lerna":          {sub: []string{"exec"}, values: []string{"--scope", "--ignore"}},
		"volta":          {sub: []string{"run"}, values: []string{"--node", "--npm"}},
		"nvm":            {sub: []string{"exec", "run"}, operands: 1},
		"fnm":            {sub: []string{"exec"}, values: []string{"--using"}},
		"pyenv":          {sub: []string{"exec"}},
		"rbenv":          {sub: []string{"exec"}},
		"corepack":       plain,
		"dotenvx":        {sub: []string{"run"}, values: []string{"-f", "-e"}},
		"doppler":        {sub: []string{"run"}, values: []string{"-p", "-c"}, program: []string{"--command"}},
		"env-cmd":        {values: []string{"-f", "-e", "-r"}},
		"foreman":        {sub: []string{"run"}, values: []string{"-e", "-f"}},
		"heroku":         {sub: []string{"run"}, values: []string{"-a", "--app"}, foreign: true},
		"screen":         {values: []string{"-S", "-t", "-c", "-h", "-p", "-L", "-Logfile", "-X"}},
		"tmux":           {special: runMultiplexer},
		"gosu":           {operands: 1},
		"npx":            {values: []string{"-p", "--package"}, program: []string{"-c", "--call"}},
		"bunx":           plain,
		"uvx":            {values: []string{"--from", "--with", "-p", "--python"}},
		"pipx":           {sub: []string{"run"}, values: []string{"--spec"}},
		"npm":            {sub: []string{"exec", "x"}, values: []string{"-p", "--package", "--prefix"}, program: []string{"-c", "--call"}},
		"pnpm":           {sub: []string{"exec", "dlx"}, values: []string{"-C", "--dir", "--filter", "-F", "--package"}},
		"yarn":           {sub: []string{"exec", "dlx"}, values: []string{"--cwd", "-p", "--package"}},
		"bun":            {sub: []string{"x"}},
		"uv":             {sub: []string{"run"}, values: []string{"--with", "--python", "-p", "--extra", "--group", "--env-file", "--project", "--directory", "--with-requirements"}},
		"poetry":         {sub: []string{"run"}, values: []string{"-C", "--directory", "-P"}},
		"pipenv":         {sub: []string{"run"}},
		"hatch":          {sub: []string{"run"}, values: []string{"-e", "--env"}},
		"pdm":            {sub: []string{"run"}},
		"rye":            {sub: []string{"run"}},
		"bundle":         {sub: []string{"exec"}},
		"mise":           {sub: []string{"exec", "x"}},
		"asdf":           {sub: []string{"exec"}},
		"direnv":         {sub: []string{"exec"}, operands: 1},
		"conda":          {sub: []string{"run"}, values: []string{"-n", "--name", "-p", "--prefix"}},
		"mamba":          {sub: []string{"run"}, values: []string{"-n", "--name", "-p", "--prefix"}},
		"rustup":         {sub: []string{"run"}, operands: 1},
		"nix":            {sub: []string{"develop", "shell"}, values: []string{"-f", "--file"}, program: []string{"-c", "--command"}},
		"nix-shell":      {values: []string{"-p", "-A", "-I"}, program: []string{"--run", "--command"}, operands: 1},
		"ssh":            {operands: 1, values: []string{"-B", "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-O", "-o", "-p", "-Q", "-R", "-S", "-W", "-w"}, joined: true, foreign: true, special: runRemote},
		"docker":         {special: runContainer},
		"podman":         {special: runContainer},
		"nerdctl":        {special: runContainer},
		"docker-compose": {special: runContainer},
		"kubectl":        {sub: []string{"exec"}, operands: 1, values: []string{"-n", "--namespace", "-c", "--container", "--context", "--kubeconfig", "-f"}, foreign: true},
		"oc":             {sub: []string{"exec", "rsh"}, operands: 1, values: []string{"-n", "--namespace", "-c", "--container"}, foreign: true},
		"vagrant":        {sub: []string{"ssh"}, program: []string{"-c", "--command"}, foreign: true},
	}
}

// wrapped judges what a wrapper runs. Without a command to run it is a plain command.
func (c *command) wrapped(w wrapper) result {
	if w.special != nil {
		return w.special(c)
	}
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
	rest, inner, ran := c.ownWords(w)
	if ran != nil {
		return *ran
	}
	if len(rest) == 0 {
		return c.itself()
	}
	if c.policyRule() {
		return unchanged(c.env, anyText)
	}
	if w.joined {
		return inner.runText(strings.Join(rest, " "), w.foreign)
	}
	if w.foreign {
		return inner.runForeign(rest)
	}
	r := inner.again(rest, c.in)
	if inner == c {
		return r
	}
	return unchanged(c.env, r.out)
}

// ownWords skips the options, operands and assignments of a wrapper. ran is set when an
// option's value was the program itself.
func (c *command) ownWords(w wrapper) (rest []string, inner *command, ran *result) {
	inner = c
	need := w.operands
	sub := w.sub != nil
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		name, value, attached := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			if i+1+need > len(c.args) {
				return nil, inner, nil
			}
			return c.args[i+1+need:], inner, nil
		case len(arg) > 1 && arg[0] == '-':
			if slices.Contains(w.inquiry, arg) {
				return nil, inner, nil
			}
			if takesValue(name, w.program) {
				text := value
				if !attached && i+1 < len(c.args) {
					text = strings.Join(c.args[i+1:min(i+2, len(c.args))], " ")
				}
				if name == "-S" || name == "--split-string" {
					text += " " + strings.Join(c.args[min(i+2, len(c.args)):], " ")
				}
				r := inner.runText(text, w.foreign)
				return nil, inner, &r
			}
			if text, ok := attachedProgram(arg, w.program); ok {
				r := inner.runText(text, w.foreign)
				return nil, inner, &r
			}
			if slices.Contains(w.chdir, name) {
				if !attached && i+1 < len(c.args) {
					i++
					value = c.args[i]
				}
				inner = inner.enterDirectory(value)
				continue
			}
			if !attached && takesValue(arg, w.values) {
				i++
			}
			if name == "-u" || name == "--unset" {
				c.take(c.policy.judgeVariable(c.args[min(i, len(c.args)-1)], ""))
				c.take(c.policy.judgeVariable(value, ""))
			}
		case strings.HasPrefix(arg, anyText):
			c.deny(CodeDynamic, c.name+" gets words that are known only when it runs. Write the command out.")
			return nil, inner, nil
		case sub:
			sub = false
		case w.assigns && attached && isName(name):
			inner = inner.withVariable(name, value)
		case need > 0:
			need--
		default:
			return c.args[i:], inner, nil
		}
	}
	return nil, inner, nil
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
	w := wrappers["ssh"]
	w.special = nil
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
