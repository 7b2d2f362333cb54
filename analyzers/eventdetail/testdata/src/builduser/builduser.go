package builduser

import (
	"maps"

	"between"
	"build"
	"github.com/ngvet/ngvet/ngcore"
)

func direct(msg string, err error) []ngcore.Event {
	named, _ := build.Named(err) // want `the map that build.Named returns has a fault \(build.go:27\): "it went wrong" is not a code` `the map that build.Named returns has a fault \(build.go:26\): a value of type error is no id, count or code`
	return []ngcore.Event{
		{Detail: build.Good(1)},
		{Detail: between.Fine(1)},
		{Detail: build.Reason(msg)},              // want `the map that build.Reason returns has a fault \(build.go:16\): "reason" names free text`
		{Detail: build.Alias(msg)},               // want `the map that build.Alias returns has a fault \(build.go:21\): msg may be free text`
		{Detail: build.Generic[string]("")},      // want `the map that build.Generic\[string\] returns has a fault \(build.go:32\): a value of type T is no id, count or code`
		{Detail: build.Attrs(build.Reason(msg))}, // want `the map that build.Reason returns has a fault`
		{Detail: named},
	}
}

func through(msg string) ngcore.Event {
	return ngcore.Event{Detail: between.Wrap(msg)} // want `the map that between.Wrap returns has a fault \(between.go:7\): the map that build.Reason returns has a fault \(build.go:16\): "reason" names free text` `the map that between.Wrap returns has a fault \(between.go:8\): what build.Fill puts into this map has a fault \(build.go:39\): msg may be free text`
}

func filled(msg string) ngcore.Event {
	m := make(map[string]any)
	build.Count(m, 1)
	build.Fill(1, m, msg) // want `what build.Fill puts into this map has a fault \(build.go:39\): msg may be free text`
	ev := ngcore.Event{Detail: m}
	build.Fill(1, ev.Detail, msg) // want `what build.Fill puts into this map has a fault`
	return ev
}

func methods() ngcore.Event {
	attrs := build.Attrs{}
	attrs.Step(1)
	attrs.Add("text", 1) // want `what attrs.Add puts into this map has a fault \(build.go:45\): the name of this detail is known only at run time`
	return ngcore.Event{Detail: attrs}
}

// unrelated maps are left alone.
func unrelated(msg string) map[string]any {
	m := build.Reason(msg)
	build.Fill(1, m, msg)
	return m
}

// reporter keeps its detail in a field.
type reporter[T any] struct {
	name   T
	detail map[string]any
}

func newReporter(msg string) *reporter[string] {
	return &reporter[string]{detail: map[string]any{"why": msg}} // want `msg may be free text`
}

func (r *reporter[T]) set(n int) {
	r.detail["title"] = n             // want `"title" names free text`
	r.detail = build.Reason("unused") // want `the map that build.Reason returns has a fault`
}

func (r *reporter[T]) event() ngcore.Event { return ngcore.Event{Detail: r.detail} }

func copies(msg string) ngcore.Event {
	src := map[string]any{"prompt": 1} // want `"prompt" names free text`
	dst := maps.Clone(src)
	maps.Copy(dst, map[string]any{"why": msg}) // want `msg may be free text`
	return ngcore.Event{Detail: dst}
}

func closures(msg string) []ngcore.Event {
	build := func() map[string]any {
		return map[string]any{"why": msg} // want `msg may be free text`
	}
	return []ngcore.Event{
		{Detail: build()},
		{Detail: func() map[string]any { return map[string]any{"input": 1} }()}, // want `"input" names free text`
	}
}

type attrs map[string]any

func (a attrs) put(n int) { a["content"] = n } // want `"content" names free text`

func receiver() ngcore.Event {
	a := attrs{}
	a.put(1)
	return ngcore.Event{Detail: a}
}
