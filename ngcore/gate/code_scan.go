package gate

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is what a piece of code is.
type tokenKind int

const (
	nameToken tokenKind = iota
	stringToken
	markToken // one character of punctuation
	numberToken
)

// codeToken is one piece of code. A string's text has its escapes resolved; one that is
// put together at run time holds anyText.
type codeToken struct {
	kind tokenKind
	text string
}

// taggedShell is the name of the function in $`...`, which Bun and zx give to a shell.
const taggedShell = "$`"

// scanner reads Python or JavaScript into tokens, so that a word in a string or a
// comment is not taken for a call.
type scanner struct {
	lang   language
	rest   string
	tokens []codeToken
	depth  int
	broken bool // a string has no end
}

// scanCode returns the tokens of text. ok is false when it cannot be told apart.
func scanCode(lang language, text string) (tokens []codeToken, ok bool) {
	s := &scanner{lang: lang, rest: text}
	s.scan()
	return s.tokens, !s.broken
}

func (s *scanner) scan() {
	for s.rest != "" && !s.broken {
		switch c := s.rest[0]; {
		case c == ' ' || c == '\t' || c == '\r':
			s.rest = s.rest[1:]
		case s.comment():
		case c == '"' || c == '\'' || c == '`' && s.lang == scriptCode:
			s.str("")
		case c == '/' && s.lang == scriptCode && s.regexStarts():
			s.regex()
		case c >= '0' && c <= '9':
			s.word(numberToken)
		case c == '_' || c == '$' || c >= utf8.RuneSelf || isLetter(c):
			s.name()
		default:
			s.add(markToken, s.rest[:1])
			s.rest = s.rest[1:]
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (s *scanner) add(kind tokenKind, text string) {
	s.tokens = append(s.tokens, codeToken{kind, text})
}

// comment skips a comment.
func (s *scanner) comment() bool {
	end := ""
	switch {
	case s.lang == pythonCode && s.rest[0] == '#', s.lang == scriptCode && strings.HasPrefix(s.rest, "//"):
		end = "\n"
	case s.lang == scriptCode && strings.HasPrefix(s.rest, "/*"):
		end = "*/"
	default:
		return false
	}
	i := strings.Index(s.rest, end)
	if i < 0 {
		s.rest = ""
		return true
	}
	s.rest = s.rest[i+len(end):]
	if end == "\n" {
		s.add(markToken, "\n")
	}
	return true
}

func (s *scanner) word(kind tokenKind) string {
	end := strings.IndexFunc(s.rest, func(r rune) bool {
		return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if end < 0 {
		end = len(s.rest)
	}
	if end == 0 { // a byte that starts no letter
		_, end = utf8.DecodeRuneInString(s.rest)
	}
	text := s.rest[:end]
	s.rest = s.rest[end:]
	s.add(kind, text)
	return text
}

// name reads a name, or the string that a Python prefix belongs to.
func (s *scanner) name() {
	text := s.word(nameToken)
	if s.lang == pythonCode && len(text) <= 2 && s.rest != "" && (s.rest[0] == '"' || s.rest[0] == '\'') && strings.Trim(strings.ToLower(text), "rbuft") == "" {
		s.tokens = s.tokens[:len(s.tokens)-1]
		s.str(strings.ToLower(text))
	}
}

// str reads one string literal.
func (s *scanner) str(prefix string) {
	quote := s.rest[:1]
	if s.lang == pythonCode && strings.HasPrefix(s.rest, strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	body, rest, ok := cutString(s.rest[len(quote):], quote)
	if !ok {
		s.broken = true
		return
	}
	s.rest = rest
	if n := len(s.tokens); quote == "`" && n > 0 && s.tokens[n-1] == (codeToken{nameToken, "$"}) {
		s.tokens[n-1].text = taggedShell
	}
	if quote == "`" {
		body = s.interpolated(body, "${")
	} else if strings.Contains(prefix, "f") {
		body = s.interpolated(body, "{")
	}
	if !strings.Contains(prefix, "r") {
		body = unescapeCode(body)
	}
	s.add(stringToken, body)
}

// cutString cuts a string's body at its closing quote.
func cutString(text, quote string) (body, rest string, ok bool) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], quote):
			return text[:i], text[i+len(quote):], true
		case text[i] == '\n' && len(quote) == 1 && quote != "`":
			return "", "", false
		}
	}
	return "", "", false
}

// interpolated replaces the expressions in a string by anyText and scans them as code.
func (s *scanner) interpolated(body, open string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(body, open)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if open == "{" && strings.HasPrefix(after, "{") {
			b.WriteString("{")
			body = after[1:]
			continue
		}
		code, rest := cutBraces(after)
		inner := &scanner{lang: s.lang, rest: code, depth: s.depth + 1}
		if inner.depth < maxNesting {
			inner.scan()
		}
		s.tokens = append(s.tokens, inner.tokens...)
		s.add(markToken, ";")
		b.WriteString(anyText)
		body = rest
	}
}

// cutBraces cuts text at the brace that closes the one before it.
func cutBraces(text string) (inside, rest string) {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// unescapeCode resolves the escapes that could spell a path or a name.
func unescapeCode(body string) string {
	if !strings.Contains(body, `\`) {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			continue
		}
		r, _, tail, err := strconv.UnquoteChar(body[i:], 0)
		switch {
		case err == nil:
			b.WriteRune(r)
			i = len(body) - len(tail) - 1
		case body[i+1] >= '0' && body[i+1] <= '7' || strings.HasPrefix(body[i:], `\u{`) || strings.HasPrefix(body[i:], `\N`):
			b.WriteString(anyText)
			i++
		default:
			b.WriteByte(body[i+1])
			i++
		}
	}
	return b.String()
}

// regexStarts reports whether a slash begins a regular expression: no value stands
// before it.
func (s *scanner) regexStarts() bool {
	if len(s.tokens) == 0 {
		return true
	}
	last := s.tokens[len(s.tokens)-1]
	switch last.kind {
	case stringToken, numberToken:
		return false
	case nameToken:
		return last.text == "return" || last.text == "typeof" || last.text == "case" || last.text == "in" || last.text == "of"
	}
	return last.text != ")" && last.text != "]" && last.text != "}"
}

func (s *scanner) regex() {
	class := false
	for i := 1; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			s.broken = true
			return
		case '/':
			if !class {
				s.rest = s.rest[i+1:]
				s.add(stringToken, "")
				return
			}
		}
	}
	s.broken = true
}
