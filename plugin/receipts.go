package plugin

// ReceiptFormat is the value of a receipt's key v.
//
//ngvet:mirror nightgauge/receipts.js#RECEIPT_FORMAT
const ReceiptFormat = 1

// ReceiptsMaxBytes bounds a run's receipts, about 70,000 tool calls. The plugin denies
// every call past it: a call that cannot be recorded cannot be proven to have been gated.
//
//ngvet:mirror nightgauge/receipts.js#RECEIPTS_MAX_BYTES
const ReceiptsMaxBytes = 16 << 20

// Decisions of the gate, as receipts carry them.
//
//ngvet:mirror nightgauge/receipts.js#DECISIONS
const (
	DecisionAllow = "allow"
	DecisionDeny  = "deny"
)

// Receipt records that the gate judged one tool call: one line of JSON per call of
// tool.execute.before. All keys are always present.
//
// SessionID, CallID and Tool are opaque: an id of the host as it is, or "sha256:" and a
// digest when it is not one (see receiptID in receipts.js).
//
//ngvet:mirror nightgauge/receipts.js#returned(receipt)
type Receipt struct {
	V         int    `json:"v"`          // ReceiptFormat
	TS        string `json:"ts"`         // RFC 3339, UTC, milliseconds
	SessionID string `json:"session_id"` // the session that made the call, a sub-agent's too
	CallID    string `json:"call_id"`    // the host's id of the call
	Tool      string `json:"tool"`       // the tool as the host named it to the hook
	Decision  string `json:"decision"`   // DecisionAllow or DecisionDeny
	Code      string `json:"code"`       // why, in snake case
}

// ReceiptsFileName is the name of a run's receipts, beside its output file.
//
//ngvet:mirror nightgauge/receipts.js#receiptsFileName
func ReceiptsFileName(runID string) string {
	return "opencode-gate-" + runID + ".jsonl"
}
