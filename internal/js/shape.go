package js

// Shape is what kind of value an expression has, in the words of a message.
type Shape string

// The shapes. The zero value says that it is known at run time only.
const (
	ShapeUnknown  Shape = ""
	ShapeFalsy    Shape = "nothing" // undefined, null, false, 0 or ""
	ShapeFunction Shape = "a function"
	ShapeClass    Shape = "a class"
	ShapeObject   Shape = "an object"
	ShapeArray    Shape = "an array"
	ShapePlain    Shape = "a plain value" // a string, number or the like
)

// ShapeOf decides only what the source shows: literals and declarations, reached through
// names that are never reassigned.
func (p *Program) ShapeOf(e Expr) Shape {
	e = p.Follow(e)
	if e.Node == nil {
		return ShapeUnknown
	}
	switch e.Node.Type {
	case FuncLit:
		if IsAccessor(e.Node) {
			return ShapeUnknown
		}
		return ShapeFunction
	case ClassLit:
		return ShapeClass
	case ObjectLit:
		return ShapeObject
	case ArrayLit:
		return ShapeArray
	}
	v, err := p.Eval(e)
	if err != nil {
		return ShapeUnknown
	}
	return shapeOfConstant(v)
}

// IsAccessor reports whether a function is a getter or setter, whose value is not itself.
func IsAccessor(fn *Node) bool {
	return fn.Parent != nil && fn.Parent.Type == Property && (fn.Parent.Text == "get" || fn.Parent.Text == "set")
}

func shapeOfConstant(v Value) Shape {
	falsy := false
	switch v.Kind {
	case Undefined, Null:
		falsy = true
	case Bool:
		falsy = !v.Bool
	case Number:
		falsy = v.Num == 0 || v.Num != v.Num
	case BigInt:
		falsy = v.Big.Sign() == 0
	case String:
		falsy = v.Str == ""
	case Formula: // a string that is not constant, or a function with one return
		if v.Fn.Node != nil {
			return ShapeFunction
		}
	case Function:
		return ShapeUnknown // Follow has stopped short of it
	case Array:
		return ShapeArray
	case Object, Set, Map, RegExp:
		return ShapeObject
	default:
		return ShapeUnknown
	}
	if falsy {
		return ShapeFalsy
	}
	return ShapePlain
}
