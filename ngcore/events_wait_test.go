package ngcore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore"
)

// long is a bound that no test reaches.
const long = time.Minute

// appendText appends bytes as a writer of another make would.
func appendText(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	must(t, err)
	_, err = f.WriteString(text)
	must(t, errors.Join(err, f.Close()))
}

func kinds(events []ngcore.Event) []string {
	var out []string
	for _, ev := range events {
		out = append(out, ev.Kind)
	}
	return out
}

func TestWaitReturnsWhatIsThere(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, content string
		want          []string
	}{
		{"the kind", idleLine + "\n" + verdictLine + "\n" + idleLine + "\n", []string{"idle", "stop_verify"}},
		{"truncated without the kind", idleLine + "\n" + `{"v":1,"kind":"truncated"}` + "\n", []string{"idle", "truncated"}},
		{"the kind behind a bad line", "{\n" + verdictLine + "\n", []string{"stop_verify"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			events, err := ngcore.WaitForRunEvent(writeEvents(t, row.content), "stop_verify", long)
			must(t, err)
			if diff := cmp.Diff(row.want, kinds(events)); diff != "" {
				t.Errorf("kinds (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWaitBoundPasses(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, content string
		want          []string
	}{
		{"no such kind", idleLine + "\n", []string{"idle"}},
		{"a line without newline is not an event", idleLine + "\n" + verdictLine, []string{"idle"}},
		{"an empty file", "", nil},
	} {
		for _, bound := range []time.Duration{-1, 0, time.Millisecond, 60 * time.Millisecond} {
			t.Run(row.name+" "+bound.String(), func(t *testing.T) {
				t.Parallel()
				events, err := ngcore.WaitForRunEvent(writeEvents(t, row.content), "stop_verify", bound)
				must(t, err)
				if diff := cmp.Diff(row.want, kinds(events)); diff != "" {
					t.Errorf("kinds (-want +got):\n%s", diff)
				}
			})
		}
	}
	events, err := ngcore.WaitForRunEvent(filepath.Join(t.TempDir(), "none"), "idle", time.Millisecond)
	if events != nil || err != nil {
		t.Errorf("no file: %v, %v, want nil, nil", events, err)
	}
}

// step is one thing that happens to the file while a reader follows it. The reader takes it
// in before the next one happens.
type step struct {
	name string
	do   func(t *testing.T, path string)
	see  []string // kinds that the reader sees then
}

func write(text string) func(*testing.T, string) {
	return func(t *testing.T, path string) { appendText(t, path, text) }
}

func replace(text string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		must(t, os.WriteFile(path+".new", []byte(text), 0o600))
		must(t, os.Rename(path+".new", path))
	}
}

func TestTailFollows(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		steps []step
	}{
		{"a file that comes into being", []step{
			{"first line", write(idleLine + "\n"), []string{"idle"}},
			{"two lines", write(verdictLine + "\n" + idleLine + "\n"), []string{"stop_verify", "idle"}},
		}},
		{"a directory that comes into being", []step{
			{"all at once", func(t *testing.T, path string) {
				dir := filepath.Dir(path)
				must(t, os.RemoveAll(dir))
				must(t, os.Mkdir(dir, 0o700))
				appendText(t, path, idleLine+"\n")
			}, []string{"idle"}},
			{"another line", write(verdictLine + "\n"), []string{"stop_verify"}},
		}},
		{"a line in three pieces", []step{
			{"whole line and a piece", write(verdictLine + "\n" + idleLine[:9]), []string{"stop_verify"}},
			{"the last pieces", func(t *testing.T, path string) {
				appendText(t, path, idleLine[9:20])
				appendText(t, path, idleLine[20:]+"\n")
			}, []string{"idle"}},
		}},
		{"a bad line and a long one", []step{
			{"in between", write("{}\n" + string(make([]byte, 70<<10)) + "\n" + idleLine + "\n"), []string{"idle"}},
		}},
		{"a marker, and a verdict after it", []step{
			{"marker", write(`{"v":1,"kind":"truncated"}` + "\n"), []string{"truncated"}},
			{"verdict", write(verdictLine + "\n"), []string{"stop_verify"}},
		}},
		{"another file under the name", []step{
			{"one", write(idleLine + "\n"), []string{"idle"}},
			{"other", replace(verdictLine + "\n"), []string{"stop_verify"}},
			{"more", write(idleLine + "\n"), []string{"idle"}},
		}},
		{"a file that goes and comes back", []step{
			{"one", write(idleLine + "\n"), []string{"idle"}},
			{"other", func(t *testing.T, path string) {
				must(t, os.Remove(path))
				appendText(t, path, verdictLine+"\n")
			}, []string{"stop_verify"}},
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "run", "events.jsonl")
			if row.name != "a directory that comes into being" {
				must(t, os.Mkdir(filepath.Dir(path), 0o700))
			}
			follow(t, path, row.steps)
		})
	}
}

func follow(t *testing.T, path string, steps []step) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	seen := make(chan string)
	done := make(chan error, 1)
	go func() {
		defer close(done)
		for ev, err := range ngcore.Tail(ctx, path) {
			if err != nil {
				done <- err
				return
			}
			seen <- ev.Kind
		}
	}()
	for _, s := range steps {
		s.do(t, path)
		for i, want := range s.see {
			select {
			case got := <-seen:
				if got != want {
					t.Fatalf("%s: event %d is %s, want %s", s.name, i, got, want)
				}
			case err := <-done:
				t.Fatalf("%s: Tail ended: %v", s.name, err)
			}
		}
	}
	cancel()
	select {
	case kind := <-seen:
		t.Errorf("one event too many: %s", kind)
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	}
}

func TestTailEndsWithItsLoop(t *testing.T) {
	t.Parallel()
	path := writeEvents(t, idleLine+"\n"+verdictLine+"\n")
	for ev, err := range ngcore.Tail(t.Context(), path) {
		must(t, err)
		if ev.Kind == "idle" {
			break
		}
		t.Fatalf("first event is %v", ev)
	}
}

// A reader that follows a file across its seal sees every event once.
func TestTailAcrossSeal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "events.jsonl")
	const events = 12_000
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	go func() {
		for i := range events {
			ev := ngcore.Event{Kind: "skill", Detail: map[string]any{"i": i, "pad": "0123456789abcdefghij"}}
			if err := ngcore.AppendRunEvent(path, ev); errors.Is(err, ngcore.ErrEventsTruncated) {
				break
			} else if err != nil {
				t.Error(err)
				break
			}
		}
		if err := ngcore.AppendRunEvent(path, ngcore.Event{Kind: "stop_verify"}); err != nil {
			t.Error(err)
		}
	}()
	var got []ngcore.Event
	for ev, err := range ngcore.Tail(ctx, path) {
		must(t, err)
		if got = append(got, ev); ev.Kind == "stop_verify" {
			break
		}
	}
	want, err := ngcore.ReadRunEvents(path)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-file +tail):\n%s", diff)
	}
}

func TestWaitRefusesOtherFilesAtOnce(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"symlink", "dir", "fifo", "linkdir"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			site := prepare(t, t.TempDir(), fileState{Type: kind})
			if kind == "linkdir" {
				must(t, os.WriteFile(site.path, nil, 0o600))
			}
			unsafe := (*ngcore.UnsafeFileError)(nil)
			if events, err := ngcore.WaitForRunEvent(site.path, "idle", long); !errors.As(err, &unsafe) {
				t.Errorf("found %v, %v, want an UnsafeFileError", events, err)
			}
		})
	}
}

// A failure that lasts is an error at the bound; one that goes away is none.
func TestWaitSurvivesFailure(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	path := filepath.Join(dir, "events.jsonl")
	must(t, os.WriteFile(dir, nil, 0o600)) // a file where the directory is to be
	if _, err := ngcore.WaitForRunEvent(path, "idle", 30*time.Millisecond); err == nil {
		t.Error("expected the failure to read, found nil")
	}
	found := make(chan error, 1)
	go func() {
		events, err := ngcore.WaitForRunEvent(path, "idle", long)
		if err == nil && len(events) != 1 {
			err = errors.New("the bound passed")
		}
		found <- err
	}()
	must(t, os.Remove(dir))
	must(t, os.Mkdir(dir, 0o700))
	appendText(t, path, idleLine+"\n")
	must(t, <-found)
}

func TestWaitContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	events, err := ngcore.WaitForRunEventContext(ctx, writeEvents(t, idleLine+"\n"), "stop_verify")
	if len(events) != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("found %v, %v, want one event and context.Canceled", events, err)
	}
}
