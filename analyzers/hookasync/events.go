package hookasync

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

// The events after which opencode run leaves.
const (
	eventIdle   = "session.idle"
	eventStatus = "session.status" // with the status idle
)

// said is what a test says about the type of an event.
type said uint8

const (
	saysNothing said = iota
	saysIdle         // the type is one of the last events of a run, or may be among others
	saysOther        // it is none of them
)

// says reads one condition.
func (c *checker) says(test js.Expr, cond js.Condition) said {
	if cond.Case == nil {
		return c.testSays(test, cond.Holds, 0)
	}
	if cond.Case.Kids[0] == nil { // default: not what the others name
		for _, other := range cond.Case.Parent.Kids[1:] {
			if other.Kids[0] != nil && c.isIdle(js.Expr{Module: test.Module, Node: other.Kids[0]}) == saysIdle {
				return saysOther
			}
		}
		return saysNothing
	}
	result := saysNothing
	for _, label := range sharedLabels(cond.Case) {
		switch c.isIdle(js.Expr{Module: test.Module, Node: label}) {
		case saysIdle:
			return saysIdle
		case saysOther:
			result = saysOther
		}
	}
	return result
}

// sharedLabels returns the tests of a case and of the empty cases before it.
func sharedLabels(n *js.Node) []*js.Node {
	var list []*js.Node
	for _, other := range n.Parent.Kids[1:] {
		if other.Kids[0] != nil {
			list = append(list, other.Kids[0])
		}
		if other == n {
			return list
		}
		if len(other.Kids) > 1 {
			list = nil
		}
	}
	return list
}

func (c *checker) testSays(test js.Expr, holds bool, depth int) said {
	n := test.Node
	if depth > maxThrow {
		return saysNothing
	}
	again := func(n *js.Node, holds bool) said {
		return c.testSays(js.Expr{Module: test.Module, Node: n}, holds, depth+1)
	}
	switch {
	case n.Type == js.Unary && n.Text == "!":
		return again(n.Kids[0], !holds)
	case n.Type == js.Binary && (n.Text == "&&" || n.Text == "||"):
		return both(again(n.Kids[0], holds), again(n.Kids[1], holds), holds == (n.Text == "&&"))
	case n.Type == js.Binary && (n.Text == "===" || n.Text == "=="):
		return c.compared(test.Module, n, holds)
	case n.Type == js.Binary && (n.Text == "!==" || n.Text == "!="):
		return c.compared(test.Module, n, !holds)
	case n.Type == js.CallExpr && (js.CalleeName(n) == "has" || js.CalleeName(n) == "includes"):
		return c.listed(test.Module, n, holds)
	case n.Type == js.Ident:
		if to := c.prog.Follow(test); to.Node != nil && to.Node != n {
			return c.testSays(to, holds, depth+1)
		}
	}
	return saysNothing
}

// both joins what two tests say of which both, or at least one, have their outcome.
func both(a, b said, and bool) said {
	switch {
	case and && (a == saysOther || b == saysOther):
		return saysOther
	case and:
		return max(a, b)
	case a == saysIdle || b == saysIdle:
		return saysIdle
	case a == saysOther && b == saysOther:
		return saysOther
	}
	return saysNothing
}

// compared reads type === "x".
func (c *checker) compared(m *js.Module, n *js.Node, equal bool) said {
	for _, side := range n.Kids {
		got := c.isIdle(js.Expr{Module: m, Node: side})
		switch {
		case got == saysNothing:
		case equal:
			return got
		case got == saysIdle:
			return saysOther
		}
	}
	return saysNothing
}

// listed reads ["x", "y"].includes(type) and the same of a Set.
func (c *checker) listed(m *js.Module, call *js.Node, holds bool) said {
	member := call.Kids[0]
	if member.Type != js.Member {
		return saysNothing
	}
	list, err := c.prog.Eval(js.Expr{Module: m, Node: member.Kids[0]})
	if err != nil || list.Kind != js.Array && list.Kind != js.Set {
		return saysNothing
	}
	result := saysNothing
	for _, e := range list.Elems {
		switch c.eventSays(e) {
		case saysIdle:
			if holds {
				return saysIdle
			}
			return saysOther
		case saysOther:
			if holds {
				result = saysOther
			}
		}
	}
	return result
}

// isIdle tells what a constant says as the type of an event.
func (c *checker) isIdle(e js.Expr) said {
	switch {
	case e.Node == nil:
		return saysNothing
	case e.Node.Type != js.StringLit && e.Node.Type != js.Template && e.Node.Type != js.Ident && e.Node.Type != js.Member:
		return saysNothing
	}
	v, err := c.prog.Eval(e)
	if err != nil {
		return saysNothing
	}
	return c.eventSays(v)
}

func (c *checker) eventSays(v js.Value) said {
	switch {
	case v.Kind != js.String:
		return saysNothing
	case v.Str == eventIdle, v.Str == eventStatus:
		return saysIdle
	}
	if _, known := c.table.Event(v.Str); known || strings.Contains(v.Str, ".") {
		return saysOther
	}
	return saysNothing
}
