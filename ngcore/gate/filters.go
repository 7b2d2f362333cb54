package gate

import (
	"regexp"
	"strings"
)

// judgeSed judges the files of sed and what its script runs, reads and writes.
func judgeSed(c *command) {
	values := []string{"-e", "--expression", "-f", "--file", "-l", "--line-length"}
	options, operands := c.split(values...)
	var scripts []string
	for i, arg := range c.args {
		name, value, attached := strings.Cut(arg, "=")
		switch {
		case attached && name == "--expression":
			scripts = append(scripts, value)
		case i+1 < len(c.args) && (name == "--expression" || isShortOption(arg, 'e')):
			scripts = append(scripts, c.args[i+1])
		}
	}
	c.optionFiles([]string{"-f", "--file"}, accessRead)
	if len(scripts) == 0 && !has(options, "-f", "--file") && len(operands) > 0 {
		scripts, operands = operands[:1], operands[1:]
	}
	for _, script := range scripts {
		c.sedScript(script)
	}
	a := accessRead
	for _, o := range options {
		if o == "--in-place" || strings.HasPrefix(o, "--in-place=") || !strings.HasPrefix(o, "--") && strings.HasPrefix(strings.TrimLeft(o, "-nErszu"), "i") {
			a = accessWrite
		}
	}
	for _, word := range operands {
		if word != "" {
			c.operand(word, a)
		}
	}
}

// isShortOption reports whether a cluster of short options ends in the letter.
func isShortOption(arg string, letter byte) bool {
	return len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && arg[len(arg)-1] == letter && isLetters(arg[1:])
}

// sedScript judges the commands of a sed script. A script of which a part is unknown may
// only substitute: its letters e and w have to be known.
func (c *command) sedScript(script string) {
	s := sedScanner{rest: script}
	for s.next() {
		switch s.command {
		case 'e':
			if s.text == "" {
				c.deny(CodeUnseenCode, c.line()+" runs the text that sed reads as commands. Run the commands directly.")
				return
			}
			c.runShell(s.text, nil)
		case 'w', 'W':
			c.access(s.text, accessWrite)
		case 'r', 'R':
			c.access(s.text, accessRead)
		}
	}
	if s.lost && strings.ContainsAny(script, "ewW") {
		c.deny(CodeParseError, "the sed script cannot be read. Use the edit tool, or a simpler script.")
	}
}

// sedScanner walks the commands of a sed script.
type sedScanner struct {
	rest    string
	command byte   // the command found, or e or w for a flag of s
	text    string // its file or program
	lost    bool   // the script cannot be read
}

// next finds the next command that runs, reads or writes something.
func (s *sedScanner) next() bool {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\n;{}!")
		if s.rest == "" || s.lost {
			return false
		}
		if s.address() {
			continue
		}
		s.command, s.rest = s.rest[0], s.rest[1:]
		switch s.command {
		case 'e', 'w', 'W', 'r', 'R':
			s.text = strings.TrimSpace(s.line())
			return true
		case 'a', 'i', 'c', '#':
			for strings.HasSuffix(s.line(), `\`) {
			}
		case ':', 'b', 't', 'T':
			i := strings.IndexAny(s.rest, "\n;}")
			if i < 0 {
				i = len(s.rest)
			}
			s.rest = s.rest[i:]
		case 's', 'y':
			if s.substitute() {
				return true
			}
		case 'l', 'q', 'Q', 'L':
			s.rest = strings.TrimLeft(s.rest, " 0123456789")
		case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F', 'v':
		default:
			s.lost = true
		}
	}
}

// line cuts the rest of the current line.
func (s *sedScanner) line() string {
	line, rest, _ := strings.Cut(s.rest, "\n")
	s.rest = rest
	return line
}

// address skips one part of an address.
func (s *sedScanner) address() bool {
	switch c := s.rest[0]; {
	case c >= '0' && c <= '9' || c == '$' || c == ',' || c == '~' || c == '+':
		s.rest = s.rest[1:]
	case c == atomText[0] || c == hostText[0]:
		s.rest = s.rest[1:]
	case c == '/':
		s.rest = s.skip(s.rest[1:], '/')
		s.rest = strings.TrimLeft(s.rest, "IM")
	case c == '\\' && len(s.rest) > 1:
		s.rest = s.skip(s.rest[2:], s.rest[1])
	default:
		return false
	}
	return true
}

// skip returns what follows the next delimiter.
func (s *sedScanner) skip(text string, delimiter byte) string {
	class := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '[' && !class:
			class = strings.IndexByte(text[i+1:], ']') > 0 && text[i+1] != delimiter
		case text[i] == ']':
			class = false
		case text[i] == delimiter:
			return text[i+1:]
		}
	}
	s.lost = true
	return ""
}

// substitute skips s or y and reports whether its flags run or write something.
func (s *sedScanner) substitute() bool {
	if s.rest == "" {
		s.lost = true
		return false
	}
	delimiter := s.rest[0]
	s.rest = s.skip(s.skip(s.rest[1:], delimiter), delimiter)
	for s.rest != "" {
		flag := s.rest[0]
		switch {
		case flag == 'e':
			s.rest = s.rest[1:]
			s.command, s.text = 'e', ""
			return true
		case flag == 'w':
			s.rest = s.rest[1:]
			s.command, s.text = 'w', strings.TrimSpace(s.line())
			return true
		case strings.IndexByte("gpiImM0123456789", flag) >= 0:
			s.rest = s.rest[1:]
		default:
			return false
		}
	}
	return false
}

var (
	awkRuns   = pattern(`\bsystem\s*\(\s*(?:"((?:[^"\\]|\\.)*)"\s*\))?`)
	awkPipe   = pattern(`(?:"((?:[^"\\]|\\.)*)"|\S)\s*\|&?\s*getline|[^|]\|&?\s*(?:"((?:[^"\\]|\\.)*)"|[A-Za-z_$(])`)
	awkPrints = pattern(`\bprintf?\b[^;}\n>]*>>?\s*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_$(]))`)
	awkStrip  = pattern(`\|\||/(?:[^/\\\n]|\\.)*\|(?:[^/\\\n]|\\.)*/`)
)

// judgeAwk judges the files of awk and what its program runs and writes.
func judgeAwk(c *command) {
	options, operands := c.split("-F", "-v", "-f", "--field-separator", "--assign", "--file")
	c.optionFiles([]string{"-f", "--file"}, accessRead)
	if !has(options, "-f", "--file") && len(operands) > 0 {
		c.awkProgram(operands[0])
		operands = operands[1:]
	}
	a := accessRead
	if strings.Contains(strings.Join(c.args, " "), "inplace") {
		a = accessWrite
	}
	for _, word := range operands {
		if name, _, ok := strings.Cut(word, "="); ok && isName(name) {
			continue
		}
		c.operand(word, a)
	}
}

func (c *command) awkProgram(program string) {
	plain := awkStrip().ReplaceAllString(program, " ")
	for _, re := range []*regexp.Regexp{awkRuns(), awkPipe()} {
		for _, m := range re.FindAllStringSubmatch(plain, -1) {
			text := strings.Join(m[1:], "")
			if text == "" || isDynamic(text) {
				c.deny(CodeDynamic, c.line()+" runs a command that is known only when it runs. Run the command directly.")
				return
			}
			inner := *c
			inner.in = input{piped: true, text: anyText}
			inner.runShell(unescapeCode(text), nil)
		}
	}
	for _, m := range awkPrints().FindAllStringSubmatch(plain, -1) {
		if m[1] == "" {
			c.deny(CodeDynamic, c.line()+" writes a file whose name is known only when it runs. Write the name out.")
			return
		}
		c.access(m[1], accessWrite)
	}
}
