//go:build unix

package ngcore_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ngvet/ngvet/ngcore"
)

type waitFunc func(path, kind string, bound time.Duration) ([]ngcore.Event, error)

// baselineWait reads the whole file every 25 ms.
func baselineWait(path, kind string, bound time.Duration) ([]ngcore.Event, error) {
	for deadline := time.Now().Add(bound); ; time.Sleep(25 * time.Millisecond) {
		events, err := baselineRead(path)
		if err != nil || time.Now().After(deadline) || slices.ContainsFunc(events, func(ev ngcore.Event) bool { return ev.Kind == kind }) {
			return events, err
		}
	}
}

var waits = []struct {
	name string
	wait waitFunc
}{{"baseline", baselineWait}, {"ours", ngcore.WaitForRunEvent}}

// idleEvents writes a file of n events, none of them a verdict.
func idleEvents(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "events.jsonl")
	for i := range n {
		if err := ngcore.AppendRunEvent(path, ngcore.Event{Kind: "idle", Detail: map[string]any{"i": i}}); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

// BenchmarkWake measures from the writer's write to the return of the waiter.
func BenchmarkWake(b *testing.B) {
	for _, impl := range waits {
		b.Run(impl.name, func(b *testing.B) {
			path := idleEvents(b, 20)
			content, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			var latencies []time.Duration
			for b.Loop() {
				if err := os.WriteFile(path, content, 0o600); err != nil {
					b.Fatal(err)
				}
				returned := make(chan time.Time)
				go func() {
					if _, err := impl.wait(path, "stop_verify", time.Minute); err != nil {
						b.Error(err)
					}
					returned <- time.Now()
				}()
				// The waiter is at any point of its interval, and well past its start.
				time.Sleep(50*time.Millisecond + rand.N(25*time.Millisecond))
				written := time.Now()
				if err := ngcore.AppendRunEvent(path, ngcore.Event{Kind: "stop_verify"}); err != nil {
					b.Fatal(err)
				}
				latencies = append(latencies, (<-returned).Sub(written))
			}
			slices.Sort(latencies)
			b.ReportMetric(0, "ns/op") // the pause above is not what is measured
			b.ReportMetric(float64(latencies[len(latencies)/2].Microseconds()), "median-us")
			b.ReportMetric(float64(latencies[len(latencies)*9/10].Microseconds()), "p90-us")
		})
	}
}

// BenchmarkIdle measures the processor time of a wait of 10 s in which nothing happens.
func BenchmarkIdle(b *testing.B) {
	for _, impl := range waits {
		b.Run(impl.name, func(b *testing.B) {
			path := idleEvents(b, 1000)
			for b.Loop() {
				before := cpuTime(b)
				if _, err := impl.wait(path, "stop_verify", 10*time.Second); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64((cpuTime(b) - before).Microseconds()), "cpu-us/10s")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
