// Package shellword gives words of a shell their text as far as it depends on no state of the
// shell: quotes and brace expansions, by the rules of bash.
//
// The package expand of mvdan.cc/sh does that and much more, and for that it links os/user,
// with it, where cgo is on, the C library, and loading that takes a judged tool call longer
// than judging it.
package shellword

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Single returns the text of '...' and $'...'. It is false for what bash ends or encodes in a
// way that differs between versions: NUL, \c, \x{...}, and bytes that are no UTF-8.
func Single(q *syntax.SglQuoted) (string, bool) {
	if !q.Dollar {
		return q.Value, true
	}
	var b strings.Builder
	for rest := q.Value; rest != ""; {
		plain, escape, found := strings.Cut(rest, `\`)
		b.WriteString(plain)
		if !found {
			break
		}
		text, n, ok := unescape(escape)
		if !ok {
			return "", false
		}
		b.WriteString(text)
		rest = escape[n:]
	}
	text := b.String()
	return text, utf8.ValidString(text) && !strings.Contains(text, "\x00")
}

// simpleEscapes are the letters behind a backslash in $'...' and what they stand for.
const simpleEscapes, simpleTexts = `abeEfnrtv\'"?`, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"

// unescape returns what the escape stands for that s continues behind its backslash, and how
// many bytes of s belong to it.
func unescape(s string) (text string, n int, ok bool) {
	if s == "" {
		return `\`, 0, true
	}
	if i := strings.IndexByte(simpleEscapes, s[0]); i >= 0 {
		return simpleTexts[i : i+1], 1, true
	}
	switch s[0] {
	case 'c':
		return "", 0, false
	case 'x':
		if strings.HasPrefix(s, "x{") {
			return "", 0, false
		}
		return number(s, 1, 2, 16)
	case 'u':
		return number(s, 1, 4, 16)
	case 'U':
		return number(s, 1, 8, 16)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return number(s, 0, 3, 8)
	}
	return `\`, 0, true
}

// number reads up to most digits of s from from on, as a byte (\nnn, \xnn) or a character.
func number(s string, from, most, base int) (string, int, bool) {
	n := from
	for n < len(s) && n < from+most && strings.IndexByte("0123456789abcdef"[:base], s[n]|0x20) >= 0 {
		n++
	}
	if n == from {
		return `\`, 0, true
	}
	v, err := strconv.ParseUint(s[from:n], base, 32)
	if err != nil {
		return "", 0, false
	}
	if most <= 3 {
		return string([]byte{byte(v)}), n, true
	}
	return string(rune(v)), n, utf8.ValidRune(rune(v))
}

// Text returns the text of a word that is made of literals and quotes only. It is false for
// any other, and for braces and patterns it returns what was written.
func Text(word *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, part := range word.Parts {
		text, ok := partText(part)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

func partText(part syntax.WordPart) (string, bool) {
	switch part := part.(type) {
	case *syntax.Lit:
		return Unescape(part.Value, ""), true
	case *syntax.SglQuoted:
		return Single(part)
	case *syntax.DblQuoted:
		var b strings.Builder
		for _, inner := range part.Parts {
			lit, ok := inner.(*syntax.Lit)
			if !ok {
				return "", false
			}
			b.WriteString(Unescape(lit.Value, DoubleQuoted))
		}
		return b.String(), true
	}
	return "", false
}

// DoubleQuoted are the bytes that a backslash escapes between double quotes.
const DoubleQuoted = "\\\"$`\n"

// Unescape removes the backslashes that escape a byte of special, or any byte when special is
// "", and with them a newline that one escapes.
func Unescape(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (special == "" || strings.IndexByte(special, s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Braces returns the words that brace expansion makes of a word whose braces
// syntax.SplitBraces has found. It is false when they are more than most. The words share
// parts with the given one.
func Braces(word *syntax.Word, most int) ([]*syntax.Word, bool) {
	lists, ok := braceParts(word.Parts, most)
	if !ok {
		return nil, false
	}
	words := make([]*syntax.Word, len(lists))
	for i, parts := range lists {
		words[i] = &syntax.Word{Parts: parts}
	}
	return words, true
}

func braceParts(parts []syntax.WordPart, most int) ([][]syntax.WordPart, bool) {
	words := [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			for i, w := range words {
				words[i] = append(w[:len(w):len(w)], part)
			}
			continue
		}
		choices, ok := braceChoices(brace, most)
		if !ok || len(words)*len(choices) > most {
			return nil, false
		}
		words = product(words, choices)
	}
	return words, true
}

func product(words, choices [][]syntax.WordPart) [][]syntax.WordPart {
	all := make([][]syntax.WordPart, 0, len(words)*len(choices))
	for _, w := range words {
		for _, c := range choices {
			all = append(all, append(w[:len(w):len(w)], c...))
		}
	}
	return all
}

// braceChoices returns what stands for one pair of braces: a list's elements, themselves
// expanded, or the elements of a sequence.
func braceChoices(brace *syntax.BraceExp, most int) ([][]syntax.WordPart, bool) {
	var choices [][]syntax.WordPart
	if brace.Sequence {
		texts, ok := sequence(brace, most)
		for _, text := range texts {
			choices = append(choices, []syntax.WordPart{&syntax.Lit{Value: text}})
		}
		return choices, ok
	}
	for _, elem := range brace.Elems {
		more, ok := braceParts(elem.Parts, most)
		if !ok || len(choices)+len(more) > most {
			return nil, false
		}
		choices = append(choices, more...)
	}
	return choices, true
}

// sequence returns the elements of {x..y} and {x..y..step}; SplitBraces has checked that the
// ends are numbers or letters.
func sequence(brace *syntax.BraceExp, most int) ([]string, bool) {
	first, last := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	from, fromErr := strconv.ParseInt(first, 10, 64)
	to, toErr := strconv.ParseInt(last, 10, 64)
	show := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch {
	case fromErr != nil || toErr != nil:
		from, to = int64(first[0]), int64(last[0])
		show = func(n int64) string { return string(rune(n)) }
	case isPadded(first) || isPadded(last):
		width := max(len(first), len(last))
		show = func(n int64) string { return fmt.Sprintf("%0*d", width, n) }
	}
	step := uint64(1)
	if len(brace.Elems) > 2 {
		// The sign of a step does not matter, and zero is one.
		n, _ := strconv.ParseInt(brace.Elems[2].Lit(), 10, 64)
		step = max(distance(n, 0), 1)
	}
	count := distance(from, to) / step // without the first
	if count >= uint64(most) {
		return nil, false
	}
	texts := make([]string, count+1)
	for i := range texts {
		offset := int64(uint64(i) * step)
		if from > to {
			offset = -offset
		}
		texts[i] = show(from + offset)
	}
	return texts, true
}

// distance is |a-b|, which may exceed an int64.
func distance(a, b int64) uint64 {
	return uint64(max(a, b)) - uint64(min(a, b))
}

// isPadded reports a number with a leading zero, which pads all of its sequence.
func isPadded(number string) bool {
	number = strings.TrimPrefix(number, "-")
	return len(number) > 1 && number[0] == '0'
}
