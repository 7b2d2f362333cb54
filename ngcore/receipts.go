package ngcore

import (
	"fmt"

	"github.com/ngvet/ngvet/plugin"
)

// Receipt is one line of a run's receipts: the gate judged one tool call.
type Receipt = plugin.Receipt

// ReceiptsPath returns the path of a run's receipts: beside outputFile, named after runID.
// ok is false under the conditions of [EventsPath]; such a run leaves no receipts.
func ReceiptsPath(outputFile, runID string) (path string, ok bool) {
	return besideOutput(outputFile, runID, plugin.ReceiptsFileName)
}

// ToolUse is one tool_use of the run's stream.
type ToolUse struct {
	SessionID string // sessionID
	CallID    string // part.callID
	Tool      string // part.tool
	Completed bool   // part.state.status is "completed": the tool ran and succeeded
}

// ReceiptMismatch is a call whose only receipts say something else.
type ReceiptMismatch struct {
	Use     ToolUse
	Receipt Receipt
}

// ReceiptReport compares the calls of a stream with the receipts of its run.
type ReceiptReport struct {
	// Gated counts the calls with a receipt that fits.
	Gated int

	// Ungated holds the calls without a receipt: the gate was not asked.
	Ungated []ToolUse

	// Mismatched holds calls that completed although the gate denied them, and calls of
	// another tool than the one that was judged.
	Mismatched []ReceiptMismatch

	// Unexecuted holds receipts without a call, of sessions that the stream shows. A run
	// that was stopped in the middle of a call has one; it is no error.
	Unexecuted []Receipt

	// Unseen counts receipts of other sessions. The stream shows the root session only
	// (HOST.md section 5), the receipts those of sub-agents as well.
	Unseen int
}

// Err returns an *UngatedError when a call is ungated or mismatched, else nil.
func (r ReceiptReport) Err() error {
	if len(r.Ungated) == 0 && len(r.Mismatched) == 0 {
		return nil
	}
	return &UngatedError{Report: r}
}

// UngatedError says that the plugin loaded and yet did not gate every call.
type UngatedError struct {
	Report ReceiptReport
}

// Error names the first call of each fault.
func (e *UngatedError) Error() string {
	r := e.Report
	text := fmt.Sprintf("plugin loaded but not gating: expected a fitting receipt for each of %d tool calls, found %d",
		r.Gated+len(r.Ungated)+len(r.Mismatched), r.Gated)
	if len(r.Ungated) > 0 {
		text += fmt.Sprintf("; no receipt for %s", r.Ungated[0])
	}
	if len(r.Mismatched) > 0 {
		m := r.Mismatched[0]
		text += fmt.Sprintf("; %s has a receipt %s (%s) for tool %s", m.Use, m.Receipt.Decision, m.Receipt.Code, quote(m.Receipt.Tool))
	}
	return text
}

// String names the call and how it ended. Its ids are quoted and cut.
func (u ToolUse) String() string {
	state := "failed"
	if u.Completed {
		state = "completed"
	}
	return fmt.Sprintf("%s call %s of session %s, which %s", quote(u.Tool), quote(u.CallID), quote(u.SessionID), state)
}

// CheckReceipts tells whether the gate judged every call that the stream shows. toolUses
// are the stream's calls of one run, in any order; receipts are those of the same run.
//
// A completed call needs an allow receipt of its tool. A failed one needs a receipt of
// either kind, for it was denied or it failed by itself. Receipts are used up: a call id
// that a model server gives twice needs two.
func CheckReceipts(toolUses []ToolUse, receipts []Receipt) ReceiptReport {
	m := newReceiptMatcher(toolUses, receipts)
	// Completed calls choose first: under one call id, a failed call must not use up the
	// allow receipt that a completed one needs.
	m.match(func(u ToolUse, r Receipt) bool {
		return u.Completed && r.Decision == plugin.DecisionAllow && r.Tool == plugin.ReceiptID(u.Tool)
	})
	m.match(func(u ToolUse, r Receipt) bool {
		return !u.Completed && r.Tool == plugin.ReceiptID(u.Tool)
	})
	report := ReceiptReport{Gated: len(toolUses) - len(m.open)}
	for _, use := range m.open {
		if r, ok := m.take(use, func(ToolUse, Receipt) bool { return true }); ok {
			report.Mismatched = append(report.Mismatched, ReceiptMismatch{Use: use, Receipt: r})
		} else {
			report.Ungated = append(report.Ungated, use)
		}
	}
	for i, r := range receipts {
		switch {
		case m.used[i]:
		case m.sessions[r.SessionID]:
			report.Unexecuted = append(report.Unexecuted, r)
		default:
			report.Unseen++
		}
	}
	return report
}

// callKey names a call as receipts do.
type callKey struct{ session, call string }

func (u ToolUse) key() callKey {
	return callKey{plugin.ReceiptID(u.SessionID), plugin.ReceiptID(u.CallID)}
}

// receiptMatcher pairs calls with receipts.
type receiptMatcher struct {
	open     []ToolUse // calls that have no receipt yet
	receipts []Receipt
	used     []bool            // by index of receipts
	byCall   map[callKey][]int // indexes of receipts
	sessions map[string]bool   // sessions of the stream
}

func newReceiptMatcher(toolUses []ToolUse, receipts []Receipt) *receiptMatcher {
	m := &receiptMatcher{
		open:     toolUses,
		receipts: receipts,
		used:     make([]bool, len(receipts)),
		byCall:   map[callKey][]int{},
		sessions: map[string]bool{},
	}
	for i, r := range receipts {
		key := callKey{r.SessionID, r.CallID}
		m.byCall[key] = append(m.byCall[key], i)
	}
	for _, use := range toolUses {
		m.sessions[use.key().session] = true
	}
	return m
}

// match pairs every open call with a receipt that fits, and keeps the others open.
func (m *receiptMatcher) match(fits func(ToolUse, Receipt) bool) {
	var open []ToolUse
	for _, use := range m.open {
		if _, ok := m.take(use, fits); !ok {
			open = append(open, use)
		}
	}
	m.open = open
}

func (m *receiptMatcher) take(use ToolUse, fits func(ToolUse, Receipt) bool) (Receipt, bool) {
	for _, i := range m.byCall[use.key()] {
		if r := m.receipts[i]; !m.used[i] && fits(use, r) {
			m.used[i] = true
			return r, true
		}
	}
	return Receipt{}, false
}
