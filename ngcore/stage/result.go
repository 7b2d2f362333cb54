package stage

import "time"

// Class says how a run ended. Classes are stable.
type Class string

// The classes of a run.
const (
	// OK: the plugin loaded and judged every call, OpenCode ended well, and stop-verify
	// found the work complete.
	OK Class = "ok"

	// Blocked: the work is not done, says stop-verify, or it could not be verified.
	Blocked Class = "blocked"

	// NoVerdict: OpenCode ended well, but nothing tells whether the work is done.
	NoVerdict Class = "no_verdict"

	// HostError: OpenCode ended with an error, such as one of the model's server.
	HostError Class = "host_error"

	// PluginFatal: OpenCode ended with an error while it loaded the plugin.
	PluginFatal Class = "plugin_fatal"

	// Hung: OpenCode printed nothing for the idle timeout and was killed.
	Hung Class = "hung"

	// Interrupted: the caller ended the run, or the time limit of the whole run did.
	Interrupted Class = "interrupted"

	// Incompatible: the plugin, its hooks or OpenCode is of a version that does not fit.
	Incompatible Class = "incompatible"

	// Ungated: it cannot be shown that the plugin judged every tool call. It did not
	// load, loaded late, was replaced or changed, or a call has no receipt. The work of
	// such a run must not be used. It goes before every other class but Incompatible.
	Ungated Class = "ungated"
)

// Result is what a run was. Its JSON form is that of "nightgauge run --json".
type Result struct {
	Class  Class  `json:"class"`
	Reason string `json:"reason"` // why this class, with expected and found
	Err    error  `json:"-"`      // the cause when it has a type, such as *ngcore.IncompatibleError

	RunID           string `json:"run_id"`
	OpenCodeVersion string `json:"opencode_version"`
	SessionID       string `json:"session_id,omitempty"`

	ExitCode int    `json:"exit_code"` // of OpenCode, -1 when it was ended by a signal or not started
	Signal   string `json:"signal,omitempty"`

	Start      time.Time `json:"start"`
	DurationMS int64     `json:"duration_ms"`

	Steps  int     `json:"steps"`
	Tokens Tokens  `json:"tokens"` // of the root session, as are Cost and Calls
	Cost   float64 `json:"cost_usd"`
	Calls  []Call  `json:"calls"` // in the order of their end

	Allowed int `json:"allowed"` // by receipts, those of sub-agents too
	Denied  int `json:"denied"`

	Compactions    int      `json:"compactions"`
	PermissionAsks int      `json:"permission_asks"`
	Verdict        *Verdict `json:"verdict,omitempty"`

	HostErrors   []string `json:"host_errors,omitempty"` // that the stream reports, the last 20
	SkippedLines int      `json:"skipped_lines"`         // of the stream, that are no event
	Notes        []string `json:"notes,omitempty"`       // what else is worth knowing
	Files        Files    `json:"files"`
}

// Call is one tool call as the stream shows it, with the receipt of the gate.
type Call struct {
	CallID   string `json:"call_id"`
	Tool     string `json:"tool"`
	Status   string `json:"status"`             // completed or error
	Decision string `json:"decision,omitempty"` // allow or deny, "" without a receipt
	Code     string `json:"code,omitempty"`     // why
}

// Verdict is what stop-verify found out.
type Verdict struct {
	Verdict string `json:"verdict"` // complete, blocked, timeout or error
	Code    string `json:"code"`
	Open    int    `json:"open"` // open task boxes of the plan
	Done    int    `json:"done"` // ticked ones
	Exit    *int   `json:"exit,omitempty"`
}

// UpdateKind says what an Update is about.
type UpdateKind string

// The kinds of Update. A run begins with UpdateStart.
const (
	UpdateStart      UpdateKind = "start"      // OpenCode is about to be started: Version, Root
	UpdateStep       UpdateKind = "step"       // the model was asked: Step
	UpdateText       UpdateKind = "text"       // the model said something: Text
	UpdateCall       UpdateKind = "call"       // a tool call ended: Tool, Status, Denied, Text
	UpdateError      UpdateKind = "error"      // OpenCode reported an error: Text
	UpdateCompaction UpdateKind = "compaction" // a session was compacted
	UpdatePermission UpdateKind = "permission" // a permission was asked for, which "run" refuses
	UpdateVerify     UpdateKind = "verify"     // OpenCode has ended, the verdict is waited for
)

// Update is one thing that happened in a run. Strings of the host and the model are as
// they came, and cut after 4 KiB.
type Update struct {
	Kind    UpdateKind
	Version string // of OpenCode
	Root    string // Files.Root
	Step    int    // from 1
	Tool    string
	Status  string // completed or error
	Denied  bool   // the gate refused the call
	Text    string // UpdateCall: the error's message
}
