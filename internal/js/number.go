package js

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// numeric is a number or a bigint of JavaScript.
type numeric struct {
	num float64
	big *big.Int // nil for a number
}

// String converts a number to a string as JavaScript does.
func (n numeric) String() string {
	if n.big != nil {
		return n.big.String()
	}
	switch f := n.num; {
	case f != f:
		return "NaN"
	case f == 0:
		return "0"
	case math.IsInf(f, 0):
		if f < 0 {
			return "-Infinity"
		}
		return "Infinity"
	case math.Abs(f) >= 1e21 || math.Abs(f) < 1e-6:
		s := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
	default:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
}

func (n numeric) same(o numeric) bool {
	if n.big != nil || o.big != nil {
		return n.big != nil && o.big != nil && n.big.Cmp(o.big) == 0
	}
	return n.num == o.num
}

// parseNumber reads a numeric literal: decimal, 0x, 0o, 0b, legacy octal, separators, and
// the n of a bigint.
func parseNumber(literal string) (numeric, bool) {
	text := strings.ReplaceAll(literal, "_", "")
	if digits, ok := strings.CutSuffix(text, "n"); ok {
		i, ok := new(big.Int).SetString(digits, 0)
		if !ok || len(digits) > 1 && digits[0] == '0' && isDigit(digits[1]) {
			return numeric{}, false
		}
		return numeric{big: i}, true
	}
	if len(text) > 1 && text[0] == '0' && !strings.ContainsAny(text[1:2], ".eE") {
		return parseRadix(text)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return numeric{}, false
	}
	return numeric{num: f}, true
}

// parseRadix reads a literal that starts with 0 and another letter or digit.
func parseRadix(text string) (numeric, bool) {
	base, digits := 8, text[1:]
	switch text[1] {
	case 'x', 'X':
		base, digits = 16, text[2:]
	case 'b', 'B':
		base, digits = 2, text[2:]
	case 'o', 'O':
		digits = text[2:]
	default:
		if strings.ContainsAny(digits, "89.") { // a decimal literal that begins with 0
			f, err := strconv.ParseFloat(digits, 64)
			return numeric{num: f}, err == nil
		}
	}
	i, ok := new(big.Int).SetString(digits, base)
	if !ok || digits[0] == '-' || digits[0] == '+' {
		return numeric{}, false
	}
	f, _ := new(big.Float).SetInt(i).Float64() // rounds to nearest, ties to even, as JavaScript does
	return numeric{num: f}, true
}

// toString converts a primitive value to a string.
func toString(v Value) (string, bool) {
	switch v.Kind {
	case String:
		return v.Str, true
	case Number:
		return numeric{num: v.Num}.String(), true
	case BigInt:
		return v.Big.String(), true
	case Bool:
		return strconv.FormatBool(v.Bool), true
	case Null:
		return "null", true
	case Undefined:
		return "undefined", true
	}
	return "", false
}

// toNumber converts a primitive value other than a bigint to a number.
func toNumber(v Value) (float64, bool) {
	switch v.Kind {
	case Number:
		return v.Num, true
	case Bool:
		if v.Bool {
			return 1, true
		}
		return 0, true
	case Null:
		return 0, true
	case Undefined:
		return math.NaN(), true
	case String:
		return stringToNumber(v.Str), true
	}
	return 0, false
}

// stringToNumber is Number(s): the literal grammar without separators and legacy octal,
// with a sign before decimals, white space around it, and NaN for anything else.
func stringToNumber(s string) float64 {
	s = strings.TrimFunc(s, func(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' || isSpace(r) })
	switch {
	case s == "":
		return 0
	case strings.ContainsAny(s, "_pPnN"):
		if s == "Infinity" || s == "+Infinity" || s == "-Infinity" {
			break
		}
		return math.NaN()
	case len(s) > 2 && s[0] == '0' && strings.ContainsAny(s[1:2], "xXoObB"):
		n, ok := parseRadix(s)
		if !ok {
			return math.NaN()
		}
		return n.num
	}
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" || digits != "Infinity" && !isDigit(digits[0]) && digits[0] != '.' {
		return math.NaN()
	}
	if strings.ContainsAny(digits, "xX") {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// toInt32 is the conversion of the bitwise operators.
func toInt32(f float64) int32 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	const two32 = 1 << 32
	f = math.Mod(math.Trunc(f), two32)
	return int32(uint32(int64(f)))
}

func firstRune(s string) string {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 { // a lone surrogate
		return s[:3]
	}
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// utf16Length is the length property of a string.
func utf16Length(s string) int {
	n := 0
	for s != "" {
		r := firstRune(s)
		s = s[len(r):]
		n++
		if len(r) == 4 {
			n++
		}
	}
	return n
}
