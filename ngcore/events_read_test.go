package ngcore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

const (
	idleLine    = `{"v":1,"ts":"2026-11-30T12:00:00.000Z","kind":"idle"}`
	verdictLine = `{"v":1,"ts":"2026-11-30T12:00:01.000Z","kind":"stop_verify"}`
)

var (
	idleEvent    = ngcore.Event{V: 1, TS: "2026-11-30T12:00:00.000Z", Kind: "idle"}
	verdictEvent = ngcore.Event{V: 1, TS: "2026-11-30T12:00:01.000Z", Kind: "stop_verify"}
)

func writeEvents(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), ngcore.EventsFileName("run"))
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// Each row's line stands between two good ones, which must survive it.
func TestReadDropsLine(t *testing.T) {
	t.Parallel()
	const head = `{"v":1,"ts":"2026-11-30T12:00:00.000Z","kind":"idle"`
	for _, row := range []struct {
		name, line, reason string
	}{
		{"half a line", `{"v":1,"ki`, "syntax"},
		{"two records welded together", idleLine + idleLine, "syntax"},
		{"a list", `[` + idleLine + `]`, "syntax"},
		{"a string", `"idle"`, "syntax"},
		{"null", `null`, "syntax"},
		{"not JSON", `idle`, "syntax"},
		{"something after the object", idleLine + ` x`, "syntax"},
		{"a comment", idleLine + ` // x`, "syntax"},
		{"a trailing comma", head + `,}`, "syntax"},
		{"single quotes", `{'v':1}`, "syntax"},
		{"NUL", head + ",\"session_id\":\"a\x00\"}", "syntax"},
		{"a byte that is not UTF-8", head + ",\"session_id\":\"a\xff\"}", "syntax"},
		{"an overlong encoding", head + ",\"session_id\":\"a\xc0\xaf\"}", "syntax"},
		{"a surrogate alone", head + `,"session_id":"a\ud800"}`, "syntax"},
		{"a byte order mark in the middle of the file", "\xef\xbb\xbf" + idleLine, "syntax"},
		{"4,000 brackets", head + `,"detail":{"a":` + strings.Repeat("[", 4000), "syntax"},
		{"10,001 brackets", head + `,"detail":{"a":` + strings.Repeat("[", 10_001), "too_long"},
		{"deep nesting", head + `,"detail":{"a":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}}`, "detail"},
		{"more than 4 KiB", head + strings.Repeat(" ", 4096) + "}", "too_long"},
		{"one byte more than 4 KiB", head + strings.Repeat(" ", 4096-len(head)-1) + "}", "too_long"},
		{"900 KiB", strings.Repeat("x", 900<<10), "too_long"},
		{"kind twice", `{"v":1,"kind":"idle","kind":"stop_verify"}`, "duplicate_name"},
		{"kind twice, once escaped", `{"v":1,"kind":"idle","\u006bind":"stop_verify"}`, "duplicate_name"},
		{"detail twice", head + `,"detail":{"a":1},"detail":{"b":1}}`, "duplicate_name"},
		{"detail and later null", head + `,"detail":{"a":1},"detail":null}`, "duplicate_name"},
		{"a name in detail twice", head + `,"detail":{"a":1,"a":2}}`, "duplicate_name"},
		{"kind and Kind", `{"v":1,"kind":"idle","Kind":"stop_verify"}`, "unknown_name"},
		{"names in upper case", `{"V":1,"KIND":"stop_verify"}`, "unknown_name"},
		{"a name that events do not have", head + `,"extra":1}`, "unknown_name"},
		{"text", head + `,"text":"x"}`, "banned_name"},
		{"Text", head + `,"Text":"x"}`, "banned_name"},
		{"detail with TEXT", head + `,"detail":{"TEXT":"x"}}`, "banned_name"},
		{"detail with text escaped", head + `,"detail":{"\u0074ext":"x"}}`, "banned_name"},
		{"detail with text further in", head + `,"detail":{"a":{"text":"x"}}}`, "detail"},
		{"no v", `{"ts":"2026-11-30T12:00:00.000Z","kind":"idle"}`, "missing_name"},
		{"no kind", `{"v":1,"ts":"2026-11-30T12:00:00.000Z"}`, "missing_name"},
		{"an empty object", `{}`, "missing_name"},
		{"v 2", `{"v":2,"kind":"idle"}`, "format"},
		{"v 1.0", `{"v":1.0,"kind":"idle"}`, "format"},
		{"v 1e400", `{"v":1e400,"kind":"idle"}`, "format"},
		{"v as text", `{"v":"1","kind":"idle"}`, "format"},
		{"v null", `{"v":null,"kind":"idle"}`, "format"},
		{"ts that is no time", `{"v":1,"ts":"yesterday","kind":"idle"}`, "time"},
		{"an empty ts", `{"v":1,"ts":"","kind":"idle"}`, "time"},
		{"ts with an offset", `{"v":1,"ts":"2026-11-30T12:00:00+01:00","kind":"idle"}`, "time"},
		{"ts as a number", `{"v":1,"ts":1764504000,"kind":"idle"}`, "time"},
		{"kind with a space", `{"v":1,"kind":"two words"}`, "kind"},
		{"an empty kind", `{"v":1,"kind":""}`, "kind"},
		{"kind null", `{"v":1,"kind":null}`, "kind"},
		{"session_id with a space", head + `,"session_id":"free text"}`, "session_id"},
		{"session_id null", head + `,"session_id":null}`, "session_id"},
		{"session_id of 129 bytes", head + `,"session_id":"` + strings.Repeat("a", 129) + `"}`, "session_id"},
		{"child as text", head + `,"child":"true"}`, "child"},
		{"child null", head + `,"child":null}`, "child"},
		{"detail null", head + `,"detail":null}`, "detail"},
		{"detail as a list", head + `,"detail":[]}`, "detail"},
		{"a string with a space", head + `,"detail":{"a":"two words"}}`, "detail"},
		{"a string with a replacement character", head + `,"detail":{"a":"` + "\ufffd" + `"}}`, "detail"},
		{"a string of 257 bytes", head + `,"detail":{"a":"` + strings.Repeat("x", 257) + `"}}`, "detail"},
		{"null in detail", head + `,"detail":{"a":null}}`, "detail"},
		{"2^53+1", head + `,"detail":{"a":9007199254740993}}`, "detail"},
		{"a fraction", head + `,"detail":{"a":0.5}}`, "detail"},
		{"an exponent", head + `,"detail":{"a":1e2}}`, "detail"},
		{"a name with a space", head + `,"detail":{"a b":1}}`, "detail"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			report, err := ngcore.ReadRunEventsReport(writeEvents(t, idleLine+"\n"+row.line+"\n"+verdictLine+"\n"))
			must(t, err)
			if diff := cmp.Diff([]ngcore.Event{idleEvent, verdictEvent}, report.Events); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(map[string]int{row.reason: 1}, report.Dropped); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadKeepsLine(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, content string
		want          []ngcore.Event
	}{
		{"nothing", "", nil},
		{"empty lines", "\n\n" + idleLine + "\n\n\r\n", []ngcore.Event{idleEvent}},
		{"a byte order mark and CRLF", "\xef\xbb\xbf" + idleLine + "\r\n" + verdictLine + "\r\n", []ngcore.Event{idleEvent, verdictEvent}},
		{"white space between the tokens", ` { "v" : 1 , "ts" : "2026-11-30T12:00:00.000Z" , "kind" : "idle" } ` + "\n", []ngcore.Event{idleEvent}},
		{"names in another order, escaped", `{"\u006bind":"\u0069dle","ts":"2026-11-30T12:00:00.000Z","v":1}` + "\n", []ngcore.Event{idleEvent}},
		{"exactly 4 KiB", idleLine[:len(idleLine)-1] + strings.Repeat(" ", 4095-len(idleLine)) + "}\n", []ngcore.Event{idleEvent}},
		{"empty values", `{"v":1,"kind":"idle","session_id":"","child":false,"detail":{}}` + "\n", []ngcore.Event{{V: 1, Kind: "idle"}}},
		{"a kind of a newer writer", `{"v":1,"kind":"newer"}` + "\n", []ngcore.Event{{V: 1, Kind: "newer"}}},
		{"all fields", `{"v":1,"kind":"stop_verify","session_id":"ses_1","child":true,"detail":{"a":"x/y","b":true,"c":false,"n":-3,"z":""}}` + "\n",
			[]ngcore.Event{{V: 1, Kind: "stop_verify", SessionID: "ses_1", Child: true, Detail: map[string]any{"a": "x/y", "b": true, "c": false, "n": -3, "z": ""}}}},
		{"the largest counts", `{"v":1,"kind":"idle","detail":{"a":9007199254740991,"b":-9007199254740991,"c":-0}}` + "\n",
			[]ngcore.Event{{V: 1, Kind: "idle", Detail: map[string]any{"a": plugin.EventCountMax, "b": -plugin.EventCountMax, "c": 0}}}},
		{"a last line without newline is no event yet", idleLine + "\n" + verdictLine, []ngcore.Event{idleEvent}},
		{"1 MiB without newline", strings.Repeat("x", 1<<20), nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			report, err := ngcore.ReadRunEventsReport(writeEvents(t, row.content))
			must(t, err)
			if diff := cmp.Diff(row.want, report.Events); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if len(report.Dropped) > 0 {
				t.Errorf("dropped %v, want nothing", report.Dropped)
			}
			if want := len(row.content) - strings.LastIndexByte(row.content, '\n') - 1; report.TornBytes != int64(want) {
				t.Errorf("%d bytes are torn, want %d", report.TornBytes, want)
			}
		})
	}
}

func TestReadStopsAtTheCap(t *testing.T) {
	t.Parallel()
	content := string(filling(plugin.EventsMaxBytes)) + idleLine + "\n"
	report, err := ngcore.ReadRunEventsReport(writeEvents(t, content))
	must(t, err)
	if diff := cmp.Diff(map[string]int{"past_cap": 1}, report.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if report.Bytes != plugin.EventsMaxBytes || len(report.Events) != strings.Count(content, "\n")-1 {
		t.Errorf("%d events in %d bytes", len(report.Events), report.Bytes)
	}
}

func TestReadNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{"", filepath.Join(dir, "none"), filepath.Join(dir, "no", "dir")} {
		if events, err := ngcore.ReadRunEvents(path); events != nil || err != nil {
			t.Errorf("ReadRunEvents(%q) = %v, %v, want nil, nil", path, events, err)
		}
		if n, err := ngcore.CompactionCount(path); n != 0 || err != nil {
			t.Errorf("CompactionCount(%q) = %d, %v, want 0, nil", path, n, err)
		}
	}
}

func TestReadRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"symlink", "dangling", "dir", "fifo", "socket", "linkdir", "device"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			site := prepare(t, t.TempDir(), fileState{Type: kind})
			if kind == "linkdir" {
				must(t, os.WriteFile(site.path, []byte(idleLine+"\n"), 0o600))
			}
			events, err := ngcore.ReadRunEvents(site.path)
			unsafe := (*ngcore.UnsafeFileError)(nil)
			if len(events) > 0 || !errors.As(err, &unsafe) {
				t.Errorf("found %v, %v, want an UnsafeFileError", events, err)
			}
		})
	}
}

func TestCompactionCount(t *testing.T) {
	t.Parallel()
	line := strings.Replace(idleLine, "idle", "compaction", 1) + "\n"
	path := writeEvents(t, line+idleLine+"\n"+`{"v":1,"kind":"compaction","Kind":"x"}`+"\n"+line+line[:20])
	if n, err := ngcore.CompactionCount(path); n != 2 || err != nil {
		t.Errorf("CompactionCount = %d, %v, want 2, nil", n, err)
	}
}

func TestEventsPath(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, output, run, want string
	}{
		{"beside the output file", "/runs/7/out.jsonl", "r-7", "/runs/7/opencode-events-r-7.jsonl"},
		{"a run id with a space and a dot", "/o", "r 7.b", "/opencode-events-r 7.b.jsonl"},
		{"no output file", "", "r", ""},
		{"no run id", "/o", "", ""},
		{"a relative output file", "out/x", "r", ""},
		{"an element ..", "/a/../b", "r", ""},
		{"a last element ..", "/a/..", "r", ""},
		{"two dots in a name are no element", "/a..b/..c", "r", "/a..b/opencode-events-r.jsonl"},
		{"a run id with a slash", "/o", "a/b", ""},
		{"a run id with a backslash", "/o", `a\b`, ""},
		{"the run id .", "/o", ".", ""},
		{"the run id ..", "/o", "..", ""},
		{"a run id with NUL", "/o", "a\x00b", ""},
		{"a run id with a newline", "/o", "a\nb", ""},
		{"a run id that is not UTF-8", "/o", "a\xff", ""},
		{"a run id of 128 bytes", "/o", strings.Repeat("r", 128), "/opencode-events-" + strings.Repeat("r", 128) + ".jsonl"},
		{"a run id of 129 bytes", "/o", strings.Repeat("r", 129), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			path, ok := ngcore.EventsPath(row.output, row.run)
			if path != row.want || ok != (row.want != "") {
				t.Errorf("EventsPath(%q, %q) = %q, %v, want %q", row.output, row.run, path, ok, row.want)
			}
		})
	}
}

func TestRunEventsPathFromEnv(t *testing.T) {
	t.Setenv(ngcore.RunOutputFileEnvVar, "/runs/7/out.jsonl")
	t.Setenv(ngcore.RunIDEnvVar, "7")
	if path, ok := ngcore.RunEventsPathFromEnv(); path != "/runs/7/opencode-events-7.jsonl" || !ok {
		t.Errorf("found %q, %v", path, ok)
	}
	t.Setenv(ngcore.RunIDEnvVar, "")
	if path, ok := ngcore.RunEventsPathFromEnv(); ok {
		t.Errorf("found %q without a run id", path)
	}
}

// Values that the shared table cannot spell.
func TestAppendGoValues(t *testing.T) {
	t.Parallel()
	type code string
	for _, row := range []struct {
		name   string
		ev     ngcore.Event
		status string
		want   map[string]any
	}{
		{"a type of its own", ngcore.Event{Kind: "idle", Detail: map[string]any{"a": code("x")}}, "written", map[string]any{"a": "x"}},
		{"integers of any size", ngcore.Event{Kind: "idle", Detail: map[string]any{"a": int64(5), "b": uint8(6), "c": 7.0}}, "written", map[string]any{"a": 5, "b": 6, "c": 7}},
		{"MaxUint64", ngcore.Event{Kind: "idle", Detail: map[string]any{"a": ^uint64(0)}}, "refused", nil},
		{"a string that is not UTF-8", ngcore.Event{Kind: "idle", Detail: map[string]any{"a": "\xff"}}, "refused", nil},
		{"a struct", ngcore.Event{Kind: "idle", Detail: map[string]any{"a": struct{}{}}}, "refused", nil},
		{"a pointer", ngcore.Event{Kind: "idle", Detail: map[string]any{"a": new(int)}}, "refused", nil},
		{"format 2", ngcore.Event{V: 2, Kind: "idle"}, "refused", nil},
		{"a time of its own", ngcore.Event{Kind: "idle", TS: "2026-11-30T12:00:00Z"}, "written", nil},
		{"a time with an offset", ngcore.Event{Kind: "idle", TS: "2026-11-30T12:00:00+01:00"}, "refused", nil},
		{"free text as time", ngcore.Event{Kind: "idle", TS: "now, Z"}, "refused", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "events.jsonl")
			if status := statusOf(ngcore.AppendRunEvent(path, row.ev)); status != row.status {
				t.Errorf("status is %s, want %s", status, row.status)
			}
			events, err := ngcore.ReadRunEvents(path)
			must(t, err)
			if row.status == "written" && (len(events) != 1 || !cmp.Equal(events[0].Detail, row.want)) {
				t.Errorf("read %v, want detail %v", events, row.want)
			}
			if row.status != "written" && len(events) > 0 {
				t.Errorf("read %v, want nothing", events)
			}
		})
	}
}

func TestAppendDisabled(t *testing.T) {
	t.Parallel()
	if err := ngcore.AppendRunEvent("", ngcore.Event{Kind: "no kind at all"}); err != nil {
		t.Error(err)
	}
}
