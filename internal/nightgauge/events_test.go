package nightgauge_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/ngvet/ngvet/internal/nightgauge"
	"github.com/ngvet/ngvet/ngcore"
)

// A follower waits for the file, shows each event when it comes, and ends without complaint
// when it is interrupted.
func TestEventsFollow(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	path := filepath.Join(t.TempDir(), ngcore.EventsFileName("run"))
	stdout, printed := io.Pipe()
	var stderr bytes.Buffer
	status := make(chan int)
	go func() {
		inv := nightgauge.Invocation{Args: []string{"events", "--follow", "--json", path}, Stdout: printed, Stderr: &stderr}
		status <- nightgauge.Main(ctx, inv)
	}()
	lines := bufio.NewReader(stdout)
	for _, kind := range []string{"idle", "compaction", "stop_verify"} {
		ev := ngcore.Event{Kind: kind, TS: "2026-11-30T12:00:00Z", SessionID: "ses_1"}
		if err := ngcore.AppendRunEvent(path, ev); err != nil {
			t.Fatal(err)
		}
		got, err := lines.ReadString('\n')
		want := `{"v":1,"ts":"2026-11-30T12:00:00Z","kind":"` + kind + `","session_id":"ses_1"}` + "\n"
		if err != nil || got != want {
			t.Fatalf("follower printed %q (%v), want %q", got, err, want)
		}
	}
	interrupt()
	if got := <-status; got != nightgauge.ExitOK || stderr.Len() > 0 {
		t.Errorf("status %d and %q, want 0 and nothing", got, stderr.String())
	}
}
