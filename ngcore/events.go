package ngcore

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ngvet/ngvet/plugin"
)

// Names and values of the events file's contract. The plugin holds the same ones.
const (
	// RunOutputFileEnvVar names the environment variable with the absolute path of the
	// run's output file; the events file lies beside it.
	RunOutputFileEnvVar = plugin.EnvOutputFile

	// RunIDEnvVar names the environment variable with the id of the run.
	RunIDEnvVar = plugin.EnvRunID

	// EventsTruncatedKind is the kind of the line that says that the file is full: events
	// after it are missing, all but stop_verify. See [AppendRunEvent].
	EventsTruncatedKind = plugin.EventTruncatedKind
)

// EventKinds lists the kinds that [AppendRunEvent] accepts. Treat it as read-only.
var EventKinds = plugin.EventKinds

// ErrEventRefused is wrapped by errors about an event that breaks the format or the
// retention rules. It was not written, and the same event never will be.
var ErrEventRefused = errors.New("event refused")

// ErrEventsTruncated is wrapped by errors about an event that the file has no room for.
// The file says so itself, in a line of kind [EventsTruncatedKind].
var ErrEventsTruncated = errors.New("events file is full")

// Event is one line of the events file.
//
// SessionID is an opaque id or "". Detail maps names to ids, counts and codes:
//   - a name is an opaque id, and none of those that name free text (text, prompt, ...);
//   - a string consists of at most 256 of the characters A-Z a-z 0-9 . _ : / -;
//   - a count is a whole number of at most 2^53-1, either sign. An event that was read has
//     it as int; to write one, any integer type and a whole float64 will do;
//   - a bool is a bool. There is nothing else, and no nesting.
type Event struct {
	V         int            `json:"v"`                    // format, 1
	TS        string         `json:"ts"`                   // RFC 3339, UTC, milliseconds when written here
	Kind      string         `json:"kind"`                 // one of EventKinds, or EventsTruncatedKind
	SessionID string         `json:"session_id,omitempty"` // the session that the event is about
	Child     bool           `json:"child,omitempty"`      // the session is a sub-agent's
	Detail    map[string]any `json:"detail,omitempty"`     // ids, counts and codes
}

// EventsFileName returns the name of a run's events file.
func EventsFileName(runID string) string { return plugin.EventsFileName(runID) }

// EventsPath returns the path of a run's events file: beside outputFile, named after runID.
// Events are disabled (ok is false) when either is empty, when outputFile is not absolute
// or has a ".." element, and when runID is not one plain path element of at most 128 bytes.
func EventsPath(outputFile, runID string) (path string, ok bool) {
	return besideOutput(outputFile, runID, plugin.EventsFileName)
}

// besideOutput returns the place of a file that a run leaves beside its output file.
func besideOutput(outputFile, runID string, fileName func(runID string) string) (path string, ok bool) {
	if !isPlainAbsolute(outputFile) || !isPathElement(runID) {
		return "", false
	}
	return filepath.Join(filepath.Dir(outputFile), fileName(runID)), true
}

// isPlainAbsolute refuses "..": cleaning it away would name another place when the
// element before it is a link.
func isPlainAbsolute(path string) bool {
	return filepath.IsAbs(path) && !slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..")
}

// RunEventsPathFromEnv is [EventsPath] of the environment's [RunOutputFileEnvVar] and
// [RunIDEnvVar].
func RunEventsPathFromEnv() (path string, ok bool) {
	return EventsPath(os.Getenv(RunOutputFileEnvVar), os.Getenv(RunIDEnvVar))
}

func isPathElement(name string) bool {
	// IsLocal knows what else a name may do on Windows, such as "run:stream".
	if name == "." || len(name) > plugin.RunIDMaxBytes || !utf8.ValidString(name) || !filepath.IsLocal(name) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r == '/' || r == '\\' || r < ' ' || r == 0x7f
	})
}

// SanitizeEventID returns id when it is an opaque id, that is when it matches
// ^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$, and "" otherwise: free text does not fit.
func SanitizeEventID(id string) string {
	if isOpaqueID(id) {
		return id
	}
	return ""
}

func isOpaqueID(s string) bool {
	if s == "" || len(s) > plugin.EventIDMaxBytes || !isAlphanumeric(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isIDByte(s[i]) {
			return false
		}
	}
	return true
}

func isOpaqueCode[T string | []byte](s T) bool {
	if len(s) > plugin.EventCodeMaxBytes {
		return false
	}
	for i := range len(s) {
		if !isIDByte(s[i]) && s[i] != '/' {
			return false
		}
	}
	return true
}

func isIDByte(c byte) bool {
	return isAlphanumeric(c) || c == '.' || c == '_' || c == ':' || c == '-'
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
