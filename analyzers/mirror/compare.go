package mirror

import (
	"fmt"
	"slices"
)

// relation is the way in which two values differ.
type relation int

const (
	unequal relation = iota // both are there and differ
	goOnly                  // the JS side lacks the Go value
	jsOnly                  // the Go side lacks the JS value
	moved                   // both are there, in another order
)

// difference is one thing that is not the same on both sides. For goOnly, js is the
// container that lacks the value; for jsOnly, go is.
type difference struct {
	relation relation
	label    string // of the element, such as "[3]" or ".limit"; "" for the whole
	g, j     value
}

// comparison compares under the options of one directive.
type comparison struct {
	extent    extent
	unordered bool
	diffs     []difference
}

// compare returns the differences of a Go value and a JS value.
func compare(g, j value, d *directive) []difference {
	c := &comparison{extent: d.extent, unordered: d.unordered || g.kind == setKind || j.kind == setKind}
	c.compare(g, j, "")
	return c.diffs
}

func (c *comparison) compare(g, j value, label string) {
	switch {
	case isSequence(g) && isSequence(j):
		c.sequences(g, j, label)
	case g.kind == objectKind && j.kind == objectKind:
		c.objects(g, j, label)
	case !equal(g, j):
		c.add(unequal, label, g, j)
	}
}

func (c *comparison) add(r relation, label string, g, j value) {
	c.diffs = append(c.diffs, difference{r, label, g, j})
}

// sequences compares lists and sets. An element that only one side has is named; where
// each side has exactly one such element, or both have one at the same index, the two are
// taken for one element that changed.
func (c *comparison) sequences(g, j value, label string) {
	goRest, jsRest, pairs := match(g.elems, j.elems)
	if c.extent == sameExtent {
		goRest, jsRest = c.renamed(g, j, label, goRest, jsRest)
	}
	if c.extent != supersetExtent {
		for _, i := range goRest {
			c.add(goOnly, label, g.elems[i], j)
		}
	}
	if c.extent != subsetExtent {
		for _, i := range jsRest {
			c.add(jsOnly, label, g, j.elems[i])
		}
	}
	if c.unordered {
		return
	}
	// pairs is in Go order; the elements moved where the JS indices do not rise.
	sorted := slices.Clone(pairs)
	slices.SortFunc(sorted, func(a, b [2]int) int { return a[1] - b[1] })
	for i, p := range pairs {
		if p[1] != sorted[i][1] {
			at := sorted[i][1]
			c.add(moved, fmt.Sprintf("%s[%d]", label, at), g.elems[p[0]], j.elems[at])
			return
		}
	}
}

// renamed reports the pairs of unmatched elements that are one element with two values,
// and returns the others.
func (c *comparison) renamed(g, j value, label string, goRest, jsRest []int) (goLeft, jsLeft []int) {
	single := len(goRest) == 1 && len(jsRest) == 1
	for _, i := range goRest {
		at := i
		if single {
			at = jsRest[0]
		}
		k := slices.Index(jsRest, at)
		if k < 0 || c.unordered && !single {
			goLeft = append(goLeft, i)
			continue
		}
		jsRest = slices.Delete(jsRest, k, k+1)
		c.compare(g.elems[i], j.elems[at], fmt.Sprintf("%s[%d]", label, at))
	}
	return goLeft, jsRest
}

// match pairs equal elements, each at most once, and returns the indices of the others.
// Pairs are in the order of the Go side.
func match(g, j []value) (goRest, jsRest []int, pairs [][2]int) {
	used := make([]bool, len(j))
	for i := range g {
		at := -1
		for k := range j {
			if !used[k] && equal(g[i], j[k]) {
				at = k
				break
			}
		}
		if at < 0 {
			goRest = append(goRest, i)
			continue
		}
		used[at] = true
		pairs = append(pairs, [2]int{i, at})
	}
	for k := range j {
		if !used[k] {
			jsRest = append(jsRest, k)
		}
	}
	return goRest, jsRest, pairs
}

// objects compares by key.
func (c *comparison) objects(g, j value, label string) {
	for _, e := range g.entries {
		other, ok := find(j.entries, e.key, equalKeys)
		switch {
		case ok:
			c.compare(e.val, other.val, label+"["+e.key.plain()+"]")
		case c.extent != supersetExtent:
			c.add(goOnly, label, keyOf(e), j)
		}
	}
	if c.extent == subsetExtent {
		return
	}
	for _, e := range j.entries {
		if _, ok := find(g.entries, e.key, func(a, b value) bool { return equalKeys(b, a) }); !ok {
			c.add(jsOnly, label, g, keyOf(e))
		}
	}
}

// keyOf is the key of an entry, as a value that a message shows.
func keyOf(e entry) value {
	k := e.key
	k.literal = false
	return k
}
