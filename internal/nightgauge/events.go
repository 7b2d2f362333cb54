package nightgauge

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

const eventsHelp = `nightgauge events shows what a run reported in its events file, as a timeline:

  +0s       idle         ses_1
  +1.25s    stop_verify  ses_1          code=boxes_open done=3 open=1 verdict=blocked
  +1.3s     idle         ses_2 (child)

A line has the time since the first event, the kind, the session (child: a sub-agent's) and
the detail. The kind truncated means that the file is full: events after it are missing, all
but stop_verify.

  --json    print each event as one line of JSON instead
  --follow  go on with the events that come, also when FILE does not exist yet, until
            interrupted
  --stats   print instead how many events there are of each kind, what was dropped and why,
            and the time from the first to the last; with --json as one object

FILE is opencode-events-RUN_ID.jsonl beside the run's output file.

Exit status: 0 shown, 1 there is no FILE, 2 usage, or FILE cannot be read or shown.
`

func eventsCommand() command {
	return command{
		name:    "events",
		args:    "[--json] [--follow | --stats] FILE",
		summary: "show what a run reported",
		run:     runEvents,
	}
}

// eventsView is one call of the command.
type eventsView struct {
	json, follow, stats bool
	path                string
}

func runEvents(ctx context.Context, inv Invocation) int {
	view, err := parseEvents(inv.Args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(inv.Stdout, eventsHelp)
		return ExitOK
	}
	if err != nil {
		fmt.Fprintf(inv.Stderr, "error: %v\nhint: nightgauge events -h explains the flags\n", err)
		return ExitUsage
	}
	if view.follow {
		return view.tail(ctx, inv)
	}
	return view.show(inv)
}

// parseEvents takes flags on either side of the file.
func parseEvents(args []string) (eventsView, error) {
	var view eventsView
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&view.json, "json", false, "")
	flags.BoolVar(&view.follow, "follow", false, "")
	flags.BoolVar(&view.stats, "stats", false, "")
	var files []string
	for {
		if err := flags.Parse(args); err != nil {
			return view, err
		}
		if flags.NArg() == 0 {
			break
		}
		files, args = append(files, flags.Arg(0)), flags.Args()[1:]
	}
	switch {
	case len(files) != 1:
		return view, fmt.Errorf("expected one events file, found %d", len(files))
	case view.follow && view.stats:
		return view, errors.New("expected --follow or --stats, found both")
	}
	view.path = files[0]
	return view, nil
}

func (view eventsView) show(inv Invocation) int {
	if _, err := os.Lstat(view.path); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(inv.Stderr, "error: there is no events file %s\nhint: --follow waits for it\n", view.path)
		return ExitFail
	}
	report, err := ngcore.ReadRunEventsReport(view.path)
	if err != nil {
		return readError(inv, err)
	}
	if err := view.print(inv, report); err != nil {
		return printError(inv, err)
	}
	return ExitOK
}

func readError(inv Invocation, err error) int {
	fmt.Fprintf(inv.Stderr, "error: %v\nhint: FILE is opencode-events-RUN_ID.jsonl beside the run's output file\n", err)
	return ExitUsage
}

func printError(inv Invocation, err error) int {
	fmt.Fprintf(inv.Stderr, "error: print events: %v\nhint: what was printed is not all\n", err)
	return ExitUsage
}

func (view eventsView) print(inv Invocation, report ngcore.EventsReport) error {
	if view.stats {
		return view.printStats(inv.Stdout, report)
	}
	line := view.linePrinter(inv.Stdout)
	for _, ev := range report.Events {
		if err := line(ev); err != nil {
			return err
		}
	}
	if n := sum(report.Dropped); n > 0 {
		fmt.Fprintf(inv.Stderr, "note: %d of the lines are no events; --stats tells why\n", n)
	}
	return nil
}

func (view eventsView) tail(ctx context.Context, inv Invocation) int {
	line := view.linePrinter(inv.Stdout)
	for ev, err := range ngcore.Tail(ctx, view.path) {
		if err != nil {
			return readError(inv, err)
		}
		if err := line(ev); err != nil {
			return printError(inv, err)
		}
	}
	return ExitOK
}

// linePrinter returns the function that prints one event after the other.
func (view eventsView) linePrinter(w io.Writer) func(ngcore.Event) error {
	if view.json {
		encoder := json.NewEncoder(w)
		return func(ev ngcore.Event) error { return encoder.Encode(ev) }
	}
	var start time.Time
	return func(ev ngcore.Event) error {
		text := fmt.Sprintf("%-8s  %-14s  %-32s  %s", sinceStart(&start, ev), ev.Kind, sessionText(ev), detailText(ev.Detail))
		_, err := fmt.Fprintln(w, strings.TrimRight(text, " "))
		return err
	}
}

// sinceStart returns the time since the first event that has one.
func sinceStart(start *time.Time, ev ngcore.Event) string {
	at, err := time.Parse(time.RFC3339Nano, ev.TS)
	if err != nil {
		return "?"
	}
	if start.IsZero() {
		*start = at
	}
	since := at.Sub(*start).Round(time.Millisecond)
	if since < 0 {
		return since.String() // another process's clock, or a line that waited for its turn
	}
	return "+" + since.String()
}

func sessionText(ev ngcore.Event) string {
	if ev.Child {
		return strings.TrimSpace(ev.SessionID + " (child)")
	}
	return ev.SessionID
}

func detailText(detail map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(detail)) {
		parts = append(parts, fmt.Sprintf("%s=%v", name, detail[name]))
	}
	return strings.Join(parts, " ")
}
