package gate

import (
	"slices"
	"strings"
)

// judgeCode judges program text by what it calls.
func (c *command) judgeCode(lang language, text string, params []string) {
	calls, modules := pythonCalls(), pythonModuleCalls()
	if lang == scriptCode {
		calls, modules = scriptCalls(), scriptModuleCalls()
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
}

func (p *codeProgram) judge() {
	for i, t := range p.tokens {
		if p.done() {
			return
		}
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
		if p.done() {
			return
		}
		p.work.spend(1)
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
	p.work.spend(len(p.tokens) / 8)
	return slices.Contains(p.tokens, codeToken{nameToken, name})
}

// says reports whether a module is named in a string or used as an object.
func (p *codeProgram) says(module string) bool {
	p.work.spend(len(p.tokens) / 8)
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
	p.work.spend(len(p.tokens))
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
		if name == taggedShell && p.tokens[i+1].kind == stringToken {
			args, called = p.tokens[i+1:i+2], true
		}
		p.shellCall(name, args, called)
	case runsCode:
		p.codeCall(name, args)
	case reaches:
		p.reachCall(name, args)
	case queries:
		if head, _ := firstArgument(args); len(head) == 1 && head[0].kind == stringToken {
			p.statements(head[0].text)
		}
	case prints:
		p.printCall(args)
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

// printCall denies printing a credential of the environment. What is computed from one, such
// as whether it is set, is none.
func (p *codeProgram) printCall(args []codeToken) {
	depth := 0
	for i, t := range args {
		switch {
		case t == codeToken{markToken, "("}:
			depth++
		case t == codeToken{markToken, ")"}:
			depth--
		case depth > 0 || t.kind != nameToken || !slices.Contains([]string{"environ", "getenv", "env"}, t.text):
		case !negated(args[:i]) && secretValue(args[i+1:]):
			p.deny(CodeSecret, "the code would print a credential. Use the variable where it is needed without printing it.")
		}
	}
}

// negated reports whether a value is only tested: tokens lead to it through !, not or typeof.
func negated(tokens []codeToken) bool {
	for len(tokens) > 1 && tokens[len(tokens)-1].text == "." {
		tokens = tokens[:len(tokens)-2]
	}
	return len(tokens) > 0 && slices.Contains([]string{"!", "not", "typeof"}, tokens[len(tokens)-1].text)
}

// secretValue reports whether tokens pick a credential, as in ["TOKEN"], and end there.
func secretValue(tokens []codeToken) bool {
	for i, t := range tokens[:min(len(tokens), 4)] {
		if t.kind != markToken && isSecretName(t.text) {
			rest := slices.DeleteFunc(slices.Clone(tokens[i+1:]), func(t codeToken) bool { return t.text == "]" || t.text == ")" })
			return len(rest) == 0 || rest[0].text == "," || rest[0].text == ";"
		}
	}
	return false
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
