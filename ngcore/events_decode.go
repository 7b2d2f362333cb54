package ngcore

import (
	"bytes"
	"errors"

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
	skim     bool // times and details are checked, and left out of the event

	// One copy of what comes again, which is then known to be valid.
	ids   map[string]string // kinds and session ids
	names map[string]string // names of details
	codes map[string]any    // strings in details
	ts    string            // the last time
}

// newEventDecoder returns a decoder; without details its events lack those and times.
func newEventDecoder(details bool) *eventDecoder {
	return &eventDecoder{
		json:  jsontext.NewDecoder(bytes.NewReader(nil)),
		skim:  !details,
		ids:   make(map[string]string),
		names: make(map[string]string),
		codes: make(map[string]any),
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
		name, drop := d.name()
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
		return d.stringMember(&ev.TS, d.time, dropTime)
	case "kind":
		return d.stringMember(&ev.Kind, d.id, dropKind)
	case "session_id":
		return d.stringMember(&ev.SessionID, d.idOrNone, dropSession)
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

// stringMember reads a string that valid accepts; otherwise is the reason if it does not.
func (d *eventDecoder) stringMember(dst *string, valid func(text []byte) (string, bool), otherwise string) string {
	raw, err := d.json.ReadValue()
	if err != nil {
		return dropForError(err)
	}
	if raw.Kind() != jsontext.KindString {
		return otherwise
	}
	text, drop := d.unquote(raw)
	if drop != "" {
		return drop
	}
	s, ok := valid(text)
	if !ok {
		return otherwise
	}
	*dst = s
	return ""
}

func (d *eventDecoder) time(text []byte) (string, bool) {
	if len(text) > 0 && string(text) == d.ts {
		return d.ts, true
	}
	if !isTimestamp(text) {
		return "", false
	}
	if d.skim {
		return "", true
	}
	d.ts = string(text)
	return d.ts, true
}

func (d *eventDecoder) id(text []byte) (string, bool) {
	return intern(d.ids, text, isOpaqueID)
}

func (d *eventDecoder) idOrNone(text []byte) (string, bool) {
	if len(text) == 0 {
		return "", true
	}
	return d.id(text)
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
		key, ok := intern(d.names, name, func(s string) bool { return checkDetailName(s) == nil })
		if !ok {
			return dropForName(string(name))
		}
		value, drop := d.scalar()
		if drop == "" && !d.skim {
			if detail == nil {
				detail = make(map[string]any)
			}
			//ngvet:ignore eventdetail/bannedkey,eventdetail/nonscalar both have just been checked: this is the reader
			detail[key] = value
		}
		return drop
	}, dropDetail)
	ev.Detail = detail
	return drop
}

func dropForName(name string) string {
	if isBannedKey(name) {
		return dropBanned
	}
	return dropDetail
}

func (d *eventDecoder) scalar() (value any, drop string) {
	raw, err := d.json.ReadValue()
	if err != nil {
		return nil, dropForError(err)
	}
	switch kind := raw.Kind(); kind {
	case jsontext.KindString:
		return d.code(raw)
	case jsontext.KindTrue, jsontext.KindFalse:
		return kind == jsontext.KindTrue, ""
	case jsontext.KindNumber:
		if n, ok := parseCount(raw); ok {
			return n, ""
		}
	}
	return nil, dropDetail
}

func (d *eventDecoder) code(raw jsontext.Value) (value any, drop string) {
	text, drop := d.unquote(raw)
	if drop != "" {
		return nil, drop
	}
	if value, ok := d.codes[string(text)]; ok {
		return value, ""
	}
	if !isOpaqueCode(text) {
		return nil, dropDetail
	}
	if d.skim {
		return nil, ""
	}
	code := string(text)
	value = code
	if len(d.codes) < internMax {
		d.codes[code] = value
	}
	return value, ""
}

// name reads the name of a member. The result is valid until the next read.
func (d *eventDecoder) name() (text []byte, drop string) {
	raw, err := d.json.ReadValue()
	if err != nil {
		return nil, dropForError(err)
	}
	return d.unquote(raw)
}

func (d *eventDecoder) unquote(raw jsontext.Value) (text []byte, drop string) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], ""
	}
	var err error
	if d.unquoted, err = jsontext.AppendUnquote(d.unquoted[:0], raw); err != nil {
		return nil, dropSyntax
	}
	return d.unquoted, ""
}

// intern returns text as a string, the same one each time, if it is valid.
func intern(known map[string]string, text []byte, valid func(string) bool) (string, bool) {
	if s, ok := known[string(text)]; ok {
		return s, true
	}
	s := string(text)
	if !valid(s) {
		return "", false
	}
	if len(known) < internMax {
		known[s] = s
	}
	return s, true
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
