package js

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// numeric is a number or a bigint of JavaScript.
type numeric struct {
	num float64
	big *big.Int // nil for a number
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
