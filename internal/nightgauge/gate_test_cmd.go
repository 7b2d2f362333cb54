package nightgauge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	strictjson "github.com/go-json-experiment/json"

	"github.com/ngvet/ngvet/ngcore/gate"
)

const gateTestHelp = `nightgauge gate test [-workspace DIR] FILE.jsonl judges labelled calls with the policy
of this environment (NIGHTGAUGE_GATE_POLICY, NIGHTGAUGE_STAGE) and shows where it differs
from the labels. Nothing that the calls name is run or changed.

Each line is {"tool":"bash","args":{"command":"..."},"want":"allow","why":"..."}; args may
be null, why may be absent. Without -workspace, or when DIR holds nothing (but .git), a small
workspace is made: src/a.go, src/a.txt, link-in (a link to src), link-out (a link to a
directory outside), opencode.json and .git. A DIR with content is taken as it is.

Exit status: 0 every verdict is as labelled, 1 some differ, 2 usage or unreadable input.
`

func gateTestCommand() command {
	return command{
		name:    "gate test",
		args:    "[-workspace DIR] FILE.jsonl",
		summary: "judge labelled calls and show where the policy differs from the labels",
		run:     runGateTest,
	}
}

// labelledCall is one line of a file of labelled calls.
type labelledCall struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	Want gate.Decision  `json:"want"`
	Why  string         `json:"why"`
	line int
}

func runGateTest(_ context.Context, inv Invocation) int {
	dir, operands, status := gateFlags(inv, gateTestHelp)
	if status != nil {
		return *status
	}
	if len(operands) != 1 {
		fmt.Fprintf(inv.Stderr, "error: expected one file of labelled calls, found %d\nhint: nightgauge gate test -h\n", len(operands))
		return ExitUsage
	}
	calls, err := readLabelledCalls(operands[0])
	if err != nil {
		return gateError(inv, err, "each line is one JSON object; nightgauge gate test -h shows one")
	}
	policy, protected, err := loadGatePolicy(inv.Getenv)
	if err != nil {
		return gateError(inv, err, "docs/gate.md describes the policy file")
	}
	ws, remove, err := testWorkspace(dir, protected, inv.Getenv)
	if err != nil {
		return gateError(inv, err, "name a directory that exists or can be made")
	}
	defer remove()
	return reportLabelled(inv.Stdout, operands[0], calls, policy, ws)
}

func gateError(inv Invocation, err error, hint string) int {
	fmt.Fprintf(inv.Stderr, "error: %v\nhint: %s\n", err, hint)
	return ExitUsage
}

// gateFlags parses -workspace, before or after the operands. status is set when the
// command is done.
func gateFlags(inv Invocation, help string) (workspace string, operands []string, status *int) {
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&workspace, "workspace", "", "")
	for rest := inv.Args; len(rest) > 0; {
		err := flags.Parse(rest)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(inv.Stdout, help)
			return "", nil, new(ExitOK)
		}
		if err != nil {
			return "", nil, new(gateError(inv, err, "run the command with -h"))
		}
		rest = flags.Args()
		if len(rest) > 0 {
			operands, rest = append(operands, rest[0]), rest[1:]
		}
	}
	return workspace, operands, nil
}

func readLabelledCalls(path string) ([]labelledCall, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read labelled calls: %w", err)
	}
	var calls []labelledCall
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, gateCallMaxBytes)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		call := labelledCall{line: n}
		if err := strictjson.Unmarshal(lines.Bytes(), &call, strictjson.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("read labelled calls %s:%d: %w", path, n, err)
		}
		if call.Want != gate.Allow && call.Want != gate.Deny {
			return nil, fmt.Errorf("read labelled calls %s:%d: want is %q: expected %q or %q", path, n, call.Want, gate.Allow, gate.Deny)
		}
		calls = append(calls, call)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read labelled calls %s: %w", path, err)
	}
	if len(calls) == 0 {
		return nil, fmt.Errorf("read labelled calls %s: expected at least one", path)
	}
	return calls, nil
}

// reportLabelled prints the confusion table and every mismatch.
func reportLabelled(w io.Writer, path string, calls []labelledCall, policy *gate.Policy, ws gate.Workspace) int {
	count := map[[2]gate.Decision]int{}
	var mismatches bytes.Buffer
	for _, c := range calls {
		v := gate.Decide(policy, gate.Call{Tool: c.Tool, Args: c.Args}, ws)
		count[[2]gate.Decision{c.Want, v.Decision}]++
		if v.Decision == c.Want {
			continue
		}
		fmt.Fprintf(&mismatches, "%s:%d: want %s, got %s (%s): %s %v\n    %s\n", path, c.line, c.Want, v.Decision, v.Code, c.Tool, c.Args, v.Reason)
		if c.Why != "" {
			fmt.Fprintf(&mismatches, "    label: %s\n", c.Why)
		}
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "%d calls\tallowed\tdenied\t\n", len(calls))
	for _, want := range []gate.Decision{gate.Allow, gate.Deny} {
		fmt.Fprintf(tw, "want %s\t%d\t%d\t\n", want, count[[2]gate.Decision{want, gate.Allow}], count[[2]gate.Decision{want, gate.Deny}])
	}
	tw.Flush()
	w.Write(mismatches.Bytes())
	if mismatches.Len() > 0 {
		return ExitFail
	}
	return ExitOK
}

// testWorkspace returns the workspace in dir, which is made when it is missing or empty,
// and what removes it again when dir was not named.
func testWorkspace(dir string, protected []string, getenv func(string) string) (ws gate.Workspace, remove func(), err error) {
	remove = func() {}
	if dir != "" {
		entries, err := os.ReadDir(dir)
		entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == ".git" })
		if err == nil && len(entries) > 0 {
			ws, err := openWorkspace(dir, protected, getenv)
			return ws, remove, err
		}
	} else {
		base, err := os.MkdirTemp("", "nightgauge-gate-")
		if err != nil {
			return ws, remove, fmt.Errorf("make a workspace: %w", err)
		}
		remove = func() { os.RemoveAll(base) }
		dir = filepath.Join(base, "work")
	}
	ws, err = makeWorkspace(dir, protected)
	if err != nil {
		remove()
		return ws, func() {}, fmt.Errorf("make a workspace: %w", err)
	}
	return ws, remove, nil
}

// openWorkspace is the workspace of an existing directory, for the caller's own HOME.
func openWorkspace(dir string, protected []string, getenv func(string) string) (gate.Workspace, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return gate.Workspace{}, fmt.Errorf("workspace %q: %w", dir, err)
	}
	return gate.NewWorkspace(gate.WorkspaceConfig{Root: root, Dir: root, Home: getenv("HOME"), Temp: getenv("TMPDIR"), Protected: protected})
}

// makeWorkspace fills dir and, beside it, what labelled calls find outside: a directory
// that link-out leads to, a home and a scratch directory.
func makeWorkspace(dir string, protected []string) (gate.Workspace, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return gate.Workspace{}, err
	}
	beside := root + ".outside"
	for _, d := range []string{filepath.Join(root, "src"), filepath.Join(root, ".git"), filepath.Join(beside, "home"), filepath.Join(beside, "tmp")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return gate.Workspace{}, err
		}
	}
	for _, f := range []string{"src/a.go", "src/a.txt", "opencode.json"} {
		if err := os.WriteFile(filepath.Join(root, f), []byte("a\n"), 0o600); err != nil {
			return gate.Workspace{}, err
		}
	}
	for link, target := range map[string]string{"link-in": "src", "link-out": beside} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil && !errors.Is(err, os.ErrExist) {
			return gate.Workspace{}, err
		}
	}
	return gate.NewWorkspace(gate.WorkspaceConfig{
		Root: root, Dir: root, Home: filepath.Join(beside, "home"), Temp: filepath.Join(beside, "tmp"), Protected: protected,
	})
}
