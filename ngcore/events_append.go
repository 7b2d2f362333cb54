package ngcore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"
	"time"

	"github.com/ngvet/ngvet/plugin"
)

// lockZoneStart is the size from which writers take turns.
const lockZoneStart = plugin.EventsMaxBytes - plugin.EventsLockZoneBytes

// tornTries bounds how often one line is written again because it landed on the tail of a
// writer that was just killed.
const tornTries = 3

// nowhere is an offset that no file reaches.
const nowhere = math.MaxInt64

// appendMu makes a process one writer where no turn is taken, so that the lock zone has room
// for all of them. Nobody waits for a turn while holding it: the next one would wait twice.
var appendMu sync.Mutex

// AppendRunEvent appends one event to the events file at path, as one line in one write.
// An empty path means that events are disabled: nothing happens.
//
// V defaults to 1 and TS to now; a SessionID that is not an opaque id is left out. An event
// that breaks the rules of [Event] is [ErrEventRefused]. The file is created when it is
// missing, its directory never; its mode becomes 0600. A link, a FIFO or anything else in
// its place is an [*UnsafeFileError].
//
// The file never passes 1 MiB. An event that it has no room for is [ErrEventsTruncated],
// and the file then ends with one line of kind [EventsTruncatedKind] that at most lines of
// kind stop_verify follow; 4 KiB are kept for those. This holds for any number of processes
// that append to it, whether they use this function or the plugin, and also when some of
// them are killed in the middle. It needs a local file system; see docs/events.md for
// others and for Windows.
//
// AppendRunEvent may be called concurrently. Near the cap it waits its turn, at most 5 s,
// and is then an error.
func AppendRunEvent(path string, ev Event) error {
	if path == "" {
		return nil
	}
	line, err := encodeEvent(ev, time.Now())
	if err == nil {
		err = appendLine(path, record{line: line, isVerdict: ev.Kind == plugin.EventVerdictKind})
	}
	if err != nil {
		return fmt.Errorf("append event to %s: %w", path, err)
	}
	return nil
}

// record is a line on its way into the file.
type record struct {
	line      []byte // with its newline
	isVerdict bool   // may use what is kept for the verdict
}

// appendLine appends a line to a file that several processes append to.
//
// Before the lock zone a line is one O_APPEND write, and nobody waits. The cap and the
// marker need more: between a look at the size and the write, a process may sleep for any
// time. So the zone begins with a seal: the file is replaced by a copy that no writer of
// the first part can have open, and in the copy writers take turns.
func appendLine(path string, rec record) error {
	done, mayHold, err := appendWithoutTurn(path, rec)
	if done || err != nil {
		return err
	}
	return appendInTurn(path, rec, mayHold)
}

func appendWithoutTurn(path string, rec record) (done bool, mayHold int64, err error) {
	appendMu.Lock()
	defer appendMu.Unlock()
	f, size, err := openForAppend(path)
	if err != nil {
		return false, nowhere, err
	}
	defer f.Close()
	return tryAppend(path, f, size, rec)
}

// tryAppend appends to f, which was opened at path and had that size then, if that takes no
// turn. Otherwise done is false and mayHold the offset from which the file may hold the line
// already, or nowhere.
func tryAppend(path string, f *os.File, size int64, rec record) (done bool, mayHold int64, err error) {
	if size >= lockZoneStart && !rec.isVerdict {
		// A full file stays full: no turn is needed to see it.
		if full, err := hasMarker(f, size); full && err == nil {
			return true, nowhere, ErrEventsTruncated
		}
	}
	if size >= lockZoneStart || len(rec.line) > plugin.EventUnlockedLineMaxBytes {
		return false, nowhere, nil
	}
	end, err := appendUncapped(f, size, rec.line)
	if err != nil || end < lockZoneStart || !isSealing(path) {
		return true, nowhere, err
	}
	return false, size, nil
}

// isSealing reports whether the line just written may have missed a seal. A seal is named
// after the size has reached the zone, and copies after it was named: who sees no name
// after its write has its line in the copy.
func isSealing(path string) bool {
	_, err := os.Lstat(plugin.EventsSealName(path))
	return !errors.Is(err, fs.ErrNotExist)
}

// appendInTurn appends a line while nobody else is in a turn; mayHold is as tryAppend has it.
func appendInTurn(path string, rec record, mayHold int64) (err error) {
	endTurn, err := takeTurn(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, endTurn()) }()
	f, size, err := openSealed(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if holds, err := holdsLine(f, mayHold, size, rec.line); err != nil || holds {
		return err
	}
	if size >= lockZoneStart {
		return appendCapped(f, size, rec)
	}
	_, err = appendUncapped(f, size, rec.line)
	return err
}

// appendUncapped returns the size afterwards. A writer that is killed between the look at
// the tail and the write leaves a tail that swallows the line, which is then written again.
func appendUncapped(f *os.File, size int64, line []byte) (int64, error) {
	for range tornTries {
		n, err := appendHealed(f, size, line)
		if err != nil {
			return 0, err
		}
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		end := info.Size()
		if end == size+n {
			return end, nil
		}
		if holds, err := holdsLine(f, size, end, line); err != nil || holds {
			return end, err
		}
		size = end
	}
	return 0, fmt.Errorf("line was swallowed by a torn one %d times", tornTries)
}

// appendCapped appends to a sealed file, or marks it as full.
func appendCapped(f *os.File, size int64, rec record) error {
	full, err := hasMarker(f, size)
	if err != nil {
		return err
	}
	heal, err := needsNewline(f, size)
	if err != nil {
		return err
	}
	if size+int64(heal)+int64(len(rec.line)) <= roomFor(rec.isVerdict, full) {
		_, err := appendHealed(f, size, rec.line)
		return err
	}
	marker := encodeMarker(time.Now())
	if !full && size+int64(heal)+int64(len(marker)) <= plugin.EventsMaxBytes {
		if _, err := appendHealed(f, size, marker); err != nil {
			return err
		}
	}
	return ErrEventsTruncated
}

// roomFor returns the size that a line may fill the file up to.
func roomFor(isVerdict, full bool) int64 {
	switch {
	case full && isVerdict:
		return plugin.EventsMaxBytes
	case full:
		return 0
	case isVerdict:
		return plugin.EventsMaxBytes - plugin.EventsMarkerReserveBytes
	default:
		return plugin.EventsMaxBytes - plugin.EventsMarkerReserveBytes - plugin.EventsVerdictReserveBytes
	}
}

// hasMarker looks at the lines that begin in the lock zone; the byte before it tells
// whether the first one does.
func hasMarker(f *os.File, size int64) (bool, error) {
	zone, err := readRange(f, lockZoneStart-1, min(size, plugin.EventsMaxBytes))
	if err != nil {
		return false, err
	}
	decoder := newEventDecoder(false)
	for i, line := range bytes.Split(zone, []byte{'\n'}) {
		if i == 0 || !bytes.Contains(line, []byte(EventsTruncatedKind)) {
			continue
		}
		if ev, drop := decoder.decode(line); drop == "" && ev.Kind == EventsTruncatedKind {
			return true, nil
		}
	}
	return false, nil
}

// appendHealed writes a line in one call, after a newline when the tail has none: a writer
// that died in the middle must not take the next line with it (BUGS.md B29). It returns how
// many bytes it wrote.
func appendHealed(f *os.File, size int64, line []byte) (int64, error) {
	heal, err := needsNewline(f, size)
	if err != nil {
		return 0, err
	}
	if heal > 0 {
		line = append([]byte{'\n'}, line...)
	}
	n, err := f.Write(line)
	return int64(n), err
}

// needsNewline returns 1 when the file ends within a line, else 0.
func needsNewline(f *os.File, size int64) (int, error) {
	if size == 0 {
		return 0, nil
	}
	var tail [1]byte
	if _, err := f.ReadAt(tail[:], size-1); err != nil {
		return 0, fmt.Errorf("read tail: %w", err)
	}
	if tail[0] == '\n' {
		return 0, nil
	}
	return 1, nil
}

// holdsLine looks for the whole line between two offsets, of which start is an end that the
// file once had.
func holdsLine(f *os.File, start, end int64, line []byte) (bool, error) {
	if start >= end {
		return false, nil
	}
	between, err := readRange(f, max(start-1, 0), end)
	if err != nil {
		return false, err
	}
	if start == 0 {
		between = append([]byte{'\n'}, between...)
	}
	return bytes.Contains(between, append([]byte{'\n'}, line...)), nil
}

// readRange returns the bytes from start to end, fewer when the file ends earlier. More than
// the file may have is an error: other hands can make it any size at any moment.
func readRange(f *os.File, start, end int64) ([]byte, error) {
	if end-start > plugin.EventsMaxBytes {
		return nil, fmt.Errorf("expected at most %d bytes to read, found %d", plugin.EventsMaxBytes, end-start)
	}
	buf := make([]byte, max(end-start, 0))
	n, err := f.ReadAt(buf, start)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return buf[:n], nil
}

func openForAppend(path string) (*os.File, int64, error) {
	f, info, err := openRegularInfo(path, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}
