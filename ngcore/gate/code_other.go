package gate

import (
	"regexp"
	"slices"
	"strings"
)

// otherCalls find the calls of the languages that are judged by their text alone.
var otherCalls = map[language]func() *regexp.Regexp{
	perlCode:  pattern("(?:\\b(system|exec|qx|unlink|rmdir|rmtree|remove_tree|syscall|require|do)\\s*([(\"'`$@\\[{][^;\\n]*|\\w[^/;\\n]*|;|\\})|\\b(unlink|rmdir)\\b|(`)|\\b(open)\\b[^;]*[|]|\\b(eval)\\s*[\"'$(])"),
	rubyCode:  pattern("\\b(system|exec|spawn|popen\\d?|capture\\d\\w*)\\b\\s*([(\"'`$@\\[][^;\\n]*)|\\b(rm|rm_r|rm_f|rm_rf|rmtree|remove_dir|remove_entry\\w*|delete|unlink|rmdir)\\b\\s*([(\"'][^;\\n]*)|(`|%x)|\\b(eval|instance_eval|send|__send__|public_send|Open3|Kernel)\\b"),
	phpCode:   pattern("\\b(system|exec|shell_exec|passthru|proc_open|popen|pcntl_exec)\\s*(\\([^;]*)|\\b(unlink|rmdir)\\s*(\\([^;]*)|(`)|[\"'](unlink|rmdir|system|exec|shell_exec|passthru)[\"']|\\b(eval|assert|create_function|call_user_func\\w*)\\s*\\("),
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
