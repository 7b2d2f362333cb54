// Package flow has variables whose value depends on where they are read.
package flow

import (
	"log"
	"strings"

	"codes"
	"github.com/ngvet/ngvet/ngcore"
)

func send(code string) {}

func overwritten(text string) ngcore.Event {
	text = ngcore.SanitizeEventID(text)
	return ngcore.Event{Detail: map[string]any{"id": text}}
}

func tooEarly(text string) ngcore.Event {
	ev := ngcore.Event{Detail: map[string]any{"id": text}} // want `text may be free text`
	text = ngcore.SanitizeEventID(text)
	return ev
}

func oneBranch(text string, ok bool) ngcore.Event {
	if ok {
		text = "fine"
	}
	return ngcore.Event{Detail: map[string]any{"id": text}} // want `text may be free text`
}

func bothBranches(text string, ok bool) ngcore.Event {
	if ok {
		text = "fine"
	} else {
		text = codes.Classify(nil)
	}
	return ngcore.Event{Detail: map[string]any{"id": text}}
}

func left(text string, err error) ngcore.Event {
	code := text
	switch {
	case err == nil:
		code = "ok"
	case text == "":
		log.Fatal(text)
	case text == "x":
		panic(text)
	default:
		return ngcore.Event{}
	}
	return ngcore.Event{Detail: map[string]any{"code": code}}
}

func declared(ok bool) ngcore.Event {
	var code string
	if ok {
		code = "ok"
	}
	return ngcore.Event{Detail: map[string]any{"code": code}}
}

func result(ok bool, text string) (code string, ev ngcore.Event) {
	if ok {
		code = "ok"
	}
	ev.Detail = map[string]any{"code": code}
	code = text
	return code, ev
}

func loop(parts []string) ngcore.Event {
	code := "a"
	for range 3 {
		code += "-" + codes.Classify(nil)
	}
	bad := "a"
	for range parts {
		bad = strings.ToLower(bad) + parts[0]
	}
	late := "a"
	var evs []ngcore.Event
	for _, part := range parts {
		evs = append(evs, ngcore.Event{Detail: map[string]any{"late": late}}) // want `late may be free text`
		late = part
	}
	return ngcore.Event{Detail: map[string]any{
		"code": code,
		"bad":  bad, // want `bad may be free text`
	}}
}

func shadowed(text string) ngcore.Event {
	code := text
	{
		code := "inner"
		send(code)
	}
	return ngcore.Event{Detail: map[string]any{"code": code}} // want `code may be free text`
}

func literals(text string) ngcore.Event {
	code := "a"
	set := func() { code = text }
	set()
	read := "a"
	ev := func() ngcore.Event { return ngcore.Event{Detail: map[string]any{"read": read}} }
	send(ev().Kind)
	return ngcore.Event{Detail: map[string]any{"code": code}} // want `code may be free text`
}

func pointer(text string, fill func(*string)) ngcore.Event {
	code := "a"
	fill(&code)
	return ngcore.Event{Detail: map[string]any{"code": code}} // want `code may be free text`
}

func ranged(list []string) ngcore.Event {
	code := "a"
	for _, code = range list {
		send(code)
	}
	return ngcore.Event{Detail: map[string]any{"code": code}} // want `code may be free text`
}

func several(text string) ngcore.Event {
	code, other := "a", text
	code, other = other, code
	return ngcore.Event{Detail: map[string]any{
		"code":  code, // want `code may be free text`
		"other": other,
	}}
}
