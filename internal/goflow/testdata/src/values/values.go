package values

import (
	"fmt"
	"os"
	"path/filepath"

	"mark"
)

type config struct {
	dir  string
	next *config
}

func compare(dir, other string, cfg config, p *config) {
	mark.Compare(dir, dir)                                           // want "^same$"
	mark.Compare(dir, other)                                         // want "^different$"
	mark.Compare("a"+dir, "a"+dir)                                   // want "^same$"
	mark.Compare(filepath.Join(dir, "x"), filepath.Join(dir, "x"))   // want "^same$"
	mark.Compare(filepath.Join(dir, "x"), filepath.Join(dir, "y"))   // want "^different$"
	mark.Compare(fmt.Sprintf("%s/x", dir), fmt.Sprintf("%s/x", dir)) // want "^same$"
	mark.Compare(mark.Unknown(), mark.Unknown())                     // want "^different$"
	mark.Compare(p.dir, p.dir)                                       // want "^same$"
	mark.Compare(p.dir, p.next.dir)                                  // want "^different$"
	mark.Compare(cfg.dir, p.dir)                                     // want "^different$"
	mark.Compare(os.Args, os.Args)                                   // want "^same$"
	mark.Compare([]byte(dir), []byte(dir))                           // want "^same$"
	mark.Compare(any(1), 1)                                          // want "^same$"
}

func changed(p *config) {
	before := p.dir
	p.dir = "x"
	mark.Compare(before, p.dir) // want "^different$"
}

func captured(dir string) {
	path := filepath.Join(dir, "x")
	func() { mark.Compare(path, filepath.Join(dir, "x")) }() // want "^same$"
}

func reassigned(dir string) {
	path := dir
	set := func() { path = "x" }
	set()
	mark.Compare(path, dir) // want "^different$"
}

func straight() {
	mark.First()
	mark.Then() // want "^after$" "^always$"
}

func reversed() {
	mark.Then() // want "^never after$" "^not always$"
	mark.First()
}

func branch(b bool) {
	if b {
		mark.First()
	}
	mark.Then() // want "^after$" "^not always$"
}

func stopped() {
	mark.First()
	mark.Stop()
	mark.Then() // want "^never after$" "^always$"
}

func stoppedOnOneWay(b bool) {
	mark.First()
	if b {
		mark.Stop()
	}
	mark.Then() // want "^after$" "^always$"
}

func loop() {
	for range 3 {
		mark.Then() // want "^after$" "^not always$"
		mark.First()
	}
}

func exits(b bool) {
	if b {
		mark.First()
		os.Exit(1)
	}
	mark.Then() // want "^never after$" "^not always$"
}

func flows(m map[string]string) {
	v := mark.Source()
	mark.Sink(v)                  // want "^reached$"
	mark.Sink(fmt.Sprint("x", v)) // want "^reached$"
	mark.Sink("x")                // want "^clean$"
}

func overLoops() {
	v := mark.Source()
	out := ""
	for range 3 {
		out += v
	}
	mark.Sink(out) // want "^reached$"
}

func intoFields() {
	var c config
	c.dir = mark.Source()
	d := c
	mark.Sink(d.dir) // want "^reached$"
}

func filled() {
	v, to := mark.Source(), ""
	fmt.Sscan(v, &to)
	mark.Sink(to) // want "^reached$"
}

func notFilled() {
	_, to := mark.Source(), ""
	mark.Fill(&to)
	mark.Sink(to) // want "^clean$"
}
