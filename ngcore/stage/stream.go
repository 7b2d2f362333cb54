package stage

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Types of the stream's lines that a stage acts on (HOST.md section 5). A host may print
// others.
const (
	typeStepStart  = "step_start"
	typeText       = "text"
	typeToolUse    = "tool_use"
	typeStepFinish = "step_finish"
	typeError      = "error"
)

// StreamEvent is one line of "opencode run --format json", reduced to what a stage needs.
// Fields that the line does not have are zero. Strings are cut after 4 KiB.
type StreamEvent struct {
	Type      string    // step_start, text, tool_use, step_finish, error, or a type unknown here
	Time      time.Time // when OpenCode printed the line
	SessionID string

	CallID string    // tool_use
	Tool   string    // tool_use
	Status string    // tool_use: completed or error
	Start  time.Time // tool_use: when the call began

	Text    string // text: what the model said; tool_use and error: the error's message
	ErrName string // error

	Tokens Tokens  // step_finish
	Cost   float64 // step_finish, in US dollars

	// Damaged is set when the line broke off or was no JSON after its type had been read.
	// What was read up to there is kept, so that a broken tool_use is still a tool_use.
	Damaged bool
}

// Tokens counts what a model was given and gave back.
type Tokens struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	Reasoning  int64 `json:"reasoning"`
	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
}

func (t *Tokens) add(u Tokens) {
	t.Input += u.Input
	t.Output += u.Output
	t.Reasoning += u.Reasoning
	t.CacheRead += u.CacheRead
	t.CacheWrite += u.CacheWrite
}

// StreamReader reads the output of "opencode run --format json". It has no limit on the
// length of a line and holds at most a few KiB of one. Lines that are no event, such as
// what a plugin prints to the console (BUGS.md B14), are skipped and counted. It is not
// safe for concurrent use.
type StreamReader struct {
	lines   lineReader
	skipped int
}

// NewStreamReader returns a reader of r.
func NewStreamReader(r io.Reader) *StreamReader {
	return &StreamReader{lines: lineReader{r: bufio.NewReader(r)}}
}

// Skipped returns how many lines were no event so far. Blank lines do not count.
func (s *StreamReader) Skipped() int { return s.skipped }

// Next returns the next event. The error is io.EOF at the end of the stream, else the one
// that reading returned; a last line without a newline is an event as well.
func (s *StreamReader) Next() (StreamEvent, error) {
	for {
		if err := s.lines.next(); err != nil {
			return StreamEvent{}, err
		}
		ev, err := decodeEvent(&s.lines)
		switch {
		case err == nil && ev.Type != "":
			return ev, nil
		case ev.Type != "":
			ev.Damaged = true
			return ev, nil
		case errors.Is(err, io.EOF): // blank
		default:
			s.skipped++
		}
	}
}

// eventDepth is how deep the members lie that decodeEvent keeps: /part/state/time/start.
const eventDepth = 4

// decodeEvent reads one JSON object token by token, so that what it does not keep costs no
// memory. io.EOF means that there was no token at all.
func decodeEvent(r io.Reader) (ev StreamEvent, err error) {
	dec := jsontext.NewDecoder(&shortener{r: r},
		jsontext.AllowDuplicateNames(true), // remembering every name would take memory
		jsontext.AllowInvalidUTF8(true))    // a string may be cut within a character
	if dec.PeekKind() != '{' {
		_, err := dec.ReadToken()
		if err == nil {
			err = errors.New("expected an object")
		}
		return ev, err
	}
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return ev, noEOF(err)
		}
		if dec.StackDepth() == 0 {
			return ev, expectEnd(dec)
		}
		if dec.StackDepth() <= eventDepth && !isName(dec) {
			ev.set(dec.StackPointer(), token)
		}
	}
}

// isName reports whether the token that was read last is the name of a member.
func isName(dec *jsontext.Decoder) bool {
	kind, length := dec.StackIndex(dec.StackDepth())
	return kind == '{' && length%2 == 1
}

func expectEnd(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("expected one object in a line, found more")
	}
	return nil
}

// noEOF keeps an object that breaks off from looking like the absence of one.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// set takes over the value at a JSON pointer. A value of an unexpected kind is ignored.
func (ev *StreamEvent) set(pointer jsontext.Pointer, token jsontext.Token) {
	switch token.Kind() {
	case '"':
		if field := ev.stringField(pointer); field != nil {
			*field = token.String()
		}
	case '0':
		ev.setNumber(pointer, token)
	}
}

func (ev *StreamEvent) setNumber(pointer jsontext.Pointer, token jsontext.Token) {
	n, _ := token.Int() // of a fraction the whole part, beyond the range its end
	switch pointer {
	case "/timestamp":
		ev.Time = time.UnixMilli(n)
	case "/part/state/time/start":
		ev.Start = time.UnixMilli(n)
	case "/part/cost":
		ev.Cost, _ = token.Float()
	case "/part/tokens/input":
		ev.Tokens.Input = n
	case "/part/tokens/output":
		ev.Tokens.Output = n
	case "/part/tokens/reasoning":
		ev.Tokens.Reasoning = n
	case "/part/tokens/cache/read":
		ev.Tokens.CacheRead = n
	case "/part/tokens/cache/write":
		ev.Tokens.CacheWrite = n
	}
}

func (ev *StreamEvent) stringField(pointer jsontext.Pointer) *string {
	switch pointer {
	case "/type":
		return &ev.Type
	case "/sessionID":
		return &ev.SessionID
	case "/part/callID":
		return &ev.CallID
	case "/part/tool":
		return &ev.Tool
	case "/part/state/status":
		return &ev.Status
	case "/part/text", "/part/state/error", "/error/data/message":
		return &ev.Text
	case "/error/name":
		return &ev.ErrName
	}
	return nil
}

// lineReader reads one line at a time: Read ends with io.EOF at the line's end.
type lineReader struct {
	r    *bufio.Reader
	open bool // within a line
}

// next goes to the next line, past what is left of the present one.
func (l *lineReader) next() error {
	for l.open {
		if _, err := l.r.ReadSlice('\n'); err == nil {
			l.open = false
		} else if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	if _, err := l.r.Peek(1); err != nil {
		return err
	}
	l.open = true
	return nil
}

func (l *lineReader) Read(p []byte) (int, error) {
	if !l.open {
		return 0, io.EOF
	}
	if _, err := l.r.Peek(1); err != nil {
		return 0, err
	}
	chunk, _ := l.r.Peek(min(len(p), l.r.Buffered()))
	if end := bytes.IndexByte(chunk, '\n'); end >= 0 {
		l.open = false
		copy(p, chunk[:end])
		_, err := l.r.Discard(end + 1)
		return end, err
	}
	return l.r.Read(p[:len(chunk)])
}

// Bounds of what shortener lets through.
const (
	stringMaxBytes = 4 << 10
	atomMaxBytes   = 64 // a number, true, false or null
)

// shortener copies JSON text with every string cut and every run of spaces reduced to one,
// so that a decoder behind it, which holds one token at a time, needs little memory. It
// judges nothing: what is no JSON stays so.
type shortener struct {
	r      io.Reader
	state  byte // '"' within a string, 'a' within an atom, ' ' within spaces, 0 elsewhere
	size   int  // bytes of the present string or atom
	escape int  // within a string: -1 after a backslash, else hex digits still to come
	cut    bool // within a string: the rest is dropped
}

func (s *shortener) Read(p []byte) (int, error) {
	for {
		n, err := s.r.Read(p)
		kept := p[:0]
		for _, c := range p[:n] {
			keep, stop := s.step(c)
			if stop != nil {
				return len(kept), stop
			}
			if keep {
				kept = append(kept, c)
			}
		}
		if len(kept) > 0 || err != nil || len(p) == 0 {
			return len(kept), err
		}
	}
}

// step reports whether the decoder gets to see c.
func (s *shortener) step(c byte) (keep bool, err error) {
	before := s.state
	switch {
	case before == '"':
		return s.stepString(c), nil
	case c == '"':
		s.state, s.size, s.cut = '"', 0, false
	case c == ' ' || c == '\t' || c == '\r':
		s.state = ' '
		return before != ' ', nil
	case strings.IndexByte("{}[],:", c) >= 0:
		s.state = 0
	default:
		if before != 'a' {
			s.state, s.size = 'a', 0
		}
		if s.size++; s.size > atomMaxBytes {
			return false, fmt.Errorf("expected a number or literal of at most %d bytes", atomMaxBytes)
		}
	}
	return true, nil
}

// stepString never cuts within an escape sequence, which would make valid text invalid.
func (s *shortener) stepString(c byte) (keep bool) {
	keep = !s.cut
	switch {
	case s.escape > 0:
		s.escape--
	case s.escape < 0 && c == 'u':
		s.escape = 4
	case s.escape < 0:
		s.escape = 0
	case c == '\\':
		s.escape = -1
	case c == '"':
		s.state = 0
		return true
	}
	s.size++
	if s.escape == 0 && s.size >= stringMaxBytes {
		s.cut = true
	}
	return keep
}
