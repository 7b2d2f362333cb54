package nightgauge

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/ngvet/ngvet/ngcore/gate"
)

const gateExplainHelp = `nightgauge gate explain [-workspace DIR] 'COMMAND' shows how the gate takes a shell
command apart and what decides. Nothing is run. Each line is one simple command, with what
is known of its words: $_ is a part that only the run knows, $? is anything at all. A
command that another one runs stands before it. -workspace names the work tree (default:
the current directory).

Exit status: 0 the command is allowed, 1 it is denied, 2 usage or environment.
`

func gateExplainCommand() command {
	return command{
		name:    "gate explain",
		args:    "[-workspace DIR] 'COMMAND'",
		summary: "show how the gate reads a shell command and what decides",
		run:     runGateExplain,
	}
}

func runGateExplain(_ context.Context, inv Invocation) int {
	dir, operands, status := gateFlags(inv, gateExplainHelp)
	if status != nil {
		return *status
	}
	if len(operands) != 1 {
		fmt.Fprintf(inv.Stderr, "error: expected one command, found %d arguments\nhint: quote the command as one argument\n", len(operands))
		return ExitUsage
	}
	policy, protected, err := loadGatePolicy(inv.Getenv)
	if err != nil {
		return gateError(inv, err, "docs/gate.md describes the policy file")
	}
	ws, err := openWorkspace(cmp.Or(dir, "."), protected, inv.Getenv)
	if err != nil {
		return gateError(inv, err, "name the work tree with -workspace")
	}
	steps, v := gate.Explain(policy, operands[0], ws)
	tw := tabwriter.NewWriter(inv.Stdout, 0, 8, 2, ' ', 0)
	for i, s := range steps {
		fmt.Fprintf(tw, "%d\t%s\t%q\n", i+1, cmp.Or(string(s.Verdict.Code), "-"), s.Words)
	}
	tw.Flush()
	fmt.Fprintf(inv.Stdout, "%s: %s\n%s\n", v.Decision, v.Code, v.Reason)
	if v.Decision != gate.Allow {
		return ExitFail
	}
	return ExitOK
}
