// Command nightgauge holds the hook verbs that the OpenCode plugin calls and the tools
// that read what a run reported. Run it with -h.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/ngvet/ngvet/internal/nightgauge"
)

func main() {
	// An error leaves it empty, which the one command that needs it refuses.
	executable, _ := os.Executable()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := nightgauge.Main(ctx, nightgauge.Invocation{
		Args:   os.Args[1:],
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Getenv: os.Getenv,

		Executable: executable,
	})
	stop()
	os.Exit(status)
}
