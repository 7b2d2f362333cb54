package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"sync"
)

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

// ReceiptCode is the regular expression of a receipt's code.
//
//ngvet:mirror nightgauge/receipts.js#RECEIPT_CODE
const ReceiptCode = "^[a-z][a-z0-9_]{0,63}$"

// Compiling takes longer than judging a call, and only readers of receipts need it.
var receiptCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(ReceiptCode) })

// IsReceiptCode reports whether a code has the form of ReceiptCode.
func IsReceiptCode(code string) bool {
	return receiptCode().MatchString(code)
}

// Receipt records that the gate judged one tool call: one line of JSON per call of
// tool.execute.before. All keys are always present.
//
// SessionID, CallID and Tool have the form of ReceiptID.
//
//ngvet:mirror nightgauge/receipts.js#returned(receipt)
type Receipt struct {
	V         int    `json:"v"`          // ReceiptFormat
	TS        string `json:"ts"`         // RFC 3339, UTC, milliseconds
	SessionID string `json:"session_id"` // the session that made the call, a sub-agent's too
	CallID    string `json:"call_id"`    // the host's id of the call
	Tool      string `json:"tool"`       // the tool as the host named it to the hook
	Decision  string `json:"decision"`   // DecisionAllow or DecisionDeny
	Code      string `json:"code"`       // why; has the form of ReceiptCode
}

// ReceiptsFileName is the name of a run's receipts, beside its output file.
//
//ngvet:mirror nightgauge/receipts.js#receiptsFileName
func ReceiptsFileName(runID string) string {
	return "opencode-gate-" + runID + ".jsonl"
}

// ReceiptLineMaxBytes bounds one line, its newline included. One is at most about 700
// bytes long.
//
//ngvet:mirror nightgauge/receipts.js#RECEIPT_LINE_MAX_BYTES
const ReceiptLineMaxBytes = 1 << 10

// ReceiptID is the form in which a receipt carries a name that the host chose: the name
// itself when it is an opaque id (at most EventIDMaxBytes of A-Z a-z 0-9 . _ : -, the
// first a letter or digit), else a digest of it. Free text never reaches the file, and a
// call still matches its receipt. Its twin is receiptID in receipts.js; both are held to
// test/receipt_ids.json.
func ReceiptID(name string) string {
	if name == "" || isReceiptID(name) {
		return name
	}
	digest := sha256.Sum256([]byte(name))
	return "sha256:" + hex.EncodeToString(digest[:])
}

func isReceiptID(s string) bool {
	if len(s) > EventIDMaxBytes {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case i > 0 && (c == '.' || c == '_' || c == ':' || c == '-'):
		default:
			return false
		}
	}
	return true
}
