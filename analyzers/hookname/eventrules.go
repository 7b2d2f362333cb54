package hookname

import (
	"fmt"
	"slices"
	"strings"
)

// eventTypes reports types that are never published.
func (c *checker) eventTypes(r *reader) {
	if !c.table.EventsMeasured() {
		return
	}
	handled := func(typ string) bool {
		return slices.ContainsFunc(r.types, func(n tested) bool { return n.name == typ })
	}
	for _, n := range r.types {
		if c.publishes(n.name) {
			continue
		}
		if stale, ok := c.table.StaleEvent(n.name); ok && handled(stale.Use) {
			continue // for hosts that still publish it
		}
		advice := c.typeAdvice(n.name)
		if advice == "" && slices.ContainsFunc(n.beside, c.publishes) {
			continue // one alternative of several: the code runs all the same
		}
		c.report("eventtype", n.at, "event type %q is never published by OpenCode %s%s: what is done for it never happens",
			n.name, c.table.Version(), advice)
	}
}

func (c *checker) publishes(typ string) bool {
	_, ok := c.table.Event(typ)
	return ok
}

// typeAdvice tells what to do about a type that is never published, or "".
func (c *checker) typeAdvice(typ string) string {
	if _, ok := c.table.Hook(typ); ok {
		return " (it is a hook of its own, beside event)"
	}
	if stale, _ := c.table.StaleEvent(typ); stale.Use != "" {
		return fmt.Sprintf(" (%s is published instead)", stale.Use)
	}
	if near := c.table.NearestEvent(typ); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// eventFields reports properties that the event of the place carries under another name.
func (c *checker) eventFields(r *reader) {
	if !c.table.EventsMeasured() {
		return
	}
	read := func(name string) bool {
		return slices.ContainsFunc(r.fields, func(f field) bool { return f.name == name })
	}
	for _, f := range r.fields {
		for _, typ := range f.types {
			renamed, ok := c.table.RenamedField(typ, f.name)
			if ok && !read(renamed.New) {
				c.report("eventfield", f.at, "%s.%s is undefined in OpenCode %s: the property is named %s",
					typ, f.name, c.table.Version(), renamed.New)
			}
		}
	}
}

// eventParams reports members of the event that are read from the hook's parameter. A hook
// that reads the member event as well tells the two forms apart.
func (c *checker) eventParams(r *reader) {
	if r.event {
		return
	}
	for _, p := range r.params {
		c.report("eventparam", p.at, "the parameter of the event hook has no member %s: OpenCode passes {event}, so it is undefined and no event is handled (read event.%s of its member event)",
			p.name, p.name)
	}
}

func lastStep(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
