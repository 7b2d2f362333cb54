package ngcore_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

// The baselines below are what one writes first: stat, open and write per event; ReadFile,
// Split and encoding/json twice per line (once to look at the keys, once for the event).

func benchEvent(i int) ngcore.Event {
	ev := ngcore.Event{Kind: ngcore.EventKinds[i%len(ngcore.EventKinds)], SessionID: "ses_4c1f0a2b9ffeQ7hK2mXvT3pZ1a", Child: i%3 == 0}
	switch ev.Kind {
	case "stop_verify":
		ev.Detail = map[string]any{"verdict": "complete", "boxes_open": i % 7, "boxes_done": i % 11, "exit_status": 0}
	case "permission_ask":
		ev.Detail = map[string]any{"permission": "bash", "request_id": fmt.Sprintf("per_%06d", i)}
	case "skill":
		ev.Detail = map[string]any{"source": "tool", "skill": "release-notes", "call_id": fmt.Sprintf("call_%06d", i)}
	}
	return ev
}

func baselineAppend(path string, ev ngcore.Event) error {
	if info, err := os.Stat(path); err == nil && info.Size() > 1<<20 {
		return nil
	}
	ev.V, ev.TS = 1, time.Now().UTC().Format(time.RFC3339Nano)
	line, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	return err
}

func baselineRead(path string) ([]ngcore.Event, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var events []ngcore.Event
	for _, line := range bytes.Split(data, []byte("\n")) {
		var keys map[string]any
		if json.Unmarshal(line, &keys) != nil || keys["text"] != nil {
			continue
		}
		var ev ngcore.Event
		if json.Unmarshal(line, &ev) != nil {
			continue
		}
		events = append(events, ev)
	}
	return events, nil
}

func BenchmarkAppend(b *testing.B) {
	for _, impl := range []struct {
		name   string
		append func(string, ngcore.Event) error
	}{{"baseline", baselineAppend}, {"ours", ngcore.AppendRunEvent}} {
		b.Run(impl.name, func(b *testing.B) {
			b.ReportAllocs()
			path := filepath.Join(b.TempDir(), "events.jsonl")
			for i := 0; b.Loop(); i++ {
				if i%5000 == 0 { // stay clear of the cap
					b.StopTimer()
					os.Remove(path)
					b.StartTimer()
				}
				if err := impl.append(path, benchEvent(i)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func fullFile(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "events.jsonl")
	var data []byte
	for i := 0; ; i++ {
		ev := benchEvent(i)
		ev.V, ev.TS = 1, fmt.Sprintf("2026-11-30T12:%02d:%02d.%03dZ", i/60000%60, i/1000%60, i%1000)
		line, err := json.Marshal(ev)
		if err != nil {
			b.Fatal(err)
		}
		if len(data)+len(line)+1 > 1<<20 {
			break
		}
		data = append(append(data, line...), '\n')
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkRead(b *testing.B) {
	path := fullFile(b)
	for _, impl := range []struct {
		name string
		read func(string) ([]ngcore.Event, error)
	}{{"baseline", baselineRead}, {"ours", ngcore.ReadRunEvents}} {
		b.Run(impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if events, err := impl.read(path); err != nil || len(events) == 0 {
					b.Fatal(len(events), err)
				}
			}
		})
	}
	b.Run("ours/CompactionCount", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if n, err := ngcore.CompactionCount(path); err != nil || n == 0 {
				b.Fatal(n, err)
			}
		}
	})
}
