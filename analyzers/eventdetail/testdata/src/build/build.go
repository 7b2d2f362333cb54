// Package build makes maps and knows nothing of events: nothing is reported here, and what
// is in them is a fact.
package build

import "codes"

// Map is what some of its functions use in place of the type's name.
type Map = map[string]any

// Attrs is a defined type that a detail can be made of.
type Attrs map[string]any

func Good(n int) map[string]any { return map[string]any{"n": n, "code": codes.Classify(nil)} }

func Reason(msg string) map[string]any { // want Reason:"result bannedkey"
	return map[string]any{"reason": msg}
}

func Alias(msg string) Map { // want Alias:"result freetext"
	m := make(Map)
	m["why"] = msg
	return m
}

func Named(err error) (m map[string]any, _ error) { // want Named:"result freetext, nonscalar"
	m = map[string]any{"error": err}
	m["why"] = "it went wrong"
	return m, nil
}

func Generic[T any](v T) map[string]any { // want Generic:"result nonscalar"
	return map[string]any{"v": v}
}

func Fill(n int, m map[string]any, msg string) { // want Fill:"argument 1 freetext"
	fill(m, msg)
}

func fill(m map[string]any, msg string) { m["why"] = msg }

func Count(m map[string]any, n int) { m["n"] = n }

// Add is a method of a map.
func (a Attrs) Add(name string, n int) Attrs { // want Add:"argument 0 bannedkey"
	a[name] = n
	return a
}

func (a Attrs) Step(n int) { a["step"] = n }

// Strings is no detail: its values are strings.
func Strings(msg string) map[string]string { return map[string]string{"text": msg} }
