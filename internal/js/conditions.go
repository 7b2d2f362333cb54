package js

import "slices"

// Condition is a test whose outcome is known where some code runs.
type Condition struct {
	Test  *Node // an expression; of a switch the discriminant
	Case  *Node // the Case that applied, of a switch; else nil
	Holds bool  // whether the test was true; for a switch always
}

// Conditions returns the tests that decide whether n runs, nearest first: those of the
// statements and expressions around it, and those of statements before it that leave by
// return, throw, continue or break, of which the nearest 256 are looked at. Tests around a function that n lies in are among them:
// a function is made where they hold. Tests of callers are not seen.
func Conditions(n *Node) []Condition {
	var list []Condition
	for ; n.Parent != nil; n = n.Parent {
		p := n.Parent
		switch p.Type {
		case If, Cond, While:
			if p.Kids[0] != n {
				list = append(list, Condition{Test: p.Kids[0], Holds: p.Kids[1] == n})
			}
		case Binary:
			if p.Kids[1] == n && (p.Text == "&&" || p.Text == "||" || p.Text == "??") {
				list = append(list, Condition{Test: p.Kids[0], Holds: p.Text == "&&"})
			}
		case For:
			if p.Kids[1] != nil && p.Kids[3] == n {
				list = append(list, Condition{Test: p.Kids[1], Holds: true})
			}
		case Block, Root:
			list = append(list, leftBefore(p.Kids, n)...)
		case Case:
			list = append(list, leftBefore(p.Kids[1:], n)...)
			if p.Kids[0] != n {
				list = append(list, Condition{Test: p.Parent.Kids[0], Case: p, Holds: true})
			}
		}
	}
	return list
}

// maxBefore bounds the statements before one that are looked at: a bundle has thousands in
// one block.
const maxBefore = 256

// leftBefore returns the conditions under which the statements before n go on to it.
func leftBefore(stmts []*Node, n *Node) []Condition {
	end, found := slices.BinarySearchFunc(stmts, n.Span.Start, func(s *Node, start int) int { return s.Span.Start - start })
	if !found {
		return nil
	}
	var list []Condition
	for _, s := range stmts[max(0, end-maxBefore):end] {
		switch {
		case s.Type != If:
		case leaves(s.Kids[1]):
			list = append(list, Condition{Test: s.Kids[0], Holds: false})
		case s.Kids[2] != nil && leaves(s.Kids[2]):
			list = append(list, Condition{Test: s.Kids[0], Holds: true})
		}
	}
	return list
}

// leaves reports whether a statement ends with one that goes elsewhere.
func leaves(n *Node) bool {
	switch n.Type {
	case Return, Throw, Continue, Break:
		return true
	case Block:
		return len(n.Kids) > 0 && leaves(n.Kids[len(n.Kids)-1])
	case If:
		return n.Kids[2] != nil && leaves(n.Kids[1]) && leaves(n.Kids[2])
	}
	return false
}
