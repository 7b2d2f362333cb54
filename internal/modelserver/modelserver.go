// Package modelserver stands in for a model behind the OpenAI-compatible API, on the
// loopback interface, so that the real OpenCode can run without a network (HOST.md section
// 6). A function decides what the model says; the package speaks the protocol.
//
// It knows the part of the protocol that OpenCode uses: streamed chat completions with tool
// calls, and the list of models.
package modelserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Model is the id of the one model.
const Model = "m1"

// requestMaxBytes bounds one request. A conversation that carries files is far below.
const requestMaxBytes = 64 << 20

// Message is one message of the conversation that the host sends. Text is all its text.
type Message struct {
	Role string
	Text string
}

// Request is one question to the model.
type Request struct {
	Messages []Message // the whole conversation, system messages included
	Header   http.Header
	Body     []byte // as it was sent, JSON
}

// Last returns the text of the last message, "" when there is none.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Text
}

// Contains reports whether any message contains text.
func (r Request) Contains(text string) bool {
	for _, m := range r.Messages {
		if strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}

// Call is a tool call that the model makes.
type Call struct {
	Tool string
	Args map[string]any
}

// Reply is what the model says: some text, then some calls, either of which may be absent.
type Reply struct {
	Text         string
	Calls        []Call
	PromptTokens int // the usage that it claims; 0 stands for 100
	Status       int // an HTTP status of 400 or above: the server answers with an error instead
}

// Script returns a model that gives one reply after the other, whatever it is asked, and
// then only says "Done."
func Script(replies ...Reply) func(Request) Reply {
	return func(Request) Reply {
		if len(replies) == 0 {
			return Reply{Text: "Done."}
		}
		reply := replies[0]
		replies = replies[1:]
		return reply
	}
}

// Server is a running model server. It is safe for concurrent use.
type Server struct {
	http   http.Server
	url    string
	answer func(Request) Reply

	mu       sync.Mutex
	requests []Request
	calls    int
}

// Start starts a server on a free port of 127.0.0.1. It asks answer for every reply, never
// twice at a time. Close it.
func Start(answer func(Request) Reply) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start model server: %w", err)
	}
	s := &Server{url: "http://" + listener.Addr().String() + "/v1", answer: answer}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.models)
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	s.http.Handler = mux
	go s.http.Serve(listener)
	return s, nil
}

// URL returns the base URL of the API.
func (s *Server) URL() string { return s.url }

// Requests returns the questions so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Close stops the server and breaks off what is under way.
func (s *Server) Close() error { return s.http.Close() }

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"object": "list",
		"data":   []any{map[string]any{"id": Model, "object": "model"}},
	})
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestMaxBytes))
	var body wireRequest
	if err != nil || json.Unmarshal(raw, &body) != nil {
		http.Error(w, `{"error":{"message":"unreadable request","type":"invalid_request_error"}}`, http.StatusBadRequest)
		return
	}
	reply, firstCall := s.ask(Request{Messages: body.messages(), Header: r.Header, Body: raw})
	if reply.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(reply.Status)
		io.WriteString(w, `{"error":{"message":"scripted error","type":"invalid_request_error"}}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	stream{w, firstCall}.send(reply)
}

// ask returns the reply and the number of its first call.
func (s *Server) ask(req Request) (Reply, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	reply := s.answer(req)
	first := s.calls + 1
	s.calls += len(reply.Calls)
	return reply, first
}
