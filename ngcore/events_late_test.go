package ngcore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/plugin"
)

// fillEvents appends events until the file has reached size, or is full.
func fillEvents(t *testing.T, path string, size int64) {
	t.Helper()
	for i := 0; ; i++ {
		err := AppendRunEvent(path, Event{Kind: "skill", Detail: map[string]any{"i": i, "pad": strings.Repeat("x", 200)}})
		if errors.Is(err, ErrEventsTruncated) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() >= size {
			return
		}
	}
}

// appendLate goes on as appendLine does after a look at the file.
func appendLate(path string, f *os.File, size int64, line []byte) error {
	done, mayHold, err := tryAppend(path, f, size, record{line: line})
	if done || err != nil {
		return err
	}
	return appendInTurn(path, record{line: line}, mayHold)
}

// A writer looks at the file, sleeps while others fill it, and writes then. Its line must
// neither pass the cap nor follow the marker, and must not be lost if it was accepted.
func TestLateWriter(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		sleep int64 // until the file has this size
		want  error
		lines int // how often the late line is in the file
	}{
		{"others stay before the lock zone", lockZoneStart / 2, nil, 1},
		{"others enter the lock zone and seal it", lockZoneStart + 2000, nil, 1},
		{"others fill the file", plugin.EventsMaxBytes, ErrEventsTruncated, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "events.jsonl")
			fillEvents(t, path, 1)
			f, size, err := openForAppend(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			fillEvents(t, path, row.sleep)
			line, err := encodeEvent(Event{Kind: "idle", SessionID: "late"}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			if err := appendLate(path, f, size, line); !errors.Is(err, row.want) {
				t.Errorf("late append: %v, want %v", err, row.want)
			}
			checkOnce(t, path, string(line), row.lines)
		})
	}
}

// The same, but the writer wakes up in the middle of a seal: its line goes into the old
// file after the copy was read, or before.
func TestWriterMeetsSeal(t *testing.T) {
	t.Parallel()
	for _, copied := range []bool{false, true} {
		t.Run(fmt.Sprint("copied=", copied), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "events.jsonl")
			fillEvents(t, path, lockZoneStart)
			f, err := openRegular(path, os.O_RDWR|os.O_APPEND)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			line, err := encodeEvent(Event{Kind: "idle", SessionID: "late"}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			write := func() {
				if _, err := appendUncapped(f, info.Size(), line); err != nil {
					t.Error(err)
				}
			}
			if !copied {
				write()
			}
			if err := seal(path, f); err != nil {
				t.Fatal(err)
			}
			if copied {
				write()
			}
			if !isSealing(path) {
				t.Fatal("the writer does not see the seal")
			}
			if err := appendInTurn(path, record{line: line}, info.Size()); err != nil {
				t.Error(err)
			}
			checkOnce(t, path, string(line), 1)
		})
	}
}

// A process that is killed while it seals leaves the old file in place, or the copy; the
// next writer goes on from either.
func TestSealIsMadeAnew(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		leave func(path string) error
	}{
		{"nothing", func(string) error { return nil }},
		{"a half copy", func(path string) error {
			return os.WriteFile(plugin.EventsSealName(path), []byte("{"), 0o600)
		}},
		{"a copy with both names", func(path string) error {
			return errors.Join(os.WriteFile(plugin.EventsSealName(path), []byte("{}\n"), 0o600),
				os.Link(plugin.EventsSealName(path), plugin.EventsSealName(path)+".new"))
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "events.jsonl")
			fillEvents(t, path, lockZoneStart)
			before, err := ReadRunEvents(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := row.leave(path); err != nil {
				t.Fatal(err)
			}
			if err := AppendRunEvent(path, Event{Kind: "idle", SessionID: "late"}); err != nil {
				t.Fatal(err)
			}
			after, err := ReadRunEvents(path)
			if err != nil || len(after) != len(before)+1 {
				t.Errorf("%d events (%v), want %d", len(after), err, len(before)+1)
			}
			if _, err := os.Lstat(plugin.EventsSealName(path) + ".new"); err == nil {
				t.Error("the staged name was left behind")
			}
		})
	}
}

func checkOnce(t *testing.T, path, line string, want int) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count("\n"+string(content), "\n"+line); got != want {
		t.Errorf("the late line is in the file %d times, want %d", got, want)
	}
	if len(content) > plugin.EventsMaxBytes {
		t.Errorf("size is %d, want at most %d", len(content), plugin.EventsMaxBytes)
	}
	if _, rest, ok := strings.Cut(string(content), `"kind":"truncated"}`+"\n"); ok && rest != "" {
		t.Errorf("%q follows the marker", rest)
	}
}

// A tail that appears between the look and the write swallows the line, once.
func TestAppendRepeatsSwallowedLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "events.jsonl")
	fillEvents(t, path, 1)
	f, size, err := openForAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other, err := openRegular(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.WriteString(`{"v":1,"ki`); err != nil {
		t.Fatal(err)
	}
	line, err := encodeEvent(Event{Kind: "idle", SessionID: "late"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := appendLate(path, f, size, line); err != nil {
		t.Fatal(err)
	}
	checkOnce(t, path, string(line), 1)
}

func TestTurnOfAnOwner(t *testing.T) {
	t.Parallel()
	self, ok := readProcessStat("self")
	if !ok {
		t.Skip("this system does not show when a process started")
	}
	me, ns := os.Getpid(), pidNamespace()
	for _, row := range []struct {
		name      string
		owner     string
		abandoned bool // at once
		later     bool // after the take-over time
	}{
		{"this process", fmt.Sprintf("%d:%s:%s:x", me, self.start, ns), false, false},
		{"a dead process", fmt.Sprintf("%d:%s:%s:x", 1<<22+1, self.start, ns), true, true},
		{"this id, another process", fmt.Sprintf("%d:%s1:%s:x", me, self.start, ns), true, true},
		{"an id of another namespace", fmt.Sprintf("%d:%s:%s1:x", me, self.start, ns), false, true},
		{"an owner without a start", fmt.Sprintf("%d::%s:x", me, ns), false, true},
		{"no owner", "", false, true},
		{"junk", "a:b:c", false, true},
		{"a process group", fmt.Sprintf("-1:%s:%s:x", self.start, ns), false, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := isAbandoned(row.owner, 0); got != row.abandoned {
				t.Errorf("abandoned at once: %v, want %v", got, row.abandoned)
			}
			if got := isAbandoned(row.owner, 2*plugin.EventsTurnTakeover); got != row.later {
				t.Errorf("abandoned later: %v, want %v", got, row.later)
			}
		})
	}
}

// Locks that their owners left, also locks of locks, do not keep the next writer waiting.
func TestAbandonedTurns(t *testing.T) {
	t.Parallel()
	dead := fmt.Sprintf("%d:1:%s:x", 1<<22+1, pidNamespace())
	for depth := 1; depth <= turnDepthMax; depth++ {
		t.Run(fmt.Sprint(depth, " dead"), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "events.jsonl")
			lock := plugin.EventsLockName(path)
			for i := range depth {
				if err := createTurn(lock+strings.Repeat("~", i), dead); err != nil {
					t.Fatal(err)
				}
			}
			end, err := takeTurn(path)
			if depth == turnDepthMax {
				if err == nil {
					t.Error("expected an error, found a turn")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := end(); err != nil {
				t.Error(err)
			}
			if left, _ := filepath.Glob(lock + "*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Whoever leaves locks of the dead again and again cannot keep a writer for ever.
func TestTurnEndsWaitingAtItsDeadline(t *testing.T) {
	t.Parallel()
	lock := plugin.EventsLockName(filepath.Join(t.TempDir(), "events.jsonl"))
	dead := fmt.Sprintf("%d:1:%s:x", 1<<22+1, pidNamespace())
	if err := createTurn(lock, dead); err != nil {
		t.Fatal(err)
	}
	if _, err := acquireTurn(lock, time.Now().Add(-time.Second), 1); err == nil || !strings.Contains(err.Error(), dead) {
		t.Errorf("acquireTurn after its deadline = %v, want an error that names %s", err, dead)
	}
}

// Who waits for a turn on one file keeps nobody from another one.
func TestWaitingForATurnHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	full, other := filepath.Join(dir, "full.jsonl"), filepath.Join(dir, "other.jsonl")
	fillEvents(t, full, lockZoneStart)
	end, err := takeTurn(full)
	if err != nil {
		t.Fatal(err)
	}
	appended := make(chan error)
	go func() { appended <- AppendRunEvent(full, Event{Kind: "idle"}) }()
	for range 200 { // the other writer waits by then
		if err := AppendRunEvent(other, Event{Kind: "idle"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if err := <-appended; err != nil {
		t.Errorf("the waiting writer: %v", err)
	}
}

// A reader that has read more of the old file than the copy holds sees each event once,
// also one that comes into the copy later and elsewhere.
func TestReaderMeetsSeal(t *testing.T) {
	t.Parallel()
	const rest = `{"v":1,"kind":"idle","session_id":"`
	for _, row := range []struct {
		name           string
		old, copy, add string // what follows the filling in the old file, in the copy, and later
		before, after  []string
	}{
		{"same", "ab", "ab", "c", []string{"a", "b"}, []string{"c"}},
		{"the copy lacks a line, which comes later", "ab", "a", "cb", []string{"a", "b"}, []string{"c"}},
		{"the copy lacks all", "ab", "", "ba", []string{"a", "b"}, nil},
		{"equal lines count", "aa", "a", "aa", []string{"a", "a"}, []string{"a"}},
		{"half a line in the old file", "a|", "a", "b", []string{"a"}, []string{"b"}},
		{"only half a line", "|", "b", "c", nil, []string{"b", "c"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			lines := func(ids string) (out string) {
				for _, id := range ids {
					if id == '|' {
						return out + rest
					}
					out += rest + string(id) + "\"}\n"
				}
				return out
			}
			path := filepath.Join(t.TempDir(), "events.jsonl")
			filling := strings.Repeat(lines("x"), int(lockZoneStart)/len(lines("x"))+1)
			write := func(path, content string) {
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			reader := newEventReader(path, true)
			defer reader.close()
			poll := func() (ids []string) {
				err := reader.poll(func(ev Event) bool {
					if ev.SessionID != "x" {
						ids = append(ids, ev.SessionID)
					}
					return true
				})
				if err != nil {
					t.Fatal(err)
				}
				return ids
			}
			write(path, filling+lines(row.old))
			if diff := cmp.Diff(row.before, poll()); diff != "" {
				t.Errorf("before the seal (-want +got):\n%s", diff)
			}
			write(plugin.EventsSealName(path), filling+lines(row.copy))
			if err := errors.Join(os.Remove(path), os.Link(plugin.EventsSealName(path), path)); err != nil {
				t.Fatal(err)
			}
			got := poll()
			write(path, filling+lines(row.copy+row.add)) // in place: it has both names
			if diff := cmp.Diff(row.after, append(got, poll()...)); diff != "" {
				t.Errorf("after the seal (-want +got):\n%s", diff)
			}
			if len(reader.dropped) > 0 {
				t.Errorf("dropped %v", reader.dropped)
			}
		})
	}
}
