//go:build unix

// Command e2e runs the real OpenCode, offline, with the plugin and a scripted model, and
// checks what only the real host can show: that the plugin loads, that a denied call does
// not run, and that the report is complete although the host leaves without waiting.
//
// scripts/e2e-smoke.sh installs OpenCode, builds the hook binary and calls it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	opencode := flag.String("opencode", "", "absolute path of the opencode executable")
	hookBin := flag.String("hook", "", "absolute path of the nightgauge executable")
	only := flag.String("only", "", "run the scenario of this name alone")
	keep := flag.Bool("keep", false, "keep the runs' directories and print them")
	flag.Parse()
	if flag.NArg() > 0 || !filepath.IsAbs(*opencode) || !filepath.IsAbs(*hookBin) {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	failed, err := runAll(ctx, host{opencode: *opencode, hookBin: *hookBin, keep: *keep}, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	if failed > 0 {
		fmt.Printf("\n%d checks failed\n", failed)
		os.Exit(1)
	}
	fmt.Println("\nall checks passed")
}

// runAll runs the scenarios one after the other and returns how many checks failed.
func runAll(ctx context.Context, h host, only string) (failed int, err error) {
	for _, s := range scenarios() {
		if only != "" && only != s.name {
			continue
		}
		start := time.Now()
		r, err := h.run(ctx, s)
		if err != nil {
			return failed, fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Printf("\n%s: %s (%.1f s)\n", s.name, s.shows, time.Since(start).Seconds())
		c := &checks{}
		checkRun(c, r)
		s.check(c, r)
		failed += c.failed
		if c.failed > 0 {
			r.dump(os.Stdout)
		}
		r.close()
	}
	return failed, nil
}

// checks prints each check and counts those that fail.
type checks struct {
	failed int
}

func (c *checks) that(ok bool, format string, args ...any) {
	mark := "ok  "
	if !ok {
		mark = "FAIL"
		c.failed++
	}
	fmt.Printf("  %s %s\n", mark, fmt.Sprintf(format, args...))
}
