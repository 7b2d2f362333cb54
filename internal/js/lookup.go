package js

import (
	"fmt"
	"slices"
	"strings"
)

func (e *NotFoundError) Error() string {
	text := fmt.Sprintf("%s has no %s", e.Module.path, e.Name)
	if e.Erased != "" {
		return fmt.Sprintf("%s: there it is %s, of which nothing is left at run time", text, e.Erased)
	}
	if len(e.Nearest) > 0 {
		text += " (there is " + strings.Join(e.Nearest, ", ") + ")"
	}
	return text
}

func (e *NotConstError) Error() string {
	if e.Module == nil {
		return "not a constant expression: " + e.Reason
	}
	line, col := e.Module.Position(e.Span.Start)
	return fmt.Sprintf("%s:%d:%d: not a constant expression: %s", e.Module.path, line, col, e.Reason)
}

func (e *NotConstError) Unwrap() error { return e.Err }

func (e *PathError) Error() string {
	return fmt.Sprintf("path %q, byte %d: %s", e.Path, e.Offset, e.Msg)
}

// query is a parsed path.
type query struct {
	form  string // "", "env", "calls", "argv", "returned" or "cases"
	fn    string
	steps []string
}

// Lookup evaluates path, the part of a directive after '#', in m:
//
//	NAME            a binding at the top of the module, exported or not, or an export
//	default         the default export
//	BASE.prop       a property; BASE["any text"] likewise
//	CLASS.STATIC    a static member of a class
//	env             the names that the module reads or deletes from process.env, as an Array
//	calls(fn)       the constant first arguments of every call of fn, as an Array
//	argv(fn)        the constant words in the argument arrays of every call of fn, as an Array
//	returned(fn)    the object that fn returns; its values may be Opaque
//	cases(fn)       the constants that the one switch in fn tells apart, as a Set
//
// The error is a *PathError, *NotFoundError or *NotConstError.
func (p *Program) Lookup(m *Module, path string) (Value, error) {
	q, err := parsePath(path)
	if err != nil {
		return Value{}, err
	}
	switch q.form {
	case "env":
		return p.envNames(m)
	case "calls":
		return p.firstArguments(m, q.fn)
	case "argv":
		return p.argumentWords(m, q.fn)
	case "returned":
		return p.returned(m, q.fn)
	case "cases":
		return p.cases(m, q.fn)
	}
	return p.named(m, q.steps)
}

// parsePath reads a path.
func parsePath(path string) (query, error) {
	bad := func(off int, format string, args ...any) (query, error) {
		return query{}, &PathError{Path: path, Offset: off, Msg: fmt.Sprintf(format, args...)}
	}
	i := nameEnd(path, 0)
	if i == 0 {
		return bad(0, "want a name")
	}
	head := path[:i]
	if head == "env" && i == len(path) {
		return query{form: head}, nil
	}
	if i < len(path) && path[i] == '(' {
		if !slices.Contains([]string{"calls", "argv", "returned", "cases"}, head) {
			return bad(0, "%s( is not known, want calls(, argv(, returned( or cases(", head)
		}
		end := nameEnd(path, i+1)
		if end == i+1 || path[end:] != ")" {
			return bad(end, "want one function name and ) at the end")
		}
		return query{form: head, fn: path[i+1 : end]}, nil
	}
	q := query{steps: []string{head}}
	for i < len(path) {
		step, end, msg := parseStep(path, i)
		if msg != "" {
			return bad(i, "%s", msg)
		}
		q.steps = append(q.steps, step)
		i = end
	}
	return q, nil
}

// parseStep reads .name, [index] or ["any text"] at i.
func parseStep(path string, i int) (step string, end int, msg string) {
	switch {
	case path[i] == '.':
		end = nameEnd(path, i+1)
		if end == i+1 {
			return "", 0, "want a property name behind the dot"
		}
		return path[i+1 : end], end, ""
	case path[i] == '[':
		t := scan(path[i:])
		if len(t.list) < 3 || !t.is(2, "]") || t.kindOf(1) != tokString && t.kindOf(1) != tokNumber {
			return "", 0, `want ["property"] or [index]`
		}
		end = i + int(t.list[2].end)
		program, err := parseProgram(t.text(1))
		if err != nil {
			return "", 0, "the quoted property is malformed"
		}
		c := &converter{gen: scan(t.text(1)), orig: scan(t.text(1))}
		v := (&evaluator{active: make(map[*Node]bool)}).eval(nil, c.stmts(program.Body)[0].Kids[0])
		step, _ = toString(v)
		return step, end, ""
	}
	return "", 0, `want . or [ behind a name`
}

// nameEnd returns the end of the identifier, or digits, at i.
func nameEnd(path string, i int) int {
	for i < len(path) && isIdentByte(path[i]) && path[i] != '\\' {
		i++
	}
	return i
}

// named evaluates a binding or export and the properties behind it.
func (p *Program) named(m *Module, steps []string) (Value, error) {
	ev := &evaluator{p: p, active: make(map[*Node]bool)}
	v, err := p.base(ev, m, steps[0])
	if err != nil {
		return Value{}, err
	}
	for _, step := range steps[1:] {
		if v, err = known(v); err != nil {
			return Value{}, err
		}
		next := property(v, step, v.Module, v.Span)
		if v.Kind == Function {
			next = ev.static(v.Fn, step, v.Module, v.Span)
		}
		if missing := v.missing(step, next); missing != nil {
			return Value{}, missing
		}
		v = next
	}
	return known(v)
}

// missing returns the error for a property that is not there at all.
func (v Value) missing(step string, next Value) error {
	var names []string
	switch {
	case v.Kind == Object && next.Kind == Undefined:
		for _, e := range v.Entries {
			if e.Key.Str == step {
				return nil
			}
			names = append(names, e.Key.Str)
		}
	case v.Kind == Array && next.Kind == Undefined:
		if i, _ := arrayIndex(step); i < len(v.Elems) {
			return nil
		}
	case v.Kind == Function && v.Fn.Node.Type == ClassLit && next.Kind == Opaque:
		for _, member := range v.Fn.Node.Kids[2:] {
			key, ok := staticKey(member)
			if ok && key == step && member.Flags&Static != 0 {
				return nil
			}
			names = append(names, key)
		}
	default:
		return nil
	}
	return &NotFoundError{Module: v.Module, Span: v.Span, Name: step, Nearest: nearestNames(step, names)}
}

// base evaluates a name of the module itself.
func (p *Program) base(ev *evaluator, m *Module, name string) (Value, error) {
	if b := m.TopLevel(name); b != nil && name != "default" {
		v := ev.ident(m, b.Decl)
		if v.Module == nil {
			v.Module, v.Span = m, b.Decl.Span
		}
		return v, nil
	}
	target, err := p.exported(m, name)
	if err != nil {
		if _, ok := err.(*NotFoundError); ok {
			return Value{}, m.noBinding(name)
		}
		return Value{}, &NotConstError{Module: m, Span: m.root.Span, Reason: fmt.Sprintf("%s: %v", name, err), Err: err}
	}
	return ev.eval(target.Module, target.Node), nil
}

// noBinding is the error for a name that the module does not declare.
func (m *Module) noBinding(name string) error {
	names := exportNames(m.exports)
	for declared := range m.top.names {
		names = append(names, declared)
	}
	err := &NotFoundError{Module: m, Span: m.root.Span, Name: name, Nearest: nearestNames(name, names)}
	err.Erased, err.ErasedAt = m.erased(name)
	return err
}

// envNames is #env.
func (p *Program) envNames(m *Module) (Value, error) {
	v := Value{Kind: Array, Module: m, Span: m.root.Span}
	seen := make(map[string]bool)
	for _, r := range m.env {
		if r.Name == "" {
			return Value{}, &NotConstError{Module: m, Span: r.Span, Reason: "the name of the environment variable is computed"}
		}
		if !seen[r.Name] {
			seen[r.Name] = true
			name := stringValue(r.Name)
			name.Module, name.Span, name.Literal = m, r.Span, r.node.Type == StringLit
			v.Elems = append(v.Elems, name)
		}
	}
	return v, nil
}

// maxNearest is how many names an error suggests.
const maxNearest = 3

// nearestNames returns the names that differ least from name, best first, those left out
// that differ in more than half of it.
func nearestNames(name string, names []string) []string {
	slices.Sort(names)
	names = slices.Compact(names)
	distance := make(map[string]int, len(names))
	var near []string
	for _, n := range names {
		if distance[n] = editDistance(name, n); n != "" && len(n) < 200 && distance[n] <= max(2, len(name)/2) {
			near = append(near, n)
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return distance[a] - distance[b] })
	return near[:min(len(near), maxNearest)]
}

// editDistance counts the insertions, deletions and replacements, in bytes and without
// regard to case, that turn a into b.
func editDistance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > 200 || len(b) > 200 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
