package ngcore_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore"
)

// Any bytes: no panic, memory in proportion, the same answer twice, and every event that
// comes out may go in again.
func FuzzReadRunEvents(f *testing.F) {
	for _, seed := range []string{
		idleLine + "\n" + verdictLine + "\n",
		"\xef\xbb\xbf" + idleLine + "\r\n\n{\n",
		`{"v":1,"kind":"stop_verify","session_id":"ses_1","child":true,"detail":{"a":"x/y","n":-3,"b":true}}` + "\n",
		`{"v":1,"kind":"idle","Kind":"x"}` + "\n" + `{"v":1,"kind":"idle","detail":{"a":1},"detail":null}` + "\n",
		`{"v":1,"kind":"idle","detail":{"a":[[[[` + "\n",
		"\xf0\x9f\x98",
	} {
		f.Add([]byte(seed))
	}
	path := filepath.Join(f.TempDir(), "events.jsonl")
	f.Fuzz(func(t *testing.T, content []byte) {
		must(t, os.WriteFile(path, content, 0o600))
		report := readMeasured(t, path, len(content))
		again, err := ngcore.ReadRunEventsReport(path)
		must(t, err)
		if diff := cmp.Diff(report, again); diff != "" {
			t.Errorf("second reading (-first +second):\n%s", diff)
		}
		checkIdempotent(t, report.Events)
	})
}

// readMeasured reads a file and checks what that allocates. Nothing else may run meanwhile.
func readMeasured(t *testing.T, path string, size int) ngcore.EventsReport {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report, err := ngcore.ReadRunEventsReport(path)
	runtime.ReadMemStats(&after)
	must(t, err)
	// 64 KiB for the chunk and the decoder's own; an event and its detail are at most 20
	// times the line that they come from.
	if used, limit := after.TotalAlloc-before.TotalAlloc, 256<<10+20*uint64(size); used > limit {
		t.Errorf("%d bytes were allocated for %d, want at most %d", used, size, limit)
	}
	return report
}

// The lines that cost most: short ones, of which many fit.
func TestReadAllocatesInProportion(t *testing.T) {
	for _, line := range []string{
		`{"v":1,"kind":"a"}`,
		`{"v":1,"kind":"a","detail":{"a":1}}`,
		`{"v":1,"kind":"a","detail":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9}}`,
		`{}`,
	} {
		content := strings.Repeat(line+"\n", 1<<18/(len(line)+1))
		readMeasured(t, writeEvents(t, content), len(content))
	}
}

// checkIdempotent writes events that were read, as JSON, and reads them again.
func checkIdempotent(t *testing.T, events []ngcore.Event) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "again.jsonl")
	var content []byte
	for _, ev := range events {
		if ev.TS == "" {
			continue // a writer always gives a time
		}
		line, err := json.Marshal(ev)
		must(t, err)
		content = append(append(content, line...), '\n')
	}
	must(t, os.WriteFile(path, content, 0o600))
	report, err := ngcore.ReadRunEventsReport(path)
	must(t, err)
	if len(report.Dropped) > 0 {
		t.Errorf("events that were read are dropped the second time: %v", report.Dropped)
	}
}

// What AppendRunEvent accepts reads back equal; what it refuses leaves no trace.
func FuzzAppendThenRead(f *testing.F) {
	f.Add("idle", "ses_1", true, "name", "code/1.2", int64(3), 4.0, false)
	f.Add("skill", "free text", false, "Text", "x", int64(1)<<53, 0.5, true)
	f.Add("stop_verify", "a\xff", false, "", "\ufffd", int64(-1), -0.0, true)
	f.Fuzz(func(t *testing.T, kind, session string, child bool, name, code string, n int64, x float64, b bool) {
		path := filepath.Join(t.TempDir(), "events.jsonl")
		ev := ngcore.Event{Kind: kind, SessionID: session, Child: child, Detail: map[string]any{name: code, "n": n, "x": x, "b": b}}
		err := ngcore.AppendRunEvent(path, ev)
		report, readErr := ngcore.ReadRunEventsReport(path)
		must(t, readErr)
		if errors.Is(err, ngcore.ErrEventRefused) {
			if report.Bytes > 0 {
				t.Errorf("a refused event left %d bytes", report.Bytes)
			}
			return
		}
		must(t, err)
		if len(report.Events) != 1 || len(report.Dropped) > 0 || report.TornBytes > 0 {
			t.Fatalf("read %+v after one event", report)
		}
		want := ngcore.Event{V: 1, TS: report.Events[0].TS, Kind: kind, SessionID: ngcore.SanitizeEventID(session), Child: child, Detail: map[string]any{}}
		for name, value := range ev.Detail {
			switch v := value.(type) {
			case int64:
				want.Detail[name] = int(v)
			case float64:
				want.Detail[name] = int(v)
			default:
				want.Detail[name] = v
			}
		}
		if diff := cmp.Diff(want, report.Events[0]); diff != "" {
			t.Errorf("event (-appended +read):\n%s", diff)
		}
	})
}
