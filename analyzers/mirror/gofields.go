package mirror

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// fields evaluates a struct type as the set of its JSON names.
func (r *goReader) fields(spec *ast.TypeSpec) (value, error) {
	obj := r.pass.TypesInfo.Defs[spec.Name]
	if obj == nil {
		return value{}, notConstant(spec, "type %s is not known", spec.Name.Name)
	}
	st, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return value{}, notConstant(spec, "type %s is no struct", spec.Name.Name)
	}
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		if method, _, _ := types.LookupFieldOrMethod(obj.Type(), true, r.pass.Pkg, name); isFunc(method) {
			return value{}, notConstant(spec.Name, "type %s writes its JSON itself, in method %s", spec.Name.Name, name)
		}
	}
	out := value{kind: setKind, names: true, pos: spec.Name.Pos(), end: spec.Name.End()}
	for _, f := range jsonFields(st) {
		v := value{kind: stringKind, text: f.name, pos: spec.Name.Pos(), end: spec.Name.End()}
		if spec.Pos() <= f.top.Pos() && f.top.Pos() < spec.End() {
			v.pos, v.end = f.top.Pos(), f.top.Pos()+token.Pos(len(f.top.Name()))
		}
		out.elems = append(out.elems, v)
	}
	return out, nil
}

func isFunc(obj types.Object) bool {
	_, ok := obj.(*types.Func)
	return ok
}

// jsonField is a field as encoding/json sees it.
type jsonField struct {
	name   string
	tagged bool       // the name is from a tag
	top    *types.Var // the field of the outermost struct that is it, or embeds it
}

// jsonFields returns the fields that encoding/json writes, those of embedded structs among
// them: of several with one name the least nested counts, then the tagged one, and if that
// does not decide, none (documentation of json.Marshal).
func jsonFields(st *types.Struct) []jsonField {
	type embedded struct {
		st  *types.Struct
		top *types.Var
	}
	var out []jsonField
	decided := make(map[string]bool)
	seen := make(map[*types.Struct]bool)
	for level := []embedded{{st, nil}}; len(level) > 0; {
		var next []embedded
		var found []jsonField
		for _, e := range level {
			for i := range e.st.NumFields() {
				field, top := e.st.Field(i), e.top
				if top == nil {
					top = field
				}
				name, ok := jsonName(e.st.Tag(i))
				inner := embeddedStruct(field)
				switch {
				case !ok, !field.Exported() && inner == nil:
				case inner != nil && name == "":
					if !seen[inner] {
						next = append(next, embedded{inner, top})
					}
				case !field.Exported():
				case name == "":
					found = append(found, jsonField{field.Name(), false, top})
				default:
					found = append(found, jsonField{name, true, top})
				}
			}
		}
		out = append(out, dominant(found, decided)...)
		for _, e := range next {
			seen[e.st] = true
		}
		level = next
	}
	return out
}

// dominant returns the fields of one level of nesting that count, and notes their names.
func dominant(found []jsonField, decided map[string]bool) []jsonField {
	byName := make(map[string][]jsonField)
	for _, f := range found {
		byName[f.name] = append(byName[f.name], f)
	}
	var out []jsonField
	for _, f := range found {
		if decided[f.name] {
			continue
		}
		decided[f.name] = true
		same := byName[f.name]
		if len(same) > 1 {
			same = slices.DeleteFunc(same, func(f jsonField) bool { return !f.tagged })
		}
		if len(same) == 1 {
			out = append(out, same[0])
		}
	}
	return out
}

// embeddedStruct returns the struct that a field embeds, by value or by a pointer, or nil.
func embeddedStruct(field *types.Var) *types.Struct {
	if !field.Embedded() {
		return nil
	}
	t := field.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

// jsonName returns the name that a tag gives, "" for none; ok is false when it leaves the
// field out. A name that encoding/json does not accept is none.
func jsonName(tag string) (name string, ok bool) {
	full := reflect.StructTag(tag).Get("json")
	name, _, _ = strings.Cut(full, ",")
	invalid := strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
	if invalid {
		name = ""
	}
	return name, full != "-"
}
