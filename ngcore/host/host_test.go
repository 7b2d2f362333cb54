package host

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func lookup(t *testing.T, version string) *Table {
	t.Helper()
	table, err := Lookup(version)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestLookupRefusesVersionsOutsideOfTheRange(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]string{
		"older":            "1.3.1",
		"newer":            "1.18.34",
		"next major":       "2.0.0",
		"leading v":        "v1.18.30",
		"empty":            "",
		"pre-release":      "1.3.2-rc.1",
		"words":            "latest",
		"four numbers":     "1.18.30.1",
		"two numbers":      "1.18",
		"build metadata":   "1.18.30+linux",
		"surrounding text": " 1.18.30",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Lookup(version)
			var unknown *UnknownVersionError
			if !errors.As(err, &unknown) {
				t.Fatalf("Lookup(%q) = %v, want an UnknownVersionError", version, err)
			}
			if diff := cmp.Diff(UnknownVersionError{version, "1.3.2", "1.18.33"}, *unknown); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if msg := err.Error(); !strings.Contains(msg, version) || !strings.Contains(msg, "1.18.33") {
				t.Errorf("message %q does not name %q and a known version", msg, version)
			}
		})
	}
}

// The counts and the neighbours on both sides of each addition are those of the published
// types (HOST.md section 2).
func TestHooksByVersion(t *testing.T) {
	t.Parallel()
	added := []string{"provider", "experimental.compaction.autocontinue", "dispose", "experimental.provider.small_model"}
	for _, row := range []struct {
		version string
		hooks   int
		has     int // how many of added, in order
	}{
		{"1.3.2", 17, 0},
		{"1.3.13", 17, 0},
		{"1.3.15", 18, 1},
		{"1.4.3", 18, 1},
		{"1.4.6", 19, 2},
		{"1.14.41", 19, 2},
		{"1.15.7", 19, 2},
		{"1.15.9", 20, 3}, // never published: counts as having the hook
		{"1.15.11", 20, 3},
		{"1.15.13", 20, 3},
		{"1.16.2", 21, 4},
		{"1.18.30", 21, 4},
		{"1.18.33", 21, 4},
	} {
		table := lookup(t, row.version)
		if table.Version() != row.version || len(table.Hooks()) != row.hooks {
			t.Errorf("%s: version %q with %d hooks, want %d", row.version, table.Version(), len(table.Hooks()), row.hooks)
		}
		for i, name := range added {
			_, has := table.Hook(name)
			later, isLater := table.LaterHook(name)
			if has != (i < row.has) || isLater == has || later.Name != name {
				t.Errorf("%s: %s present %t, later %t, want present %t", row.version, name, has, isLater, i < row.has)
			}
		}
	}
}

func TestHookOfDefault(t *testing.T) {
	t.Parallel()
	table := lookup(t, Default)
	for _, want := range []Hook{
		{Name: "tool", Kind: Lifecycle, Object: true, Dispatched: true},
		{Name: "event", Kind: Lifecycle, Dispatched: true},
		{Name: "permission.ask", Kind: Trigger, Instead: "permission.asked", Output: map[string]ReadBack{"status": Never}},
		{Name: "tool.execute.before", Kind: Trigger, Dispatched: true, Output: map[string]ReadBack{"args": ByRef}},
		{Name: "shell.env", Kind: Trigger, Dispatched: true, Output: map[string]ReadBack{"env": ByValue}},
	} {
		got, ok := table.Hook(want.Name)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: found %t (-want +got)\n%s", want.Name, ok, diff)
		}
	}
	for _, name := range []string{"", "session.idle", "Event", "tool.execute.befor"} {
		if h, ok := table.Hook(name); ok {
			t.Errorf("Hook(%q) = %v, want none", name, h)
		}
	}
}

func TestHooksIsTheCallersOwnList(t *testing.T) {
	t.Parallel()
	table := lookup(t, Default)
	first := table.Hooks()
	first[0].Name = "changed"
	slices.Reverse(first)
	if got := table.Hooks()[0].Name; got != "dispose" {
		t.Errorf("first hook %q, want dispose", got)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	table := lookup(t, Default)
	durable := 0
	for _, e := range table.Events() {
		if e.Durable {
			durable++
		}
	}
	if n := len(table.Events()); n != 89 || durable != 35 {
		t.Errorf("%d events, %d of them durable, want 89 and 35", n, durable)
	}
	if e, ok := table.Event("session.created"); !ok || !e.Durable {
		t.Errorf("session.created = %v, %t, want a durable event", e, ok)
	}
	if _, ok := table.Event("permission.updated"); ok {
		t.Error("permission.updated is published, want it stale")
	}
	stale, ok := table.StaleEvent("permission.updated")
	if diff := cmp.Diff(StaleEvent{"permission.updated", "permission.asked"}, stale); !ok || diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, ok := table.StaleEvent("session.idle"); ok {
		t.Error("session.idle is stale, want it published")
	}
	renamed, ok := table.RenamedField("permission.replied", "response")
	if diff := cmp.Diff(RenamedField{"permission.replied", "response", "reply"}, renamed); !ok || diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, ok := table.RenamedField("permission.asked", "response"); ok {
		t.Error("permission.asked lost a field, want none")
	}
	if !table.EventsMeasured() || lookup(t, "1.18.33").EventsMeasured() {
		t.Error("events are measured on the default version and on no other")
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	table := lookup(t, Default)
	for _, row := range []struct{ name, want string }{
		{"tool.execute.befor", "tool.execute.before"},
		{"tool.excute.before", "tool.execute.before"},
		{"tool.execute.ebfore", "tool.execute.before"},
		{"toolExecuteBefore", "tool.execute.before"},
		{"tool_execute_after", "tool.execute.after"},
		{"tool.execution.after", "tool.execute.after"},
		{"session.compacting", "experimental.session.compacting"},
		{"chat.system.transform", "experimental.chat.system.transform"},
		{"experimental.chat.message", "chat.message"},
		{"events", "event"},
		{"onEvent", ""},
		{"permission.ask", ""}, // never called, so no advice either
		{"permission.aks", ""},
		{"session.idle", ""},
		{"", ""},
		{"日本語", ""},
		{strings.Repeat("tool.execute.before", 1<<16), ""},
	} {
		if got := table.NearestHook(row.name); got != row.want {
			t.Errorf("NearestHook(%.40q) = %q, want %q", row.name, got, row.want)
		}
	}
	for _, row := range []struct{ typ, want string }{
		{"session.idel", "session.idle"},
		{"permission.ask", "permission.asked"},
		{"session.finished", ""},
	} {
		if got := table.NearestEvent(row.typ); got != row.want {
			t.Errorf("NearestEvent(%q) = %q, want %q", row.typ, got, row.want)
		}
	}
	if got := lookup(t, "1.14.41").NearestHook("dispos"); got != "" {
		t.Errorf("1.14.41: NearestHook = %q, want none: dispose came with a later version", got)
	}
}

func TestDecodeRefusesContradictions(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, old, new, want string }{
		{"unknown member", `"measured"`, `"notes": "", "measured"`, "notes"},
		{"member in another case", `"measured"`, `"Measured"`, "Measured"},
		{"member twice", `"measured"`, `"measured": "1.18.30", "measured"`, "duplicate"},
		{"cut off", "  ]\n}\n", "", "EOF"},
		{"text after the end", "  ]\n}\n", "  ]\n}\n{}", "after top-level"},
		{"another default", `"measured": "1.18.30"`, `"measured": "1.18.29"`, `measured on "1.18.29"`},
		{"hook twice", `"name": "event"`, `"name": "config"`, `hook "config" is there twice`},
		{"hook without a name", `"name": "event"`, `"name": ""`, "name is empty"},
		{"unknown kind", `"kind": "trigger"`, `"kind": "signal"`, `kind "signal"`},
		{"lifecycle with output", `"name": "event", "kind": "lifecycle"`, `"name": "event", "kind": "lifecycle", "output": {"a": "value"}`, "lifecycle hook with 1 output"},
		{"unknown read-back", `"byref"`, `"copy"`, `read back as "copy"`},
		{"dead but read", `"status": "never"`, `"status": "value"`, "dispatched false"},
		{"live but never read", `"args": "byref"`, `"args": "never"`, "dispatched true"},
		{"versions reversed", `"last_without": "1.4.3"`, `"last_without": "1.4.9"`, "not in order"},
		{"half a version pair", `"last_without": "1.4.3", `, ``, "not in order"},
		{"version past the range", `"first_with": "1.16.2"`, `"first_with": "1.19.0"`, "not in order"},
		{"events unsorted", `"type": "file.edited"`, `"type": "zebra"`, `"file.watcher.updated" is empty, out of order`},
		{"stale but published", `"type": "permission.updated"`, `"type": "session.idle"`, "contradicts"},
		{"successor not published", `"use": "permission.asked"`, `"use": "permission.gone"`, "contradicts"},
		{"event instead not published", `"instead": "permission.asked"`, `"instead": "permission.gone"`, "contradicts"},
		{"field of no event", `"type": "permission.replied", "old"`, `"type": "permission.gone", "old"`, "renamed field"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(string(source), row.old, row.new, 1)
			if changed == string(source) {
				t.Fatalf("the tables do not hold %q", row.old)
			}
			if _, err := decode([]byte(changed)); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("decode = %v, want an error with %q", err, row.want)
			}
		})
	}
}

func BenchmarkLookupAndNearest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		table, err := Lookup(Default)
		if err != nil {
			b.Fatal(err)
		}
		if table.NearestHook("tool.execute.befor") == "" {
			b.Fatal("no nearest hook")
		}
	}
}
