package ngcore

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ngvet/ngvet/plugin"
)

// Reasons for which a line is dropped, as [EventsReport.Dropped] counts them.
const (
	dropTooLong   = "too_long"       // more than 4 KiB
	dropPastCap   = "past_cap"       // what lies past the first 1 MiB, counted once
	dropSyntax    = "syntax"         // not one JSON object, not UTF-8, or too deep
	dropDuplicate = "duplicate_name" // a name twice: which one counts differs between readers
	dropName      = "unknown_name"   // a name that events do not have, in this very case
	dropBanned    = "banned_name"    // a name that stands for free text
	dropMissing   = "missing_name"   // no v or no kind
	dropFormat    = "format"         // v is not 1
	dropTime      = "time"           // ts is not a UTC time in RFC 3339
	dropKind      = "kind"           // kind is not an opaque id
	dropSession   = "session_id"     // session_id is neither "" nor an opaque id
	dropChild     = "child"          // child is not a bool
	dropDetail    = "detail"         // detail is not an object of ids, counts and codes
)

// internMax bounds the strings that a decoder remembers. A run has few sessions and codes.
const internMax = 1024

// eventDecoder decodes lines strictly: encoding/json takes a name in any case, the last of
// two equal names, and U+FFFD for what is not UTF-8, and so reads another event than
// JavaScript does (BUGS.md B34).
type eventDecoder struct {
	json     *jsontext.Decoder
	line     bytes.Reader
	unquoted []byte
	strings  map[string]string // one copy of strings that come again
	boxed    map[string]any    // likewise, as values of a detail
	skim     bool              // detail is checked, and left out of the event
}

// newEventDecoder returns a decoder; without details it leaves them out of its events.
func newEventDecoder(details bool) *eventDecoder {
	return &eventDecoder{
		json:    jsontext.NewDecoder(bytes.NewReader(nil)),
		strings: make(map[string]string),
		boxed:   make(map[string]any),
		skim:    !details,
	}
}

// decode returns the event of one trimmed line, or the reason why it is dropped.
func (d *eventDecoder) decode(line []byte) (ev Event, drop string) {
	if len(line)+1 > plugin.EventLineMaxBytes {
		return Event{}, dropTooLong
	}
	d.line.Reset(line)
	d.json.Reset(&d.line)
	drop = d.members(func(name []byte) string { return d.member(&ev, name) }, dropSyntax)
	if drop == "" && len(bytes.TrimLeft(line[d.json.InputOffset():], " \t\r")) > 0 {
		drop = dropSyntax
	}
	if drop == "" && (ev.V == 0 || ev.Kind == "") {
		drop = dropMissing
	}
	if drop != "" {
		return Event{}, drop
	}
	return ev, ""
}

// members reads one object and calls member after each name; notObject is the reason when
// there is another value.
func (d *eventDecoder) members(member func(name []byte) string, notObject string) string {
	if kind := d.json.PeekKind(); kind != jsontext.KindBeginObject && kind != jsontext.KindInvalid {
		return notObject
	}
	if _, err := d.json.ReadToken(); err != nil {
		return dropForError(err)
	}
	for d.json.PeekKind() != jsontext.KindEndObject {
		name, drop := d.text()
		if drop == "" {
			drop = member(name)
		}
		if drop != "" {
			return drop
		}
	}
	_, err := d.json.ReadToken()
	return dropForError(err)
}

func dropForError(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, jsontext.ErrDuplicateName):
		return dropDuplicate
	default:
		return dropSyntax
	}
}

// member reads the value of one name of an event.
func (d *eventDecoder) member(ev *Event, name []byte) string {
	switch string(name) {
	case "v":
		return d.format(&ev.V)
	case "ts":
		return d.stringMember(&ev.TS, isTimestamp, dropTime)
	case "kind":
		return d.stringMember(&ev.Kind, isOpaqueID, dropKind)
	case "session_id":
		return d.stringMember(&ev.SessionID, func(s string) bool { return s == "" || isOpaqueID(s) }, dropSession)
	case "child":
		return d.child(&ev.Child)
	case "detail":
		return d.detail(ev)
	}
	if isBannedKey(string(name)) {
		return dropBanned
	}
	return dropName
}

func (d *eventDecoder) format(v *int) string {
	raw, err := d.json.ReadValue()
	if err != nil {
		return dropForError(err)
	}
	n, ok := parseCount(raw)
	if !ok || n != plugin.EventFormat {
		return dropFormat
	}
	*v = n
	return ""
}

func (d *eventDecoder) stringMember(dst *string, valid func(string) bool, otherwise string) string {
	if kind := d.json.PeekKind(); kind != jsontext.KindString && kind != jsontext.KindInvalid {
		return otherwise
	}
	text, drop := d.text()
	if drop != "" {
		return drop
	}
	*dst = d.intern(text)
	if !valid(*dst) {
		return otherwise
	}
	return ""
}

func (d *eventDecoder) child(dst *bool) string {
	raw, err := d.json.ReadValue()
	if err != nil {
		return dropForError(err)
	}
	*dst = raw.Kind() == jsontext.KindTrue
	if !*dst && raw.Kind() != jsontext.KindFalse {
		return dropChild
	}
	return ""
}

func (d *eventDecoder) detail(ev *Event) string {
	var detail map[string]any
	drop := d.members(func(name []byte) string {
		key := d.intern(name)
		if isBannedKey(key) {
			return dropBanned
		}
		if !isOpaqueID(key) {
			return dropDetail
		}
		value, drop := d.scalar()
		if drop == "" && !d.skim {
			if detail == nil {
				detail = make(map[string]any)
			}
			detail[key] = value
		}
		return drop
	}, dropDetail)
	ev.Detail = detail
	return drop
}

func (d *eventDecoder) scalar() (value any, drop string) {
	kind := d.json.PeekKind()
	if kind == jsontext.KindString {
		return d.code()
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		return nil, dropForError(err)
	}
	switch kind {
	case jsontext.KindTrue, jsontext.KindFalse:
		return kind == jsontext.KindTrue, ""
	case jsontext.KindNumber:
		if n, ok := parseCount(raw); ok {
			return n, ""
		}
	}
	return nil, dropDetail
}

func (d *eventDecoder) code() (value any, drop string) {
	text, drop := d.text()
	if drop != "" {
		return nil, drop
	}
	if value, ok := d.boxed[string(text)]; ok {
		return value, ""
	}
	s := string(text)
	if !isOpaqueCode(s) {
		return nil, dropDetail
	}
	if len(d.boxed) < internMax {
		d.boxed[s] = s
	}
	return s, ""
}

// text reads a string or a name. The result is valid until the next read.
func (d *eventDecoder) text() (text []byte, drop string) {
	raw, err := d.json.ReadValue()
	if err != nil {
		return nil, dropForError(err)
	}
	if !slices.Contains(raw, '\\') {
		return raw[1 : len(raw)-1], ""
	}
	if d.unquoted, err = jsontext.AppendUnquote(d.unquoted[:0], raw); err != nil {
		return nil, dropSyntax
	}
	return d.unquoted, ""
}

// intern returns text as a string, the same one each time.
func (d *eventDecoder) intern(text []byte) string {
	if s, ok := d.strings[string(text)]; ok {
		return s
	}
	s := string(text)
	if len(d.strings) < internMax {
		d.strings[s] = s
	}
	return s
}

// parseCount parses a whole number that both languages hold exactly. It takes no fraction
// and no exponent: the writers write none.
func parseCount(number []byte) (n int, ok bool) {
	digits := bytes.TrimPrefix(number, []byte{'-'})
	if len(digits) == 0 || len(digits) > len("9007199254740991") {
		return 0, false
	}
	var size int64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		size = 10*size + int64(c-'0')
	}
	if len(digits) < len(number) {
		size = -size
	}
	n = int(size) // on a 32-bit system a count may not fit
	return n, int64(n) == size && max(size, -size) <= plugin.EventCountMax
}
