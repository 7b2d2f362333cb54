//go:build unix

package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ngvet/ngvet/ngcore/host"
)

// findings is what comes of comparing a table with what was measured.
type findings struct {
	changes     []string // "+ ..." is new, "- ..." is gone, "~ ..." is different
	notMeasured []string
	hooks       int // measured
	fields      int
	events      int
}

func (f *findings) change(format string, args ...any) {
	f.changes = append(f.changes, fmt.Sprintf(format, args...))
}

func (f *findings) skip(format string, args ...any) {
	f.notMeasured = append(f.notMeasured, fmt.Sprintf(format, args...))
}

// measured is all that is known about a binary.
type measured struct {
	scan    scan
	plain   *trace   // the run without changes
	changed []*trace // the runs of passes
}

func (m measured) traces() []*trace { return append([]*trace{m.plain}, m.changed...) }

func (m measured) saw(kind, name string) bool {
	return slices.ContainsFunc(m.traces(), func(t *trace) bool { return t.saw(kind, name) })
}

// used tells whether there is a sign that the host uses a hook. Of an object it is that the
// host asks for it, and of the tools that the model is offered one.
func (m measured) used(h host.Hook) bool {
	switch {
	case h.Name == "tool":
		return m.plain.shows(`"name":"` + toolName + `"`)
	case h.Object:
		return m.saw("read", h.Name)
	}
	return m.saw("call", h.Name) || m.scan.triggers[h.Name]
}

// keys returns all keys of the lines of a kind and name.
func (m measured) keys(kind, name string) []string {
	found := map[string]bool{}
	for _, t := range m.traces() {
		for _, line := range t.lines {
			if line.Kind == kind && line.Name == name {
				for _, key := range line.Keys {
					found[key] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// compare holds what was measured against the table. The versions in which a hook came are
// beyond what one binary can show.
func compare(table *host.Table, m measured) *findings {
	f := &findings{}
	for _, h := range table.Hooks() {
		f.hook(h, m)
	}
	f.newHooks(table, m)
	f.compareEvents(table, m)
	f.skip("in which version a hook appeared: one binary does not show it")
	return f
}

func (f *findings) hook(h host.Hook, m measured) {
	used := m.used(h)
	if !used && (h.Kind == host.Lifecycle || len(m.scan.triggers) == 0) {
		f.skip("hook %s: not used in these runs, and the bundle shows no call site", h.Name)
		return
	}
	f.hooks++
	if used != h.Dispatched {
		f.change("~ hook %s: the table says dispatched %t, measured %t", h.Name, h.Dispatched, used)
	}
	f.output(h, m)
}

// output compares the fields of a trigger hook. The table may have fields that a call does
// not show, because they are optional.
func (f *findings) output(h host.Hook, m measured) {
	for _, key := range m.keys("call", h.Name) {
		if _, ok := h.Output[key]; !ok && h.Kind == host.Trigger {
			f.change("+ hook %s: output field %s", h.Name, key)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(h.Output)) {
		r := measure(h.Name, field, m.plain, m.changed)
		if r.found == "" {
			f.skip("hook %s, output field %s: %s", h.Name, field, r.why)
			continue
		}
		f.fields++
		if r.found != h.Output[field] {
			f.change("~ hook %s, output field %s: the table says %s, measured %s", h.Name, field, h.Output[field], r.found)
		}
	}
}

// newHooks finds names that the host has a call site for, or looks up in what a plugin
// returns, and that the table lacks.
func (f *findings) newHooks(table *host.Table, m measured) {
	names := maps.Clone(m.scan.triggers)
	for _, t := range m.traces() {
		for _, line := range t.lines {
			if line.Kind == "read" && line.Name != "then" { // asked of whatever is awaited
				names[line.Name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if _, ok := table.Hook(name); !ok {
			f.change("+ hook %s", name)
		}
	}
}

func (f *findings) compareEvents(table *host.Table, m measured) {
	if len(m.scan.events) == 0 {
		f.skip("events that no run shows: the bundle has no definitions of a known form")
	}
	for _, e := range table.Events() {
		durable, defined := m.scan.events[e.Type]
		switch {
		case len(m.scan.events) == 0:
			continue
		case !defined:
			f.change("- event %s", e.Type)
		case durable != e.Durable:
			f.change("~ event %s: the table says durable %t, measured %t", e.Type, e.Durable, durable)
		}
		f.events++
	}
	for _, typ := range m.eventTypes() {
		if _, ok := table.Event(typ); !ok {
			f.change("+ event %s", typ)
		}
	}
	for _, e := range table.Events() {
		f.renamed(table, e.Type, m)
	}
}

func (m measured) eventTypes() []string {
	types := maps.Clone(m.scan.events)
	for _, t := range m.traces() {
		for _, line := range t.lines {
			if line.Kind == "event" {
				types[line.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(types))
}

// renamed looks at the properties of the events that the table knows by an older name.
func (f *findings) renamed(table *host.Table, typ string, m measured) {
	keys := m.keys("event", typ)
	for _, old := range keys {
		if field, ok := table.RenamedField(typ, old); ok {
			f.change("~ event %s: the table says that %s is %s now, measured %s", typ, old, field.New, old)
		}
	}
}
