package gate

import (
	"path/filepath"
	"slices"
	"strings"
)

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
		p.work.spend(pathWork + len(text))
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
