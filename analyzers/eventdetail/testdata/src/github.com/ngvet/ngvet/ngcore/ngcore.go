// Package ngcore has the names that the analyzer looks for.
package ngcore

type Event struct {
	V         int
	TS        string
	Kind      string
	SessionID string
	Child     bool
	Detail    map[string]any
}

func SanitizeEventID(id string) string { return id }
