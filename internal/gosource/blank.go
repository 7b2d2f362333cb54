package gosource

import (
	"bytes"
	"slices"
)

// blankBodies returns a copy of a Go source in which the bodies of top-level functions are
// spaces and newlines, so that every other position stays. A third of the time of a run
// went into parsing bodies of dependencies, which nothing looks at. It relies on the layout
// of gofmt (func, and the brace that ends the body, at the start of a line) and leaves alone
// what has another one.
func blankBodies(src []byte) []byte {
	out := slices.Clone(src)
	for at := 0; ; {
		i := bytes.Index(src[at:], []byte("\nfunc "))
		if i < 0 {
			return out
		}
		at += i + 1
		open := bodyStart(src, at)
		if open < 0 {
			continue
		}
		end := blockEnd(src, open)
		if end < 0 {
			return out
		}
		for k := open + 1; k < end; k++ {
			if out[k] != '\n' {
				out[k] = ' '
			}
		}
		at = end
	}
}

// bodyStart returns the offset of the brace that opens the body of the function at start:
// the last byte of the first line that ends in one, outside parentheses. It returns -1 for
// a function without a body or with all of it on one line.
func bodyStart(src []byte, start int) int {
	depth := 0
	for i := start; i < len(src); i++ {
		switch c := src[i]; c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '"', '`', '\'', '/':
			return -1 // a tag or comment in the signature: not worth the care
		case '\n':
			if depth > 0 {
				continue
			}
			if src[i-1] == '{' && !endsInWord(src[start:i-1], "interface") && !endsInWord(src[start:i-1], "struct") {
				return i - 1
			}
			return -1
		}
	}
	return -1
}

func endsInWord(s []byte, word string) bool {
	return bytes.HasSuffix(bytes.TrimRight(s, " "), []byte(word))
}

// blockEnd returns the offset of the brace that closes the one at open, or -1.
func blockEnd(src []byte, open int) int {
	depth := 0
	for i := open; i < len(src); i++ {
		switch src[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			i = literalEnd(src, i)
		case '/':
			i = commentEnd(src, i)
		}
	}
	return -1
}

// literalEnd returns the offset of the quote that closes the literal at start.
func literalEnd(src []byte, start int) int {
	quote := src[start]
	for i := start + 1; i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote != '`':
			i++
		case src[i] == quote:
			return i
		}
	}
	return len(src)
}

// commentEnd returns the offset of the last byte of the comment at start, or start when it
// is no comment.
func commentEnd(src []byte, start int) int {
	rest := src[start:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			return start + i
		}
		return len(src)
	case bytes.HasPrefix(rest, []byte("/*")):
		if i := bytes.Index(rest[2:], []byte("*/")); i >= 0 {
			return start + i + 3
		}
		return len(src)
	}
	return start
}
