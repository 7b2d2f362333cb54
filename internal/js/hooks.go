package js

import "errors"

// Hooks returns the hooks objects of the plugin entry m, one for every object that one of
// its factories returns. A factory is the server of a V1 object that is exported, by
// default or from a legacy entry; else the default export function; else any exported
// function. A V2 object, with setup and no server, has none.
//
// An object counts when the factory returns it: directly, through local variables, or as
// the result of a local call. The error joins those of modules that re-exports need; what
// was found without them is returned beside it.
func (p *Program) Hooks(m *Module) ([]HooksObject, error) {
	exports, err := p.EntryExports(m)
	var list []HooksObject
	seen := make(map[*Node]string) // the export that a factory was found by first
	for _, e := range exports {
		objects, isV1 := p.HooksOf(e)
		if isV1 && e.Name == "default" { // OpenCode ignores its other exports
			return objects, nil
		}
		for _, o := range objects {
			if by, ok := seen[o.Fn.Node]; !ok || by == e.Name {
				seen[o.Fn.Node] = e.Name
				list = append(list, o)
			}
		}
	}
	return list, err
}

// HooksOf returns the hooks objects of the factories that one export of an entry is, or
// that it holds as the server of a plugin object, which isV1 tells.
func (p *Program) HooksOf(e EntryExport) (objects []HooksObject, isV1 bool) {
	if e.Value.Node == nil {
		return nil, false
	}
	kind := FactoryLegacy
	if e.Name == "default" {
		kind = FactoryDefault
	}
	for _, value := range p.Results(e.Value) {
		if server, ok := p.serverOf(value); ok {
			isV1 = true
			objects = append(objects, p.serverHooks(e.Name, server)...)
		} else {
			objects = append(objects, p.factoryHooks(kind, e.Name, value)...)
		}
	}
	return objects, isV1
}

// EntryExport is one value that OpenCode finds in the module of an entry.
type EntryExport struct {
	Name  string
	Via   Export // the export of the entry itself that it comes through, such as export *
	Value Expr   // what it is bound to, in the module that defines it; zero where that is not known

	// Namespace: the value is a whole module, of export * as name.
	Namespace bool
}

// EntryExports returns the values that the entry m exports, those of export * from
// included: OpenCode sees them all alike. A name that an export statement spells hides one
// from export *. The error joins those of modules that cannot be read; the exports that do
// not need them are returned beside it.
func (p *Program) EntryExports(m *Module) ([]EntryExport, error) {
	owned, err := p.entryExports(m, make(map[*Module]bool))
	problems := []error{err}
	var list []EntryExport
	index := make(map[string]bool)
	for _, star := range []bool{false, true} {
		for _, x := range owned {
			if fromStar := x.via.Kind == ExportStar && x.via.Name == "*"; fromStar != star || index[x.Name] {
				continue
			}
			index[x.Name] = true
			value, err := p.exportValue(x.module, x.Export)
			problems = append(problems, err)
			list = append(list, EntryExport{Name: x.Name, Via: x.via, Value: value, Namespace: x.Kind == ExportStar})
		}
	}
	return list, errors.Join(problems...)
}

// ownedExport is an export, the module that has it, and the export of the entry that it
// comes through.
type ownedExport struct {
	Export
	module *Module
	via    Export
}

// entryExports returns the exports of m, those of export * from included.
func (p *Program) entryExports(m *Module, seen map[*Module]bool) ([]ownedExport, error) {
	if seen[m] {
		return nil, nil
	}
	seen[m] = true
	var list []ownedExport
	var problems []error
	for _, e := range m.exports {
		if e.Kind != ExportStar || e.Name != "*" {
			list = append(list, ownedExport{e, m, e})
			continue
		}
		from, err := p.imported(m, e.Specifier)
		if isExternal(err) {
			continue
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		inner, err := p.entryExports(from, seen)
		problems = append(problems, err)
		for _, x := range inner {
			if x.Name != "default" {
				x.via = e
				list = append(list, x)
			}
		}
	}
	return list, errors.Join(problems...)
}

// exportValue returns what an export is bound to, in the module that defines it. It is
// nothing for a name that only types bear, and for a module outside the files.
func (p *Program) exportValue(m *Module, e Export) (Expr, error) {
	switch {
	case e.Kind == ExportStar:
		return Expr{}, nil
	case e.Value.Node != nil:
		return e.Value, nil
	}
	from, err := p.imported(m, e.Specifier)
	if isExternal(err) {
		return Expr{}, nil
	}
	if err != nil {
		return Expr{}, err
	}
	target, err := p.exported(from, e.Local)
	var absent *NotFoundError
	if errors.As(err, &absent) || isExternal(err) {
		return Expr{}, nil
	}
	return target, err
}

// serverOf returns the server function of a V1 object.
func (p *Program) serverOf(e Expr) (Expr, bool) {
	if e.Node.Type != ObjectLit {
		return Expr{}, false
	}
	server, ok := p.stepProperty(e, "server")
	if !ok {
		return Expr{}, false
	}
	return p.Follow(server), true
}

// Results returns what e denotes, or what the local call that it denotes can return: a
// plugin object, a factory or a hook may be made by a function.
func (p *Program) Results(e Expr) []Expr { return p.results(e, 0) }

func (p *Program) results(e Expr, depth int) []Expr {
	target := p.Follow(e)
	switch {
	case target.Node == nil:
		return nil
	case target.Node.Type != CallExpr || depth >= maxCalls:
		return []Expr{target}
	}
	fn := p.Follow(Expr{target.Module, target.Node.Kids[0]})
	if fn.Node.Type != FuncLit || fn.Node.Flags&(Async|Generator) != 0 {
		return []Expr{target} // a promise or an iterator is neither
	}
	var list []Expr
	for _, value := range returnedValues(fn.Node) {
		list = append(list, p.results(Expr{fn.Module, value}, depth+1)...)
	}
	return list
}

func (p *Program) serverHooks(export string, server Expr) []HooksObject {
	var list []HooksObject
	for _, fn := range p.Results(server) {
		list = append(list, p.factoryHooks(FactoryServer, export, fn)...)
	}
	return list
}

func (p *Program) factoryHooks(kind FactoryKind, export string, fn Expr) []HooksObject {
	if fn.Node.Type != FuncLit {
		return nil
	}
	var list []HooksObject
	for _, object := range p.returnedObjects(fn, 0) {
		props, _ := p.hookProps(object, 0)
		list = append(list, HooksObject{Factory: kind, Export: export, Fn: fn, Object: p.Follow(object), Props: props})
	}
	return list
}

// maxCalls bounds the local calls between a factory and the object that it returns.
const maxCalls = 3

// returnedObjects returns the expressions by which fn returns an object literal.
func (p *Program) returnedObjects(fn Expr, depth int) []Expr {
	var list []Expr
	for _, result := range returnedValues(fn.Node) {
		list = append(list, p.objectsOf(Expr{fn.Module, result}, depth)...)
	}
	return list
}

// objectsOf returns the expressions that e may be and that denote an object literal.
func (p *Program) objectsOf(e Expr, depth int) []Expr {
	switch n := e.Node; {
	case n.Type == Await:
		return p.objectsOf(Expr{e.Module, n.Kids[0]}, depth)
	case n.Type == Cond:
		return append(p.objectsOf(Expr{e.Module, n.Kids[1]}, depth), p.objectsOf(Expr{e.Module, n.Kids[2]}, depth)...)
	case n.Type == Binary && (n.Text == "&&" || n.Text == "||" || n.Text == "??"):
		return append(p.objectsOf(Expr{e.Module, n.Kids[0]}, depth), p.objectsOf(Expr{e.Module, n.Kids[1]}, depth)...)
	}
	switch target := p.Follow(e); target.Node.Type {
	case ObjectLit:
		return []Expr{e}
	case CallExpr:
		fn := p.Follow(Expr{target.Module, target.Node.Kids[0]})
		if depth < maxCalls && fn.Node.Type == FuncLit {
			return p.returnedObjects(fn, depth+1)
		}
	case Await, Cond:
		if target.Node != e.Node && depth < maxCalls {
			return p.objectsOf(target, depth+1)
		}
	}
	return nil
}

// hookProps lists the properties of an object that e denotes: those of its literal, of the
// objects spread into it, also when they are the results of local calls, and those that
// are assigned later.
func (p *Program) hookProps(e Expr, depth int) ([]Prop, bool) {
	props, ok := objectProps(p, e)
	if !ok {
		return nil, false
	}
	list := make([]Prop, 0, len(props))
	for _, prop := range props {
		if !prop.Spread || depth > maxCalls {
			list = append(list, prop)
			continue
		}
		objects := p.objectsOf(prop.Value, 0)
		if len(objects) == 0 {
			list = append(list, prop)
		}
		for _, object := range objects {
			inner, _ := p.hookProps(object, depth+1)
			list = append(list, inner...)
		}
	}
	return list, true
}
