package ngcore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/ngvet/ngvet/plugin"
)

// EventsReport is what an events file holds, and what of it is no event.
type EventsReport struct {
	// Events are in the order of the file.
	Events []Event

	// Dropped counts the lines that are no events, by reason: too_long, past_cap, syntax,
	// duplicate_name, unknown_name, banned_name, missing_name, format, time, kind,
	// session_id, child and detail. Empty lines are not counted: a writer that heals
	// another's torn line may leave one.
	Dropped map[string]int

	// Bytes is the size of what was read, at most 1 MiB: a file that this module's
	// writers wrote is never longer.
	Bytes int64

	// TornBytes is the length of a last line without newline. Its writer may be about to
	// finish it, or was killed.
	TornBytes int64
}

// ReadRunEvents returns the events of a file. A file that does not exist has none. A line
// that is no event is dropped, never an error, and never takes another line with it; nor is
// a last line without newline an event.
//
// A kind outside [EventKinds] is returned as it is: a newer writer may have more.
// An error is a failure to read, such as an [*UnsafeFileError]; the events read before it
// are returned with it.
func ReadRunEvents(path string) ([]Event, error) {
	report, err := ReadRunEventsReport(path)
	return report.Events, err
}

// ReadRunEventsReport is [ReadRunEvents] with an account of what was dropped.
func ReadRunEventsReport(path string) (EventsReport, error) {
	var report EventsReport
	reader := newEventReader(path, true)
	defer reader.close()
	err := reader.readOnce(func(ev Event) bool {
		if n := len(report.Events); n == cap(report.Events) {
			// By a quarter, as append grows, it would allocate five times the result.
			report.Events = slices.Grow(report.Events, max(n, reader.expectedEvents()))
		}
		report.Events = append(report.Events, ev)
		return true
	})
	report.Dropped = reader.dropped
	report.Bytes = reader.offset
	report.TornBytes = reader.lines.pending()
	return report, err
}

// CompactionCount returns how often the run's sessions were compacted, sub-agents included.
// It reads as [ReadRunEvents] does.
func CompactionCount(path string) (int, error) {
	n := 0
	reader := newEventReader(path, false)
	defer reader.close()
	err := reader.readOnce(func(ev Event) bool {
		if ev.Kind == "compaction" {
			n++
		}
		return true
	})
	return n, err
}

const (
	readChunk        = 64 << 10 // bytes that one system call reads
	typicalLineBytes = 128
)

// eventReader reads an events file as it grows, each byte once.
type eventReader struct {
	path    string
	decoder *eventDecoder
	chunk   []byte
	dropped map[string]int

	file   *os.File
	info   fs.FileInfo
	offset int64 // end of what was read
	lines  lineSplitter
	zone   zoneMemory
}

func newEventReader(path string, details bool) *eventReader {
	return &eventReader{
		path:    path,
		decoder: newEventDecoder(details),
		lines:   lineSplitter{max: plugin.EventLineMaxBytes + len("\xef\xbb\xbf\r")},
	}
}

func (r *eventReader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// expectedEvents estimates, at the first event, how many there will be.
func (r *eventReader) expectedEvents() int {
	size := min(r.info.Size(), plugin.EventsMaxBytes)
	return int(size/typicalLineBytes) + 1
}

// readOnce is a single poll.
func (r *eventReader) readOnce(yield func(Event) bool) error {
	r.zone.settled = true // there is no second look that could find a copy
	return r.poll(yield)
}

// poll hands over the events that are new since the last poll, until yield returns false;
// the reader is of no use after that. A file that is not there has none.
func (r *eventReader) poll(yield func(Event) bool) error {
	if err := r.follow(); err != nil || r.file == nil {
		return err
	}
	if r.chunk == nil {
		r.chunk = make([]byte, min(readChunk, max(r.info.Size(), plugin.EventLineMaxBytes)))
	}
	for r.offset < plugin.EventsMaxBytes {
		room := min(int64(len(r.chunk)), plugin.EventsMaxBytes-r.offset)
		n, err := r.file.ReadAt(r.chunk[:room], r.offset)
		r.offset += int64(n)
		if !r.take(r.chunk[:n], yield) {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read events %s: %w", r.path, err)
		}
	}
	return r.checkEnd()
}

// checkEnd counts what lies past the cap: other hands wrote it.
func (r *eventReader) checkEnd() error {
	info, err := r.file.Stat()
	if err != nil {
		return fmt.Errorf("read events %s: %w", r.path, err)
	}
	if info.Size() > plugin.EventsMaxBytes && r.dropped[dropPastCap] == 0 {
		r.drop(dropPastCap)
	}
	return nil
}

func (r *eventReader) drop(reason string) {
	if r.dropped == nil {
		r.dropped = make(map[string]int)
	}
	r.dropped[reason]++
}

// take decodes the lines that a chunk completes; it returns false once yield does.
func (r *eventReader) take(chunk []byte, yield func(Event) bool) bool {
	for line := range r.lines.lines(chunk) {
		if line == nil {
			r.drop(dropTooLong)
			continue
		}
		if r.zone.repeats(r.lines.start, line) {
			continue
		}
		line = trimLine(line, r.lines.start)
		if len(line) == 0 {
			continue
		}
		ev, drop := r.decoder.decode(line)
		if drop != "" {
			r.drop(drop)
			continue
		}
		if !yield(ev) {
			return false
		}
	}
	return true
}

// follow opens the file when it has come into being, and again when its name stands for
// another file than before.
func (r *eventReader) follow() error {
	named, err := os.Lstat(r.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && r.file != nil && os.SameFile(named, r.info) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read events: %w", err)
	}
	file, info, err := openRegularInfo(r.path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read events: %w", err)
	}
	r.adopt(file, info)
	return nil
}

// adopt goes on in another file: in the sealed copy where the old one became uncertain, in
// any other one from its start.
func (r *eventReader) adopt(file *os.File, info fs.FileInfo) {
	wasOpen := r.file != nil
	r.close()
	r.file, r.info = file, info
	sealed, err := isSealed(r.path, file)
	sealed = sealed && err == nil // doubt costs memory, no more
	switch {
	case !sealed || !wasOpen:
		r.zone = zoneMemory{settled: sealed || r.zone.settled}
		r.rewind(0)
	case r.offset > lockZoneStart:
		r.rewind(r.zone.replay(r.lines.start))
	default:
		r.zone.settled = true
	}
}

func (r *eventReader) rewind(offset int64) {
	r.offset = offset
	r.lines = lineSplitter{max: r.lines.max, start: offset}
}

// zoneMemory remembers the lines of a file that may yet be sealed, from the first that ends
// in the lock zone. Before it, the sealed copy equals the file. After it, the copy may lack
// a line that was written while it was made, and hold it later.
type zoneMemory struct {
	start   int64          // offset of the first line in the lock zone, 0 when there is none
	seen    map[string]int // lines since start
	settled bool           // the file is sealed; it stays
}

// replay returns the offset from which to read the copy; the lines seen before are then
// repeats. next is where the reader is.
func (z *zoneMemory) replay(next int64) int64 {
	z.settled = true
	if z.start > 0 {
		return z.start
	}
	return next
}

// repeats reports whether a line of the copy was read before, and remembers one that was
// not while there may still be a copy.
func (z *zoneMemory) repeats(start int64, line []byte) bool {
	if z.settled {
		if z.seen[string(line)] == 0 {
			return false
		}
		z.seen[string(line)]--
		return true
	}
	if start+int64(len(line)) < lockZoneStart {
		return false
	}
	if z.start == 0 {
		z.start, z.seen = start, make(map[string]int)
	}
	z.seen[string(line)]++
	return false
}
