package gate

import (
	"cmp"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainParams are parameters and variables whose value is one harmless name.
var plainParams = map[string]bool{
	"-": true, "HOSTNAME": true, "USER": true, "LOGNAME": true, "OSTYPE": true, "BASH_VERSION": true,
}

// numberParams are parameters and variables whose value is a number.
var numberParams = map[string]bool{
	"?": true, "#": true, "$": true, "!": true, "RANDOM": true, "SECONDS": true, "LINENO": true, "UID": true, "EUID": true,
	"SHLVL": true, "BASHPID": true, "EPOCHSECONDS": true, "COLUMNS": true, "LINES": true,
}

// someNumber stands for a number that only the run knows: whatever it is, it changes no
// command.
const someNumber = "12345"

// param returns the cases of a parameter expansion.
func (s *shell) param(p *syntax.ParamExp, e *env) []value {
	if p.Param == nil || p.Excl || p.Names != 0 || p.Flags != nil || p.Modifiers != nil || p.NestedParam != nil {
		s.substitutions(p, e)
		return scalars(anyText)
	}
	if p.Length || p.Width || p.IsSet {
		return scalars(atomText)
	}
	base := s.lookup(p, e)
	switch {
	case p.Exp != nil:
		return s.expansion(p.Exp, p.Param.Value, base, e)
	case p.Slice != nil:
		s.sliceWords(p.Slice, e)
		return eachField(base, func(t string) string { return partOf(t) })
	case p.Repl != nil:
		return s.replacement(p.Repl, base, e)
	}
	return base
}

func (s *shell) sliceWords(slice *syntax.Slice, e *env) {
	for _, x := range []syntax.ArithmExpr{slice.Offset, slice.Length} {
		if x != nil {
			s.substitutions(x, e)
		}
	}
}

// lookup returns the values of the parameter itself.
func (s *shell) lookup(p *syntax.ParamExp, e *env) []value {
	name := p.Param.Value
	if name == "@" || name == "*" {
		if e.unknown {
			return scalars(anyText)
		}
		return []value{{fields: e.params, list: true}}
	}
	if name[0] >= '0' && name[0] <= '9' {
		return scalars(positional(name, e))
	}
	v, assigned := e.vars[name]
	if !assigned {
		return scalars(s.hostVariable(name, e))
	}
	if name == "IFS" {
		return scalars(anyText)
	}
	var out []value
	for _, fields := range v.cases {
		out = append(out, indexed(p.Index, fields)...)
	}
	if _, custom := e.vars["IFS"]; custom { // splits at other characters than blanks
		out = eachField(out, splitUnknown)
	}
	return out
}

// splitUnknown keeps a value only when no separator could split it.
func splitUnknown(text string) string {
	if isPlainName(text) && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" {
		return text
	}
	return anyText
}

func positional(name string, e *env) string {
	if name == "0" {
		return cmp.Or(e.zero, "bash")
	}
	if e.unknown {
		return anyText
	}
	n := 0
	for _, c := range name {
		if n = n*10 + int(c-'0'); n > len(e.params) {
			return ""
		}
	}
	return e.params[n-1]
}

// indexed returns the elements of an array that an index selects; without one, the first.
func indexed(index syntax.ArithmExpr, fields []string) []value {
	if index == nil {
		return scalars(append(fields[:len(fields):len(fields)], "")[0])
	}
	if w, ok := index.(*syntax.Word); ok && (w.Lit() == "@" || w.Lit() == "*") {
		return []value{{fields: fields, list: true}}
	}
	return scalars(append(fields[:len(fields):len(fields)], "")...)
}

// hostVariable is the value of a variable that the program has not assigned.
func (s *shell) hostVariable(name string, e *env) string {
	switch {
	case name == "HOME":
		return s.ws.homeText()
	case name == "PWD":
		return e.cwdText()
	case name == "SHELL":
		return "/bin/sh"
	case name == "TMPDIR" && s.ws.temp != "":
		return s.ws.temp
	case name == "IFS":
		return " "
	case plainParams[name]:
		return atomText
	case numberParams[name]:
		return someNumber
	case name == "PPID": // as far as kill is concerned, the process that all depends on
		return "1"
	case isSecretName(name):
		return secretText
	}
	return hostText
}

func eachField(cases []value, change func(string) string) []value {
	out := make([]value, len(cases))
	for i, v := range cases {
		out[i] = v
		out[i].fields = make([]string, len(v.fields))
		for j, f := range v.fields {
			out[i].fields[j] = change(f)
		}
	}
	return out
}

// partOf is some part of a text: still one name when the text is one.
func partOf(text string) string {
	if text == atomText || isPlainName(text) {
		return atomText
	}
	if text == hostText {
		return hostText
	}
	return anyText
}

// expansion applies ${name OP word}.
func (s *shell) expansion(x *syntax.Expansion, name string, base []value, e *env) []value {
	words := s.text(x.Word, e)
	switch x.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return s.defaulted(x.Op, name, base, words, e)
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return append(scalars(""), scalars(words...)...)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return base
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if len(words) != 1 {
			return scalars(anyText)
		}
		return eachField(base, func(t string) string { return trimPattern(t, x.Op, words[0]) })
	case syntax.UpperAll:
		return eachField(base, func(t string) string { return changeCase(t, 'a', 'A') })
	case syntax.LowerAll:
		return eachField(base, func(t string) string { return changeCase(t, 'A', 'a') })
	}
	return scalars(anyText)
}

// defaulted joins a variable's values with its default. A value that is surely set and
// not empty keeps the default out.
func (s *shell) defaulted(op syntax.ParExpOperator, name string, base []value, words []string, e *env) []value {
	var out []value
	needed := false
	for _, v := range base {
		text := strings.Join(v.fields, " ")
		if text == "" {
			needed = true
			continue
		}
		needed = needed || hasAnyByte(text, anyText+hostText)
		out = append(out, v)
	}
	if needed || len(out) == 0 {
		out = append(out, scalars(words...)...)
	}
	if op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
		var v variable
		for _, c := range out {
			v.cases = append(v.cases, c.fields)
		}
		e.set(name, v)
	}
	return out
}

// trimPattern applies ${name%pattern} and its kin to the patterns that programs use on
// names; of any other the result is unknown.
func trimPattern(text string, op syntax.ParExpOperator, pattern string) string {
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	switch {
	case hasAnyByte(text, anyText+hostText):
		return anyText
	case !isDynamic(pattern) && suffix:
		return strings.TrimSuffix(text, pattern)
	case !isDynamic(pattern):
		return strings.TrimPrefix(text, pattern)
	case pattern == starText+"/" && op == syntax.RemLargePrefix:
		return path.Base(text)
	case pattern == "/"+starText && op == syntax.RemSmallSuffix:
		return path.Dir(text)
	case pattern == "."+starText && suffix && strings.Contains(path.Base(text), "."):
		return strings.TrimSuffix(text, path.Ext(text))
	case text == atomText:
		return atomText
	}
	return anyText
}

// replacement applies ${name/from/to}.
func (s *shell) replacement(r *syntax.Replace, base []value, e *env) []value {
	from, to := s.text(r.Orig, e), s.text(r.With, e)
	if len(from) != 1 || len(to) != 1 || isDynamic(from[0]) || isDynamic(to[0]) {
		return scalars(anyText)
	}
	n := 1
	if r.All {
		n = -1
	}
	return eachField(base, func(t string) string {
		if isOpen(t) {
			return anyText
		}
		return strings.Replace(t, from[0], to[0], n)
	})
}
