// Ngvet checks Go programs that carry JavaScript, and OpenCode plugins. Run it with -h.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/ngvet/ngvet/internal/ngvet"
)

func main() {
	if ngvet.IsVetTool(os.Args[1:]) {
		ngvet.VetTool() // does not return
	}
	// A run lives for about a second and keeps nearly all that it allocates: collecting at
	// the usual pace took a quarter of its time.
	debug.SetGCPercent(400)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(os.Stderr, "ngvet: working directory: %v\n", err)
		os.Exit(ngvet.ExitUsage)
	}
	status := ngvet.Main(ctx, ngvet.Invocation{Args: os.Args[1:], Dir: dir, Stdout: os.Stdout, Stderr: os.Stderr})
	stop()
	os.Exit(status)
}
