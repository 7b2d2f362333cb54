package js

import "strings"

// WalkLive calls f for the nodes of a plugin that something can run, and descends where f
// returns true: the top level of the entry and of the modules that it imports by a path, what the entry exports, and the
// functions, classes and objects that such code names. A declaration that nothing live
// names is left out, such as the command line in a bundle, and so is what runs only where
// import.meta.main or the like tells that the module is the program. What is live need not
// run: other conditions are not judged. Packages are not followed, and a module that cannot
// be read is left out. Nodes come in no order that matters, each once.
func (p *Program) WalkLive(entry *Module, f func(m *Module, n *Node) bool) {
	l := &liveness{
		p: p, f: f, marked: make(map[*Node]bool), loaded: make(map[exportedName]*Module),
		whole: make(map[*Module]bool), namespaces: make(map[*Binding][]Expr),
	}
	l.module(entry)
	l.everything(entry)
	for len(l.queue) > 0 {
		next := l.queue[len(l.queue)-1]
		l.queue = l.queue[:len(l.queue)-1]
		l.visit(next.Module, next.Node, true)
	}
}

// liveness is one walk over live code.
type liveness struct {
	p          *Program
	f          func(m *Module, n *Node) bool
	queue      []Expr
	marked     map[*Node]bool           // what is or was in the queue
	loaded     map[exportedName]*Module // by importing module and specifier
	whole      map[*Module]bool         // modules whose every export is live
	namespaces map[*Binding][]Expr      // statements that fill what a name is bound to
}

func (l *liveness) mark(m *Module, n *Node) {
	if !l.marked[n] {
		l.marked[n] = true
		l.queue = append(l.queue, Expr{m, n})
	}
}

// module marks the top level of a module: it runs when the module is imported.
func (l *liveness) module(m *Module) {
	if l.marked[m.root] {
		return
	}
	for _, s := range m.root.Kids {
		if b := namespaceOf(s); b != nil {
			l.namespaces[b] = append(l.namespaces[b], Expr{m, s})
		}
	}
	l.mark(m, m.root)
}

// namespaceOf returns what a statement of a bundler fills with getters of the exports of a
// module: __export(exports_a, { b: () => b }). That names everything and uses nothing.
func namespaceOf(s *Node) *Binding {
	if s.Type != ExprStmt || s.Kids[0].Type != CallExpr {
		return nil
	}
	call := s.Kids[0]
	if len(call.Kids) != 3 || CalleeName(call) != "__export" || call.Kids[1].Type != Ident {
		return nil
	}
	return call.Kids[1].binding
}

// load marks the top level of the module that a specifier names, and returns it. A package
// is none.
func (l *liveness) load(m *Module, specifier string) *Module {
	if !strings.HasPrefix(specifier, ".") && !strings.HasPrefix(specifier, "/") && !strings.HasPrefix(specifier, "file:") {
		return nil
	}
	key := exportedName{m, specifier}
	if from, ok := l.loaded[key]; ok {
		return from
	}
	from, err := l.p.imported(m, specifier)
	if err != nil {
		from = nil
	} else {
		l.module(from)
	}
	l.loaded[key] = from
	return from
}

// export marks what an export is bound to.
func (l *liveness) export(m *Module, name string) {
	target, err := l.p.exported(m, name)
	switch {
	case err != nil || target.Node == nil:
	case target.Node.Type == Ident:
		l.binding(target.Module, target.Node.binding, nil)
	case isDeferred(target.Node):
		l.mark(target.Module, target.Node)
	}
}

// everything marks all exports of a module.
func (l *liveness) everything(m *Module) {
	if l.whole[m] {
		return
	}
	l.whole[m] = true
	for _, e := range m.exports {
		if e.Kind != ExportStar {
			l.export(m, e.Name)
		} else if from := l.load(m, e.Specifier); from != nil {
			l.everything(from)
		}
	}
}

// binding marks what a name is bound to. ref is where it is used, or nil.
func (l *liveness) binding(m *Module, b *Binding, ref *Node) {
	if b == nil {
		return
	}
	for _, s := range l.namespaces[b] {
		l.mark(s.Module, s.Node)
	}
	if b.Owner.Type != ImportSpec {
		if isDeferred(b.Owner) {
			l.mark(m, b.Owner)
		}
		return
	}
	from := l.load(m, b.Owner.Parent.Text)
	switch name := b.Owner.Text; {
	case from == nil:
	case name != "*":
		l.export(from, name)
	case ref != nil && ref.Parent.Type == Member && ref.Parent.Kids[0] == ref && ref.Parent.Flags&Computed == 0:
		l.export(from, ref.Parent.Kids[1].Text)
	default:
		l.everything(from)
	}
}

// visit reports the nodes of live code and marks what they name.
func (l *liveness) visit(m *Module, n *Node, isRoot bool) {
	if n == nil || !isRoot && (isDeferred(n) || namespaceOf(n) != nil) {
		return
	}
	if !l.f(m, n) {
		return
	}
	switch n.Type {
	case If:
		if isProgramTest(m.Text(n.Kids[0].Span)) {
			l.visit(m, n.Kids[0], false)
			l.visit(m, n.Kids[2], false)
			return
		}
	case Ident:
		if n.binding != nil && n != n.binding.Decl {
			l.binding(m, n.binding, n)
		}
	case ImportDecl:
		l.load(m, n.Text)
	case ExportList, ExportAll:
		if n.Kids[0] != nil {
			l.load(m, n.Kids[0].Text)
		}
		return // who imports the names tells whether they are used
	case ImportCall, CallExpr:
		specifier, ok := requireCall(n)
		if n.Type == ImportCall {
			specifier, ok = literalText(n.Kids[0])
		}
		if from := l.load(m, specifier); ok && from != nil {
			l.everything(from)
		}
	}
	for _, kid := range n.Kids {
		l.visit(m, kid, false)
	}
}

// isProgramTest reports whether a test asks if the module is the program that runs.
func isProgramTest(text string) bool {
	return !strings.HasPrefix(text, "!") && (strings.Contains(text, "import.meta.main") || strings.Contains(text, "require.main") || strings.Contains(text, "process.argv[1]"))
}

// lazyMakers are the functions of bundlers that make a module which runs when it is first
// used.
var lazyMakers = map[string]bool{"__commonJS": true, "__esm": true, "__commonJSMin": true, "__esmMin": true}

// isDeferred reports whether a declaration does nothing by itself.
func isDeferred(n *Node) bool {
	switch n.Type {
	case FuncLit, ClassLit:
		return n.Flags&Decl != 0
	case Declarator:
		init := n.Kids[1]
		if init == nil || n.Kids[0].Type != Ident {
			return false
		}
		switch init.Type {
		case FuncLit, ClassLit, ObjectLit:
			return true
		case CallExpr:
			return lazyMakers[CalleeName(init)]
		}
	}
	return false
}
