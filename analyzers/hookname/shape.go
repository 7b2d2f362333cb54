package hookname

import (
	"github.com/ngvet/ngvet/internal/js"
)

// shape is what kind of value a hook has, in the words of a message.
type shape string

const (
	undecided shape = ""
	absent    shape = "nothing" // undefined, null, false, 0 or "": OpenCode passes over it
	function  shape = "a function"
	class     shape = "a class"
	object    shape = "an object"
	array     shape = "an array"
	data      shape = "a plain value" // a string, number or the like
)

// shapeOf decides only what the source shows: literals and declarations, reached through
// names that are never reassigned.
func shapeOf(prog *js.Program, p js.Prop) shape {
	e := prog.Follow(p.Value)
	if e.Node == nil {
		return undecided
	}
	switch e.Node.Type {
	case js.FuncLit:
		if isAccessor(e.Node) {
			return undecided
		}
		return function
	case js.ClassLit:
		return class
	case js.ObjectLit:
		return object
	case js.ArrayLit:
		return array
	}
	v, err := prog.Eval(e)
	if err != nil {
		return undecided
	}
	return shapeOfConstant(v)
}

// isAccessor reports whether a function is a getter or setter, whose value is not itself.
func isAccessor(fn *js.Node) bool {
	return fn.Parent != nil && fn.Parent.Type == js.Property && (fn.Parent.Text == "get" || fn.Parent.Text == "set")
}

func shapeOfConstant(v js.Value) shape {
	falsy := false
	switch v.Kind {
	case js.Undefined, js.Null:
		falsy = true
	case js.Bool:
		falsy = !v.Bool
	case js.Number:
		falsy = v.Num == 0 || v.Num != v.Num
	case js.BigInt:
		falsy = v.Big.Sign() == 0
	case js.String:
		falsy = v.Str == ""
	case js.Formula: // a string that is not constant, or a function with one return
		if v.Fn.Node != nil {
			return function
		}
	case js.Function:
		return undecided // Follow has stopped short of it
	case js.Array:
		return array
	case js.Object, js.Set, js.Map, js.RegExp:
		return object
	default:
		return undecided
	}
	if falsy {
		return absent
	}
	return data
}
