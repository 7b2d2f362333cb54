package js

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is the lexical kind of a token.
type tokenKind uint8

const (
	tokPunct tokenKind = iota
	tokIdent           // identifiers, keywords, #private names
	tokNumber
	tokString
	tokRegExp
	tokTemplateFull   // `text`
	tokTemplateHead   // `text${
	tokTemplateMiddle // }text${
	tokTemplateTail   // }text`
)

// token is one token. match is the index of the partner of a bracket, of the next chunk of
// a template, or of the previous chunk for its tail; -1 where there is none.
type token struct {
	kind       tokenKind
	operand    bool // of a closing bracket: an operand ends here, so that a slash divides
	start, end int32
	match      int32
}

// tokens is the lexical structure of a text. The scanner never fails: what it cannot read
// becomes a punctuation token of one character, and the parser judges.
type tokens struct {
	src      string
	list     []token
	comments []Span
}

func (t *tokens) text(i int) string {
	if i < 0 || i >= len(t.list) {
		return ""
	}
	return t.src[t.list[i].start:t.list[i].end]
}

func (t *tokens) is(i int, s string) bool { return t.text(i) == s }

func (t *tokens) kindOf(i int) tokenKind {
	if i < 0 || i >= len(t.list) {
		return tokPunct
	}
	return t.list[i].kind
}

// at returns the index of the token that covers off, or else of the first one after it.
func (t *tokens) at(off int) int {
	return sort.Search(len(t.list), func(i int) bool { return int(t.list[i].end) > off })
}

// scanner holds what is needed to tell a regular expression from a division, and a block
// from an object literal.
type scanner struct {
	tokens
	pos  int
	open []opener
}

// opener is an open bracket.
type opener struct {
	index   int
	block   bool // of a brace: statements are in it, not properties
	operand bool // what the closer ends is an operand
}

// scan reads src to its end.
func scan(src string) *tokens {
	s := &scanner{tokens: tokens{src: src, list: make([]token, 0, len(src)/4)}}
	if strings.HasPrefix(src, "#!") {
		s.lineComment()
	}
	for s.space(); s.pos < len(src); s.space() {
		s.next()
	}
	return &s.tokens
}

// space skips white space and comments.
func (s *scanner) space() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f':
			s.pos++
		case c == '/' && strings.HasPrefix(s.src[s.pos:], "//"):
			s.lineComment()
		case c == '/' && strings.HasPrefix(s.src[s.pos:], "/*"):
			s.blockComment()
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s.src[s.pos:])
			if !isSpace(r) {
				return
			}
			s.pos += n
		default:
			return
		}
	}
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' }

// isSpace reports whether r, past ASCII, is white space or ends a line.
func isSpace(r rune) bool {
	return r >= utf8.RuneSelf && (r == '\uFEFF' || isLineEnd(r) || unicode.Is(unicode.Zs, r))
}

func (s *scanner) lineComment() {
	start := s.pos
	for i, r := range s.src[start:] {
		if isLineEnd(r) {
			s.pos = start + i
			s.comments = append(s.comments, Span{start, s.pos})
			return
		}
	}
	s.pos = len(s.src)
	s.comments = append(s.comments, Span{start, s.pos})
}

func (s *scanner) blockComment() {
	start := s.pos
	s.pos = len(s.src)
	if i := strings.Index(s.src[start+2:], "*/"); i >= 0 {
		s.pos = start + 2 + i + 2
	}
	s.comments = append(s.comments, Span{start, s.pos})
}

// add appends the token from start to the current position.
func (s *scanner) add(kind tokenKind, start int) {
	s.list = append(s.list, token{kind: kind, start: int32(start), end: int32(s.pos), match: -1})
}

func (s *scanner) next() {
	start, c := s.pos, s.src[s.pos]
	switch {
	case (c == '"' || c == '\'') && !s.inWord():
		s.quoted(c)
	case c == '`':
		s.pos++
		s.template(start, true)
	case isDigit(c) || c == '.' && s.pos+1 < len(s.src) && isDigit(s.src[s.pos+1]):
		s.number()
	case c == '/' && s.regexpAllowed() && s.regexp():
		s.add(tokRegExp, start)
	case isIdentByte(c) || c == '#':
		s.ident()
	default:
		s.punct()
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isIdentByte reports whether c may be in an identifier. Bytes past ASCII count: white
// space past ASCII is skipped before, and anything else there is for the parser to judge.
func isIdentByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '$' || c == '\\' || c >= utf8.RuneSelf
}

func (s *scanner) ident() {
	start := s.pos
	if s.src[start] == '#' {
		s.pos++
	}
	for s.pos < len(s.src) && isIdentByte(s.src[s.pos]) {
		r, n := utf8.DecodeRuneInString(s.src[s.pos:])
		if isSpace(r) {
			break
		}
		if strings.HasPrefix(s.src[s.pos:], `\u{`) {
			n = max(n, strings.IndexByte(s.src[s.pos:], '}')+1)
		}
		s.pos += n
	}
	s.pos = max(s.pos, start+1)
	s.add(tokIdent, start)
}

func (s *scanner) number() {
	start := s.pos
	hex := s.src[start] == '0' && start+1 < len(s.src) && strings.IndexByte("xXoObB", s.src[start+1]) >= 0
	for s.pos++; s.pos < len(s.src); s.pos++ {
		c := s.src[s.pos]
		if isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '.' && !hex {
			continue
		}
		if last := s.src[s.pos-1]; (c == '+' || c == '-') && !hex && (last == 'e' || last == 'E') {
			continue
		}
		break
	}
	s.add(tokNumber, start)
}

// quoted reads a string literal. A line end closes an unterminated one, so that one stray
// quote does not swallow the file.
func (s *scanner) quoted(quote byte) {
	start := s.pos
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == quote:
			s.pos++
			s.add(tokString, start)
			return
		case c == '\n' || c == '\r':
			s.add(tokString, start)
			return
		case c == '\\' && s.pos+1 < len(s.src):
			s.pos++
			if s.src[s.pos] == '\r' && s.pos+1 < len(s.src) && s.src[s.pos+1] == '\n' {
				s.pos++
			}
		}
	}
	s.add(tokString, start)
}

// stringKeywords are the words that a string may follow at once, beside operandKeywords.
var stringKeywords = map[string]bool{"from": true, "import": true, "export": true, "as": true, "static": true, "get": true, "set": true, "async": true}

// inWord reports whether a quote stands at the end of a word, as in the text of JSX: there
// it opens no string.
func (s *scanner) inWord() bool {
	i := len(s.list) - 1
	if s.kindOf(i) != tokIdent || int(s.list[i].end) != s.pos {
		return false
	}
	return !operandKeywords[s.text(i)] && !stringKeywords[s.text(i)]
}

// template reads a chunk of a template literal up to its "${" or its end. The position is
// behind the character that opens the chunk.
func (s *scanner) template(start int, first bool) {
	full, head := tokTemplateFull, tokTemplateHead
	if !first {
		full, head = tokTemplateTail, tokTemplateMiddle
	}
	for ; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == '`':
			s.pos++
			s.add(full, start)
			return
		case c == '\\':
			s.pos++
		case c == '$' && strings.HasPrefix(s.src[s.pos:], "${"):
			s.pos += 2
			s.add(head, start)
			s.open = append(s.open, opener{index: len(s.list) - 1})
			return
		}
	}
	s.pos = len(s.src)
	s.add(full, start)
}

// regexp reads a regular expression literal and its flags. It reports false, without
// moving, when the line ends first.
func (s *scanner) regexp() bool {
	class := false
	for i := s.pos + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\n' || c == '\r':
			return false
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for i++; i < len(s.src) && isIdentByte(s.src[i]); i++ {
			}
			s.pos = i
			return true
		}
	}
	return false
}

// operandKeywords are the keywords after which an operand follows: a slash then opens a
// regular expression, and a brace an object literal.
var operandKeywords = map[string]bool{
	"return": true, "typeof": true, "case": true, "in": true, "of": true, "delete": true, "void": true, "throw": true,
	"new": true, "instanceof": true, "await": true, "yield": true, "default": true, "extends": true, "else": true, "do": true,
}

// regexpAllowed tells whether a slash at this place opens a regular expression.
func (s *scanner) regexpAllowed() bool {
	i := len(s.list) - 1
	if i < 0 {
		return true
	}
	t := s.list[i]
	switch t.kind {
	case tokNumber, tokString, tokRegExp, tokTemplateFull, tokTemplateTail:
		return false
	case tokIdent:
		return operandKeywords[s.text(i)] && !s.is(i-1, ".") && !s.is(i-1, "?.")
	case tokPunct:
		switch s.text(i) {
		case "]", "++", "--":
			return false
		case ")", "}":
			return !t.operand
		case "!": // the non-null mark of TypeScript follows its operand at once
			return i == 0 || s.list[i-1].end != t.start || !s.endsOperand(i-1)
		}
	}
	return true
}

// punctuators are the tokens of more than one character, longest first.
var punctuators = []string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**",
}

func (s *scanner) punct() {
	start := s.pos
	switch c := s.src[start]; c {
	case '(', '[', '{':
		o := s.opener(c)
		s.pos++
		s.add(tokPunct, start)
		s.open = append(s.open, o)
		return
	case ')', ']', '}':
		s.closer(c)
		return
	}
	for _, p := range punctuators {
		if !strings.HasPrefix(s.src[start:], p) || p == "?." && start+2 < len(s.src) && isDigit(s.src[start+2]) {
			continue
		}
		s.pos += len(p)
		s.add(tokPunct, start)
		return
	}
	s.pos++
	s.add(tokPunct, start)
}

// opener judges the bracket c that comes next by the token before it.
func (s *scanner) opener(c byte) opener {
	i := len(s.list) - 1
	o := opener{index: i + 1, operand: true}
	word := s.text(i)
	afterDot := s.is(i-1, ".") || s.is(i-1, "?.")
	switch {
	case c == '(' && s.kindOf(i) == tokIdent && !afterDot:
		o.operand = word != "if" && word != "while" && word != "for" && word != "with"
	case c == '{' && (i < 0 || s.endsOperand(i) || word == ";" || word == "{" || word == "=>" || word == "else" || word == "do"):
		o.block, o.operand = true, false
	case c == '{' && word == ":" && len(s.open) > 0:
		outer := s.open[len(s.open)-1]
		o.block = outer.block
		o.operand = !outer.block
	}
	return o
}

// closer pairs the bracket c with the innermost open one, when that is its partner.
func (s *scanner) closer(c byte) {
	start, n := s.pos, len(s.open)-1
	partner := map[byte]byte{')': '(', ']': '[', '}': '{'}[c]
	if n < 0 {
		s.pos++
		s.add(tokPunct, start)
		return
	}
	o := s.open[n]
	if last := s.list[o.index]; s.src[last.end-1] != partner {
		s.pos++
		s.add(tokPunct, start)
		return
	}
	s.open = s.open[:n]
	s.pos++
	i := int32(len(s.list))
	if kind := s.list[o.index].kind; kind == tokTemplateHead || kind == tokTemplateMiddle {
		s.template(start, false)
	} else {
		s.add(tokPunct, start)
		s.list[i].match = int32(o.index)
		s.list[i].operand = o.operand
	}
	s.list[o.index].match = i
}
