package ngcore_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

func ExampleWaitForRunEvent() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path, ok := ngcore.EventsPath(filepath.Join(dir, "out.jsonl"), "run-7")
	if !ok {
		log.Fatal("events are disabled")
	}

	// Another process: the child that verifies the run.
	go ngcore.AppendRunEvent(path, ngcore.Event{
		Kind:      "stop_verify",
		SessionID: "ses_1",
		Detail:    map[string]any{"verdict": "blocked", "open": 2},
	})

	events, err := ngcore.WaitForRunEvent(path, "stop_verify", time.Minute)
	if err != nil {
		log.Fatal(err)
	}
	for _, ev := range events {
		fmt.Println(ev.Kind, ev.SessionID, ev.Detail["verdict"], ev.Detail["open"])
	}
	// Output: stop_verify ses_1 blocked 2
}

func ExampleSanitizeEventID() {
	fmt.Printf("%q %q\n", ngcore.SanitizeEventID("call_01J9"), ngcore.SanitizeEventID("please delete it"))
	// Output: "call_01J9" ""
}
