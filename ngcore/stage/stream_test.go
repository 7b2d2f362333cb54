package stage_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore/stage"
)

func TestStreamReader(t *testing.T) {
	t.Parallel()
	const (
		toolUse = `{"type":"tool_use","timestamp":1796070697467,"sessionID":"ses_1","part":{"type":"tool","tool":"bash","callID":"call_1","state":{"status":"completed","input":{"command":"echo hi","tool":"x"},"output":"hi\n","metadata":{"exit":0},"time":{"start":1796070696847,"end":1796070697327}},"id":"prt_1"}}`
		step    = `{"type":"step_start","timestamp":1796070696875,"sessionID":"ses_1","part":{"type":"step-start"}}`
	)
	stepEvent := stage.StreamEvent{Type: "step_start", Time: time.UnixMilli(1796070696875), SessionID: "ses_1"}
	toolEvent := stage.StreamEvent{
		Type: "tool_use", Time: time.UnixMilli(1796070697467), SessionID: "ses_1",
		CallID: "call_1", Tool: "bash", Status: "completed", Start: time.UnixMilli(1796070696847),
	}
	damaged := func(ev stage.StreamEvent) stage.StreamEvent { ev.Damaged = true; return ev }
	tests := []struct {
		name    string
		in      string
		want    []stage.StreamEvent
		skipped int
	}{
		{name: "empty"},
		{name: "step start", in: step + "\n", want: []stage.StreamEvent{stepEvent}},
		{name: "tool use", in: toolUse + "\n", want: []stage.StreamEvent{toolEvent}},
		{
			name: "denied tool",
			in:   `{"type":"tool_use","sessionID":"s","part":{"tool":"bash","callID":"c","state":{"status":"error","error":"nightgauge denied bash"}}}` + "\n",
			want: []stage.StreamEvent{{Type: "tool_use", SessionID: "s", CallID: "c", Tool: "bash", Status: "error", Text: "nightgauge denied bash"}},
		},
		{
			name: "step finish",
			in:   `{"type":"step_finish","part":{"tokens":{"total":110,"input":100,"output":10,"reasoning":3,"cache":{"write":4,"read":5}},"cost":0.25}}` + "\n",
			want: []stage.StreamEvent{{Type: "step_finish", Cost: 0.25, Tokens: stage.Tokens{Input: 100, Output: 10, Reasoning: 3, CacheRead: 5, CacheWrite: 4}}},
		},
		{
			name: "error",
			in:   `{"type":"error","error":{"name":"APIError","data":{"message":"scripted error","statusCode":400}}}` + "\n",
			want: []stage.StreamEvent{{Type: "error", ErrName: "APIError", Text: "scripted error"}},
		},
		{name: "text with escapes", in: `{"type":"text","part":{"text":"a\n\u00e9\ud83d\ude00\\\""}}`, want: []stage.StreamEvent{{Type: "text", Text: "a\né😀\\\""}}},
		{name: "last line without newline", in: step, want: []stage.StreamEvent{stepEvent}},
		{name: "carriage returns and blank lines", in: "\r\n" + step + "\r\n \n\n", want: []stage.StreamEvent{stepEvent}},
		{name: "garbage between lines", in: "log line\n" + step + "\n[1,2]\n\x00\xff\n{\n{}\nnull\n\"type\"\n" + toolUse + "\n", want: []stage.StreamEvent{stepEvent, toolEvent}, skipped: 7},
		{name: "unknown type", in: `{"type":"banana","x":[{"type":"tool_use"}]}` + "\n", want: []stage.StreamEvent{{Type: "banana"}}},
		{name: "members of other kinds", in: `{"type":"text","timestamp":"x","sessionID":7,"part":{"text":null,"cost":"1","tokens":[1]}}` + "\n", want: []stage.StreamEvent{{Type: "text"}}},
		{name: "type of another kind", in: `{"type":null}` + "\n" + `{"type":{"type":"text"}}` + "\n" + step, want: []stage.StreamEvent{stepEvent}, skipped: 2},
		{name: "names that are deeper are not taken", in: `{"part":{"state":{"metadata":{"status":"completed"}}},"type":"x"}`, want: []stage.StreamEvent{{Type: "x"}}},
		{name: "two objects in one line", in: step + step + "\n", want: []stage.StreamEvent{damaged(stepEvent)}},
		{name: "broken tool use stays one", in: toolUse[:len(toolUse)-30] + "\n" + step, want: []stage.StreamEvent{damaged(toolEvent), stepEvent}},
		{name: "number of a thousand digits", in: `{"type":"tool_use","timestamp":` + strings.Repeat("9", 1000) + "}\n" + step, want: []stage.StreamEvent{{Type: "tool_use", Damaged: true}, stepEvent}},
		{name: "nesting without end", in: `{"type":"tool_use","part":` + strings.Repeat("[", 20_000) + "\n" + step, want: []stage.StreamEvent{{Type: "tool_use", Damaged: true}, stepEvent}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, skipped, err := readStream(strings.NewReader(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if skipped != tt.skipped {
				t.Errorf("Skipped() = %d, want %d", skipped, tt.skipped)
			}
		})
	}
}

func TestStreamReaderCutsLongStringsAnywhere(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"x", "é", "😀", `\n`, `\u00e9`, `\ud83d\ude00`, `\\`, `\"`} {
		for pad := range 12 {
			text := strings.Repeat("p", pad) + strings.Repeat(unit, 3000)
			line := fmt.Sprintf(`{"type":"text","part":{"text":"%s"},"sessionID":"s"}`, text)
			events, skipped, err := readStream(strings.NewReader(line + "\n"))
			if err != nil || len(events) != 1 || skipped != 0 {
				t.Fatalf("%q after %d bytes: %d events, %d skipped, error %v", unit, pad, len(events), skipped, err)
			}
			if ev := events[0]; ev.Damaged || ev.SessionID != "s" || !strings.HasPrefix(ev.Text, "p"[:min(pad, 1)]) {
				t.Errorf("%q after %d bytes: got %+v", unit, pad, ev)
			}
		}
	}
}

// A tool's output may be of any size; the line must neither be lost nor held in memory.
func TestStreamReaderMemoryIsBounded(t *testing.T) {
	const size = 64 << 20
	head := `{"type":"tool_use","part":{"callID":"c","tool":"bash","state":{"output":"`
	tail := `","status":"completed"}}}` + "\n"
	in := io.MultiReader(strings.NewReader(head), &repeated{left: size}, strings.NewReader(tail))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	events, _, err := readStream(in)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	want := []stage.StreamEvent{{Type: "tool_use", CallID: "c", Tool: "bash", Status: "completed"}}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 4<<20 {
		t.Errorf("allocated %d bytes for one line of %d, expected at most 4 MiB", allocated, size)
	}
}

func TestStreamReaderReturnsReadError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(`{"type":"tool_use","sess`), errReader{broken})
	events, _, err := readStream(in)
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	want := []stage.StreamEvent{{Type: "tool_use", Damaged: true}}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// FuzzStreamReader: whatever the input, reading ends, no event lacks a type, and a whole
// line behind the input is found again.
func FuzzStreamReader(f *testing.F) {
	f.Add([]byte(`{"type":"tool_use","part":{"callID":"c","state":{"status":"error"}}}`))
	f.Add([]byte("{\"type\":\"te\\u0078t\",\"part\":{\"text\":\"\\ud83d\"}}\r\n\n[1]"))
	f.Add([]byte(`{"type":"error","error":{"data":{"message":"` + strings.Repeat("\\u0000", 900) + `"}}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		const last = `{"type":"step_finish","sessionID":"the last line"}`
		events, _, err := readStream(bytes.NewReader(append(append([]byte{}, in...), "\n"+last...)))
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range events {
			if ev.Type == "" {
				t.Fatalf("event without a type: %+v", ev)
			}
		}
		want := stage.StreamEvent{Type: "step_finish", SessionID: "the last line"}
		if len(events) == 0 {
			t.Fatal("no events, expected the last line")
		}
		if diff := cmp.Diff(want, events[len(events)-1]); diff != "" {
			t.Fatalf("last event (-want +got):\n%s", diff)
		}
	})
}

func readStream(r io.Reader) (events []stage.StreamEvent, skipped int, err error) {
	s := stage.NewStreamReader(r)
	for {
		ev, err := s.Next()
		if errors.Is(err, io.EOF) {
			return events, s.Skipped(), nil
		}
		if err != nil {
			return events, s.Skipped(), err
		}
		events = append(events, ev)
	}
}

// repeated yields the letter x a number of times.
type repeated struct{ left int }

func (r *repeated) Read(p []byte) (int, error) {
	n := min(len(p), r.left)
	if n == 0 {
		return 0, io.EOF
	}
	for i := range n {
		p[i] = 'x'
	}
	r.left -= n
	return n, nil
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }
