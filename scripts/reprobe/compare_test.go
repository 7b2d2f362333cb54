//go:build unix

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/internal/modelserver"
	"github.com/ngvet/ngvet/ngcore/host"
)

func TestScanBundle(t *testing.T) {
	t.Parallel()
	got := scanBundle([]byte(`\x00var A$={durable:{aggregate:"sessionID",version:1}},B={plain:1};` +
		`yield*i.trigger("tool.execute.before",{tool:k},{args:b});e.trigger("file.open");` +
		`x=D({type:"session.created",...A$,schema:{}});y=q.define({type:"session.idle",schema:{sessionID:P}});` +
		`z=D({type:"pty.updated",...B,schema:{}});if(e.type==="session.none")f({type:"button",schema:1});` +
		`w=g.Struct({id:g.String,type:g.Literal("server.instance.disposed"),properties:g.Struct({})})`))
	want := scan{
		triggers: map[string]bool{"tool.execute.before": true},
		events:   map[string]bool{"session.created": true, "session.idle": false, "pty.updated": false, "server.instance.disposed": false},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(scan{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// sameAsTable is what a binary shows that is as the table says, without the runs' fields.
func sameAsTable(t *testing.T) (*host.Table, measured) {
	t.Helper()
	table, err := host.Lookup(host.Default)
	if err != nil {
		t.Fatal(err)
	}
	m := measured{scan: scan{triggers: map[string]bool{}, events: map[string]bool{}}, plain: &trace{}}
	for _, h := range table.Hooks() {
		if h.Kind == host.Trigger && h.Dispatched {
			m.scan.triggers[h.Name] = true
		}
	}
	for _, e := range table.Events() {
		m.scan.events[e.Type] = e.Durable
	}
	for range passes {
		m.changed = append(m.changed, &trace{})
	}
	return table, m
}

func TestCompareSaysWhatChanged(t *testing.T) {
	t.Parallel()
	const args = "probe:tool.execute.before:args:"
	changedArgs := []logLine{{Kind: "change", Name: "tool.execute.before args"}}
	tests := []struct {
		name  string
		other func(*measured)
		want  []string
	}{
		{"nothing", func(*measured) {}, nil},
		{"a hook without a call site", func(m *measured) { delete(m.scan.triggers, "shell.env") },
			[]string{"~ hook shell.env: the table says dispatched true, measured false"}},
		{"a hook that has come alive", func(m *measured) { m.scan.triggers["permission.ask"] = true },
			[]string{"~ hook permission.ask: the table says dispatched false, measured true"}},
		{"a new call site", func(m *measured) { m.scan.triggers["tool.list"] = true }, []string{"+ hook tool.list"}},
		{"a name that the host asks for", func(m *measured) {
			m.plain.lines = []logLine{{Kind: "read", Name: "shutdown"}, {Kind: "read", Name: "then"}}
		},
			[]string{"+ hook shutdown"}},
		{"a new output field", func(m *measured) {
			m.plain.lines = []logLine{{Kind: "call", Name: "shell.env", Keys: []string{"env", "cwd"}}}
		}, []string{"+ hook shell.env: output field cwd"}},
		{"events", func(m *measured) {
			delete(m.scan.events, "pty.exited")
			m.scan.events["session.idle"] = true
			m.scan.events["session.paused"] = false
			m.plain.lines = []logLine{{Kind: "event", Name: "session.begun"}}
		}, []string{
			"- event pty.exited",
			"~ event session.idle: the table says durable false, measured true",
			"+ event session.begun",
			"+ event session.paused",
		}},
		{"a property with its old name", func(m *measured) {
			m.plain.lines = []logLine{{Kind: "event", Name: "permission.replied", Keys: []string{"permissionID", "reply"}}}
		}, []string{"~ event permission.replied: the table says that permissionID is requestID now, measured permissionID"}},
		{"a field that is mutated, as the table says", func(m *measured) {
			m.changed[0].lines, m.changed[1].lines = changedArgs, changedArgs
			m.changed[1].stream = args + "mutate"
		}, nil},
		{"a field that can be assigned now", func(m *measured) {
			m.changed[0].lines, m.changed[1].lines = changedArgs, changedArgs
			m.changed[0].requests = []modelserver.Request{{Body: []byte(args + "reassign")}}
		}, []string{"~ hook tool.execute.before, output field args: the table says byref, measured value"}},
		{"a field that is no longer read", func(m *measured) { m.changed[0].lines = changedArgs },
			[]string{"~ hook tool.execute.before, output field args: the table says byref, measured never"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table, m := sameAsTable(t)
			tt.other(&m)
			if diff := cmp.Diff(tt.want, compare(table, m).changes); diff != "" {
				t.Errorf("changes (-want +got)\n%s", diff)
			}
		})
	}
}

// A bundle that cannot be read is no proof that something is gone.
func TestCompareWithUnreadableBundle(t *testing.T) {
	t.Parallel()
	table, m := sameAsTable(t)
	m.scan = scan{}
	f := compare(table, m)
	if len(f.changes) > 0 || f.hooks > 0 || f.events > 0 {
		t.Errorf("changes %q, %d hooks and %d events measured, want none", f.changes, f.hooks, f.events)
	}
}
