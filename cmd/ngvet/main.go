// Ngvet checks Go programs that carry JavaScript, and OpenCode plugins. Run it with -h.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/ngvet/ngvet/internal/ngvet"
)

func main() {
	if ngvet.IsVetTool(os.Args[1:]) {
		ngvet.VetTool() // does not return
	}
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
