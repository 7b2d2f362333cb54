package ngcore

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ngvet/ngvet/plugin"
)

// timestampLayout is RFC 3339 with milliseconds, as Date.prototype.toISOString prints it.
const timestampLayout = "2006-01-02T15:04:05.000Z"

// encodeEvent returns the event as one line with its newline. Equal events give equal
// bytes, here and in the plugin.
func encodeEvent(ev Event, now time.Time) ([]byte, error) {
	if ev.V != 0 && ev.V != plugin.EventFormat {
		return nil, fmt.Errorf("%w: expected format %d, found %d", ErrEventRefused, plugin.EventFormat, ev.V)
	}
	if !slices.Contains(EventKinds, ev.Kind) {
		return nil, fmt.Errorf("%w: expected a kind of %s, found %q", ErrEventRefused, strings.Join(EventKinds, ", "), ev.Kind)
	}
	if ev.TS != "" && !isTimestamp([]byte(ev.TS)) {
		return nil, fmt.Errorf("%w: expected a UTC time in RFC 3339, found %q", ErrEventRefused, ev.TS)
	}
	line := appendEventHead(make([]byte, 0, 256), ev.TS, ev.Kind, now)
	if id := SanitizeEventID(ev.SessionID); id != "" {
		line = append(append(append(line, `,"session_id":"`...), id...), '"')
	}
	if ev.Child {
		line = append(line, `,"child":true`...)
	}
	line, err := appendDetail(line, ev.Detail)
	if err != nil {
		return nil, err
	}
	line = append(line, '}', '\n')
	if len(line) > plugin.EventLineMaxBytes {
		return nil, fmt.Errorf("%w: expected a line of at most %d bytes, found %d", ErrEventRefused, plugin.EventLineMaxBytes, len(line))
	}
	return line, nil
}

// encodeMarker returns the line that says that the file is full.
func encodeMarker(now time.Time) []byte {
	return append(appendEventHead(nil, "", EventsTruncatedKind, now), '}', '\n')
}

func appendEventHead(line []byte, ts, kind string, now time.Time) []byte {
	line = append(line, `{"v":`...)
	line = strconv.AppendInt(line, plugin.EventFormat, 10)
	line = append(line, `,"ts":"`...)
	if ts != "" {
		line = append(line, ts...)
	} else {
		line = now.UTC().AppendFormat(line, timestampLayout)
	}
	return append(append(append(line, `","kind":"`...), kind...), '"')
}

// isTimestamp reports whether s is a time in RFC 3339 and UTC. UnmarshalText is stricter
// than time.Parse.
func isTimestamp(s []byte) bool {
	var t time.Time
	return len(s) > 0 && s[len(s)-1] == 'Z' && t.UnmarshalText(s) == nil
}

func appendDetail(line []byte, detail map[string]any) ([]byte, error) {
	if len(detail) == 0 {
		return line, nil
	}
	line = append(line, `,"detail":{`...)
	for i, name := range slices.Sorted(maps.Keys(detail)) {
		if err := checkDetailName(name); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrEventRefused, err)
		}
		if i > 0 {
			line = append(line, ',')
		}
		line = append(append(append(line, '"'), name...), '"', ':')
		var err error
		if line, err = appendScalar(line, detail[name]); err != nil {
			return nil, fmt.Errorf("%w: detail %q: %w", ErrEventRefused, name, err)
		}
	}
	return append(line, '}'), nil
}

func checkDetailName(name string) error {
	if !isOpaqueID(name) {
		return fmt.Errorf("expected an opaque id as the name of a detail, found %q", name)
	}
	if isBannedKey(name) {
		return fmt.Errorf("detail %q stands for free text, which events do not hold", name)
	}
	return nil
}

func isBannedKey(name string) bool {
	return slices.ContainsFunc(plugin.EventBannedKeys, func(banned string) bool {
		return strings.EqualFold(banned, name)
	})
}

// appendScalar goes by kind, not by type: a code may well have a type of its own.
func appendScalar(line []byte, value any) ([]byte, error) {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(line, v.Bool()), nil
	case reflect.String:
		if !isOpaqueCode(v.String()) {
			return nil, fmt.Errorf("expected a code of at most %d characters out of A-Z a-z 0-9 . _ : / -, found a string of %d bytes that is not one",
				plugin.EventCodeMaxBytes, v.Len())
		}
		return append(append(append(line, '"'), v.String()...), '"'), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return appendCount(line, float64(v.Int()), v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return appendCount(line, float64(v.Uint()), int64(v.Uint()))
	case reflect.Float32, reflect.Float64:
		if v.Float() != math.Trunc(v.Float()) {
			return nil, fmt.Errorf("expected a whole number, found %v", v.Float())
		}
		return appendCount(line, v.Float(), int64(v.Float()))
	default:
		return nil, fmt.Errorf("expected a string, a whole number or a bool, found %T", value)
	}
}

// appendCount appends n, whose size it checks as a float64: past the bound a conversion to
// int64 may have changed it.
func appendCount(line []byte, size float64, n int64) ([]byte, error) {
	if !(math.Abs(size) <= plugin.EventCountMax) {
		return nil, fmt.Errorf("expected a count of at most 2^53-1, found %v", size)
	}
	return strconv.AppendInt(line, n, 10), nil
}
