package modelserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// wireRequest is the body of a chat completion request, as far as it is of interest.
type wireRequest struct {
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"` // a string, a list of parts, or null
	} `json:"messages"`
}

func (w wireRequest) messages() (messages []Message) {
	for _, m := range w.Messages {
		messages = append(messages, Message{Role: m.Role, Text: contentText(m.Content)})
	}
	return messages
}

func contentText(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	// Content of any other form has no text.
	_ = json.Unmarshal(content, &parts)
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, "\n")
}

// stream writes one reply as server-sent events.
type stream struct {
	w         http.ResponseWriter
	firstCall int // number of the reply's first call; ids are unique in a server
}

// send writes the chunks in the order that the host's SDK expects: role, text, calls, the
// reason for the end, the usage.
func (s stream) send(reply Reply) {
	s.delta(map[string]any{"role": "assistant", "content": ""}, nil)
	if reply.Text != "" {
		s.delta(map[string]any{"content": reply.Text}, nil)
	}
	for i, call := range reply.Calls {
		s.delta(map[string]any{"tool_calls": []any{s.call(i, call)}}, nil)
	}
	finish := "stop"
	if len(reply.Calls) > 0 {
		finish = "tool_calls"
	}
	s.delta(map[string]any{}, finish)
	tokens := reply.PromptTokens
	if tokens == 0 {
		tokens = 100
	}
	s.chunk([]any{}, map[string]any{"prompt_tokens": tokens, "completion_tokens": 10, "total_tokens": tokens + 10})
	io.WriteString(s.w, "data: [DONE]\n\n")
}

func (s stream) call(i int, call Call) map[string]any {
	args, err := json.Marshal(call.Args)
	if err != nil {
		panic(fmt.Sprintf("modelserver: arguments of a scripted %s call: %v", call.Tool, err))
	}
	return map[string]any{
		"index":    i,
		"id":       fmt.Sprintf("call_%d", s.firstCall+i),
		"type":     "function",
		"function": map[string]any{"name": call.Tool, "arguments": string(args)},
	}
}

func (s stream) delta(delta map[string]any, finish any) {
	s.chunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}, nil)
}

func (s stream) chunk(choices []any, usage any) {
	chunk := map[string]any{
		"id":      fmt.Sprintf("chatcmpl-%d", s.firstCall),
		"object":  "chat.completion.chunk",
		"created": 0,
		"model":   Model,
		"choices": choices,
	}
	if usage != nil {
		chunk["usage"] = usage
	}
	line, err := json.Marshal(chunk)
	if err != nil {
		panic(fmt.Sprintf("modelserver: chunk: %v", err)) // of plain values only
	}
	fmt.Fprintf(s.w, "data: %s\n\n", line)
}
