package host

import (
	"strings"
)

// NearestHook returns the called hook of this version whose name an author most likely
// meant by name, or "" when none is close: one that differs in case, in separators or by
// the experimental prefix, else the one with the fewest typing errors, at most one per five
// letters.
func (t *Table) NearestHook(name string) string {
	var names []string
	for _, h := range t.Hooks() {
		if h.Dispatched {
			names = append(names, h.Name)
		}
	}
	return nearest(name, names)
}

// NearestEvent is NearestHook for the types of events.
func (t *Table) NearestEvent(typ string) string {
	names := make([]string, len(t.known.Events))
	for i, e := range t.known.Events {
		names[i] = e.Type
	}
	return nearest(typ, names)
}

func nearest(name string, candidates []string) string {
	best, least := "", 0
	for _, c := range candidates {
		if plain(c) == plain(name) {
			return c
		}
		limit := max(1, len(c)/5)
		if n := typos(name, c, limit); n <= limit && (best == "" || n < least) {
			best, least = c, n
		}
	}
	return best
}

// plain reduces a name to what remains when only its spelling differs: letters and digits
// in lower case, without the prefix that experimental hooks have.
func plain(name string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return -1
	}, name)
	return strings.TrimPrefix(s, "experimental")
}

// typos is the number of bytes to insert, delete, replace or swap with their neighbour to
// get from a to b, or some number above limit when it is more than that. The limit bounds
// the work for a name of any length.
func typos(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

func differ(x, y byte) int {
	if x == y {
		return 0
	}
	return 1
}
