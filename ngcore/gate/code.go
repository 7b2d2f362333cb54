package gate

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// effect is what a call of a language's library does.
type effect int

const (
	runsShell  effect = iota + 1 // gives text to a shell, or a list to the system
	runsCode                     // runs text as code of the same language
	deletes                      // deletes one file
	deletesAll                   // deletes a directory with all that is in it
	writes                       // writes a file
	opens                        // reads or writes, by its second argument
	reads                        // reads a file
	reaches                      // gets at names that the code does not spell
	refused                      // does what nobody can judge
	queries                      // sends a statement to a database
)

// pythonCalls are Python's calls by their last name.
var pythonCalls = map[string]effect{
	"system": runsShell, "popen": runsShell, "getoutput": runsShell, "getstatusoutput": runsShell, "Popen": runsShell, "check_output": runsShell, "check_call": runsShell,
	"create_subprocess_shell": runsShell, "create_subprocess_exec": runsShell, "spawn": runsShell,
	"execv": runsShell, "execve": runsShell, "execvp": runsShell, "execvpe": runsShell, "execl": runsShell, "execlp": runsShell, "execle": runsShell, "spawnl": runsShell, "spawnv": runsShell, "spawnvp": runsShell, "spawnlp": runsShell, "posix_spawn": runsShell,
	"rmtree": deletesAll, "removedirs": deletesAll, "unlink": deletes, "rmdir": deletes,
	"write_text": writes, "write_bytes": writes, "makedirs": writes, "mkdir": writes, "touch": writes, "symlink": writes, "symlink_to": writes, "hardlink_to": writes, "copytree": writes, "copyfile": writes, "copy2": writes, "chmod": writes, "truncate": writes, "extractall": writes,
	"execute": queries, "executescript": queries, "executemany": queries,
	"open": opens, "read_text": reads, "read_bytes": reads, "dotenv_values": reads,
	"eval": runsCode, "exec": runsCode, "compile": runsCode, "__import__": reaches, "import_module": reaches, "getattr": reaches, "__getattribute__": reaches, "globals": reaches, "__builtins__": reaches, "__subclasses__": reaches, "CDLL": reaches, "run_path": reaches, "run_module": reaches,
}

// pythonModuleCalls are calls that only their module tells from harmless ones.
var pythonModuleCalls = map[string]effect{
	"os.remove": deletes, "os.rename": writes, "os.replace": writes, "shutil.move": writes, "shutil.copy": writes, "os.link": writes, "os.truncate": writes, "os.chdir": writes, "os.chown": writes,
	"subprocess.run": runsShell, "subprocess.call": runsShell, "pty.spawn": refused, "pty.fork": refused, "commands.getoutput": runsShell, "re.compile": 0, "platform.system": 0, "runpy.run_path": reaches, "sys.modules": reaches,
}

// scriptCalls are the calls of Node, Deno and Bun by their last name.
var scriptCalls = map[string]effect{
	"execSync": runsShell, "execFile": runsShell, "execFileSync": runsShell, "spawn": runsShell, "spawnSync": runsShell, "fork": runsShell, "execa": runsShell, "execaSync": runsShell, "execaCommand": runsShell,
	"rm": deletesAll, "rmSync": deletesAll, "rmdir": deletesAll, "rmdirSync": deletesAll, "rimraf": deletesAll, "rimrafSync": deletesAll, "removeSync": deletesAll, "emptyDirSync": deletesAll, "unlink": deletes, "unlinkSync": deletes,
	"writeFile": writes, "writeFileSync": writes, "appendFile": writes, "appendFileSync": writes, "createWriteStream": writes, "mkdirSync": writes, "renameSync": writes, "copyFileSync": writes, "cpSync": writes, "symlinkSync": writes, "truncateSync": writes, "chmodSync": writes, "writeTextFile": writes, "writeTextFileSync": writes, "openSync": opens,
	"readFile": reads, "readFileSync": reads, "createReadStream": reads, "readTextFile": reads, "readTextFileSync": reads,
	"query": queries, "execute": queries, "run": queries, "raw": queries,
	"eval": runsCode, "Function": runsCode, "runInThisContext": runsCode, "runInNewContext": runsCode, "runInContext": runsCode, "binding": refused, "dlopen": refused,
}

// scriptModuleCalls are calls that only their object tells from harmless ones.
var scriptModuleCalls = map[string]effect{
	"child_process.exec": runsShell, "cp.exec": runsShell, "fs.rename": writes, "fs.mkdir": writes, "process.chdir": writes, "fs.cp": writes, "fs.copyFile": writes, "Deno.remove": deletesAll, "Deno.removeSync": deletesAll, "Deno.run": runsShell, "Deno.Command": runsShell, "Bun.write": writes, "Bun.spawn": runsShell, "Bun.spawnSync": runsShell, "Bun.file": reads, "fsp.rm": deletesAll,
}

// textCalls take strings that are text, not paths.
var textCalls = []string{"replace", "replaceAll", "split", "rsplit", "sub", "subn", "startswith", "endswith", "startsWith", "endsWith", "count", "find", "index", "indexOf", "includes", "join", "strip", "lstrip", "rstrip", "print", "log", "match", "search", "findall", "format", "partition", "rpartition", "test", "write", "compile"}

// judgeCode judges program text by what it calls.
func (c *command) judgeCode(lang language, text string, params []string) {
	calls, modules := pythonCalls, pythonModuleCalls
	if lang == scriptCode {
		calls, modules = scriptCalls, scriptModuleCalls
	}
	if lang != pythonCode && lang != scriptCode {
		c.judgeOtherCode(lang, text)
		return
	}
	tokens, ok := scanCode(lang, text)
	if !ok {
		c.deny(CodeParseError, "the code that "+c.name+" runs cannot be read. Check its quotes, or write it to a file.")
		return
	}
	if lang == pythonCode {
		unalias(tokens)
	}
	p := &codeProgram{command: c, lang: lang, tokens: tokens, calls: calls, modules: modules, params: params}
	p.judge()
}

// codeProgram is one program being judged.
type codeProgram struct {
	*command
	lang    language
	tokens  []codeToken
	calls   map[string]effect
	modules map[string]effect
	params  []string
	touched access // the most that it does to a path that it does not spell
	files   bool   // it touches files at all
	strings bool   // and may build paths from their parts
}

func (p *codeProgram) judge() {
	for i, t := range p.tokens {
		if t.kind == nameToken {
			p.name(i)
		}
		if t.kind == markToken && t.text == "]" && p.mark(i+1, "(") && p.lang == scriptCode && p.computedCall(i) {
			p.deny(CodeDynamic, "the code that "+p.command.name+" runs calls a function by a computed name. Name the function.")
		}
	}
	if !p.files {
		return
	}
	for i, t := range p.tokens {
		if t.kind == stringToken && !p.isText(i) {
			p.literal(t.text, p.touched)
		}
	}
	for _, param := range p.params {
		p.operand(param, max(p.touched, accessRead))
	}
}

func (p *codeProgram) mark(i int, text string) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].kind == markToken && p.tokens[i].text == text
}

// effectOf returns what the name at i does when it is called.
func (p *codeProgram) effectOf(i int) effect {
	name := p.tokens[i].text
	object := ""
	if p.mark(i-1, ".") && i > 1 {
		object = p.tokens[i-2].text
	}
	if e, ok := p.modules[object+"."+name]; ok {
		return e
	}
	if p.lang == scriptCode {
		if p.mark(i-1, ".") && slices.Contains([]string{"eval", "Function", "fork", "spawn", "rm", "unlink", "rmdir", "binding"}, name) && !p.says("child_process") && !p.says("fs") {
			return 0
		}
		if name == "exec" && p.says("child_process") {
			return runsShell
		}
		return p.calls[name]
	}
	if object != "" && (name == "eval" || name == "exec" || name == "compile" || name == "getattr") {
		return 0
	}
	if object == "" && !p.mark(i-1, ".") { // from os import remove, from subprocess import run
		for module, e := range p.modules {
			from, member, _ := strings.Cut(module, ".")
			if member == name && p.names(from) && p.names("from") {
				return e
			}
		}
	}
	return p.calls[name]
}

func (p *codeProgram) names(name string) bool {
	return slices.Contains(p.tokens, codeToken{nameToken, name})
}

// says reports whether a module is named in a string or used as an object.
func (p *codeProgram) says(module string) bool {
	return slices.ContainsFunc(p.tokens, func(t codeToken) bool {
		return t.kind == stringToken && (t.text == module || t.text == "node:"+module || t.text == module+"/promises" || t.text == "node:"+module+"/promises" || t.text == module+"-extra") || t.kind == nameToken && t.text == module
	})
}

// name judges one mention of a name that has an effect.
func (p *codeProgram) name(i int) {
	e := p.effectOf(i)
	if e == 0 || p.mark(i+1, "=") && !p.mark(i+2, "=") {
		return
	}
	called := p.mark(i+1, "(")
	if !called && p.imported(i) {
		return
	}
	var args []codeToken
	if called {
		args = p.arguments(i + 2)
	}
	name := p.tokens[i].text
	switch e {
	case runsShell:
		p.shellCall(name, args, called)
	case runsCode:
		p.codeCall(name, args)
	case reaches:
		p.reachCall(name, args)
	case queries:
		if head, _ := firstArgument(args); len(head) == 1 && head[0].kind == stringToken {
			p.statements(head[0].text)
		}
	case refused:
		p.deny(CodeUnseenCode, "the code reaches below its language ("+name+"), where nobody can judge it. Use ordinary calls.")
	case deletesAll, deletes, writes, reads, opens:
		p.fileCall(i, e, args)
	}
}

// imported reports whether the name at i only stands in an import, under its own name.
func (p *codeProgram) imported(i int) bool {
	if p.lang == scriptCode {
		return (p.mark(i-1, "{") || p.mark(i-1, ",")) && (p.mark(i+1, ",") || p.mark(i+1, "}"))
	}
	for j := i - 1; j >= 0 && !(p.mark(j, "\n") || p.mark(j, ";")); j-- {
		if p.tokens[j] == (codeToken{nameToken, "import"}) {
			return true
		}
	}
	return false
}

// unalias gives what Python imports under another name its own name back.
func unalias(tokens []codeToken) {
	names := map[string]string{}
	for i := 1; i+1 < len(tokens); i++ {
		if tokens[i] == (codeToken{nameToken, "as"}) && tokens[i-1].kind == nameToken && tokens[i+1].kind == nameToken {
			names[tokens[i+1].text] = tokens[i-1].text
		}
	}
	for i, t := range tokens {
		original, ok := names[t.text]
		if ok && t.kind == nameToken && (i == 0 || tokens[i-1] != codeToken{markToken, "."}) {
			tokens[i].text = original
		}
	}
}

// arguments returns the tokens up to the parenthesis that closes a call.
func (p *codeProgram) arguments(start int) []codeToken {
	depth := 0
	for i := start; i < len(p.tokens); i++ {
		if t := p.tokens[i]; t.kind == markToken {
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				if depth--; depth < 0 {
					return p.tokens[start:i]
				}
			}
		}
	}
	return p.tokens[start:]
}

// firstArgument splits off the first argument.
func firstArgument(args []codeToken) (head, tail []codeToken) {
	depth := 0
	for i, t := range args {
		if t.kind != markToken {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				return args[:i], args[i+1:]
			}
		}
	}
	return args, nil
}

// literalOf returns the text of an argument that is one string known in full.
func literalOf(arg []codeToken) (string, bool) {
	arg = slices.DeleteFunc(slices.Clone(arg), func(t codeToken) bool { return t == codeToken{markToken, "\n"} })
	if len(arg) == 1 && arg[0].kind == stringToken && !isDynamic(arg[0].text) {
		return arg[0].text, true
	}
	return "", false
}

// listOf returns the strings of an argument that is a list of them.
func listOf(arg []codeToken) ([]string, bool) {
	arg = slices.DeleteFunc(slices.Clone(arg), func(t codeToken) bool { return t == codeToken{markToken, "\n"} })
	if len(arg) < 2 || arg[0] != (codeToken{markToken, "["}) || arg[len(arg)-1] != (codeToken{markToken, "]"}) {
		return nil, false
	}
	var list []string
	for rest := arg[1 : len(arg)-1]; len(rest) > 0; {
		var head []codeToken
		head, rest = firstArgument(rest)
		text, ok := literalOf(head)
		if !ok {
			text = anyText
			if len(head) == 3 && head[0].text == "sys" && head[2].text == "executable" {
				text = "python3"
			}
		}
		list = append(list, text)
	}
	return list, true
}

// shellCall judges the command that the program starts.
func (p *codeProgram) shellCall(name string, args []codeToken, called bool) {
	head, tail := firstArgument(args)
	if text, ok := literalOf(head); ok && called {
		next, _ := firstArgument(tail)
		if list, ok := listOf(next); ok {
			p.again(append([]string{text}, list...), input{})
			return
		}
		if strings.HasPrefix(name, "execl") || strings.HasPrefix(name, "spawnl") || strings.HasPrefix(name, "execv") {
			p.deny(CodeDynamic, "the code replaces itself by another program. Run that program directly.")
			return
		}
		p.runShell(text, nil)
		return
	}
	if list, ok := listOf(head); ok && called && len(list) > 0 {
		p.again(list, input{})
		return
	}
	p.deny(CodeDynamic, "the code starts a command ("+name+") that is known only when it runs. Run the command directly, or write its words as strings.")
}

// codeCall judges text that the program runs as code.
func (p *codeProgram) codeCall(name string, args []codeToken) {
	head, _ := firstArgument(args)
	if text, ok := literalOf(head); ok {
		p.nested(func() { p.judgeCode(p.lang, text, nil) })
		return
	}
	p.deny(CodeDynamic, "the code runs text as code ("+name+"). Write the code itself.")
}

func (p *codeProgram) nested(judge func()) {
	if p.nesting++; p.nesting > maxNesting {
		p.deny(CodeTooComplex, "code is nested too deeply. Write it plainly.")
	} else {
		judge()
	}
	p.nesting--
}

// reachCall judges a call that gets at a name by its text.
func (p *codeProgram) reachCall(name string, args []codeToken) {
	head, tail := firstArgument(args)
	if name == "getattr" {
		head, _ = firstArgument(tail)
	}
	text, ok := literalOf(head)
	if ok && p.calls[text] == 0 && !slices.Contains([]string{"os", "subprocess", "shutil", "ctypes", "pty", "builtins"}, text) {
		return
	}
	p.deny(CodeDynamic, "the code gets at a function by a computed name ("+name+"). Call the function by its name.")
}

// computedCall reports whether the bracket that ends at i computes the name of a
// function while the program holds functions worth hiding.
func (p *codeProgram) computedCall(end int) bool {
	if !p.says("fs") && !p.says("child_process") && !p.names("process") && !p.names("globalThis") {
		return false
	}
	depth := 0
	for i := end; i >= 0; i-- {
		if p.mark(i, "]") {
			depth++
		}
		if p.mark(i, "[") {
			if depth--; depth == 0 {
				inside := p.tokens[i+1 : end]
				if i == 0 || p.tokens[i-1].kind == markToken && !p.mark(i-1, ")") && !p.mark(i-1, "]") {
					return false // an array literal
				}
				text, plain := literalOf(inside)
				return !plain || p.calls[text] != 0
			}
		}
	}
	return false
}

// fileCall judges a call that touches a file: by the path when it is spelled, otherwise
// by every path that the program spells.
func (p *codeProgram) fileCall(i int, e effect, args []codeToken) {
	p.files = true
	a := p.accessOf(e, args)
	head, _ := firstArgument(args)
	if p.lang == pythonCode && len(args) == 0 || e == writes && p.lang == pythonCode && !p.takesPath(i) {
		head = p.receiver(i)
	}
	if text, ok := literalOf(head); ok {
		p.literal(text, a)
		if p.tokens[i].text == "open" || a >= accessDelete || e == reads {
			p.operand(text, a)
		}
		if a <= accessRead {
			return
		}
	} else if a == accessTree && !p.temporary(head) {
		p.deny(CodeDynamic, "the code deletes a directory that is known only when it runs. Name the directory, or use rm with its path.")
	} else if a >= accessDelete && p.fromOutside() {
		p.deny(CodeDynamic, "the code deletes files whose paths it gets from elsewhere. Name the files.")
	}
	if _, ok := literalOf(head); !ok {
		p.touched = max(p.touched, a)
	}
	if e == writes && !p.readsOnlyFirst(i) {
		p.touched = max(p.touched, accessWrite)
	}
}

// readsOnlyFirst reports whether the call writes its first argument and no other.
func (p *codeProgram) readsOnlyFirst(i int) bool {
	return !slices.Contains([]string{"copytree", "copyfile", "copy2", "copy", "move", "rename", "replace", "symlink", "link", "renameSync", "copyFileSync", "cpSync", "symlinkSync", "extractall"}, p.tokens[i].text)
}

// takesPath reports whether a Python call gets its path as an argument, not as the
// object that it is a method of.
func (p *codeProgram) takesPath(i int) bool {
	if !p.mark(i-1, ".") || i < 2 {
		return true
	}
	object := p.tokens[i-2].text
	return object == "os" || object == "shutil" || object == "io"
}

// receiver returns the argument of Path("...") in Path("...").unlink().
func (p *codeProgram) receiver(i int) []codeToken {
	if i < 5 || p.tokens[i-5] != (codeToken{nameToken, "Path"}) || !p.mark(i-1, ".") || !p.mark(i-2, ")") || p.tokens[i-3].kind != stringToken || !p.mark(i-4, "(") {
		return nil
	}
	return p.tokens[i-3 : i-2]
}

// temporary reports whether an argument is a directory that the program has just made.
func (p *codeProgram) temporary(arg []codeToken) bool {
	return len(arg) == 1 && arg[0].kind == nameToken && (p.names("mkdtemp") || p.names("mkdtempSync") || p.names("TemporaryDirectory"))
}

// fromOutside reports whether the program can get a path that it does not spell.
func (p *codeProgram) fromOutside() bool {
	for _, name := range []string{"expanduser", "home", "homedir", "environ", "getenv", "env", "argv", "stdin", "input", "chr", "fromCharCode", "b64decode", "fromhex", "atob", "sep", "parents", "getcwd", "chdir"} {
		if p.names(name) {
			return true
		}
	}
	return false
}

func (p *codeProgram) accessOf(e effect, args []codeToken) access {
	switch e {
	case deletesAll:
		return accessTree
	case deletes:
		return accessDelete
	case writes:
		return accessWrite
	case opens:
		_, tail := firstArgument(args)
		mode, _ := firstArgument(tail)
		if len(mode) > 2 && mode[0].text == "mode" {
			mode = mode[2:]
		}
		if text, ok := literalOf(mode); ok && strings.ContainsAny(text, "wax+") {
			return accessWrite
		}
		if _, ok := literalOf(mode); !ok && len(mode) == 1 && mode[0].kind == nameToken {
			return accessWrite
		}
	}
	return accessRead
}

// literal judges a string that may be a path.
func (p *codeProgram) literal(text string, a access) {
	a = max(a, accessRead)
	if text == "" || len(text) > 4096 || strings.ContainsAny(text, " \n\t<>|*?{}()\"'") && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "~") || strings.Contains(text, "://") {
		return
	}
	for _, where := range p.env.cwd {
		target, _ := absolutePath(p.ws, text, where)
		p.take(p.policy.judgeNames(p.ws, p.ws.resolve(placeholders(target)), text, a))
		if isOpen(text) || a < accessWrite {
			continue
		}
		if strings.HasPrefix(text, "/") && !reachable(text) {
			continue
		}
		if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") || strings.Contains(text, "..") {
			p.take(p.policy.judgePath(p.ws, text, where, min(a, accessDelete)))
		}
	}
}

// reachable reports whether an absolute text can be a path here: it exists, or its
// directory does. A route such as /api/v1 is no path of this machine.
func reachable(text string) bool {
	dir := filepath.Dir(text)
	return strings.HasPrefix(text, "~") || exists(text) || dir != filepath.Dir(dir) && exists(dir)
}

// isText reports whether the string at i is an argument of a call that takes text, or is
// joined, compared or looked up.
func (p *codeProgram) isText(i int) bool {
	if p.mark(i+1, ".") && i+2 < len(p.tokens) && slices.Contains(textCalls, p.tokens[i+2].text) {
		return true
	}
	depth := 0
	for j := i - 1; j > 0; j-- {
		switch {
		case p.mark(j, ")"):
			depth++
		case p.mark(j, "(") && depth > 0:
			depth--
		case p.mark(j, "("):
			return p.tokens[j-1].kind == nameToken && slices.Contains(textCalls, p.tokens[j-1].text)
		case depth == 0 && (p.mark(j, "\n") || p.mark(j, ";")):
			return false
		}
	}
	return false
}

// otherCalls find the calls of the languages that are judged by their text alone.
var otherCalls = map[language]func() *regexp.Regexp{
	perlCode:  pattern("(?:\\b(system|exec|qx|unlink|rmdir|rmtree|remove_tree|syscall|require|do)\\s*([(\"'`$@\\[{][^;\\n]*|\\w[^/;\\n]*|;|\\})|\\b(unlink|rmdir)\\b|(`)|\\b(open)\\b[^;]*[|]|\\b(eval)\\s*[\"'$(])"),
	rubyCode:  pattern("\\b(system|exec|spawn|popen\\d?|capture\\d\\w*)\\b\\s*([(\"'`$@\\[][^;\\n]*)|\\b(rm|rm_r|rm_f|rm_rf|rmtree|remove_dir|remove_entry\\w*|delete|unlink|rmdir)\\b\\s*([(\"'][^;\\n]*)|(`|%x)|\\b(eval|instance_eval|send|__send__|public_send|Open3|Kernel)\\b"),
	phpCode:   pattern("\\b(system|exec|shell_exec|passthru|proc_open|popen|pcntl_exec)\\s*(\\([^;]*)|\\b(unlink|rmdir)\\s*(\\([^;]*)|(`)|\\b(eval|assert|create_function|call_user_func\\w*)\\s*\\("),
	luaCode:   pattern("\\b(os\\.execute|io\\.popen)\\s*([(\"'\\[][^;\\n]*)|\\b(os\\.remove|os\\.rename)\\s*([(\"'][^;\\n]*)|\\b(load|loadstring|dofile)\\s*\\("),
	otherCode: pattern("(?i)\\b(system2?|run|shell|exec\\w*|spawn\\w*|cmd|port|do shell script|os:cmd|System\\.cmd|Invoke-\\w+|iex|Start-Process|EncodedCommand|Remove-Item|rm|del|unlink|file\\.remove|rmdir|delete\\w*|rm_rf!?|eval)\\b\\s*[(\"'`\\[$:./-]|`"),
}

// judgeOtherCode judges code by the text of its calls. A call whose argument is one
// string is judged by that string, any other is denied.
func (c *command) judgeOtherCode(lang language, text string) {
	c.secretsInCode(text)
	for _, m := range otherCalls[lang]().FindAllStringSubmatch(text, -1) {
		name, rest := "", ""
		for i := 1; i < len(m); i++ {
			if m[i] != "" && name == "" {
				name = m[i]
			} else if m[i] != "" {
				rest = m[i]
			}
		}
		literal, ok := quotedArgument(rest)
		switch {
		case ok && slices.Contains([]string{"system", "exec", "shell_exec", "passthru", "popen", "os.execute", "io.popen", "spawn"}, name):
			c.runShell(literal, nil)
		case ok && slices.Contains([]string{"unlink", "delete", "rmdir", "os.remove", "rm", "rm_f", "require", "do"}, name):
			c.access(literal, accessDelete)
		case ok && slices.Contains([]string{"rm_r", "rm_rf", "rmtree", "remove_tree", "remove_dir"}, name):
			c.access(literal, accessTree)
		case (name == "require" || name == "do") && lang == perlCode:
		default:
			c.deny(CodeDynamic, "the code that "+c.name+" runs calls "+strings.TrimSpace(name)+", whose effect cannot be told from its text. Run the command directly.")
		}
	}
	for _, m := range absoluteLiteral().FindAllStringSubmatch(text, -1) {
		if writesFiles().MatchString(text) && reachable(m[1]) {
			c.access(m[1], accessWrite)
		}
	}
}

var (
	absoluteLiteral = pattern(`["']((?:/|~/|\.\./)[^"'\s]*)["']`)
	writesFiles     = pattern(`\b(open|write|fopen|file_put_contents|File\.|IO\.write|rename|truncate|mkdir|copy|mv|cp)\b`)
	anyLiteral      = pattern(`["']([^"'\s]+)["']`)
)

// secretsInCode denies code that spells the name of a secret.
func (c *command) secretsInCode(text string) {
	for _, m := range anyLiteral().FindAllStringSubmatch(text, -1) {
		if c.policy.isSecret(strings.Split(fold(m[1]), "/")) {
			c.deny(CodeSecret, "the code names "+m[1]+", which holds credentials. Leave that file out.")
		}
	}
}

// quotedArgument returns the one string that a call gets.
func quotedArgument(rest string) (string, bool) {
	rest = strings.TrimRight(strings.TrimSpace(rest), "; \t}")
	if strings.HasPrefix(rest, "(") {
		rest = strings.TrimSpace(strings.TrimSuffix(rest[1:], ")"))
	}
	if len(rest) < 2 || rest[0] != rest[len(rest)-1] || rest[0] != '"' && rest[0] != '\'' {
		return "", false
	}
	body := rest[1 : len(rest)-1]
	if strings.ContainsAny(body, rest[:1]+`$@#\`) {
		return "", false
	}
	return body, true
}
