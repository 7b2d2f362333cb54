package mirror

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"regexp/syntax"
	"strings"
)

// pattern is a regular expression of either language.
type pattern struct {
	source string
	flags  string // of JS
}

// compiled evaluates regexp.MustCompile of a constant.
func (r *goReader) compiled(call *ast.CallExpr) (value, bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 {
		return value{}, false
	}
	fn, ok := r.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "regexp" || fn.Name() != "MustCompile" {
		return value{}, false
	}
	v := r.pass.TypesInfo.Types[call.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		return value{}, false
	}
	return value{kind: regexpKind, pattern: pattern{source: constant.StringVal(v)}, pos: call.Args[0].Pos(), end: call.Args[0].End()}, true
}

// samePattern compares a Go and a JS regular expression by what they match, and says why
// they are not the same, or returns "". It translates the JS pattern and compares the
// simplified forms; a construct whose meaning differs between the languages is a reason
// even where both spell it alike.
func samePattern(g, j pattern) string {
	flags, err := goFlags(j.flags)
	if err != "" {
		return err
	}
	translated, err := translate(j)
	if err != "" {
		return err
	}
	a, goErr := syntax.Parse(g.source, syntax.Perl)
	if goErr != nil {
		return fmt.Sprintf("the Go pattern does not compile: %v", goErr)
	}
	b, jsErr := syntax.Parse(flags+translated, syntax.Perl)
	if jsErr != nil {
		return fmt.Sprintf("the JavaScript pattern has no counterpart in Go: %v", jsErr)
	}
	if a.Simplify().String() != b.Simplify().String() {
		return "they match different strings"
	}
	return ""
}

// goFlags translates flags; g and d change how a pattern is used, not what it matches.
func goFlags(flags string) (goFlags, reason string) {
	var out strings.Builder
	for _, f := range flags {
		switch f {
		case 'm', 's':
			out.WriteRune(f)
		case 'g', 'd', 'u':
		case 'i':
			return "", "the flag i folds other letters than Go's (?i): U+212A and U+017F"
		default:
			return "", fmt.Sprintf("the flag %c has no counterpart in Go", f)
		}
	}
	if out.Len() == 0 {
		return "", ""
	}
	return "(?" + out.String() + ")", ""
}

// translate writes a JS pattern in the syntax of Go.
func translate(p pattern) (translated, reason string) {
	unicode, dotAll := strings.Contains(p.flags, "u"), strings.Contains(p.flags, "s")
	var out strings.Builder
	inClass := false
	for s := p.source; s != ""; {
		switch {
		case s[0] == '\\' && len(s) > 1:
			text, size, reason := translateEscape(s)
			if reason != "" {
				return "", reason
			}
			out.WriteString(text)
			s = s[size:]
			continue
		case s[0] == '.' && !inClass && !dotAll:
			return "", "the dot also matches \\r, U+2028 and U+2029 in Go"
		case s[0] == '.' && !inClass && !unicode, strings.HasPrefix(s, "[^") && !inClass && !unicode:
			return "", "without the flag u JavaScript matches UTF-16 units, Go matches characters"
		case s[0] == '[' && inClass:
			out.WriteString(`\`) // Go would read the start of [:class:]
		case s[0] == '[':
			inClass = true
		case s[0] == ']':
			inClass = false
		}
		out.WriteByte(s[0])
		s = s[1:]
	}
	return out.String(), ""
}

// translateEscape writes the escape that s starts with.
func translateEscape(s string) (text string, size int, reason string) {
	switch s[1] {
	case 's', 'S':
		return "", 0, `\s also matches U+000B, U+00A0, U+FEFF and other spaces in JavaScript`
	case '/':
		return "/", 2, ""
	case 'u':
		if len(s) >= 6 && isHex(s[2:6]) {
			return `\x{` + s[2:6] + "}", 6, ""
		}
		if end := strings.IndexByte(s, '}'); strings.HasPrefix(s, `\u{`) && end > 3 && isHex(s[3:end]) {
			return `\x{` + s[3:end] + "}", end + 1, ""
		}
		return "", 0, `the escape \u is not followed by a code point`
	case 'c', 'k', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return "", 0, fmt.Sprintf("the escape \\%c has no counterpart in Go", s[1])
	case '0':
		return `\x00`, 2, ""
	}
	return s[:2], 2, ""
}

func isHex(s string) bool {
	return s != "" && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}
