package ngcore

import (
	"testing"
	"time"
)

// The sentinel was verified ten seconds ago; the wall clock may have been set since.
func TestStartedAfterOnTheClockAsItIs(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		name  string
		start time.Time
		want  bool
	}{
		{"a second ago", now.Add(-time.Second), true},
		{"the moment itself", now.Add(-10 * time.Second), true},
		{"a millisecond before it", now.Add(-10*time.Second - time.Millisecond), false},
		{"by a clock that has been set back an hour since", now.Add(time.Hour), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := startedAfter(row.start, now, 10*time.Second); got != row.want {
				t.Errorf("startedAfter = %v, want %v", got, row.want)
			}
		})
	}
}
