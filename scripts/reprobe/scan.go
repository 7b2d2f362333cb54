//go:build unix

package main

import (
	"bytes"
	"regexp"
)

// scan is what the bundled JavaScript of the executable shows.
type scan struct {
	triggers map[string]bool // hooks with a call site
	events   map[string]bool // types that are defined; true: durable
}

// The forms in which the bundle has them. Identifiers are minified, property names are not.
var (
	triggerSite = regexp.MustCompile(`\.trigger\("([a-z][\w.]*)",\{`)
	// A definition spreads what makes it durable: ({type:"a.b",...X,schema:{...
	eventDefinition = regexp.MustCompile(`\(\{type:"([a-z][\w-]*(?:\.[\w-]+)+)",(?:\.\.\.([\w$]+),)?schema:`)
	// One type is only declared: {id:S.String,type:S.Literal("a.b"),properties:
	eventLiteral = regexp.MustCompile(`type:[\w$]+\.Literal\("([a-z][\w-]*(?:\.[\w-]+)+)"\),properties:`)
)

// scanBundle finds the call sites of hooks and the definitions of events. A bundle of
// another form has none, which is no proof that the version has none.
func scanBundle(bundle []byte) scan {
	s := scan{triggers: map[string]bool{}, events: map[string]bool{}}
	for _, m := range triggerSite.FindAllSubmatch(bundle, -1) {
		s.triggers[string(m[1])] = true
	}
	for _, m := range eventLiteral.FindAllSubmatch(bundle, -1) {
		s.events[string(m[1])] = false
	}
	for _, m := range eventDefinition.FindAllSubmatch(bundle, -1) {
		s.events[string(m[1])] = isDurable(bundle, m[2])
	}
	return s
}

// isDurable tells whether the object that a definition spreads has the member durable.
func isDurable(bundle, spread []byte) bool {
	return len(spread) > 0 && bytes.Contains(bundle, append(bytes.Clone(spread), "={durable:"...))
}
