package gate

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// result is what is known after a command: the environments after success and after
// failure, and its standard output, with markers where it is not known.
type result struct {
	ok, bad *env
	out     string
}

func (r result) either() *env { return merge(r.ok, r.bad) }

func unchanged(e *env, out string) result { return result{ok: e, bad: e, out: out} }

// input is a command's standard input.
type input struct {
	piped bool   // from a pipe, a here-document or a here-string
	text  string // its text when piped, with markers
	file  string // the file that it is redirected from, or ""
}

// block judges a list of statements. Each one starts where the one before may have ended.
func (s *shell) block(stmts []*syntax.Stmt, e *env, in input) result {
	r := unchanged(e, "")
	for _, stmt := range stmts {
		if s.done() {
			break
		}
		s.work.spend(len(r.out) / 16)
		from := r.either()
		if from.dead {
			from = from.clone()
		}
		next := s.stmt(stmt, from, in)
		r = result{next.ok, next.bad, joinOutput(r.out, next.out)}
	}
	return r
}

// joinOutput is the output of two commands one after the other.
func joinOutput(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "" || a == b && a == listText:
		return a
	case len(a)+len(b) > commandMaxBytes:
		return anyText
	}
	return a + b
}

func (s *shell) stmt(stmt *syntax.Stmt, e *env, in input) result {
	if stmt.Cmd == nil {
		s.step()
	}
	redirected := s.redirects(stmt.Redirs, e, in)
	from := e
	if stmt.Background || stmt.Coprocess {
		from = e.clone()
	}
	r := unchanged(from, "")
	if stmt.Cmd != nil {
		r = s.cmd(stmt.Cmd, from, redirected.in)
	}
	r.out = s.capture(redirected, r.out)
	if stmt.Negated {
		r.ok, r.bad = r.bad, r.ok
	}
	if stmt.Background || stmt.Coprocess {
		return unchanged(e, r.out)
	}
	return r
}

// step counts one judged command and reports whether the budget allows it.
func (s *shell) step() bool {
	s.work.spend(stepWork)
	if s.steps++; s.steps > maxSteps {
		s.deny(CodeTooComplex, tooMuch)
		return false
	}
	return true
}

func (s *shell) cmd(cmd syntax.Command, e *env, in input) result {
	if s.steps > maxSteps || s.done() {
		return unchanged(e, anyText)
	}
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return s.call(c, e, in)
	case *syntax.BinaryCmd:
		return s.binary(c, e, in)
	case *syntax.Block:
		return s.block(c.Stmts, e, in)
	case *syntax.Subshell:
		return unchanged(e, s.subshell(c.Stmts, e, in))
	case *syntax.IfClause:
		return s.ifClause(c, e, in)
	case *syntax.WhileClause:
		return s.loop(e, in, c.Cond, c.Do, nil)
	case *syntax.ForClause:
		return s.forClause(c, e, in)
	case *syntax.CaseClause:
		return s.caseClause(c, e, in)
	case *syntax.FuncDecl:
		if c.Name != nil {
			e.funcs[c.Name.Value] = c.Body
			e.late.defined = append(e.late.defined, c)
			s.step()
		}
		return unchanged(e, "")
	case *syntax.DeclClause:
		return s.declare(c, e)
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return unchanged(e, "")
		}
		return s.stmt(c.Stmt, e, in)
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		s.step()
		s.substitutions(c, e)
		return unchanged(e, "")
	}
	s.deny(CodeTooComplex, "the command uses a rare construct of the shell. Write it in plain commands.")
	return unchanged(e, anyText)
}

func (s *shell) binary(c *syntax.BinaryCmd, e *env, in input) result {
	switch c.Op {
	case syntax.AndStmt:
		x := s.stmt(c.X, e, in)
		y := s.stmt(c.Y, x.ok.clone(), in)
		return result{y.ok, merge(x.bad, y.bad), joinOutput(x.out, y.out)}
	case syntax.OrStmt:
		x := s.stmt(c.X, e, in)
		y := s.stmt(c.Y, x.bad.clone(), in)
		return result{merge(x.ok, y.ok), y.bad, joinOutput(x.out, y.out)}
	}
	x := s.stmt(c.X, e.clone(), in)
	y := s.stmt(c.Y, e.clone(), input{piped: true, text: x.out})
	// zsh runs the last command of a pipe in the shell itself, bash does not.
	return result{merge(e, y.ok), merge(e, y.bad), y.out}
}

// alive returns e for code that follows an exit: such code is judged as if it ran.
func alive(e *env) *env {
	if e.dead {
		return e.clone()
	}
	return e
}

func (s *shell) ifClause(c *syntax.IfClause, e *env, in input) result {
	if len(c.Cond) == 0 { // the final else
		return s.block(c.Then, e, in)
	}
	cond := s.block(c.Cond, e, in)
	then := s.block(c.Then, alive(cond.ok).clone(), in)
	end, out := cond.bad, anyText
	if c.Else != nil {
		r := s.ifClause(c.Else, alive(cond.bad).clone(), in)
		end = r.either()
	}
	if then.out == "" {
		out = cond.out
	}
	return unchanged(merge(then.either(), end), out)
}

func (s *shell) caseClause(c *syntax.CaseClause, e *env, in input) result {
	s.step()
	s.expand(c.Word, e)
	end, out := e, ""
	for _, item := range c.Items {
		for _, pattern := range item.Patterns {
			s.expand(pattern, e)
		}
		r := s.block(item.Stmts, e.clone(), in)
		end, out = merge(end, r.either()), joinOutput(out, r.out)
	}
	if out != "" {
		out = anyText
	}
	return unchanged(end, out)
}

// loop judges a body again and again until a round teaches nothing new, because a later
// assignment reaches an earlier use in the next round.
func (s *shell) loop(e *env, in input, cond, body []*syntax.Stmt, begin func(*env)) result {
	const maxRounds = 6
	out := ""
	for range maxRounds {
		round := e.clone()
		if begin != nil {
			begin(round)
		}
		r := s.block(cond, round, in)
		r = s.block(body, alive(r.either()).clone(), in)
		out = r.out
		end := merge(e, r.either())
		if sameKnowledge(e, end) || s.done() {
			return unchanged(end, repeated(out))
		}
		e = end
	}
	s.deny(CodeTooComplex, "the loop's variables depend on one another in too many steps. Simplify it.")
	return unchanged(e, anyText)
}

// repeated is the output of any number of rounds that each print out.
func repeated(out string) string {
	if out == "" || out == listText {
		return out
	}
	return anyText
}

func (s *shell) forClause(c *syntax.ForClause, e *env, in input) result {
	s.step()
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		s.substitutions(c.Loop, e)
		return s.loop(e, in, nil, c.Do, func(round *env) { s.assignArithmetic(c.Loop, round) })
	}
	var items []string
	for _, word := range iter.Items {
		for _, fields := range s.expand(word, e) {
			items = append(items, fields...)
		}
	}
	if len(iter.Items) == 0 {
		items = e.params
	}
	s.take(s.policy.judgeVariable(iter.Name.Value, ""))
	v := oneOf(items)
	return s.loop(e, in, nil, c.Do, func(round *env) { round.set(iter.Name.Value, v) })
}

// oneOf is a variable that takes the items in turn. Many plain names are one unknown name.
func oneOf(items []string) variable {
	var v variable
	for _, item := range items {
		if len(items) > maxCases && isPlainName(item) {
			item = atomText
		}
		if c := []string{item}; !slices.ContainsFunc(v.cases, func(o []string) bool { return slices.Equal(o, c) }) {
			v.cases = append(v.cases, c)
		}
	}
	switch {
	case len(v.cases) == 0:
		v.cases = [][]string{{""}}
	case len(v.cases) > maxCases:
		v.cases = [][]string{{anyText}}
	}
	return v
}

// isPlainName reports whether text is one harmless name: no path, option or expansion.
func isPlainName(text string) bool {
	return text != "" && text[0] != '-' && text[0] != '.' && text[0] != '~' && !strings.ContainsAny(text, "/ \t\n$`") && !isOpen(text)
}

// substitutions judges the command substitutions anywhere below a node whose words decide
// nothing themselves, such as a test.
func (s *shell) substitutions(node syntax.Node, e *env) {
	syntax.Walk(node, func(n syntax.Node) bool {
		if word, ok := n.(*syntax.Word); ok {
			s.expand(word, e)
			return false
		}
		return true
	})
}

// assignArithmetic makes the variables of a C-style loop numbers.
func (s *shell) assignArithmetic(node syntax.Node, e *env) {
	syntax.Walk(node, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.BinaryArithm); ok && b.Op == syntax.Assgn {
			if w, ok := b.X.(*syntax.Word); ok && w.Lit() != "" {
				e.setUnknown(w.Lit(), atomText)
			}
		}
		return true
	})
}

// subshell judges statements that run in a shell of their own.
func (s *shell) subshell(stmts []*syntax.Stmt, e *env, in input) string {
	return s.whole(stmts, e.clone(), in).out
}

// whole judges the statements of one shell and what can run at any time once it has
// begun: functions that nothing has called, which an exported environment could run with
// any parameters, and its traps. A variable that is set at the end may have had any of
// its values when they run.
func (s *shell) whole(stmts []*syntax.Stmt, e *env, in input) result {
	late := e.late
	outer, first := late.traps, len(late.defined)
	late.traps = nil
	r := s.block(stmts, e, in)
	end := r.either()
	for i := first; i < len(late.defined); i++ { // judging one can define another
		if f := late.defined[i]; !late.judged[f.Body] {
			s.function(f.Name.Value, f.Body, nil, true, end.clone(), input{})
		}
	}
	traps := late.traps
	late.traps = outer
	for _, text := range traps {
		at := end.clone()
		for name := range at.vars {
			at.vars[name] = late.ever[name]
		}
		s.program(text, at, input{})
	}
	return r
}

// functionCall identifies a call that is being judged.
type functionCall struct {
	body   *syntax.Stmt
	params string
}

// function judges one call of a function. A call of itself with other parameters is
// judged once, with parameters that are not known.
func (s *shell) function(name string, body *syntax.Stmt, params []string, unknown bool, e *env, in input) result {
	call := functionCall{body, strings.Join(params, "\n")}
	if slices.ContainsFunc(s.calls, func(c functionCall) bool { return c.body == body }) {
		if forksItself(name, body) {
			s.deny(CodeSystemChange, "the function "+name+" starts itself without end and would take the machine down.")
		}
		unknown = unknown || !slices.Contains(s.calls, call)
	}
	if unknown {
		call.params = anyText
	}
	if slices.Contains(s.calls, call) {
		return unchanged(e, anyText)
	}
	if len(s.calls) > maxNesting {
		s.deny(CodeTooComplex, "functions call one another too deeply. Write the commands out.")
		return unchanged(e, anyText)
	}
	s.calls = append(s.calls, call)
	defer func() { s.calls = s.calls[:len(s.calls)-1] }()
	e.late.judged[body] = true
	saved, savedUnknown := e.params, e.unknown
	e = e.clone()
	e.params, e.unknown = params, unknown
	r := s.stmt(body, e, in)
	end := r.either().clone()
	end.params, end.unknown = saved, savedUnknown
	return unchanged(end, r.out)
}

// forksItself reports whether a function calls itself in a pipe or in the background.
func forksItself(name string, body *syntax.Stmt) bool {
	found := false
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			found = found || n.Op == syntax.Pipe && callsName(n, name)
		case *syntax.Stmt:
			found = found || n.Background && callsName(n, name)
		}
		return !found
	})
	return found
}

func callsName(node syntax.Node, name string) bool {
	found := false
	syntax.Walk(node, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == name {
			found = true
		}
		return !found
	})
	return found
}
