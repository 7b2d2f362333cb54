package gate

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// command is one simple command whose words are expanded.
type command struct {
	*shell
	env  *env
	word string   // the command as it was written
	name string   // its last element in lower case
	args []string // with markers
	in   input
}

// call judges a simple command, in every case that its words may expand to.
func (s *shell) call(c *syntax.CallExpr, e *env, in input) result {
	if len(c.Args) == 0 {
		return s.assignOnly(c.Assigns, e)
	}
	cases := s.expandAll(c.Args, e)
	if len(c.Assigns) == 0 && len(cases) == 1 {
		return s.simple(cases[0], e, in)
	}
	r := result{}
	for _, argv := range cases {
		scope := e.clone()
		for _, a := range c.Assigns {
			s.assign(a, scope, true)
		}
		one := s.simple(argv, scope, in)
		one.ok, one.bad = restore(one.ok, e, c.Assigns), restore(one.bad, e, c.Assigns)
		if r.ok == nil {
			r = one
			continue
		}
		r.ok, r.bad = merge(r.ok, one.ok), merge(r.bad, one.bad)
		if r.out != one.out {
			r.out = anyText
		}
	}
	return r
}

// restore takes back assignments that held for one command only.
func restore(after, before *env, assigns []*syntax.Assign) *env {
	if len(assigns) == 0 {
		return after
	}
	after = cloneDead(after)
	for _, a := range assigns {
		delete(after.vars, a.Name.Value)
		if v, ok := before.vars[a.Name.Value]; ok {
			after.vars[a.Name.Value] = v
		}
	}
	return after
}

func cloneDead(e *env) *env {
	c := e.clone()
	c.dead = e.dead
	return c
}

func (s *shell) assignOnly(assigns []*syntax.Assign, e *env) result {
	s.step()
	for _, a := range assigns {
		s.assign(a, e, false)
	}
	return unchanged(e, "")
}

// assign judges and records NAME=value.
func (s *shell) assign(a *syntax.Assign, e *env, export bool) {
	if a.Name == nil {
		for _, text := range s.text(a.Value, e) {
			s.take(s.policy.judgeVariable(text, ""))
		}
		return
	}
	name := a.Name.Value
	v := variable{exported: export}
	switch {
	case a.Array != nil:
		v.cases = [][]string{s.array(a.Array, e)}
	default:
		for _, text := range s.text(a.Value, e) {
			v.cases = append(v.cases, []string{text})
		}
	}
	if a.Index != nil {
		s.substitutions(a.Index, e)
		v = e.vars[name].union(v)
	}
	if a.Append {
		v = appended(e.vars[name], v, a.Array != nil)
	}
	for _, fields := range v.cases {
		s.variable(name, strings.Join(fields, " "), e)
	}
	e.set(name, v)
}

func (s *shell) array(array *syntax.ArrayExpr, e *env) []string {
	var fields []string
	for _, elem := range array.Elems {
		if elem.Index != nil {
			s.substitutions(elem.Index, e)
		}
		cases := s.expand(elem.Value, e)
		if len(cases) != 1 {
			return []string{anyText}
		}
		fields = append(fields, cases[0]...)
		if len(fields) > maxFields {
			return []string{anyText}
		}
	}
	return fields
}

// appended is the value after NAME+=value.
func appended(old, more variable, array bool) variable {
	if len(old.cases) != 1 || len(more.cases) != 1 || len(old.cases[0]) == 0 {
		return old.union(variable{cases: [][]string{{anyText}}})
	}
	fields := slices.Clone(old.cases[0])
	if array {
		fields = append(fields, more.cases[0]...)
	} else {
		fields[0] += strings.Join(more.cases[0], "")
	}
	if len(fields) > maxFields || len(fields[0]) > commandMaxBytes {
		fields = []string{anyText}
	}
	return variable{cases: [][]string{fields}, exported: old.exported}
}

// declare judges export, declare, local and readonly.
func (s *shell) declare(c *syntax.DeclClause, e *env) result {
	s.step()
	export, reference, prints := c.Variant.Value == "export", c.Variant.Value == "nameref", false
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			for _, option := range s.text(a.Value, e) {
				if strings.HasPrefix(option, "-") {
					export = export || strings.Contains(option, "x")
					reference = reference || strings.Contains(option, "n")
					prints = prints || strings.Contains(option, "p")
				}
				s.take(s.policy.judgeVariable(option, ""))
			}
			continue
		}
		if a.Naked {
			s.take(s.policy.judgeVariable(a.Name.Value, ""))
			v, ok := e.vars[a.Name.Value]
			if !ok {
				v = hostVariable()
			}
			if !ok && prints && isSecretName(a.Name.Value) {
				s.deny(CodeSecret, "it would print a credential. Use the variable where it is needed without printing it.")
			}
			v.exported = v.exported || export
			e.vars[a.Name.Value] = v
			continue
		}
		s.assign(a, e, export)
		if reference {
			e.setUnknown(a.Name.Value, anyText) // it stands for another variable
		}
	}
	return unchanged(e, "")
}

// simple judges one command line.
func (s *shell) simple(argv []string, e *env, in input) result {
	if !s.step() || len(argv) == 0 || s.done() {
		return unchanged(e, "")
	}
	c := &command{shell: s, env: e, word: argv[0], args: argv[1:], in: in}
	before := s.verdict
	defer func() {
		if s.trace != nil {
			s.explain(argv, before)
		}
	}()
	return c.judge()
}

// judge names the command and hands it to what knows it.
func (c *command) judge() result {
	name, known := commandName(c.word)
	if !known {
		c.deny(CodeDynamic, "what "+readable(c.word)+" runs is known only when it runs. Write the command's name out.")
		return unchanged(c.env, anyText)
	}
	c.name = name
	if body, ok := c.env.funcs[c.word]; ok {
		c.plain()
		return c.function(c.word, body, c.args, false, c.env, c.in)
	}
	if judge := builtin(name); judge != nil {
		return judge(c)
	}
	if judge := runner(name); judge != nil {
		return judge(c)
	}
	if w, ok := wrappers.get(name); ok {
		return c.wrapped(w)
	}
	return c.itself()
}

// itself judges the command as a program of its own.
func (c *command) itself() result {
	c.plain()
	if in, ok := findInterpreter(c.name); ok && judgeOf(c.name) == nil {
		return c.interpreted(in)
	}
	return unchanged(c.env, c.output())
}

// commandName returns the name that rules know a command by. The directory of a program
// may be the host's, but its name has to be written.
func commandName(path string) (string, bool) {
	if path == "" || path[0] == '=' || hasAnyByte(path, anyText+starText+queryText) {
		return "", false
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	if isDynamic(name) || name == "" || strings.HasPrefix(path, "~") {
		return "", false
	}
	name = strings.TrimSuffix(changeCase(name, 'A', 'a'), ".exe")
	if i := strings.IndexByte(name, '@'); i > 0 { // npx name@version
		name = name[:i]
	}
	return name, true
}

// plain judges a command that is neither a builtin of the shell nor a wrapper.
func (c *command) plain() {
	if text, ok := c.files[fileKey(c.word)]; ok && strings.Contains(c.word, "/") {
		c.writtenScript(c.word, text)
	}
	c.picksSecrets()
	if c.policyRule() {
		return
	}
	if judge := judgeOf(c.name); judge != nil {
		judge(c)
		return
	}
	if _, ok := findInterpreter(c.name); ok {
		return
	}
	if strings.HasPrefix(c.name, "mkfs") && !asksForHelp(c.args) {
		c.deny(CodeDestroysFiles, c.name+" erases a file system.")
	}
	c.unknownCommand()
}

// policyRule applies the policy's table; it reports whether an operator's exception holds.
func (c *command) policyRule() bool {
	values := c.policy.valueOptions[c.name]
	if matchRule(c.policy.allow, c.name, c.args, values) != nil {
		return true
	}
	rule := matchRule(c.policy.denyCommands, c.name, c.args, values)
	if rule == nil || asksForHelp(c.args) || rule.code() == CodePublishes && contains(c.args, "--dry-run") {
		return false
	}
	c.deny(rule.code(), c.line()+": "+rule.reason())
	return false
}

// asksForHelp reports whether a command only prints its help: --help stands last and is
// not the value of an option.
func asksForHelp(args []string) bool {
	n := len(args)
	return n > 0 && args[n-1] == "--help" && (n == 1 || !strings.HasPrefix(args[n-2], "-"))
}

// line shows the command in a reason.
func (c *command) line() string {
	const longest = 80
	line := readable(strings.Join(append([]string{c.name}, c.args...), " "))
	if runes := []rune(line); len(runes) > longest {
		line = string(runes[:longest]) + "..."
	}
	return strings.Join(strings.Fields(line), " ")
}

// again judges another command line in this one's place, such as the one a wrapper runs.
func (c *command) again(argv []string, in input) result {
	if c.nesting++; c.nesting > maxNesting {
		c.deny(CodeTooComplex, "commands are nested too deeply. Run the inner command directly.")
		return unchanged(c.env, anyText)
	}
	defer func() { c.nesting-- }()
	return c.simple(argv, c.env, in)
}

// runShell judges a text that a shell started by this command runs. The first of its
// parameters is $0.
func (c *command) runShell(text string, params []string) result {
	e := c.env.child()
	if len(params) > 0 {
		e.zero, e.params = params[0], params[1:]
	}
	return unchanged(c.env, c.program(text, e, c.in).out)
}

// writtenScript judges a file that the same program wrote and now runs.
func (c *command) writtenScript(file, text string) {
	if text == "" {
		return
	}
	if isDynamic(text) {
		c.deny(CodeUnseenCode, "running "+readable(file)+", which this command has just written, runs code that nobody has seen. Look at it first.")
		return
	}
	c.script(file, text)
}

// access judges what the command does to the file that word names.
func (c *command) access(word string, a access) { c.path(c.env, word, a) }

// options and operands of the command, by the policy's and the given value options.
func (c *command) split(valueOptions ...string) (options, operands []string) {
	return splitOptions(c.args, append(valueOptions, c.policy.valueOptions[c.name]...))
}

// has reports whether one of the options is set.
func has(options []string, wanted ...string) bool {
	return slices.ContainsFunc(options, func(o string) bool {
		return slices.ContainsFunc(wanted, func(w string) bool { return optionIs(o, w) })
	})
}
