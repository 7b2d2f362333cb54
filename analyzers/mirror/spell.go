package mirror

import (
	"go/constant"
	"go/token"
	"math/big"
	"strconv"
	"strings"
)

// respell writes the value of want in the manner of the literal that have is: its quotes,
// its base, the grouping of its digits, its N * M form. It reports false when have is not
// a literal or cannot hold the value.
func respell(have, want value) (string, bool) {
	switch {
	case !canHold(have, want):
		return "", false
	case have.product && have.kind == numberKind && want.kind == numberKind:
		return respellProduct(have.source, want)
	case !have.literal || have.kind != want.kind:
		return "", false
	case have.kind == stringKind:
		return respellString(have.source, want.text)
	case have.kind == boolKind:
		return want.plain(), true
	case have.kind == numberKind && have.form == goFloat:
		return respellFloat(have.source, want.num)
	case have.kind == numberKind:
		return respellNumber(have.source, want.num)
	case have.kind == durationKind:
		return "", false // the literal is one factor of the value
	}
	return "", false
}

// canHold reports whether a number of the type that have has can be want: a fix must not
// round it, nor break the build.
func canHold(have, want value) bool {
	if have.kind != numberKind || want.kind != numberKind || want.num.Kind() != constant.Int {
		return true
	}
	switch {
	case have.form == jsNumber:
		return isExact(want.num)
	case have.form != goInteger || have.bits == 0:
		return true
	case !have.signed:
		return constant.Sign(want.num) >= 0 && int64(constant.BitLen(want.num)) <= have.bits
	}
	return int64(constant.BitLen(want.num)) < have.bits // the smallest one is left to the user
}

// respellProduct changes the first factor of N * M.
func respellProduct(source string, want value) (string, bool) {
	first, rest, ok := strings.Cut(source, "*")
	factor, valid := parseNumber(strings.TrimSpace(rest))
	if !ok || !valid || strings.Contains(rest, "*") || want.num.Kind() != constant.Int || constant.Sign(factor) == 0 {
		return "", false
	}
	if constant.Sign(constant.BinaryOp(want.num, token.REM, factor)) != 0 {
		return "", false
	}
	digits, ok := respellNumber(strings.TrimSpace(first), constant.BinaryOp(want.num, token.QUO_ASSIGN, factor))
	return digits + first[len(strings.TrimRight(first, " ")):] + "*" + rest, ok
}

// parseNumber reads an integer literal; Go and JS spell those alike but for the n of a
// bigint and for 0777, which JS modules refuse.
func parseNumber(s string) (constant.Value, bool) {
	v := constant.MakeFromLiteral(strings.TrimSuffix(s, "n"), token.INT, 0)
	return v, v.Kind() == constant.Int
}

func respellNumber(source string, want constant.Value) (string, bool) {
	if _, ok := parseNumber(source); !ok || want.Kind() != constant.Int || constant.Sign(want) < 0 {
		f, exact := constant.Float64Val(want)
		_, isFloat := strconv.ParseFloat(strings.ReplaceAll(source, "_", ""), 64)
		if !exact || isFloat != nil {
			return "", false
		}
		return strconv.FormatFloat(f, 'g', -1, 64), true
	}
	body := strings.TrimSuffix(source, "n")
	suffix := source[len(body):]
	prefix, base := "", 10
	if len(body) > 1 && body[0] == '0' {
		switch body[1] {
		case 'x', 'X':
			prefix, base = body[:2], 16
		case 'o', 'O':
			prefix, base = body[:2], 8
		case 'b', 'B':
			prefix, base = body[:2], 2
		default: // 0755, in Go
			prefix, base = "0", 8
		}
	}
	digits := intText(want, base)
	if base == 16 && strings.ContainsAny(body[2:], "ABCDEF") {
		digits = strings.ToUpper(digits)
	}
	if i := strings.LastIndex(body, "_"); i >= 0 {
		digits = group(digits, len(body)-i-1)
	}
	return prefix + digits + suffix, true
}

// respellFloat keeps a point: without one an untyped constant becomes an integer.
func respellFloat(source string, want constant.Value) (string, bool) {
	text, ok := respellNumber(source, want)
	if ok && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text, ok
}

func intText(v constant.Value, base int) string {
	n, _ := new(big.Int).SetString(v.ExactString(), 10)
	return n.Text(base)
}

// group puts a '_' before every size digits, from the right.
func group(digits string, size int) string {
	var out []string
	for len(digits) > size {
		out = append([]string{digits[len(digits)-size:]}, out...)
		digits = digits[:len(digits)-size]
	}
	return strings.Join(append([]string{digits}, out...), "_")
}

// respellString quotes text as source is quoted. Both languages read the escapes that it
// writes in the same way.
func respellString(source, text string) (string, bool) {
	if source == "" || !isText(text) {
		return "", false
	}
	quote := source[0]
	switch quote {
	case '"', '\'':
		q := strconv.Quote(text)
		body := q[1 : len(q)-1]
		if strings.Contains(body, `\x`) || strings.Contains(body, `\U`) || strings.Contains(body, `\a`) {
			return "", false // escapes that the languages read differently
		}
		if quote == '\'' {
			body = strings.ReplaceAll(strings.ReplaceAll(body, `\"`, `"`), `'`, `\'`)
		}
		return string(quote) + body + string(quote), true
	case '`':
		if strings.ContainsAny(text, "`\\\r") || strings.Contains(text, "${") {
			return "", false
		}
		return "`" + text + "`", true
	}
	return "", false
}
