package js

import "slices"

// envRead is one use of an environment variable; Name is "" for a computed name.
type envRead struct {
	Ref
	node *Node
}

// EnvReads returns the names that m reads or deletes from process.env, in order of place: by
// property, by destructuring, by "X" in process.env, through aliases of process and
// process.env. Names that are computed are left out; Lookup of "env" refuses them.
func (m *Module) EnvReads() []Ref {
	var refs []Ref
	for _, r := range m.env {
		if r.Name != "" {
			refs = append(refs, r.Ref)
		}
	}
	return refs
}

func (m *Module) findEnv() []envRead {
	var reads []envRead
	add := func(name string, n *Node) {
		reads = append(reads, envRead{Ref{name, n.Span}, n})
	}
	ev := &evaluator{active: make(map[*Node]bool)}
	Walk(m.root, func(n *Node) bool {
		switch {
		case n.Type == Member && isEnv(n.Kids[0], 0) && !isWritten(n):
			name, _ := ev.memberName(m, n)
			add(name, n.Kids[1])
		case n.Type == Binary && n.Text == "in" && isEnv(n.Kids[1], 0):
			name, _ := toString(ev.eval(m, n.Kids[0]))
			add(name, n.Kids[0])
		case (n.Type == Declarator || n.Type == Default || n.Type == Assign) && n.Kids[0].Type == ObjectLit && n.Kids[1] != nil && isEnv(n.Kids[1], 0):
			for _, property := range n.Kids[0].Kids {
				if property.Type == Property {
					name, _ := staticKey(property)
					add(name, property.Kids[0])
				}
			}
		}
		return true
	})
	slices.SortStableFunc(reads, func(a, b envRead) int { return a.Span.Start - b.Span.Start })
	return reads
}

// isWritten reports whether a member is assigned to without being read. One that is deleted
// is a name that somebody else has set: misspelt, it stays in the environment.
func isWritten(n *Node) bool {
	if p := n.Parent; p.Type == Assign && p.Kids[0] == n {
		return p.Text == "="
	}
	return isTarget(n)
}

// maxAlias bounds the names that are followed where each leads to one other.
const maxAlias = 100

// isEnv reports whether n denotes process.env.
func isEnv(n *Node, depth int) bool {
	if depth > maxAlias {
		return false
	}
	if n.Type == Member && n.Flags&Computed == 0 && n.Kids[1].Text == "env" {
		return isProcess(n.Kids[0], depth+1)
	}
	if n.Type != Ident || n.binding == nil || len(n.binding.Writes) > 0 {
		return false
	}
	b := n.binding
	if owner := b.Owner; owner.Type == ImportSpec {
		return owner.Text == "env" && isProcessModule(owner.Parent.Text)
	}
	source, key := aliasOf(b)
	switch {
	case source == nil:
		return false
	case key == "":
		return isEnv(source, depth+1)
	}
	return key == "env" && isProcess(source, depth+1)
}

// aliasOf returns the expression that b is another name of: its initial value or default,
// or with key a property of it.
func aliasOf(b *Binding) (source *Node, key string) {
	n := b.Decl
	if b.Owner.Type == Declarator && b.Owner.Kids[0] == n {
		return b.Owner.Kids[1], ""
	}
	p := n.Parent
	if p.Type == Default && p.Kids[0] == n && p.Parent == b.Owner { // a parameter with a default
		return p.Kids[1], ""
	}
	if p.Type != Property || p.Parent.Type != ObjectLit {
		return nil, ""
	}
	key, _ = staticKey(p)
	switch outer := p.Parent.Parent; {
	case outer.Type == Declarator || outer.Type == Default && outer.Parent == b.Owner:
		return outer.Kids[1], key
	}
	return nil, ""
}

func isProcess(n *Node, depth int) bool {
	if depth > maxAlias {
		return false
	}
	switch n.Type {
	case Member:
		chain := globalChain(n)
		return len(chain) == 2 && (chain[0] == "globalThis" || chain[0] == "global") && chain[1] == "process"
	case CallExpr:
		specifier, ok := requireCall(n)
		return ok && isProcessModule(specifier)
	case Ident:
		b := n.binding
		if b == nil {
			return n.Text == "process"
		}
		if b.Owner.Type == ImportSpec {
			return (b.Owner.Text == "default" || b.Owner.Text == "*") && isProcessModule(b.Owner.Parent.Text)
		}
		source, key := aliasOf(b)
		return source != nil && key == "" && len(b.Writes) == 0 && isProcess(source, depth+1)
	}
	return false
}

func isProcessModule(specifier string) bool {
	return specifier == "process" || specifier == "node:process"
}
