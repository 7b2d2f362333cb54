package js

import "sync"

// Binding is a declared name.
type Binding struct {
	Name   string
	Decl   *Node   // the Ident that declares it
	Owner  *Node   // Declarator, FuncLit (itself or one of its parameters), ClassLit, ImportSpec or Catch
	Refs   []*Node // every other Ident that names it, in order of place
	Writes []*Node // those of Refs that are assigned to

	mutations              sync.Once // guards the two below, see mutation
	mutated, mutatedWithin *Node
}

// Param returns the index of the parameter of Owner that declares b, or -1.
func (b *Binding) Param() int {
	if b.Owner.Type != FuncLit || b.Owner.Kids[0] == b.Decl {
		return -1
	}
	n := b.Decl
	for n.Parent != b.Owner {
		n = n.Parent
	}
	for i, p := range b.Owner.Kids[2:] {
		if p == n {
			return i
		}
	}
	return -1
}

// BindingOf returns the binding that an Ident names, or nil for a global.
func (m *Module) BindingOf(ident *Node) *Binding {
	if ident == nil {
		return nil
	}
	return ident.binding
}

// TopLevel returns the binding of a name declared at the top of the module, or nil.
func (m *Module) TopLevel(name string) *Binding { return m.top.names[name] }

// scope is a region in which names are declared.
type scope struct {
	outer *scope
	names map[string]*Binding
}

func (s *scope) lookup(name string) *Binding {
	for ; s != nil; s = s.outer {
		if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

// resolver binds every Ident of a tree.
type resolver struct{ cur *scope }

func (m *Module) resolveNames() {
	r := &resolver{}
	m.top = r.push()
	r.hoist(m.root)
	r.declareAll(m.root.Kids)
	r.visitAll(m.root.Kids)
}

func (r *resolver) push() *scope {
	r.cur = &scope{outer: r.cur, names: make(map[string]*Binding)}
	return r.cur
}

func (r *resolver) pop() { r.cur = r.cur.outer }

// declare binds the names of a target in the current scope.
func (r *resolver) declare(target, owner *Node) {
	eachTarget(target, func(ident *Node) {
		b := r.cur.names[ident.Text]
		if b == nil {
			b = &Binding{Name: ident.Text, Decl: ident, Owner: owner}
			r.cur.names[ident.Text] = b
			ident.binding = b
			return
		}
		ident.binding = b
		b.Refs = append(b.Refs, ident)
		if owner.Type != Declarator || owner.Kids[1] != nil { // var x = 1; var x = 2
			b.Writes = append(b.Writes, ident)
		}
	})
}

// eachTarget calls f for every Ident that a pattern assigns to.
func eachTarget(n *Node, f func(ident *Node)) {
	if n == nil {
		return
	}
	switch n.Type {
	case Ident:
		f(n)
	case Default, Spread:
		eachTarget(n.Kids[0], f)
	case Property:
		eachTarget(n.Kids[1], f)
	case ArrayLit, ObjectLit:
		for _, kid := range n.Kids {
			eachTarget(kid, f)
		}
	}
}

// hoist declares the var names below n, in the scope of the function.
func (r *resolver) hoist(n *Node) {
	for _, kid := range n.Kids {
		if kid == nil || kid.Type == FuncLit || kid.Type == ClassLit {
			continue
		}
		if kid.Type == VarDecl && kid.Text == "var" {
			for _, d := range kid.Kids {
				r.declare(d.Kids[0], d)
			}
		}
		if kid.Type >= Block && kid.Type <= ExportDecl { // expressions hold no var outside functions
			r.hoist(kid)
		}
	}
}

// declareAll declares the names that a list of statements introduces in its own block.
func (r *resolver) declareAll(stmts []*Node) {
	for _, s := range stmts {
		if s == nil {
			continue
		}
		switch s.Type {
		case VarDecl:
			if s.Text != "var" {
				for _, d := range s.Kids {
					r.declare(d.Kids[0], d)
				}
			}
		case FuncLit, ClassLit:
			if s.Flags&Decl != 0 {
				r.declare(s.Kids[0], s)
			}
		case ImportDecl:
			for _, spec := range s.Kids[1:] {
				r.declare(spec.Kids[0], spec)
			}
		case ExportDecl, ExportDefault:
			r.declareAll(s.Kids)
		case Case:
			r.declareAll(s.Kids[1:])
		case Labelled:
			r.declareAll(s.Kids[1:])
		}
	}
}

func (r *resolver) visitAll(nodes []*Node) {
	for _, n := range nodes {
		r.visit(n)
	}
}

func (r *resolver) visit(n *Node) {
	if n == nil {
		return
	}
	switch n.Type {
	case Ident:
		r.refer(n)
	case FuncLit:
		r.function(n)
		return
	case ClassLit:
		r.class(n)
		return
	case Block, Catch, Switch, For, ForIn, ForOf:
		r.block(n)
		return
	case Assign, Update:
		r.visitAll(n.Kids)
		r.write(n.Kids[0])
		return
	}
	r.visitAll(n.Kids)
}

// refer binds an identifier that is not a declaration.
func (r *resolver) refer(n *Node) {
	if n.binding != nil {
		return
	}
	if b := r.cur.lookup(n.Text); b != nil {
		n.binding = b
		b.Refs = append(b.Refs, n)
	}
}

func (r *resolver) write(target *Node) {
	eachTarget(target, func(ident *Node) {
		if ident.binding != nil {
			ident.binding.Writes = append(ident.binding.Writes, ident)
		}
	})
}

func (r *resolver) function(n *Node) {
	if n.Kids[0] != nil && n.Flags&Decl == 0 {
		r.push()
		defer r.pop()
		r.declare(n.Kids[0], n)
	}
	r.push()
	defer r.pop()
	for _, param := range n.Kids[2:] {
		r.declare(param, n)
	}
	body := n.Kids[1]
	r.visitAll(n.Kids[2:])
	if body.Type != Block {
		r.visit(body)
		return
	}
	r.hoist(body)
	r.declareAll(body.Kids)
	r.visitAll(body.Kids)
}

func (r *resolver) class(n *Node) {
	if n.Kids[0] != nil && n.Flags&Decl == 0 {
		r.push()
		defer r.pop()
		r.declare(n.Kids[0], n)
	}
	r.visit(n.Kids[1])
	for _, member := range n.Kids[2:] {
		r.visit(member.Kids[0])
		if member.Text == "block" {
			r.push()
			r.hoist(member)
		}
		r.visit(member.Kids[1])
		if member.Text == "block" {
			r.pop()
		}
	}
}

// block visits a node that is a scope of its own.
func (r *resolver) block(n *Node) {
	r.push()
	defer r.pop()
	if n.Type == Catch {
		r.declare(n.Kids[0], n)
	}
	r.declareAll(n.Kids)
	r.visitAll(n.Kids)
	if n.Type == ForIn || n.Type == ForOf {
		r.write(n.Kids[0])
	}
}
