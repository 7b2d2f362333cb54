package gate

// Decision says whether a call runs.
type Decision string

// The two decisions.
const (
	Allow Decision = "allow"
	Deny  Decision = "deny"
)

// Code names the rule that decided, for receipts and statistics. The set is closed:
// docs/gate.md lists what each one means.
type Code string

// Codes of an allowed call.
const (
	CodeAllowed      Code = "allowed"       // no rule spoke against it
	CodeHarmless     Code = "harmless"      // the tool changes nothing outside the session
	CodeOperatorRule Code = "operator_rule" // the operator's policy allows the tool
)

// Codes of a denied call that could not be judged.
const (
	CodeBadCall       Code = "bad_call"       // the question itself is malformed
	CodeNoArgs        Code = "no_args"        // the host gave no arguments
	CodeBadArgs       Code = "bad_args"       // an argument is missing or has the wrong type
	CodeUnknownTool   Code = "unknown_tool"   // the policy does not know the tool
	CodePolicyInvalid Code = "policy_invalid" // the operator's policy cannot be used
	CodeNoCommand     Code = "no_command"     // nothing in the text is a command
	CodeParseError    Code = "parse_error"    // the command is no shell program
	CodeTooComplex    Code = "too_complex"    // size, nesting or number of cases
	CodeDynamic       Code = "dynamic"        // a command or a target is known only at run time
	CodeUnseenCode    Code = "unseen_code"    // code from a pipe, a download or an encoding
)

// Codes of a denied call that was understood.
const (
	CodeToolDenied       Code = "tool_denied"       // the policy denies the tool
	CodeCommandDenied    Code = "command_denied"    // the operator's policy denies the command
	CodeOutsideWorkspace Code = "outside_workspace" // a path outside the workspace
	CodeSecret           Code = "secret"            // reads or writes credentials
	CodeGitInternals     Code = "git_internals"     // changes files of git itself
	CodeSelfProtection   Code = "self_protection"   // changes the gate, its wiring or its records
	CodeReadOnly         Code = "read_only"         // the stage may not write
	CodeDestroysFiles    Code = "destroys_files"    // deletes or damages more than is safe
	CodeDestroysData     Code = "destroys_data"     // deletes data or infrastructure
	CodeLosesWork        Code = "loses_work"        // loses uncommitted work or history
	CodeSkipsHooks       Code = "skips_hooks"       // bypasses the repository's own checks
	CodePublishes        Code = "publishes"         // makes something public or permanent
	CodeUserConfig       Code = "user_config"       // changes the user's own configuration
	CodeSystemChange     Code = "system_change"     // changes the machine
	CodeDelegates        Code = "delegates"         // starts an agent that nothing gates
	CodeNoOperator       Code = "no_operator"       // waits for a person
	CodeURL              Code = "url"               // a URL that must not be fetched
)

// ruleCodes are the codes that a rule of a policy file may give its denials.
var ruleCodes = []Code{
	CodeCommandDenied, CodeSecret, CodeSelfProtection, CodeDestroysFiles, CodeDestroysData, CodeLosesWork,
	CodeSkipsHooks, CodePublishes, CodeUserConfig, CodeSystemChange, CodeDelegates, CodeUnseenCode,
}

// Verdict is the answer to one call. Reason is one or two sentences; that of a denial
// says what to do instead, because the model reads it as the tool's result.
type Verdict struct {
	Decision Decision
	Code     Code
	Reason   string
}

func denied(code Code, reason string) Verdict {
	return Verdict{Decision: Deny, Code: code, Reason: reason}
}
