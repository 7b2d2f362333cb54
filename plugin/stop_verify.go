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
