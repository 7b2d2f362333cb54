package a

import (
	"errors"
	"fmt"
	"strconv"

	"codes"
	"github.com/ngvet/ngvet/ngcore"
)

func good(id string, err error, n int, ok bool) ngcore.Event {
	code := "started"
	if err != nil {
		code = codes.Classify(err)
	}
	ev := ngcore.Event{
		Kind: "idle",
		Detail: map[string]any{
			"count":   n,
			"ok":      ok,
			"ratio":   0.5,
			"code":    code,
			"blocked": codes.Blocked,
			"kind":    new(codes.Kind).Code(),
			"plain":   string(codes.Blocked),
			"skill":   ngcore.SanitizeEventID(id),
			"joined":  "step-" + strconv.Itoa(n),
			"path":    "a/b.c:d_e",
		},
	}
	ev.Detail["more"] = n
	return ev
}

func literal(msg string, err error, v any) []ngcore.Event {
	return []ngcore.Event{
		{Kind: "idle", Detail: map[string]any{"text": msg}},                   // want `"text" names free text`
		{Kind: "idle", Detail: map[string]any{"Summary": 1}},                  // want `"Summary" names free text`
		{Kind: "idle", Detail: map[string]any{"why": "it went wrong"}},        // want `"it went wrong" is not a code`
		{Kind: "idle", Detail: map[string]any{"why": msg}},                    // want `msg may be free text`
		{Kind: "idle", Detail: map[string]any{"why": fmt.Sprintf("%v", err)}}, // want `fmt.Sprintf\("%v", err\) may be free text`
		{Kind: "idle", Detail: map[string]any{"why": codes.Describe(err)}},    // want `codes.Describe\(err\) may be free text`
		{Kind: "idle", Detail: map[string]any{"why": codes.Code(msg)}},        // want `codes.Code\(msg\) may be free text`
		{Kind: "idle", Detail: map[string]any{"why": err}},                    // want `a value of type error is no id, count or code`
		{Kind: "idle", Detail: map[string]any{"list": []string{"a"}}},         // want `a value of type \[\]string is no id, count or code`
		{Kind: "idle", Detail: map[string]any{"any": v}},                      // want `a value of type any is no id, count or code`
		{Kind: "idle", Detail: map[string]any{msg: 1}},                        // want `the name of this detail is known only at run time`
		{Kind: "idel"},                  // want `"idel" is no event kind`
		{1, "", "idel", "", false, nil}, // want `"idel" is no event kind`
	}
}

func elements(ev *ngcore.Event, msg string) {
	ev.Detail["prompt"] = 1 // want `"prompt" names free text`
	ev.Detail["why"] = msg  // want `msg may be free text`
	d := ev.Detail
	d["why"] = msg   // want `msg may be free text`
	ev.Kind = "done" // want `"done" is no event kind`
}

func variable(msg string) ngcore.Event {
	detail := map[string]any{"n": 1}
	detail["output"] = 2 // want `"output" names free text`
	if msg != "" {
		detail = map[string]any{"why": msg} // want `msg may be free text`
	}
	return ngcore.Event{Detail: detail}
}

func helper(msg string) ngcore.Event {
	ev := ngcore.Event{}
	ev.Detail = build(msg)
	fillDetail(ev.Detail)
	also := make(map[string]any)
	fill(also, msg)
	return ngcore.Event{Detail: also}
}

func build(msg string) map[string]any {
	return map[string]any{"reason": msg} // want `"reason" names free text`
}

func fill(m map[string]any, msg string) {
	m["why"] = msg // want `msg may be free text`
}

func fillDetail(m map[string]any) {
	m["parts"] = 1 // want `"parts" names free text`
}

type stamped struct{ *ngcore.Event }

func embedded(s stamped, msg string) {
	s.Detail["prompt"] = 1                       // want `"prompt" names free text`
	s.Detail = map[string]any{"why": msg}        // want `msg may be free text`
	s.Event.Detail = map[string]any{"args": msg} // want `"args" names free text`
}

func pair() (map[string]any, error) {
	return map[string]any{"content": 1}, errors.New("x") // want `"content" names free text`
}

func usesPair() ngcore.Event {
	detail, err := pair()
	if err != nil {
		return ngcore.Event{}
	}
	return ngcore.Event{Detail: detail}
}

// unrelated maps are left alone.
func unrelated(msg string) map[string]any {
	return map[string]any{"text": msg}
}

func marked(msg string) (codes.Telemetry, codes.Labels) {
	labels := codes.Labels{"step": msg} // want `msg may be free text`
	labels["title"] = "x"               // want `"title" names free text`
	return codes.Telemetry{
		Step: msg, // want `msg may be free text`
		Text: "x", // want `"Text" names free text`
	}, labels
}
