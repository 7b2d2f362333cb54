// Package nightgauge is the command line of cmd/nightgauge, kept apart from package main
// so that test scripts can run it in-process.
//
// Every command takes its streams and its environment from an Invocation; none of them
// touches os.Args, os.Exit or a global.
package nightgauge

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Exit statuses of every command.
const (
	ExitOK    = 0 // the command did its work
	ExitFail  = 1 // the command ran and its answer is no
	ExitUsage = 2 // the command line or the environment is unusable
)

// Invocation is one call of the command line. Args excludes the program's name.
type Invocation struct {
	Args   []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string

	// Executable is the absolute path of this program, which the plugin calls back. Only
	// package main knows it: a library that asked the system would name whatever program
	// it is linked into (BUGS.md B74).
	Executable string
}

// command is one verb. Its run gets the arguments that follow the verb.
type command struct {
	name    string // words separated by one space, such as "hook gate"
	args    string // what follows the name in a usage line
	summary string
	run     func(ctx context.Context, inv Invocation) int
}

func commands() []command {
	return []command{
		eventsCommand(),
		gateExplainCommand(),
		gateTestCommand(),
		hookGateCommand(),
		hookStopVerifyCommand(),
		runCommand(),
	}
}

// Main runs one command line and returns its exit status.
func Main(ctx context.Context, inv Invocation) int {
	if len(inv.Args) == 0 {
		usage(inv.Stderr)
		return ExitUsage
	}
	switch inv.Args[0] {
	case "help", "-h", "-help", "--help":
		usage(inv.Stdout)
		return ExitOK
	}
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(inv.Args) >= len(words) && strings.Join(inv.Args[:len(words)], " ") == c.name {
			inv.Args = inv.Args[len(words):]
			return c.run(ctx, inv)
		}
	}
	fmt.Fprintf(inv.Stderr, "error: unknown command %q\nhint: nightgauge help lists the commands\n", strings.Join(inv.Args, " "))
	return ExitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "nightgauge gates and verifies OpenCode runs.\n\nUsage: nightgauge COMMAND [ARGUMENTS]\n\n")
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(tw, "  %s %s\t%s\n", c.name, c.args, c.summary)
	}
	tw.Flush()
	fmt.Fprint(w, "\nExit status: 0 done, 1 the answer is no, 2 usage or environment.\nEach command explains itself with -h.\n")
}
