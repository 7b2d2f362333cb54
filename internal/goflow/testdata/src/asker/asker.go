package asker

import (
	a "answers"

	"mark"
)

type alias = a.Box[int]

func ask(t *a.T, actor a.Actor) {
	a.Direct()               // want "^acts$"
	a.Ping(1)                // want "^acts$"
	a.Through(actor)         // want "^nothing$"
	t.Method()               // want "^acts$"
	actor.Act()              // want "^nothing$"
	(&a.Box[string]{}).Act() // want "^acts$"
	(&alias{}).Act()         // want "^acts$"
	_ = a.Gives()            // want "^gives$"
	_ = a.Ignores()          // want "^nothing$"
	a.Takes(1, "x")          // want "^takes x$"
	t.Takes("y")             // want "^takes y$"
	a.Apply[int](1, "z")     // want "^takes z$"
	a.Drinks("tea")          // want "^drinks tea$"
	own()                    // want "^acts$"
	odd(1)                   // want "^acts$"
	even(1)                  // want "^acts$"
	local("w")               // want "^takes w$"
	method := t.Method
	method()         // want "^acts$"
	defer a.Direct() // want "^acts$"
	go a.Direct()    // want "^acts$"
}

func own() { a.Nested() }

// Each of the two may be asked about first.
func odd(n int) {
	if n > 0 {
		even(n - 1)
	}
}

func even(n int) {
	odd(n)
	a.Deferred()
}

func local(s string) { a.TakesThrough(s) }

func compare(dir string) {
	mark.Compare(a.Pure(dir, 1), a.Pure(dir, 1))         // want "^same$"
	mark.Compare(a.Pure(dir, 1), a.Pure(dir, 2))         // want "^different$"
	mark.Compare(a.PureThrough(dir), a.PureThrough(dir)) // want "^same$"
	mark.Compare(a.Impure(dir), a.Impure(dir))           // want "^different$"
	mark.Compare(through(dir), through(dir))             // want "^same$"
}

func through(dir string) string { return a.Pure(dir, 3) }
