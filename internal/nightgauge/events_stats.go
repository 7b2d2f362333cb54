package nightgauge

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

// eventsStats is what --stats --json prints.
type eventsStats struct {
	Events     int            `json:"events"`
	Kinds      map[string]int `json:"kinds"`
	Dropped    map[string]int `json:"dropped"`
	TornBytes  int64          `json:"torn_bytes"`
	Bytes      int64          `json:"bytes"`
	Truncated  bool           `json:"truncated"`
	DurationMS int64          `json:"duration_ms"`
}

func statsOf(report ngcore.EventsReport) eventsStats {
	stats := eventsStats{
		Events:    len(report.Events),
		Kinds:     make(map[string]int),
		Dropped:   report.Dropped,
		TornBytes: report.TornBytes,
		Bytes:     report.Bytes,
	}
	if stats.Dropped == nil {
		stats.Dropped = make(map[string]int)
	}
	var first, last time.Time
	for _, ev := range report.Events {
		stats.Kinds[ev.Kind]++
		stats.Truncated = stats.Truncated || ev.Kind == ngcore.EventsTruncatedKind
		at, err := time.Parse(time.RFC3339Nano, ev.TS)
		if err != nil {
			continue
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	stats.DurationMS = last.Sub(first).Milliseconds()
	return stats
}

func (view eventsView) printStats(w io.Writer, report ngcore.EventsReport) error {
	stats := statsOf(report)
	if view.json {
		return json.NewEncoder(w).Encode(stats)
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "events\t%d\t%s\n", stats.Events, countsText(stats.Kinds))
	fmt.Fprintf(tw, "dropped lines\t%d\t%s\n", sum(stats.Dropped), countsText(stats.Dropped))
	fmt.Fprintf(tw, "unfinished line\t%d bytes\n", stats.TornBytes)
	fmt.Fprintf(tw, "size\t%d bytes\n", stats.Bytes)
	fmt.Fprintf(tw, "truncated\t%v\n", stats.Truncated)
	fmt.Fprintf(tw, "duration\t%v\n", time.Duration(stats.DurationMS)*time.Millisecond)
	return tw.Flush()
}

func countsText(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

func sum(counts map[string]int) int {
	n := 0
	for _, count := range counts {
		n += count
	}
	return n
}
