package modelserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/internal/modelserver"
)

// answer is what a client of the API makes of one streamed reply.
type answer struct {
	Text   string
	Calls  []call
	Finish string
	Prompt int
	Done   bool
}

type call struct{ ID, Name, Arguments string }

func TestServerSpeaksTheProtocol(t *testing.T) {
	t.Parallel()
	server := start(t, modelserver.Script(
		modelserver.Reply{Text: "Two calls.", Calls: []modelserver.Call{
			{Tool: "bash", Args: map[string]any{"command": "ls"}},
			{Tool: "read", Args: map[string]any{}},
		}},
		modelserver.Reply{Calls: []modelserver.Call{{Tool: "bash", Args: map[string]any{}}}, PromptTokens: 7},
	))
	ask := `{"stream":true,"messages":[{"role":"user","content":"go"}],"tools":[{"function":{"name":"bash"}}]}`
	want := []answer{
		{"Two calls.", []call{{"call_1", "bash", `{"command":"ls"}`}, {"call_2", "read", `{}`}}, "tool_calls", 100, true},
		{"", []call{{"call_3", "bash", `{}`}}, "tool_calls", 7, true},
		{"Done.", nil, "stop", 100, true},
	}
	for i, want := range want {
		if diff := cmp.Diff(want, complete(t, server, ask)); diff != "" {
			t.Errorf("reply %d (-want +got):\n%s", i+1, diff)
		}
	}
}

func TestServerKeepsWhatItWasAsked(t *testing.T) {
	t.Parallel()
	server := start(t, modelserver.Script())
	complete(t, server, `{"messages":[
		{"role":"system","content":"be good"},
		{"role":"user","content":[{"type":"text","text":"one"},{"type":"image_url"},{"type":"text","text":"two"}]},
		{"role":"assistant","content":null},
		{"role":"tool","content":"result"}],
		"tools":[{"function":{"name":"bash"}},{"function":{"name":"read"}}]}`)
	want := []modelserver.Message{
		{Role: "system", Text: "be good"},
		{Role: "user", Text: "one\n\ntwo"},
		{Role: "assistant"},
		{Role: "tool", Text: "result"},
	}
	got := server.Requests()
	if len(got) != 1 {
		t.Fatalf("%d requests, want 1", len(got))
	}
	if diff := cmp.Diff(want, got[0].Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if got[0].Header.Get("Content-Type") != "application/json" || !bytes.Contains(got[0].Body, []byte(`"image_url"`)) {
		t.Errorf("header %v, body %s: want those that were sent", got[0].Header, got[0].Body)
	}
	if got[0].Last() != "result" || !got[0].Contains("two") || got[0].Contains("three") {
		t.Errorf("Last() = %q, Contains(two) = %v, Contains(three) = %v", got[0].Last(), got[0].Contains("two"), got[0].Contains("three"))
	}
}

func TestServerRefuses(t *testing.T) {
	t.Parallel()
	server := start(t, modelserver.Script())
	for _, tt := range []struct {
		name, path, body string
		want             int
	}{
		{"no JSON", "/chat/completions", "hello", http.StatusBadRequest},
		{"unknown path", "/embeddings", "{}", http.StatusNotFound},
	} {
		response, err := http.Post(server.URL()+tt.path, "application/json", strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, response.StatusCode, tt.want)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests were kept, want none", n)
	}
}

func start(t *testing.T, model func(modelserver.Request) modelserver.Reply) *modelserver.Server {
	t.Helper()
	server, err := modelserver.Start(model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

// complete asks for one reply and puts its chunks together.
func complete(t *testing.T, server *modelserver.Server, body string) answer {
	t.Helper()
	response, err := http.Post(server.URL()+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var got answer
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadString('\n')
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		switch {
		case ok && data == "[DONE]":
			got.Done = true
		case ok:
			got.add(t, data)
		}
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (a *answer) add(t *testing.T, data string) {
	t.Helper()
	var chunk struct {
		Choices []struct {
			Delta struct {
				Content string `json:"content"`
				Calls   []struct {
					ID       string `json:"id"`
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			} `json:"delta"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Prompt int `json:"prompt_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal([]byte(data), &chunk); err != nil {
		t.Fatalf("chunk %s: %v", data, err)
	}
	a.Prompt += chunk.Usage.Prompt
	for _, choice := range chunk.Choices {
		a.Text += choice.Delta.Content
		a.Finish += choice.Finish
		for _, c := range choice.Delta.Calls {
			a.Calls = append(a.Calls, call{c.ID, c.Function.Name, c.Function.Arguments})
		}
	}
}
