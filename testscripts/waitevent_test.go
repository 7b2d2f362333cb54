package testscripts

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

// runWaitEvent is a reader of the run's events: it waits as a program does that has started
// OpenCode, and prints what it got.
func runWaitEvent() {
	bound := flag.Duration("bound", 30*time.Second, "longest wait")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, `Usage: waitevent [-bound DURATION] KIND

Waits for an event of KIND in the run's events file and prints all events up to then, one
JSON object a line. Exit status: 0 it is there, 1 the bound passed without it, 2 error.
`)
		flag.PrintDefaults()
	}
	flag.Parse()
	path, ok := ngcore.RunEventsPathFromEnv()
	if !ok || flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	events, err := ngcore.WaitForRunEvent(path, flag.Arg(0), *bound)
	status := 1
	out := json.NewEncoder(os.Stdout)
	for _, event := range events {
		if event.Kind == flag.Arg(0) {
			status = 0
		}
		if encodeErr := out.Encode(event); err == nil {
			err = encodeErr
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "waitevent:", err)
		status = 2
	}
	os.Exit(status)
}
