//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/modelserver"
	"github.com/ngvet/ngvet/ngcore/host"
)

// What the plugin sets numbers to. They are recognised in the requests by their text.
const (
	temperature     = 0.25
	topP            = 0.5
	maxOutputTokens = 777
)

// readBack is what is known about one output field.
type readBack struct {
	hook, field string
	found       host.ReadBack // "" when not measured
	why         string        // when not measured
}

// passes are the runs with changes. Fields that hide each other's effect are apart: a
// compaction's prompt replaces its context, the parameters of a tool its JSON schema, and
// attachments of a tool what it printed.
var passes = []struct {
	mode   string
	fields []string
}{
	{"reassign", firstFields},
	{"mutate", firstFields},
	{"reassign", []string{
		"experimental.session.compacting prompt",
		"tool.definition parameters",
		"tool.execute.after attachments",
	}},
}

var firstFields = []string{
	"chat.message message",
	"chat.message parts",
	"chat.params temperature",
	"chat.params topP",
	"chat.params maxOutputTokens",
	"chat.params options",
	"chat.headers headers",
	"command.execute.before parts",
	"tool.execute.before args",
	"shell.env env",
	"tool.execute.after title",
	"tool.execute.after output",
	"tool.execute.after metadata",
	"experimental.chat.messages.transform messages",
	"experimental.chat.system.transform system",
	"experimental.provider.small_model model",
	"experimental.session.compacting context",
	"experimental.compaction.autocontinue enabled",
	"experimental.text.complete text",
	"tool.definition description",
	"tool.definition jsonSchema",
}

// unmeasurable says why a field has no visible effect in these runs.
var unmeasurable = map[string]string{
	"chat.params topK":      "the scripted model's protocol has no such parameter",
	"permission.ask status": "the hook is not called",
}

// measure decides how the host reads a field back, by the effect of the changes: in passes,
// in their order, and in a run without any.
func measure(hook, field string, plain *trace, changed []*trace) readBack {
	r := readBack{hook: hook, field: field}
	name := hook + " " + field
	tried := false
	for i, pass := range passes {
		if !slices.Contains(pass.fields, name) || !changed[i].saw("change", name) {
			continue
		}
		tried = true
		if !hasEffect(name, pass.mode, plain, changed[i]) {
			continue
		}
		r.found = host.ByRef
		if pass.mode == "reassign" {
			r.found = host.ByValue
		}
		return r
	}
	switch {
	case unmeasurable[name] != "":
		r.why = unmeasurable[name]
	case tried:
		r.found = host.Never
	default:
		r.why = "the hook was not called with it"
	}
	return r
}

// hasEffect tells whether a change shows outside of the plugin.
func hasEffect(name, mode string, plain, changed *trace) bool {
	switch name {
	case "chat.params temperature":
		return changed.shows(fmt.Sprintf(`"temperature":%v`, temperature))
	case "chat.params topP":
		return changed.shows(fmt.Sprintf(`"top_p":%v`, topP))
	case "chat.params maxOutputTokens":
		return changed.shows(fmt.Sprintf(`"max_tokens":%d`, maxOutputTokens))
	case "experimental.provider.small_model model":
		return changed.shows(fmt.Sprintf(`"model":"%s"`, smallModel)) && !plain.shows(fmt.Sprintf(`"model":"%s"`, smallModel))
	case "experimental.compaction.autocontinue enabled":
		return goesOn(plain) && !goesOn(changed)
	case "tool.definition parameters":
		return sameParameters(changed) && !sameParameters(plain)
	}
	return changed.shows("probe:" + strings.Replace(name, " ", ":", 1) + ":" + mode)
}

// goesOn tells whether the host asks the model for more after a compaction.
func goesOn(t *trace) bool {
	return slices.ContainsFunc(t.requests, func(r modelserver.Request) bool { return r.Contains(summary) })
}

// sameParameters tells whether the model was offered grep with the arguments of glob.
func sameParameters(t *trace) bool {
	return slices.ContainsFunc(t.requests, func(r modelserver.Request) bool {
		grep, glob := parametersOf(r, "grep"), parametersOf(r, "glob")
		return len(grep) > 0 && bytes.Equal(grep, glob)
	})
}

func parametersOf(r modelserver.Request, tool string) json.RawMessage {
	var body struct {
		Tools []struct {
			Function struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	for _, t := range body.Tools {
		if t.Function.Name == tool {
			return t.Function.Parameters
		}
	}
	return nil
}
