package js

import (
	"math"
	"math/big"
	"strings"
)

// unary evaluates an operator with one operand.
func (ev *evaluator) unary(m *Module, n *Node) Value {
	if n.Text == "delete" {
		return opaque(m, n.Span, "delete is not a constant")
	}
	v := ev.eval(m, n.Kids[0])
	switch {
	case v.Kind == Opaque:
		return v
	case n.Text == "void":
		return Value{Kind: Undefined}
	case n.Text == "typeof":
		return stringValue(typeOf(v))
	case n.Text == "!":
		return Value{Kind: Bool, Bool: !truthy(v)}
	case v.Kind == BigInt:
		switch n.Text {
		case "-":
			return Value{Kind: BigInt, Big: new(big.Int).Neg(v.Big)}
		case "~":
			return Value{Kind: BigInt, Big: new(big.Int).Not(v.Big)}
		}
		return opaque(m, n.Span, "a bigint does not convert to a number")
	}
	f, ok := toNumber(v)
	if !ok {
		return opaque(m, n.Span, "the operand is converted at run time")
	}
	switch n.Text {
	case "-":
		f = -f
	case "~":
		f = float64(^toInt32(f))
	}
	return Value{Kind: Number, Num: f}
}

func typeOf(v Value) string {
	switch v.Kind {
	case Undefined:
		return "undefined"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case BigInt:
		return "bigint"
	case String:
		return "string"
	case Function:
		return "function"
	case Formula:
		if v.Fn.Node != nil {
			return "function"
		}
		return "string"
	}
	return "object"
}

func truthy(v Value) bool {
	switch v.Kind {
	case Undefined, Null:
		return false
	case Bool:
		return v.Bool
	case Number:
		return v.Num != 0 && !math.IsNaN(v.Num)
	case BigInt:
		return v.Big.Sign() != 0
	case String:
		return v.Str != ""
	}
	return true
}

// binary evaluates an operator with two operands.
func (ev *evaluator) binary(m *Module, n *Node) Value {
	left := ev.eval(m, n.Kids[0])
	switch n.Text {
	case "&&", "||", "??":
		return ev.logical(m, n, left)
	}
	right := ev.eval(m, n.Kids[1])
	if n.Text == "+" && (isText(left) || isText(right)) {
		return ev.concat(m, n, left, right)
	}
	switch {
	case left.Kind == Opaque:
		return left
	case right.Kind == Opaque:
		return right
	case comparisons[n.Text]:
		return compare(m, n, left, right)
	case left.Kind == BigInt && right.Kind == BigInt:
		return bigArithmetic(m, n, left.Big, right.Big)
	}
	a, okA := toNumber(left)
	b, okB := toNumber(right)
	if !okA || !okB {
		return opaque(m, n.Span, "an operand is converted at run time")
	}
	return arithmetic(m, n, a, b)
}

// isText reports whether adding to v makes a string.
func isText(v Value) bool { return v.Kind == String || v.Kind == Formula && v.Fn.Node == nil }

// logical evaluates an operator that may not need its right side.
func (ev *evaluator) logical(m *Module, n *Node, left Value) Value {
	if left.Kind == Opaque || left.Kind == Formula && n.Text != "??" {
		if left.Kind == Formula {
			return opaque(m, n.Kids[0].Span, "the string is empty or not at run time")
		}
		return left
	}
	takesRight := truthy(left)
	switch n.Text {
	case "||":
		takesRight = !takesRight
	case "??":
		takesRight = left.Kind == Null || left.Kind == Undefined
	}
	if takesRight {
		return ev.eval(m, n.Kids[1])
	}
	return left
}

var comparisons = map[string]bool{
	"===": true, "!==": true, "==": true, "!=": true, "<": true, ">": true, "<=": true, ">=": true, "in": true, "instanceof": true,
}

// compare evaluates comparisons of numbers with numbers and of strings with strings.
func compare(m *Module, n *Node, a, b Value) Value {
	var less, equal, ordered bool
	switch {
	case a.Kind == Number && b.Kind == Number:
		less, equal, ordered = a.Num < b.Num, a.Num == b.Num, !math.IsNaN(a.Num) && !math.IsNaN(b.Num)
	case a.Kind == String && b.Kind == String:
		c := compareUTF16(a.Str, b.Str)
		less, equal, ordered = c < 0, c == 0, true
	default:
		return opaque(m, n.Span, "the operands are compared at run time")
	}
	result := false
	switch n.Text {
	case "===", "==":
		result = equal
	case "!==", "!=":
		result = !equal
	case "<":
		result = less
	case "<=":
		result = less || equal
	case ">":
		result = ordered && !less && !equal
	case ">=":
		result = ordered && !less
	default:
		return opaque(m, n.Span, "%s is decided at run time", n.Text)
	}
	return Value{Kind: Bool, Bool: result}
}

// compareUTF16 orders strings by code units: characters past U+FFFF come before U+E000.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		x, y := firstRune(a), firstRune(b)
		if x != y {
			return strings.Compare(unitOrder(x), unitOrder(y))
		}
		a, b = a[len(x):], b[len(y):]
	}
	return len(a) - len(b)
}

// unitOrder makes byte order that of code units.
func unitOrder(r string) string {
	if len(r) == 4 { // its first unit is a surrogate, which are below U+E000
		return "\xED\xA0" + r
	}
	return r
}

// arithmetic evaluates an operator on two numbers.
func arithmetic(m *Module, n *Node, a, b float64) Value {
	f := 0.0
	switch n.Text {
	case "+":
		f = a + b
	case "-":
		f = a - b
	case "*":
		f = a * b
	case "/":
		f = a / b
	case "%":
		f = math.Mod(a, b)
	case "**":
		exact, ok := power(a, b)
		if !ok {
			return opaque(m, n.Span, "the last digits of this power depend on the engine")
		}
		f = exact
	case "|":
		f = float64(toInt32(a) | toInt32(b))
	case "&":
		f = float64(toInt32(a) & toInt32(b))
	case "^":
		f = float64(toInt32(a) ^ toInt32(b))
	case "<<":
		f = float64(toInt32(a) << (uint32(toInt32(b)) & 31))
	case ">>":
		f = float64(toInt32(a) >> (uint32(toInt32(b)) & 31))
	case ">>>":
		f = float64(uint32(toInt32(a)) >> (uint32(toInt32(b)) & 31))
	default:
		return opaque(m, n.Span, "operator %s is not evaluated", n.Text)
	}
	return Value{Kind: Number, Num: f}
}

// power returns a to the power b where binary64 holds the exact result: the standard lets
// engines approximate all others.
func power(a, b float64) (float64, bool) {
	switch {
	case b == 0:
		return 1, true
	case math.IsNaN(a) || math.IsNaN(b) || math.Abs(a) == 1 && math.IsInf(b, 0):
		return math.NaN(), true
	case a == 0 || math.IsInf(a, 0) || math.IsInf(b, 0):
		return math.Pow(a, b), true
	case b != math.Trunc(b):
		return 0, false
	}
	fraction, exponent := math.Frexp(a)
	if math.Abs(fraction) == 0.5 { // a power of two
		e := float64(exponent-1) * b
		if math.Abs(e) > 1022 {
			return 0, false
		}
		f := math.Ldexp(1, int(e))
		if a < 0 && math.Mod(b, 2) != 0 {
			f = -f
		}
		return f, true
	}
	if b < 0 || b > 1024 || a != math.Trunc(a) {
		return 0, false
	}
	x, _ := big.NewFloat(a).Int(nil)
	x.Exp(x, big.NewInt(int64(b)), nil)
	f, accuracy := new(big.Float).SetInt(x).Float64()
	return f, accuracy == big.Exact
}

// maxBits bounds the size of a bigint.
const maxBits = 1 << 16

// bigArithmetic evaluates an operator on two bigints.
func bigArithmetic(m *Module, n *Node, a, b *big.Int) Value {
	z := new(big.Int)
	small := b.IsInt64() && b.Int64() >= 0 && b.Int64() <= maxBits
	switch n.Text {
	case "+":
		z.Add(a, b)
	case "-":
		z.Sub(a, b)
	case "*":
		z.Mul(a, b)
	case "|":
		z.Or(a, b)
	case "&":
		z.And(a, b)
	case "^":
		z.Xor(a, b)
	case "/", "%":
		if b.Sign() == 0 {
			return opaque(m, n.Span, "division by zero throws")
		}
		if n.Text == "/" {
			z.Quo(a, b)
		} else {
			z.Rem(a, b)
		}
	case "<<", ">>":
		if !small {
			return opaque(m, n.Span, "the shift is negative or too large to evaluate")
		}
		if n.Text == "<<" {
			z.Lsh(a, uint(b.Int64()))
		} else {
			z.Rsh(a, uint(b.Int64()))
		}
	case "**":
		if !small || int64(a.BitLen())*b.Int64() > maxBits {
			return opaque(m, n.Span, "the power is negative or too large to evaluate")
		}
		z.Exp(a, b, nil)
	default:
		return opaque(m, n.Span, "operator %s throws for bigints", n.Text)
	}
	if z.BitLen() > maxBits {
		return opaque(m, n.Span, "too large to evaluate")
	}
	return Value{Kind: BigInt, Big: z}
}

// convert evaluates String(x), Number(x) and BigInt(x).
func (ev *evaluator) convert(m *Module, n *Node, name string) Value {
	v := ev.eval(m, n.Kids[1])
	if v.Kind == Opaque {
		return v
	}
	switch name {
	case "String":
		if v.Kind == Formula && v.Fn.Node == nil {
			return v
		}
		if s, ok := toString(v); ok {
			return stringValue(s)
		}
	case "Number":
		if v.Kind == BigInt {
			f, _ := new(big.Float).SetInt(v.Big).Float64()
			return Value{Kind: Number, Num: f}
		}
		if f, ok := toNumber(v); ok {
			return Value{Kind: Number, Num: f}
		}
	case "BigInt":
		if v.Kind == BigInt {
			return Value{Kind: BigInt, Big: v.Big}
		}
		if v.Kind == Number && v.Num == math.Trunc(v.Num) && !math.IsInf(v.Num, 0) {
			z, _ := big.NewFloat(v.Num).Int(nil)
			return Value{Kind: BigInt, Big: z}
		}
	}
	return opaque(m, n.Span, "the argument is converted at run time")
}
