package gate

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/ngvet/ngvet/internal/shellword"
)

// expand returns the fields that a word may become, one list per case. The commands of
// its substitutions are judged on the way.
func (s *shell) expand(word *syntax.Word, e *env) [][]string {
	if word == nil {
		return [][]string{nil}
	}
	if s.done() {
		return [][]string{{anyText}}
	}
	if text := word.Lit(); strings.Contains(text, "://[") { // an address, which no file matches
		return [][]string{{text}}
	}
	split := *word
	split.Parts = append([]syntax.WordPart(nil), word.Parts...)
	if !syntax.SplitBraces(&split) {
		return s.expandParts(split.Parts, e)
	}
	if braces(&split) > maxBraces {
		s.deny(CodeTooComplex, "a brace expansion is too large. Use a loop.")
		return [][]string{{anyText}}
	}
	cases := [][]string{nil}
	words, ok := shellword.Braces(&split, maxFields)
	for _, w := range words {
		if ok = len(cases[0]) <= maxFields && !s.done(); !ok {
			break
		}
		cases = product(cases, s.expandParts(w.Parts, e))
	}
	if !ok {
		s.deny(CodeTooComplex, "a brace expansion is too large. Use a loop.")
		return [][]string{{anyText}}
	}
	return cases
}

// maxBraces bounds the brace expansions of one word, because expanding recurses for each.
const maxBraces = 32

func braces(word *syntax.Word) int {
	n := 0
	for _, part := range word.Parts {
		if b, ok := part.(*syntax.BraceExp); ok {
			n++
			for _, elem := range b.Elems {
				n += braces(elem)
			}
		}
	}
	return n
}

// expandAll expands words into argument lists, one per case.
func (s *shell) expandAll(words []*syntax.Word, e *env) [][]string {
	cases := [][]string{nil}
	for _, w := range words {
		cases = product(cases, s.expand(w, e))
	}
	return cases
}

// product appends every choice of more to every case. Beyond the limit the choices become
// one word that could be anything.
func product(cases, more [][]string) [][]string {
	if len(cases)*len(more) > maxCases || len(cases[0])+len(more[0]) > maxFields {
		more = [][]string{{anyText}}
	}
	if len(more) == 1 {
		for i := range cases {
			cases[i] = append(cases[i], more[0]...)
		}
		return cases
	}
	var out [][]string
	for _, c := range cases {
		for _, m := range more {
			out = append(out, append(c[:len(c):len(c)], m...))
		}
	}
	return out
}

// text expands a word to one string per case, without splitting, as in an assignment.
func (s *shell) text(word *syntax.Word, e *env) []string {
	if word == nil {
		return []string{""}
	}
	return s.expandQuoted(word.Parts, e, true)
}

// bounded keeps a value that doubles and doubles from filling the memory.
func bounded(text string) string {
	if len(text) > commandMaxBytes {
		return anyText
	}
	return text
}

// field is one word being built.
type field struct {
	done []string // fields before it
	text string
	real bool // it exists even when empty, because something was quoted
}

// expandParts expands the parts of one word, splitting unquoted values as the shell does.
func (s *shell) expandParts(parts []syntax.WordPart, e *env) [][]string {
	cases := []field{{}}
	for i, part := range parts {
		if s.done() {
			return [][]string{{anyText}}
		}
		for _, f := range cases {
			s.work.spend(1 + len(f.done) + len(f.text)/16)
		}
		var next []field
		values, quoted := s.part(part, e, i == 0)
		for _, f := range cases {
			for _, v := range values {
				next = append(next, f.join(v, quoted))
			}
		}
		if len(next) > maxCases {
			next = []field{{text: anyText, real: true}}
		}
		cases = next
	}
	var out [][]string
	for _, f := range cases {
		f.text = bounded(f.text)
		fields := f.done
		if f.real || f.text != "" {
			fields = append(fields[:len(fields):len(fields)], f.text)
		}
		out = append(out, fields)
	}
	return out
}

// join appends one value of a part.
func (f field) join(v value, quoted bool) field {
	f.real = f.real || quoted && !v.list
	f.done = slices.Clone(f.done) // other cases share it
	if quoted || v.literal {
		for i, text := range v.fields {
			if i > 0 {
				f.done, f.text = append(f.done, f.text), ""
			}
			f.text += text
			f.real = f.real || v.list
		}
		return f
	}
	for i, text := range v.fields {
		if i > 0 {
			f = f.cut()
		}
		f = f.split(text)
	}
	return f
}

func (f field) cut() field {
	if f.text != "" || f.real {
		f.done = append(f.done, f.text)
	}
	f.text, f.real = "", false
	return f
}

// split appends text that the shell splits at blanks and expands as a pattern.
func (f field) split(text string) field {
	const blanks = " \t\n"
	if isOpen(text) && !strings.ContainsAny(text, blanks) {
		f.text += text
		return f
	}
	if text != "" && strings.IndexByte(blanks, text[0]) >= 0 {
		f = f.cut()
	}
	for i, word := range strings.Fields(text) {
		if i > 0 {
			f = f.cut()
		}
		f.text += markGlobs(word)
	}
	if text != "" && strings.IndexByte(blanks, text[len(text)-1]) >= 0 {
		f = f.cut()
	}
	return f
}

// markGlobs marks the pattern characters of unquoted text.
func markGlobs(text string) string {
	if !strings.ContainsAny(text, "*?[") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '*':
			b.WriteString(starText)
		case '?':
			b.WriteString(queryText)
		case '[':
			mark, n := bracket(text[i:])
			b.WriteString(mark)
			i += n - 1
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// bracket marks the [...] that a pattern begins with and returns its length. A [ that
// nothing closes stands for itself.
func bracket(text string) (mark string, length int) {
	body := strings.TrimLeft(text[1:], "!^")
	open := len(text) - len(body)
	if end := strings.IndexByte(body[min(1, len(body)):], ']'); end >= 0 && !strings.Contains(body[:end+1], "/") {
		return queryText, open + end + 2
	}
	return "[", 1
}

// value is what one part of a word may stand for.
type value struct {
	fields  []string
	list    bool // "$@" or "${array[@]}": no field at all when empty
	literal bool // text of the program itself, which is never split
}

func literalValue(text string) []value { return []value{{fields: []string{text}, literal: true}} }

// values makes one scalar value per case.
func scalars(texts ...string) []value {
	var out []value
	for _, t := range texts {
		out = append(out, value{fields: []string{t}})
	}
	return out
}

// part returns the cases of one part of a word and whether it is quoted.
func (s *shell) part(part syntax.WordPart, e *env, first bool) (cases []value, quoted bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		return literalValue(s.literal(p.Value, e, first)), false
	case *syntax.SglQuoted:
		return literalValue(singleQuoted(p)), true
	case *syntax.DblQuoted:
		if len(p.Parts) == 1 {
			if param, ok := p.Parts[0].(*syntax.ParamExp); ok {
				return s.param(param, e), true
			}
		}
		return scalars(s.expandQuoted(p.Parts, e, false)...), true
	case *syntax.ParamExp:
		return s.param(p, e), false
	case *syntax.CmdSubst:
		return scalars(s.substitution(p.Stmts, e)), false
	case *syntax.ProcSubst:
		s.subshell(p.Stmts, e, input{})
		return literalValue(processFile), false
	case *syntax.ArithmExp:
		s.substitutions(p.X, e)
		return literalValue(atomText), false
	case *syntax.ExtGlob:
		return literalValue(starText), false
	}
	return literalValue(anyText), false
}

// processFile is where a process substitution can be read or written.
const processFile = "/dev/fd/63"

// substitution judges $(...) and returns its output without final line breaks.
func (s *shell) substitution(stmts []*syntax.Stmt, e *env) string {
	if s.nesting++; s.nesting > maxNesting {
		s.deny(CodeTooComplex, "substitutions are nested too deeply. Use variables.")
		return anyText
	}
	defer func() { s.nesting-- }()
	return strings.TrimRight(s.subshell(stmts, e, input{}), "\n")
}

// expandQuoted expands parts to one string per case; outer says that they are not
// themselves inside double quotes.
func (s *shell) expandQuoted(parts []syntax.WordPart, e *env, outer bool) []string {
	cases := []string{""}
	for i, part := range parts {
		if s.done() {
			return []string{anyText}
		}
		s.work.spend(len(cases) + len(cases[0])/16)
		var values []value
		if lit, ok := part.(*syntax.Lit); ok && !outer {
			values = literalValue(shellword.Unescape(lit.Value, shellword.DoubleQuoted))
		} else {
			values, _ = s.part(part, e, i == 0)
		}
		var next []string
		for _, c := range cases {
			for _, v := range values {
				if v.list && len(v.fields) > 1 {
					v.fields = []string{anyText}
				}
				next = append(next, bounded(c+strings.Join(v.fields, " ")))
			}
		}
		if len(next) > maxCases {
			next = []string{anyText}
		}
		cases = next
	}
	return cases
}

// literal removes the backslashes of unquoted text, marks its patterns and expands a
// tilde at the beginning of a word.
func (s *shell) literal(text string, e *env, first bool) string {
	var b strings.Builder
	if first && strings.HasPrefix(text, "~") {
		user, _, _ := strings.Cut(text[1:], "/")
		b.WriteString(tilde(user, s.ws, e))
		text = text[1+len(user):]
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			if i++; i < len(text) && text[i] != '\n' {
				b.WriteByte(text[i])
			}
		case '*':
			b.WriteString(starText)
		case '?':
			b.WriteString(queryText)
		case '[':
			mark, n := bracket(text[i:])
			b.WriteString(mark)
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// tilde expands ~, ~+ and ~user. The homes of other users lie outside every workspace.
func tilde(user string, ws Workspace, e *env) string {
	switch user {
	case "":
		return ws.homeText()
	case "+":
		return e.cwdText()
	}
	if isPlainName(user) {
		return "/home/" + user
	}
	return hostText
}

func (ws Workspace) homeText() string {
	if !filepath.IsAbs(ws.home) {
		return hostText
	}
	return filepath.Clean(ws.home)
}

// cwdText is the current directory when there is only one case.
func (e *env) cwdText() string {
	if len(e.cwd) == 1 {
		return e.cwd[0].path
	}
	return anyText
}

// singleQuoted returns the text of '...' and $'...'.
func singleQuoted(q *syntax.SglQuoted) string {
	text, ok := shellword.Single(q)
	if !ok || !utf8.ValidString(text) {
		return anyText
	}
	return text
}
