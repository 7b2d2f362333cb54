package stage_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/ngvet/ngvet/ngcore/stage"
)

// A program that runs one stage and acts on how it ended.
func ExampleRun() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	result, err := stage.Run(ctx, stage.Config{
		OpenCode:   "/usr/local/bin/opencode",
		HookBin:    "/usr/local/bin/nightgauge",
		WorkDir:    "/srv/work/project",
		Prompt:     "Do what PLAN.md says.",
		Plan:       "PLAN.md",
		StopVerify: "go test ./...",
		Timeout:    time.Hour,
		Observe: func(u stage.Update) {
			if u.Kind == stage.UpdateCall && u.Denied {
				fmt.Println("denied:", u.Tool)
			}
		},
	})
	if err != nil {
		log.Fatal(err) // nothing was started
	}
	switch result.Class {
	case stage.OK:
		fmt.Println("done:", result.Reason)
	case stage.Ungated, stage.Incompatible:
		fmt.Println("do not use the work:", result.Reason)
	default:
		fmt.Println(result.Class, result.Reason, "see", result.Files.Root)
	}
}
