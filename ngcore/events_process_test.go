package ngcore_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

// Environment of the process tests. scripts/stress-events.sh sets the last two to run them
// in full.
const (
	envWorker       = "NGCORE_TEST_WORKER"        // FILE WORKER COUNT: be a writer
	envStressEvents = "NGCORE_TEST_STRESS_EVENTS" // events of the test without kills
	envStressRounds = "NGCORE_TEST_STRESS_ROUNDS" // rounds of the test with kills
)

// processes are what this binary is in place of the tests when a variable is set.
var processes = map[string]func(spec string){envWorker: runWorker}

func TestMain(m *testing.M) {
	for name, run := range processes {
		if spec := os.Getenv(name); spec != "" {
			run(spec)
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// runWorker is testdata/append_worker.mjs in Go.
func runWorker(spec string) {
	args := strings.SplitN(spec, "\n", 3)
	file, worker := args[0], args[1]
	count, _ := strconv.Atoi(args[2])
	report := func(i int, err error) { fmt.Printf("%d %s\n", i, statusOf(err)) }
	for i := range count {
		report(i, ngcore.AppendRunEvent(file, ngcore.Event{
			Kind: "skill", SessionID: "ses_1", Detail: map[string]any{"worker": worker, "i": i},
		}))
	}
	report(count, ngcore.AppendRunEvent(file, ngcore.Event{
		Kind: "stop_verify", Detail: map[string]any{"worker": worker, "i": count},
	}))
}

// writer is a process that appends events, and what it said about each.
type writer struct {
	name     string
	count    int
	killed   bool
	statuses []string // by number of the event
	failed   error
}

// run runs the process until its end, or kills it after killAfter reports.
func (w *writer) run(t *testing.T, cmd *exec.Cmd, killAfter int) {
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.failed = err
		return
	}
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // a line without newline: killed before it could report
		}
		var i int
		var status string
		if _, err := fmt.Sscan(line, &i, &status); err != nil || i != len(w.statuses) {
			w.failed = fmt.Errorf("report %q, expected one about event %d", line, len(w.statuses))
			break
		}
		if w.statuses = append(w.statuses, status); len(w.statuses) == killAfter {
			w.killed = true
			cmd.Process.Kill()
		}
	}
	_, _ = io.Copy(io.Discard, lines)
	if err := cmd.Wait(); err != nil && !w.killed {
		w.failed = errors.Join(w.failed, err)
	}
}

// runWriters runs n writers in Go and n in Node on one file; killAfter tells after how many
// reports to kill a writer, 0 for never.
func runWriters(t *testing.T, file, team string, n, events int, killAfter func() int) []*writer {
	t.Helper()
	node := nodePath(t)
	writers := make([]*writer, 2*n)
	var wg sync.WaitGroup
	for i := range writers {
		w := &writer{name: fmt.Sprintf("%s-go%d", team, i), count: events}
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		if i%2 == 1 {
			w.name = fmt.Sprintf("%s-node%d", team, i)
			cmd = exec.CommandContext(t.Context(), node, "testdata/append_worker.mjs", "../plugin/nightgauge/events.js", file, w.name, strconv.Itoa(events))
		} else {
			cmd.Env = append(os.Environ(), envWorker+"="+strings.Join([]string{file, w.name, strconv.Itoa(events)}, "\n"))
		}
		writers[i] = w
		after := killAfter()
		wg.Go(func() { w.run(t, cmd, after) })
	}
	wg.Wait()
	return writers
}

func stressSize(t *testing.T, name string, short int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return short
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func TestManyProcessesHitTheCap(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), ngcore.EventsFileName("run"))
	events := stressSize(t, envStressEvents, 16_000)
	writers := runWriters(t, file, "a", 4, events/8, func() int { return 0 })
	checkWritten(t, file, writers)
}

// A writer that is killed may leave one torn line, and takes no line of another with it:
// in the part without turns, in a turn, and while it seals the file.
func TestKilledProcesses(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range stressSize(t, envStressRounds, 4) {
		file := filepath.Join(t.TempDir(), ngcore.EventsFileName("run"))
		// Most rounds start close to the lock zone, where it is dangerous.
		if fill := []int{0, 900 << 10, 950 << 10, 959 << 10}[round%4]; fill > 0 {
			must(t, os.WriteFile(file, filling(fill), 0o600))
		}
		writers := runWriters(t, file, "a", 4, 400, func() int { return random.IntN(500) })
		// The dead must not stand in the way of the living.
		writers = append(writers, runWriters(t, file, "b", 1, 10, func() int { return 0 })...)
		checkWritten(t, file, writers)
	}
}

// A writer that is killed in its turn does not keep the next one waiting, not even while
// its parent has not waited for it.
func TestKilledInItsTurn(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), ngcore.EventsFileName("run"))
	must(t, os.WriteFile(file, filling(1000<<10), 0o600))
	cmd := exec.CommandContext(t.Context(), nodePath(t), "testdata/hold_turn.mjs", "../plugin/nightgauge/turn.js", file)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("holder said %q (%v)", line, err)
	}
	appended := make(chan error)
	go func() { appended <- ngcore.AppendRunEvent(file, ngcore.Event{Kind: "idle"}) }()
	must(t, cmd.Process.Kill())
	must(t, <-appended)
	if err := cmd.Wait(); err == nil {
		t.Error("the holder ended by itself")
	}
	if _, err := os.Lstat(plugin.EventsLockName(file)); err == nil {
		t.Error("the lock was left behind")
	}
}

// checkWritten checks the file against what its writers said.
func checkWritten(t *testing.T, file string, writers []*writer) {
	t.Helper()
	content, err := os.ReadFile(file)
	must(t, err)
	report, err := ngcore.ReadRunEventsReport(file)
	must(t, err)
	kills := 0
	for _, w := range writers {
		if w.failed != nil {
			t.Errorf("%s: %v", w.name, w.failed)
		}
		if w.killed {
			kills++
		}
	}
	dropped := 0
	for _, n := range report.Dropped {
		dropped += n
	}
	torn := dropped
	if report.TornBytes > 0 {
		torn++
	}
	if torn > kills {
		t.Errorf("%d lines are torn (%v, %d bytes at the end), want at most one for each of %d kills", torn, report.Dropped, report.TornBytes, kills)
	}
	if len(content) > plugin.EventsMaxBytes {
		t.Errorf("size is %d, want at most %d", len(content), plugin.EventsMaxBytes)
	}
	checkMarker(t, report.Events, writers)
	checkReported(t, report.Events, writers)
	t.Logf("%d writers, %d events in the file, %d bytes, %d kills, %d torn lines, %d empty lines",
		len(writers), len(report.Events), len(content), kills, torn, bytes.Count(content, []byte("\n\n")))
}

// checkMarker: one marker if any event had no room, else none; only verdicts after it.
func checkMarker(t *testing.T, events []ngcore.Event, writers []*writer) {
	t.Helper()
	full, markers := false, 0
	for _, w := range writers {
		full = full || strings.Contains(strings.Join(w.statuses, " "), "truncated")
	}
	for _, ev := range events {
		switch {
		case ev.Kind == ngcore.EventsTruncatedKind:
			markers++
		case markers > 0 && ev.Kind != "stop_verify":
			t.Errorf("an event follows the marker: %v", ev)
		}
	}
	if want := full; markers > 1 || want && markers == 0 {
		t.Errorf("%d markers, want one (some writer was told that the file is full: %v)", markers, full)
	}
}

// checkReported: what was reported as written is there once and in order; nothing else is,
// but for an event that a killed writer had no time to report.
func checkReported(t *testing.T, events []ngcore.Event, writers []*writer) {
	t.Helper()
	found := make(map[string][]int)
	for _, ev := range events {
		if name, ok := ev.Detail["worker"].(string); ok {
			found[name] = append(found[name], ev.Detail["i"].(int))
		}
	}
	for _, w := range writers {
		var want []int
		for i, status := range w.statuses {
			switch status {
			case "written":
				want = append(want, i)
			case "truncated":
			default:
				t.Errorf("%s: event %d was %s", w.name, i, status)
			}
		}
		got := found[w.name]
		if w.killed && len(got) == len(want)+1 && got[len(want)] == len(w.statuses) {
			got = got[:len(want)]
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: events in the file (-want +got):\n%s", w.name, diff)
		}
		if !w.killed && (len(want) == 0 || want[len(want)-1] != w.count) {
			t.Errorf("%s: the verdict was not written", w.name)
		}
	}
}
