package fakeopencode

import (
	"encoding/json"
	"os"
	"strings"
	"time"
)

// printEvent prints one line of the stream (HOST.md section 5).
func printEvent(kind string, at time.Time, body map[string]any) error {
	event := map[string]any{"type": kind, "timestamp": at.UnixMilli(), "sessionID": rootSession}
	for name, value := range body {
		event[name] = value
	}
	return json.NewEncoder(os.Stdout).Encode(event)
}

func (h *fakeHost) step(string) error {
	return printEvent("step_start", time.Now(), map[string]any{"part": map[string]any{"type": "step-start"}})
}

func (h *fakeHost) text(rest string) error {
	return printEvent("text", time.Now(), map[string]any{"part": map[string]any{"type": "text", "text": rest}})
}

func (h *fakeHost) finish(string) error {
	return printEvent("step_finish", time.Now(), map[string]any{"part": map[string]any{
		"type": "step-finish",
		"cost": 0.01,
		"tokens": map[string]any{
			"total": 110, "input": 100, "output": 10, "reasoning": 0,
			"cache": map[string]any{"read": 0, "write": 0},
		},
	}})
}

func (h *fakeHost) hostError(rest string) error {
	name, message, _ := strings.Cut(rest, " ")
	return printEvent("error", time.Now(), map[string]any{
		"error": map[string]any{"name": name, "data": map[string]any{"message": message}},
	})
}

// printCall prints a call that has ended; denial is the message of the hook that threw.
func printCall(call toolCall, start time.Time, denial string) error {
	state := map[string]any{
		"status": "completed",
		"input":  call.args,
		"output": "",
		"time":   map[string]any{"start": start.UnixMilli(), "end": time.Now().UnixMilli()},
	}
	if denial != "" {
		state["status"], state["error"] = "error", denial
	}
	return printEvent("tool_use", time.Now(), map[string]any{
		"part": map[string]any{"type": "tool", "tool": call.tool, "callID": call.id, "state": state},
	})
}
