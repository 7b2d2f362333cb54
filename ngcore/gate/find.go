package gate

import (
	"slices"
	"strings"
)

// findQuery is what a find command looks for and does.
type findQuery struct {
	roots []string
	names []string // patterns that found files match; nil: any
	empty bool     // only empty files and directories
	rest  []string // tests and actions
}

func runFind(c *command) result {
	q := parseFind(c.args)
	found := q.found()
	out := strings.Join(found, "\n") + "\n"
	for _, root := range q.roots {
		c.access(root, accessMeta)
	}
	for i := 0; i < len(q.rest) && !c.done(); i++ {
		arg := q.rest[i]
		switch arg {
		case "-delete":
			for _, path := range found {
				c.access(path, accessDelete)
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(q.rest) && q.rest[end] != ";" && (q.rest[end] != "+" || q.rest[end-1] != "{}") {
				end++
			}
			c.onEach(q.rest[i+1:end], found)
			i, out = end, anyText
		case "-printf":
			if i+1 < len(q.rest) && strings.NewReplacer("%p", "", "%P", "", "%f", "", `\n`, "", `\0`, "").Replace(q.rest[i+1]) != "" {
				out = anyText
			}
		case "-ls":
			out = anyText
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(q.rest) {
				c.access(q.rest[i+1], accessWrite)
			}
		}
		if strings.HasPrefix(arg, anyText) {
			c.deny(CodeDynamic, "find gets words that are known only when it runs. Write them out.")
		}
	}
	return unchanged(c.env, out)
}

// parseFind separates the places to search from the expression.
func parseFind(args []string) findQuery {
	var q findQuery
	for len(args) > 0 && (args[0] == "-L" || args[0] == "-P" || args[0] == "-H" || strings.HasPrefix(args[0], "-O")) {
		args = args[1:]
	}
	i := 0
	for i < len(args) && args[i] != "" && !strings.ContainsRune("-(!", rune(args[i][0])) {
		i++
	}
	q.roots, q.rest = args[:i], args[i:]
	if len(q.roots) == 0 {
		q.roots = []string{"."}
	}
	or := slices.Contains(q.rest, "-o") || slices.Contains(q.rest, "-or")
	for i, arg := range q.rest {
		negated := i > 0 && (q.rest[i-1] == "!" || q.rest[i-1] == "-not")
		switch arg {
		case "-name", "-iname", "-path", "-ipath", "-wholename":
			if i+1 < len(q.rest) && !negated {
				q.names = append(q.names, lastName(q.rest[i+1]))
			}
		case "-regex", "-iregex":
			if i+1 < len(q.rest) && !negated && strings.Trim(q.rest[i+1], ".*/") != "" {
				q.names = append(q.names, atomText)
			}
		case "-empty":
			q.empty = !negated && !or
		}
	}
	return q
}

// lastName is the part of a pattern that the last element of a path matches.
func lastName(pattern string) string {
	name := pattern[strings.LastIndexByte(pattern, '/')+1:]
	if strings.Trim(name, "*") == "" && strings.Trim(pattern, "*/.") != "" {
		return atomText
	}
	return markGlobs(name)
}

// found returns paths that stand for all that the query can find. A query without a name
// finds everything below its roots.
func (q findQuery) found() []string {
	names := q.names
	switch {
	case q.empty:
		names = []string{atomText}
	case names == nil:
		names = []string{starText}
	}
	if len(q.roots)*len(names) > maxFields {
		names = []string{starText}
	}
	var out []string
	for _, root := range q.roots {
		for _, name := range names {
			out = append(out, strings.TrimSuffix(root, "/")+"/"+name)
		}
	}
	return out
}

// onEach judges a command line that runs once for each found path.
func (c *command) onEach(line, found []string) {
	for _, path := range found {
		argv := make([]string, len(line))
		for i, word := range line {
			argv[i] = strings.ReplaceAll(word, "{}", path)
		}
		if c.done() {
			return
		}
		if len(argv) > 0 {
			c.again(argv, input{})
		}
	}
}

// runFd is fd: -x and -X run a command for what it finds.
func runFd(c *command) result {
	line := []string(nil)
	args := c.args
	for i, arg := range args {
		if arg == "-x" || arg == "-X" || arg == "--exec" || arg == "--exec-batch" {
			args, line = args[:i], args[i+1:]
			break
		}
	}
	_, operands := splitOptions(args, []string{"-e", "--extension", "-t", "--type", "-d", "--max-depth", "-E", "--exclude", "-S", "--size", "-j", "--threads"})
	root := "."
	if len(operands) > 1 {
		root = operands[1]
	}
	c.access(root, accessMeta)
	name := starText
	if len(operands) > 0 && !consistsOf(operands[0], ".*^$"+starText) {
		name = atomText
	}
	found := []string{strings.TrimSuffix(root, "/") + "/" + name}
	if line != nil {
		if !slices.ContainsFunc(line, func(w string) bool { return strings.Contains(w, "{}") }) {
			line = append(line[:len(line):len(line)], "{}")
		}
		c.onEach(line, found)
		return unchanged(c.env, anyText)
	}
	return unchanged(c.env, found[0]+"\n")
}
