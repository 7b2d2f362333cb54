package plugin

import "time"

// GateVerb is the command line, after the hook binary, of the child that judges one tool
// call. It gets a GateCall on standard input and answers with one line on standard output.
//
//ngvet:mirror nightgauge/judge.js#GATE_VERB
var GateVerb = []string{"hook", "gate"}

// GateTimeout is how long the plugin waits for a verdict before it kills the child's
// process group and denies the call. A verdict takes milliseconds; the bound is wide
// because a loaded machine would otherwise stall an unattended run with denials.
//
//ngvet:mirror nightgauge/judge.js#GATE_TIMEOUT_MS as=ms
const GateTimeout = 10 * time.Second

// GateOutputMaxBytes bounds what the child may print. More is no verdict, and a deny.
//
//ngvet:mirror nightgauge/judge.js#GATE_OUTPUT_MAX_BYTES
const GateOutputMaxBytes = 64 << 10

// GateFormat is the value of the key v of a gate call and of its verdict.
//
//ngvet:mirror nightgauge/judge.js#GATE_FORMAT
const GateFormat = 1

// GateCall is the question that the plugin asks, one JSON object on the child's standard
// input. Args is absent when the host gave none.
//
//ngvet:mirror nightgauge/judge.js#returned(gateCall)
type GateCall struct {
	V         int            `json:"v"`              // GateFormat
	Tool      string         `json:"tool"`           // the tool as the host names it
	Args      map[string]any `json:"args,omitempty"` // model text: never on a command line
	SessionID string         `json:"session_id"`
	CallID    string         `json:"call_id"`
	Child     bool           `json:"child"`     // a sub-agent's session made the call
	Directory string         `json:"directory"` // absolute, where relative paths start
	Worktree  string         `json:"worktree"`  // absolute root of the work tree
	Protected []string       `json:"protected"` // files and directories that no tool may change
}

// HarmlessTools names the tools that the plugin allows without asking the child. They
// read and write nothing outside the session. Each still leaves a receipt, with the code
// HarmlessCode, and a policy cannot deny them.
//
//ngvet:mirror nightgauge/gates.js#HARMLESS_TOOLS unordered
var HarmlessTools = []string{"invalid", "plan_exit", "skill", "todoread", "todowrite"}

// HarmlessCode is the code of the receipt of a harmless tool's call.
//
//ngvet:mirror nightgauge/gates.js#HARMLESS_CODE
const HarmlessCode = "harmless"
