package nightgauge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	strictjson "github.com/go-json-experiment/json"

	"github.com/ngvet/ngvet/ngcore/gate"
	"github.com/ngvet/ngvet/plugin"
)

// gateCallMaxBytes bounds one call on standard input. The largest honest one carries a
// whole file for the write tool.
const gateCallMaxBytes = 8 << 20

const hookGateHelp = `nightgauge hook gate judges one tool call for the plugin.

It reads one JSON object from standard input and prints one line with the decision, a
code and a reason. The exit status is 0 for both decisions; anything but a printed
decision is a denial. NIGHTGAUGE_GATE_POLICY names the operator's policy file,
NIGHTGAUGE_STAGE the stage whose rules apply.
`

func hookGateCommand() command {
	return command{
		name:    "hook gate",
		summary: "judge the tool call on standard input (called by the plugin)",
		run:     runHookGate,
	}
}

func runHookGate(_ context.Context, inv Invocation) int {
	if len(inv.Args) != 0 {
		return explain(inv, hookGateHelp)
	}
	line, err := json.Marshal(gateAnswer(judgeInput(inv)))
	if err == nil {
		_, err = inv.Stdout.Write(append(line, '\n'))
	}
	if err != nil {
		fmt.Fprintf(inv.Stderr, "error: write the verdict: %v\n", err)
		return ExitFail
	}
	return ExitOK
}

// explain answers -h with text, and any other argument with an error that points to it.
func explain(inv Invocation, text string) int {
	if len(inv.Args) == 1 && (inv.Args[0] == "-h" || inv.Args[0] == "-help" || inv.Args[0] == "--help") {
		fmt.Fprint(inv.Stdout, text)
		return ExitOK
	}
	fmt.Fprintf(inv.Stderr, "error: unexpected arguments %q\nhint: run the command with -h\n", inv.Args)
	return ExitUsage
}

// gateVerdict is the answer's JSON form.
type gateVerdict struct {
	V        int           `json:"v"`
	Decision gate.Decision `json:"decision"`
	Code     gate.Code     `json:"code"`
	Reason   string        `json:"reason"`
}

func gateAnswer(v gate.Verdict) gateVerdict {
	return gateVerdict{plugin.GateFormat, v.Decision, v.Code, v.Reason}
}

// judgeInput judges the call on standard input. What keeps it from a judgement is a
// denial, never an error: the caller has to be told in the one way that it listens to.
func judgeInput(inv Invocation) gate.Verdict {
	call, err := readGateCall(inv.Stdin)
	if err != nil {
		return gate.Verdict{Decision: gate.Deny, Code: gate.CodeBadCall, Reason: err.Error()}
	}
	policy, policyPath, err := loadGatePolicy(inv.Getenv)
	if err != nil {
		return gate.Verdict{Decision: gate.Deny, Code: gate.CodePolicyInvalid, Reason: err.Error() + ". The operator has to repair it; no call runs until then."}
	}
	ws, err := gate.NewWorkspace(gate.WorkspaceConfig{
		Root:      call.Worktree,
		Dir:       call.Directory,
		Home:      inv.Getenv("HOME"),
		Temp:      inv.Getenv("TMPDIR"),
		Protected: append(call.Protected, policyPath...),
	})
	if err != nil {
		return gate.Verdict{Decision: gate.Deny, Code: gate.CodeBadCall, Reason: err.Error()}
	}
	return gate.Decide(policy, gate.Call{Tool: call.Tool, Args: call.Args}, ws)
}

// readGateCall reads and checks one call. Unknown and duplicate keys are errors: plugin
// and binary are one release, so a difference between them is a fault.
func readGateCall(r io.Reader) (plugin.GateCall, error) {
	var call plugin.GateCall
	data, err := io.ReadAll(io.LimitReader(r, gateCallMaxBytes+1))
	if err != nil {
		return call, fmt.Errorf("read the call: %w", err)
	}
	if len(data) > gateCallMaxBytes {
		return call, fmt.Errorf("read the call: expected at most %d bytes. Write the file in parts", gateCallMaxBytes)
	}
	if err := strictjson.Unmarshal(data, &call, strictjson.RejectUnknownMembers(true)); err != nil {
		return call, fmt.Errorf("read the call: %w", err)
	}
	if call.V != plugin.GateFormat {
		return call, fmt.Errorf("read the call: v is %d: expected %d", call.V, plugin.GateFormat)
	}
	if call.Tool == "" {
		return call, errors.New("read the call: expected a tool name")
	}
	return call, nil
}

// loadGatePolicy returns the policy of this environment and, as a list of at most one,
// the operator's file, which the gate protects like its own.
func loadGatePolicy(getenv func(string) string) (policy *gate.Policy, file []string, err error) {
	path := getenv(plugin.EnvGatePolicy)
	if path == "" {
		return gate.Careful(), nil, nil
	}
	if !filepath.IsAbs(path) {
		return nil, nil, fmt.Errorf("%s is %q: expected an absolute path", plugin.EnvGatePolicy, path)
	}
	data, err := readPolicyFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read the gate policy: %w", err)
	}
	policy, err = gate.ParsePolicy(data, getenv(plugin.EnvStage))
	if err != nil {
		return nil, nil, fmt.Errorf("gate policy %s: %w", path, err)
	}
	return policy, []string{path}, nil
}

// readPolicyFile reads a regular file of bounded size. The type is checked before the
// file is opened, because opening a FIFO would wait for its writer.
func readPolicyFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s: expected a regular file", path, info.Mode().Type())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	_, err = io.Copy(&b, io.LimitReader(f, gate.PolicyMaxBytes+1))
	return b.Bytes(), err
}
