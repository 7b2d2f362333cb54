package hookname

import (
	"slices"

	"github.com/ngvet/ngvet/internal/js"
)

// typesAt returns the types that the event can have where n runs, as the tests around n
// say: cases of a switch, branches of an if, operands of && and ?:, and an early return. It
// returns nil when nothing says anything.
func (v view) typesAt(n *js.Node) []string {
	for child, p := n, n.Parent; p != nil && child != v.fn; child, p = p, p.Parent {
		var types []string
		switch p.Type {
		case js.Case:
			types = v.casesTo(p)
		case js.If, js.Cond:
			if child == p.Kids[1] {
				types = v.accepted(p.Kids[0])
			}
		case js.Binary:
			if p.Text == "&&" && child == p.Kids[1] {
				types = v.accepted(p.Kids[0])
			}
		case js.Block:
			types = v.leftAfterReturns(p, child)
		}
		if types != nil {
			return types
		}
	}
	return nil
}

// casesTo returns the types of a case and of those before it that fall through to it.
func (v view) casesTo(c *js.Node) []string {
	s := c.Parent
	if s == nil || s.Type != js.Switch || !v.isType(s.Kids[0]) {
		return nil
	}
	var types []string
	for i := slices.Index(s.Kids, c); i > 0; i-- {
		k := s.Kids[i]
		if k != c && leaves(k.Kids[len(k.Kids)-1]) {
			break
		}
		if k.Kids[0] == nil || k.Kids[0].Type != js.StringLit {
			return nil // the default case, or one whose test is not plain
		}
		types = append(types, k.Kids[0].Text)
	}
	return types
}

// accepted returns the types for which a test can be true, nil for any.
func (v view) accepted(test *js.Node) []string {
	if test.Type != js.Binary {
		return nil
	}
	switch test.Text {
	case "===", "==":
		return v.compared(test)
	case "&&":
		if types := v.accepted(test.Kids[0]); types != nil {
			return types
		}
		return v.accepted(test.Kids[1])
	case "||":
		left, right := v.accepted(test.Kids[0]), v.accepted(test.Kids[1])
		if left != nil && right != nil {
			return append(left, right...)
		}
	}
	return nil
}

// compared returns the string literal that a comparison compares the type with.
func (v view) compared(test *js.Node) []string {
	for i, k := range test.Kids {
		if other := test.Kids[1-i]; k.Type == js.StringLit && v.isType(other) {
			return []string{k.Text}
		}
	}
	return nil
}

// leftAfterReturns returns the types that get past a statement such as
// if (event.type !== "x") return, before child in the block.
func (v view) leftAfterReturns(block, child *js.Node) []string {
	for _, s := range block.Kids {
		if s == child {
			break
		}
		if s.Type != js.If || !leaves(s.Kids[1]) {
			continue
		}
		if types := v.left(s.Kids[0]); types != nil {
			return types
		}
	}
	return nil
}

// left returns the types for which a test can be false, nil for any.
func (v view) left(test *js.Node) []string {
	if test.Type != js.Binary {
		return nil
	}
	switch test.Text {
	case "!==", "!=":
		return v.compared(test)
	case "||":
		if types := v.left(test.Kids[0]); types != nil {
			return types
		}
		return v.left(test.Kids[1])
	}
	return nil
}

// leaves reports whether a statement always ends what it stands in.
func leaves(n *js.Node) bool {
	if n == nil {
		return false
	}
	switch n.Type {
	case js.Return, js.Throw, js.Break, js.Continue:
		return true
	case js.Block:
		return len(n.Kids) > 0 && leaves(n.Kids[len(n.Kids)-1])
	}
	return false
}
