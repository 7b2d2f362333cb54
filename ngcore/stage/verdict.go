package stage

import (
	"context"
	"fmt"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

// verdictBound is how long the verdicts are waited for after OpenCode has ended. The child
// that writes one takes at most 5 s.
const verdictBound = 8 * time.Second

// awaitVerdict waits until every stop-verify child has written its event: OpenCode is gone
// before them (HOST.md section 4). A full events file still admits them, and is no reason
// to stop waiting.
func (s *supervisor) awaitVerdict(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, verdictBound)
	defer cancel()
	events, err := ngcore.ReadRunEvents(s.files.Events)
	if err != nil {
		return // takeEvents reports it
	}
	// OpenCode has ended, so that its last idle event is there.
	missing := max(1, s.stops(events))
	for ev, err := range ngcore.Tail(ctx, s.files.Events) {
		if err != nil {
			return
		}
		if s.isVerdict(ev) {
			missing--
		}
		if missing == 0 {
			return
		}
	}
}

// isVerdict tells the verdict of the root session from one of another session.
func (s *supervisor) isVerdict(ev ngcore.Event) bool {
	return ev.Kind == "stop_verify" && s.isRoot(ev)
}

// isStop reports whether the plugin started a verifying child at this place. A full file
// may be missing one.
func (s *supervisor) isStop(ev ngcore.Event) bool {
	return ev.Kind == "idle" && s.isRoot(ev) || ev.Kind == ngcore.EventsTruncatedKind
}

func (s *supervisor) isRoot(ev ngcore.Event) bool {
	return !ev.Child && ev.SessionID == ngcore.SanitizeEventID(s.result.SessionID)
}

func (s *supervisor) stops(events []ngcore.Event) int {
	n := 0
	for _, ev := range events {
		if s.isStop(ev) {
			n++
		}
	}
	return n
}

func (s *supervisor) takeEvents() {
	events, err := ngcore.ReadRunEvents(s.files.Events)
	if err != nil {
		s.note("%v", err)
	}
	for _, ev := range events {
		switch ev.Kind {
		case "compaction":
			s.result.Compactions++
		case "permission_ask":
			s.result.PermissionAsks++
		case ngcore.EventsTruncatedKind:
			s.note("the events file was full: later events are missing")
		}
	}
	s.result.Verdict = s.verdictIn(events)
}

// verdictIn returns the verdict on the last stop, nil while one of them has none. The
// verdict on an earlier stop can come after the last one, and nothing in the file tells the
// two apart: the first that is not complete counts.
func (s *supervisor) verdictIn(events []ngcore.Event) *Verdict {
	missing := s.stops(events)
	var last *Verdict
	for _, ev := range events {
		if s.isStop(ev) {
			last = nil
		}
		if !s.isVerdict(ev) {
			continue
		}
		missing--
		if last == nil || last.Verdict == verdictComplete {
			last = verdictOf(ev.Detail)
		}
	}
	if missing > 0 {
		return nil
	}
	return last
}

const verdictComplete = "complete"

func verdictOf(detail map[string]any) *Verdict {
	var v Verdict
	v.Verdict, _ = detail["verdict"].(string)
	v.Code, _ = detail["code"].(string)
	v.Open, _ = detail["open"].(int)
	v.Done, _ = detail["done"].(int)
	if exit, ok := detail["exit"].(int); ok {
		v.Exit = &exit
	}
	return &v
}

func (s *supervisor) concludeVerdict(ctx context.Context) {
	v := s.result.Verdict
	switch {
	case v == nil && ctx.Err() != nil:
		s.conclude(Interrupted, fmt.Errorf("interrupted while the verdict was waited for: %w", context.Cause(ctx)))
	case v == nil:
		s.conclude(NoVerdict, fmt.Errorf("expected one event stop_verify for every stop within %s of OpenCode's end, found none for the last in %s", verdictBound, s.files.Events))
	case v.Verdict == verdictComplete:
		s.result.Class, s.result.Reason = OK, "the work is complete: "+v.Code
	default:
		s.conclude(Blocked, fmt.Errorf("expected the verdict %s, found %s (%s)", verdictComplete, v.Verdict, v.Code))
	}
}
