package gate

import (
	"slices"
	"strings"
)

// language is one that the gate can look into.
type language string

// The languages of inline code.
const (
	shellLanguage language = "shell"
	pythonCode    language = "python"
	scriptCode    language = "javascript"
	perlCode      language = "perl"
	rubyCode      language = "ruby"
	phpCode       language = "php"
	luaCode       language = "lua"
	otherCode     language = "other"
)

// interpreter describes a program that runs code.
type interpreter struct {
	language language
	inline   []string // options whose value is code
	values   []string // options that take the next word
	module   string   // the option that runs a module by name
	loads    []string // options whose value is a file of code
	verb     string   // the operand that takes code in the next one ("deno eval")
	runs     string   // the operand that takes a script in the next one ("deno run")
	inPlace  string   // the option that makes it rewrite its operands
	loops    []string // options that make the operands data, as perl -n does
}

// interpreters by name. Names with a version, such as python3.12, are found without it.
var interpreters = table[interpreter]{
	{"bash", interpreter{language: shellLanguage, inline: []string{"-c"}, values: []string{"-o", "-O", "+O", "--rcfile", "--init-file"}}},
	{"sh", interpreter{language: shellLanguage, inline: []string{"-c"}, values: []string{"-o"}}},
	{"dash", interpreter{language: shellLanguage, inline: []string{"-c"}, values: []string{"-o"}}},
	{"ash", interpreter{language: shellLanguage, inline: []string{"-c"}, values: []string{"-o"}}},
	{"zsh", interpreter{language: shellLanguage, inline: []string{"-c"}, values: []string{"-o"}}},
	{"ksh", interpreter{language: shellLanguage, inline: []string{"-c"}, values: []string{"-o"}}},
	{"mksh", interpreter{language: shellLanguage, inline: []string{"-c"}, values: []string{"-o"}}},
	{"fish", interpreter{language: shellLanguage, inline: []string{"-c", "--command", "-C", "--init-command"}}},
	{"csh", interpreter{language: shellLanguage, inline: []string{"-c"}}},
	{"tcsh", interpreter{language: shellLanguage, inline: []string{"-c"}}},
	{"rbash", interpreter{language: shellLanguage, inline: []string{"-c"}}},
	{"cmd", interpreter{language: shellLanguage, inline: []string{"/c", "/C", "/k"}}},
	{"nu", interpreter{language: shellLanguage, inline: []string{"-c", "--commands"}}},
	{"pwsh", interpreter{language: otherCode, inline: []string{"-c", "-Command", "-command", "-EncodedCommand", "-e", "-ec"}}},
	{"powershell", interpreter{language: otherCode, inline: []string{"-c", "-Command", "-command", "-EncodedCommand", "-e", "-ec"}}},
	{"python", interpreter{language: pythonCode, inline: []string{"-c"}, values: []string{"-W", "-X"}, module: "-m"}},
	{"pypy", interpreter{language: pythonCode, inline: []string{"-c"}, values: []string{"-W", "-X"}, module: "-m"}},
	{"ipython", interpreter{language: pythonCode, inline: []string{"-c"}, module: "-m"}},
	{"node", interpreter{language: scriptCode, inline: []string{"-e", "--eval", "-p", "--print"}, values: []string{"-C", "--conditions", "--loader", "--env-file", "--test-name-pattern", "--test-reporter"}, loads: []string{"-r", "--require", "--import"}}},
	{"nodejs", interpreter{language: scriptCode, inline: []string{"-e", "--eval", "-p", "--print"}, values: []string{"-C", "--conditions"}, loads: []string{"-r", "--require", "--import"}}},
	{"tsx", interpreter{language: scriptCode, inline: []string{"-e", "--eval", "-p", "--print"}, loads: []string{"-r", "--require", "--import"}}},
	{"ts-node", interpreter{language: scriptCode, inline: []string{"-e", "--eval", "-p", "--print"}, values: []string{"-P", "--project", "-O"}, loads: []string{"-r", "--require"}}},
	{"bun", interpreter{language: scriptCode, inline: []string{"-e", "--eval", "-p", "--print"}, loads: []string{"-r", "--preload"}, runs: "run"}},
	{"deno", interpreter{language: scriptCode, verb: "eval", runs: "run", values: []string{"-c", "--config", "-L"}}},
	{"perl", interpreter{language: perlCode, inline: []string{"-e", "-E"}, values: []string{"-I"}, inPlace: "-i", loops: []string{"-n", "-p"}}},
	{"ruby", interpreter{language: rubyCode, inline: []string{"-e"}, values: []string{"-I", "-r", "-C"}, inPlace: "-i", loops: []string{"-n", "-p"}}},
	{"php", interpreter{language: phpCode, inline: []string{"-r", "-B", "-R", "-E"}, values: []string{"-d", "-c", "-t", "-S"}}},
	{"lua", interpreter{language: luaCode, inline: []string{"-e"}, values: []string{"-l"}}},
	{"luajit", interpreter{language: luaCode, inline: []string{"-e"}, values: []string{"-l"}}},
	{"rscript", interpreter{language: otherCode, inline: []string{"-e"}}},
	{"r", interpreter{language: otherCode, inline: []string{"-e"}}},
	{"julia", interpreter{language: otherCode, inline: []string{"-e", "-E", "--eval"}}},
	{"elixir", interpreter{language: otherCode, inline: []string{"-e", "--eval"}}},
	{"erl", interpreter{language: otherCode, inline: []string{"-eval"}}},
	{"groovy", interpreter{language: otherCode, inline: []string{"-e"}}},
	{"scala", interpreter{language: otherCode, inline: []string{"-e"}}},
	{"ghc", interpreter{language: otherCode, inline: []string{"-e"}}},
	{"swift", interpreter{language: otherCode, inline: []string{"-e"}}},
	{"osascript", interpreter{language: otherCode, inline: []string{"-e"}}},
	{"tclsh", interpreter{language: otherCode}},
	{"expect", interpreter{language: otherCode, inline: []string{"-c"}}},
	{"raku", interpreter{language: otherCode, inline: []string{"-e"}}},
}

// findInterpreter looks a name up, without a version at its end.
func findInterpreter(name string) (interpreter, bool) {
	if in, ok := interpreters.get(name); ok {
		return in, true
	}
	in, ok := interpreters.get(strings.TrimRight(name, "0123456789.-"))
	return in, ok
}

// interpreted judges a program that runs code: the code in its options, or on its
// standard input, or in a file.
func (c *command) interpreted(in interpreter) result {
	code, params, file := c.codeWords(in)
	switch {
	case code != nil:
		out := ""
		for _, text := range code {
			out = c.runCode(in.language, text, params)
		}
		c.dataOperands(in, params)
		return unchanged(c.env, out)
	case file != "" && in.language == shellLanguage && checksOnly(c.args):
		c.access(file, accessRead)
	case file != "":
		c.runFile(in.language, file)
		inner := *c
		inner.name, inner.args = changeCase(fileKey(file), 'A', 'a'), params
		inner.policyRule()
		inner.framework()
	default:
		c.runInput(in.language)
	}
	return unchanged(c.env, anyText)
}

// codeWords separates an interpreter's inline code, its parameters and its script. Code
// that is not nil but empty was judged on the way.
func (c *command) codeWords(in interpreter) (code, params []string, file string) {
	c.optionFiles(in.loads, accessRead)
	if in.language == shellLanguage && readsInput(c.args) {
		return nil, nil, ""
	}
	values := slices.Concat(in.values, in.loads)
	for i := 0; i < len(c.args); i++ {
		arg, rest := c.args[i], c.args[i+1:]
		text, inline := attachedCode(arg, in)
		switch {
		case inline:
			code = append(code, text)
		case arg == in.runs && arg != "":
		case arg == in.module && in.module != "":
			c.again(rest, c.in)
			return []string{}, nil, ""
		case isInline(arg, in) && in.language == shellLanguage, in.verb != "" && arg == in.verb:
			return codeOperand(rest, values) // options may stand before the code
		case isInline(arg, in):
			code = append(code, first(rest))
			i++
		case arg == "--":
			return code, rest, first(rest)
		case len(arg) > 1 && (arg[0] == '-' || arg[0] == '+'):
			if takesValue(arg, values) {
				i++
			}
		case strings.HasPrefix(arg, anyText):
			c.deny(CodeDynamic, "what "+c.name+" runs is known only when it runs. Write it out.")
			return []string{}, nil, ""
		case code != nil:
			return code, c.args[i:], ""
		default:
			c.streamOperands(rest)
			return nil, rest, arg
		}
	}
	return code, nil, ""
}

// codeOperand takes the first operand for code and the others for its parameters. Those
// of a shell begin with the name $0.
func codeOperand(words, values []string) (code, params []string, file string) {
	_, operands := splitOptions(words, values)
	if len(operands) == 0 {
		return []string{}, nil, ""
	}
	return operands[:1], operands[1:], ""
}

// readsInput reports whether a shell is told to read its program from its input.
func readsInput(args []string) bool {
	for _, arg := range args {
		if len(arg) < 2 || arg[0] != '-' || arg == "--" || strings.Contains(arg, "c") {
			return false
		}
		if arg[1] != '-' && strings.Contains(arg, "s") {
			return true
		}
	}
	return false
}

// checksOnly reports whether a shell is told to read its program and run nothing of it.
func checksOnly(args []string) bool {
	return len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && isLetters(args[0][1:]) && strings.Contains(args[0], "n")
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// isInline reports whether the code is the next word: the option itself, or a cluster of
// short options that ends in it, as in sh -lc.
func isInline(arg string, in interpreter) bool {
	if contains(in.inline, arg) {
		return true
	}
	if len(arg) < 3 || arg[0] != '-' || arg[1] == '-' || !isLetters(strings.Trim(arg[1:], "0123456789")) {
		return false
	}
	if in.language == shellLanguage {
		return strings.Contains(arg, "c")
	}
	return contains(in.inline, "-"+arg[len(arg)-1:])
}

// attachedCode returns code written in one word with its option: perl -e'...' or
// --eval=....
func attachedCode(arg string, in interpreter) (string, bool) {
	for _, option := range in.inline {
		if text, ok := strings.CutPrefix(arg, option+"="); ok && strings.HasPrefix(option, "--") {
			return text, true
		}
		if in.language != shellLanguage && len(option) == 2 && len(arg) > 2 && strings.HasPrefix(arg, option) && !isLetters(arg[1:]) {
			return arg[2:], true
		}
	}
	return "", false
}

// streamOperands denies handing a download to a script, where it would be run or trusted.
func (c *command) streamOperands(operands []string) {
	for _, o := range operands {
		if o == processFile {
			c.deny(CodeUnseenCode, c.line()+" hands the output of a command to a program as if it were a file of code. Save it, look at it, then use it.")
		}
	}
}

// dataOperands judges the files that a one-liner works on.
func (c *command) dataOperands(in interpreter, params []string) {
	a := accessRead
	if in.inPlace == "" {
		for _, p := range params {
			c.mention(p)
		}
		return
	}
	for _, arg := range c.args {
		if strings.HasPrefix(arg, in.inPlace) || len(arg) > 1 && arg[0] == '-' && isLetters(strings.Trim(arg[1:], "0123456789.")) && strings.Contains(arg, in.inPlace[1:]) {
			a = accessWrite
		}
	}
	for _, p := range params {
		c.operand(p, a)
	}
}

// runFile judges running a script: it has to lie where the agent may read, and is judged
// itself when this very command wrote it.
func (c *command) runFile(lang language, file string) {
	switch {
	case file == processFile:
		c.deny(CodeUnseenCode, c.line()+" runs the output of a command as code. Save it, look at it, then run it.")
		return
	case isInputFile(file) && isInputFile(c.in.file):
		c.deny(CodeUnseenCode, c.line()+" runs what a descriptor holds. Name the file.")
		return
	case isInputFile(file):
		c.runInput(lang)
		return
	}
	if lang != shellLanguage && isRemote(file) {
		c.deny(CodeUnseenCode, c.line()+" runs code from the network. Save it, look at it, then run it.")
		return
	}
	// A listing holds what was there before, unless this program wrote a file itself.
	if key := fileKey(file); hasAnyByte(key, anyText+hostText) || isOpen(key) && len(c.files) > 0 {
		c.deny(CodeDynamic, "the script that runs is known only when it runs. Write its name out.")
		return
	}
	c.access(file, accessRead)
	if text, ok := c.files[fileKey(file)]; ok && text != "" {
		if isDynamic(text) {
			c.writtenScript(file, text)
			return
		}
		c.runCode(lang, text, nil)
	}
}

// isInputFile reports whether a name stands for standard input or another descriptor.
func isInputFile(file string) bool {
	return file == "-" || file == "/dev/stdin" || strings.HasPrefix(file, "/dev/fd/") || strings.HasPrefix(file, "/proc/self/fd/")
}

// runInput judges an interpreter that reads its program from standard input.
func (c *command) runInput(lang language) {
	switch {
	case c.in.file != "":
		c.runFile(lang, c.in.file)
	case !c.in.piped:
	case isDynamic(c.in.text):
		c.deny(CodeUnseenCode, c.line()+" runs what another command prints, which nobody has seen. Save it to a file, look at it, then run it.")
	default:
		c.runCode(lang, c.in.text, nil)
	}
}

// script judges the text of a script by its first line and its name.
func (c *command) script(file, text string) {
	lang := shellLanguage
	line, _, _ := strings.Cut(text, "\n")
	for word := range strings.FieldsFuncSeq(strings.TrimPrefix(line, "#!"), func(r rune) bool { return r == '/' || r == ' ' }) {
		if in, ok := findInterpreter(word); ok && strings.HasPrefix(line, "#!") {
			lang = in.language
		}
	}
	c.runCode(lang, text, nil)
}

// runCode judges a program text in a language. It returns what the program prints.
func (c *command) runCode(lang language, text string, params []string) string {
	if lang == shellLanguage {
		return c.runShell(text, params).out
	}
	if isDynamic(text) {
		c.deny(CodeDynamic, "the code that "+c.name+" runs is known only when it runs. Write it out, or pass values as arguments.")
		return anyText
	}
	c.judgeCode(lang, text, params)
	return anyText
}
