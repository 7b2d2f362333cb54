package ngcore

import (
	"bytes"
	"iter"
)

// lineSplitter cuts a file that arrives in chunks into lines. It keeps at most one line, of
// at most max bytes with its newline; a longer one is skipped, and the next one is not lost
// with it. The zero value with max set starts at the beginning of a file.
//
// A last line without newline is not a line yet: its writer may be alive (BUGS.md B30).
type lineSplitter struct {
	max int

	start   int64  // offset of the line in hand
	rest    []byte // what there is of it
	skipped int64  // bytes of it that were thrown away
}

// pending is the number of bytes of the line that is not complete yet.
func (s *lineSplitter) pending() int64 { return s.skipped + int64(len(s.rest)) }

// lines yields the lines that the chunk completes, without their newline; nil stands for a
// line that was too long. During a step s.start is the offset of the line in hand. A line
// is valid until the next step. Every line must be taken: the chunk is consumed.
func (s *lineSplitter) lines(chunk []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for more := true; more; {
			i := bytes.IndexByte(chunk, '\n')
			if i < 0 {
				s.keep(chunk)
				return
			}
			line := chunk[:i]
			if s.pending() > 0 {
				s.keep(line)
				line = s.rest
			}
			length := s.skipped + int64(len(line)) + 1
			if length > int64(s.max) {
				line = nil
			}
			more = yield(line)
			s.start, s.skipped, s.rest = s.start+length, 0, s.rest[:0]
			chunk = chunk[i+1:]
		}
	}
}

// keep holds on to part of a line, unless the line is too long already.
func (s *lineSplitter) keep(part []byte) {
	if s.skipped > 0 || len(s.rest)+len(part) > s.max {
		s.skipped += int64(len(s.rest) + len(part))
		s.rest = s.rest[:0]
		return
	}
	s.rest = append(s.rest, part...)
}

// trimLine removes what a Windows editor may have put around a line: a byte order mark at
// the start of the file and a carriage return (BUGS.md B35).
func trimLine(line []byte, offset int64) []byte {
	if offset == 0 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return bytes.TrimSuffix(line, []byte{'\r'})
}
