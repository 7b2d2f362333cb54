package mirror

import (
	"go/constant"
	"go/token"
	"strconv"
	"time"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// jsReader converts values of internal/js.
type jsReader struct {
	positions *finding.Positions
	unit      time.Duration // of numbers; 0 for plain numbers
}

// at returns the positions of a span.
func (r *jsReader) at(m *js.Module, s js.Span) (pos, end token.Pos) {
	return r.positions.Range(finding.Place{Module: m, Span: s})
}

// value converts v. An element that is not constant is one of otherKind with the reason: it
// matters only if the directive compares it.
func (r *jsReader) value(v js.Value) value {
	if v.Kind == js.Opaque {
		return value{kind: otherKind, opaque: v.Err}
	}
	out := value{literal: v.Literal, product: v.Product}
	out.pos, out.end = r.at(v.Module, v.Span)
	if v.Literal || v.Product {
		out.source = v.Module.Text(v.Span)
	}
	switch v.Kind {
	case js.Bool:
		out.kind, out.yes = boolKind, v.Bool
	case js.Number:
		return r.number(out, v)
	case js.BigInt:
		out.kind, out.form = numberKind, jsBigInt
		out.num = constant.Make(v.Big)
	case js.String:
		out.kind, out.text, out.lone = stringKind, v.Str, !v.WellFormed
	case js.Array, js.Set:
		out.kind = listKind
		for _, e := range v.Elems {
			out.elems = append(out.elems, r.value(e))
		}
	case js.Object, js.Map:
		return r.object(out, v)
	case js.RegExp:
		out.kind, out.pattern = regexpKind, pattern{source: v.Pattern, flags: v.Flags}
	case js.Formula:
		out.kind = formulaKind
		out.parts = r.parts(v)
	default:
		out.kind, out.text, out.literal = otherKind, describeKind(v.Kind), false
	}
	return out
}

func (r *jsReader) number(out value, v js.Value) value {
	out.num = constant.MakeFloat64(v.Num)
	if out.num.Kind() == constant.Unknown {
		out.kind, out.text, out.literal = otherKind, strconv.FormatFloat(v.Num, 'g', -1, 64), false
		return out
	}
	if i := constant.ToInt(out.num); i.Kind() == constant.Int {
		out.num = i
	}
	out.kind, out.form = numberKind, jsNumber
	if r.unit != 0 {
		out.kind = durationKind
		out.num = constant.BinaryOp(out.num, token.MUL, constant.MakeInt64(int64(r.unit)))
	}
	return out
}

func (r *jsReader) object(out value, v js.Value) value {
	out.kind = objectKind
	for _, e := range v.Entries {
		key := e.Key
		key.Module, key.Span = v.Module, e.KeySpan
		out.entries = append(out.entries, entry{r.value(key), r.value(e.Value)})
	}
	return out
}

func (r *jsReader) parts(v js.Value) []part {
	var out []part
	for _, p := range v.Parts {
		pos, end := r.at(v.Module, p.Span)
		source := v.Module.Text(p.Span)
		out = append(out, part{
			text: p.Text, hole: p.Hole, name: p.Name, pos: pos, end: end,
			source: source, literal: !p.Hole && isQuoted(source),
		})
	}
	return join(out)
}

// isQuoted reports whether source is a whole string literal, quotes included. The text of
// a template literal stands between holes and has none.
func isQuoted(source string) bool {
	return len(source) >= 2 && (source[0] == '"' || source[0] == '\'') && source[len(source)-1] == source[0]
}

func describeKind(k js.Kind) string {
	switch k {
	case js.Undefined:
		return "undefined"
	case js.Null:
		return "null"
	case js.Function:
		return "a function"
	}
	return "no constant"
}
