package plugin

// StopVerifyVerb is the command line, after the hook binary, of the detached child that
// verifies a run when its root session has gone idle. Flags follow it.
//
//ngvet:mirror nightgauge/stop_verify.js#STOP_VERIFY_VERB
var StopVerifyVerb = []string{"hook", "stop-verify"}

// Flags that the plugin gives to the stop-verify child.
//
//ngvet:mirror nightgauge/stop_verify.js#STOP_VERIFY_FLAGS
const (
	StopVerifyFlagEmit    = "--emit-event"
	StopVerifyFlagWorkdir = "--workdir"
	StopVerifyFlagSession = "--session-id"
)

// Verdict is the value of the detail "verdict" of a stop_verify event.
type Verdict string

// What the stop-verify child can find. Only VerdictComplete says that the run did what was
// asked of it.
const (
	VerdictComplete Verdict = "complete" // all that was to be verified holds
	VerdictBlocked  Verdict = "blocked"  // boxes are open, or the operator's command failed
	VerdictTimeout  Verdict = "timeout"  // the operator's command, or all the rest, did not end in time
	VerdictError    Verdict = "error"    // it could not be verified
)
