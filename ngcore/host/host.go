// Package host knows which hooks and events each version of OpenCode has, and how it reads
// back what a plugin's hook writes into its output argument (HOST.md sections 2 and 3).
//
// A table answers for one version. Its one invariant: what it does not know it says, with an
// [UnknownVersionError] or with [Table.EventsMeasured], and never guesses. It knows the
// plugin contract of OpenCode 1, not the setup modules of OpenCode 2.
//
// The package is a leaf of the module. Everything in it is safe for concurrent use.
package host

import (
	"fmt"
	"slices"

	"golang.org/x/mod/semver"
)

// Default is the version that the tables were measured on, and the one to assume where
// nobody names another.
//
//ngvet:mirror opencode.json#default.measured
const Default = "1.18.30"

// The versions between which the tables hold: the plugin API's types were compared from
// the one to the other.
const (
	oldest = "1.3.2"
	newest = "1.18.33"
)

// Kind tells when OpenCode uses a hook.
type Kind string

// The kinds of hook.
const (
	Lifecycle Kind = "lifecycle" // read by name at a fixed point of the instance's life
	Trigger   Kind = "trigger"   // called with (input, output), for all plugins in turn
)

// ReadBack tells how OpenCode takes over a field of a hook's output argument.
type ReadBack string

// The ways of reading back.
const (
	ByValue ReadBack = "value" // from the output object: assigning to the field works
	ByRef   ReadBack = "byref" // from its own variable: only mutating the value works
	Never   ReadBack = "never" // not at all
)

// Hook is one key of the object that a plugin returns to OpenCode.
type Hook struct {
	Name       string              `json:"name"`
	Kind       Kind                `json:"kind"`
	Object     bool                `json:"object,omitempty"`  // the value is an object, else a function
	Dispatched bool                `json:"dispatched"`        // false: in the types, but no call site
	Instead    string              `json:"instead,omitempty"` // the event to handle when it is not dispatched, or ""
	Output     map[string]ReadBack `json:"output,omitempty"`  // by field; shared, not to be modified

	// LastWithout and FirstWith are neighbouring published versions between which the
	// hook appeared. They are empty for a hook as old as the tables. In unpublished
	// versions between the two the hook counts as present.
	LastWithout string `json:"last_without,omitempty"`
	FirstWith   string `json:"first_with,omitempty"`
}

// Event is one type of event that OpenCode publishes.
type Event struct {
	Type    string `json:"type"`
	Durable bool   `json:"durable,omitempty"` // kept in the database, not only published
}

// StaleEvent is a type that the SDK declares and OpenCode never publishes.
type StaleEvent struct {
	Type string `json:"type"`
	Use  string `json:"use,omitempty"` // the live type to handle instead, or ""
}

// RenamedField is a property of an event that has another name than it used to have.
type RenamedField struct {
	Type string `json:"type"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// UnknownVersionError tells that no table covers a version.
type UnknownVersionError struct {
	Version        string // as asked for
	Oldest, Newest string // the range that the tables cover, both ends included
}

func (e *UnknownVersionError) Error() string {
	if !complete(e.Version) {
		return fmt.Sprintf("OpenCode version %q is not a complete version such as %s", e.Version, e.Newest)
	}
	return fmt.Sprintf("OpenCode version %s is outside of the known range %s to %s", e.Version, e.Oldest, e.Newest)
}

// Table is what one version of OpenCode has.
type Table struct {
	version string
	known   *document
}

// Lookup returns the table of a version, such as "1.18.30" (no leading "v"). A version out
// of range is an [*UnknownVersionError].
func Lookup(version string) (*Table, error) {
	v := "v" + version
	if !complete(version) || semver.Compare(v, "v"+oldest) < 0 || semver.Compare(v, "v"+newest) > 0 {
		return nil, &UnknownVersionError{Version: version, Oldest: oldest, Newest: newest}
	}
	known, err := load()
	if err != nil {
		return nil, err
	}
	return &Table{version: version, known: known}, nil
}

// complete tells whether a version has all of its three numbers and nothing else but a
// pre-release.
func complete(version string) bool { return semver.Canonical("v"+version) == "v"+version }

// Version is the version that the table answers for.
func (t *Table) Version() string { return t.version }

// Hooks returns the hooks of this version, also those that are never called.
func (t *Table) Hooks() []Hook {
	return slices.DeleteFunc(slices.Clone(t.known.Hooks), func(h Hook) bool { return !t.has(h) })
}

// Hook returns the hook of this version with the given name.
func (t *Table) Hook(name string) (Hook, bool) {
	h, ok := t.known.hook(name)
	return h, ok && t.has(h)
}

// LaterHook returns the hook with the given name when this version lacks it and a later one
// has it.
func (t *Table) LaterHook(name string) (Hook, bool) {
	h, ok := t.known.hook(name)
	return h, ok && !t.has(h)
}

func (t *Table) has(h Hook) bool {
	return h.LastWithout == "" || semver.Compare("v"+t.version, "v"+h.LastWithout) > 0
}

// EventsMeasured tells whether the events were measured on this version. On any other one
// they are a good hint, and a type that is missing here may still be published.
func (t *Table) EventsMeasured() bool { return t.version == t.known.Measured }

// Events returns the types that are published, sorted by name.
func (t *Table) Events() []Event { return slices.Clone(t.known.Events) }

// Event returns the event with the given type.
func (t *Table) Event(typ string) (Event, bool) {
	i := slices.IndexFunc(t.known.Events, func(e Event) bool { return e.Type == typ })
	if i < 0 {
		return Event{}, false
	}
	return t.known.Events[i], true
}

// StaleEvent returns the entry of a type that is declared and never published.
func (t *Table) StaleEvent(typ string) (StaleEvent, bool) {
	i := slices.IndexFunc(t.known.StaleEvents, func(e StaleEvent) bool { return e.Type == typ })
	if i < 0 {
		return StaleEvent{}, false
	}
	return t.known.StaleEvents[i], true
}

// RenamedField returns the entry of an event's property that goes by another name today.
func (t *Table) RenamedField(typ, old string) (RenamedField, bool) {
	i := slices.IndexFunc(t.known.RenamedFields, func(f RenamedField) bool { return f.Type == typ && f.Old == old })
	if i < 0 {
		return RenamedField{}, false
	}
	return t.known.RenamedFields[i], true
}
