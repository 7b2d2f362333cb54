package host

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"golang.org/x/mod/semver"
)

//go:embed opencode.json
var source []byte

// load decodes the embedded document once.
var load = sync.OnceValues(func() (*document, error) { return decode(source) })

// document is the embedded file: what was measured on one version, and for every hook the
// version that it came with.
type document struct {
	Measured      string         `json:"measured"`
	Hooks         []Hook         `json:"hooks"`
	Events        []Event        `json:"events"`
	StaleEvents   []StaleEvent   `json:"stale_events"`
	RenamedFields []RenamedField `json:"renamed_fields"`
}

func (d *document) hook(name string) (Hook, bool) {
	i := slices.IndexFunc(d.Hooks, func(h Hook) bool { return h.Name == name })
	if i < 0 {
		return Hook{}, false
	}
	return d.Hooks[i], true
}

// decode reads a document. Unknown members, members in another case, duplicates and
// contradictions are errors: a check that runs on half a table accuses the innocent.
func decode(src []byte) (*document, error) {
	var d document
	if err := json.Unmarshal(src, &d, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("host tables: %w", err)
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("host tables: %w", err)
	}
	return &d, nil
}

func (d *document) check() error {
	if d.Measured != Default {
		return fmt.Errorf("measured on %q, want the default version %q", d.Measured, Default)
	}
	for i, h := range d.Hooks {
		if err := h.check(); err != nil {
			return fmt.Errorf("hook %d %q: %w", i, h.Name, err)
		}
		if first := slices.IndexFunc(d.Hooks, func(o Hook) bool { return o.Name == h.Name }); first != i {
			return fmt.Errorf("hook %q is there twice, as %d and %d", h.Name, first, i)
		}
	}
	return d.checkEvents()
}

func (h Hook) check() error {
	if h.Name == "" {
		return fmt.Errorf("the name is empty")
	}
	if h.Kind != Lifecycle && h.Kind != Trigger {
		return fmt.Errorf("kind %q, want %q or %q", h.Kind, Lifecycle, Trigger)
	}
	if h.Kind == Lifecycle && len(h.Output) > 0 || h.Kind == Trigger && (len(h.Output) == 0 || h.Object) {
		return fmt.Errorf("a %s hook with %d output fields", h.Kind, len(h.Output))
	}
	for field, read := range h.Output {
		if read != ByValue && read != ByRef && read != Never {
			return fmt.Errorf("output field %q is read back as %q", field, read)
		}
		if (read == Never) == h.Dispatched {
			return fmt.Errorf("output field %q is read back as %q with dispatched %t", field, read, h.Dispatched)
		}
	}
	return h.checkVersions()
}

func (h Hook) checkVersions() error {
	if h.LastWithout == "" && h.FirstWith == "" {
		return nil
	}
	chain := []string{oldest, h.LastWithout, h.FirstWith, newest}
	for i, v := range chain[1:] {
		if !semver.IsValid("v"+v) || semver.Compare("v"+chain[i], "v"+v) > 0 {
			return fmt.Errorf("versions %v are not in order", chain)
		}
	}
	return nil
}

func (d *document) checkEvents() error {
	for i, e := range d.Events {
		if e.Type == "" || i > 0 && d.Events[i-1].Type >= e.Type {
			return fmt.Errorf("event %d %q is empty, out of order or there twice", i, e.Type)
		}
	}
	published := func(typ string) bool {
		return slices.ContainsFunc(d.Events, func(e Event) bool { return e.Type == typ })
	}
	for _, h := range d.Hooks {
		if h.Instead != "" && (h.Dispatched || !published(h.Instead)) {
			return fmt.Errorf("hook %q with event %q instead contradicts the other entries", h.Name, h.Instead)
		}
	}
	for _, s := range d.StaleEvents {
		if published(s.Type) || s.Use != "" && !published(s.Use) {
			return fmt.Errorf("stale event %q with successor %q contradicts the published events", s.Type, s.Use)
		}
	}
	for _, f := range d.RenamedFields {
		if !published(f.Type) || f.Old == "" || f.New == "" || f.Old == f.New {
			return fmt.Errorf("renamed field %q to %q of event %q", f.Old, f.New, f.Type)
		}
	}
	return nil
}
