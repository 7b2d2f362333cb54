package js

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// anchor is one mapping of a source map, in bytes of the two texts.
type anchor struct{ gen, orig int }

// readSourceMap decodes the mappings of a source map of one source, in order of gen. It
// decodes them itself because the aligner needs all of them, and no library lists them.
func readSourceMap(data []byte, gen, orig string) ([]anchor, error) {
	var file struct {
		Version  int    `json:"version"`
		Mappings string `json:"mappings"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("read source map: %w", err)
	}
	if file.Version != 3 {
		return nil, fmt.Errorf("read source map: version %d, want 3", file.Version)
	}
	genText, origText := newColumns(gen), newColumns(orig)
	var anchors []anchor
	var source, line, col int
	for genLine, group := range strings.Split(file.Mappings, ";") {
		genCol := 0
		for segment := range strings.SplitSeq(group, ",") {
			fields, ok := decodeVLQ(segment)
			if !ok {
				return nil, fmt.Errorf("read source map: bad segment %q", segment)
			}
			if len(fields) > 0 {
				genCol += fields[0]
			}
			if len(fields) < 4 {
				continue
			}
			source, line, col = source+fields[1], line+fields[2], col+fields[3]
			g, okGen := genText.offset(genLine, genCol)
			o, okOrig := origText.offset(line, col)
			if !okGen || !okOrig || source != 0 {
				return nil, fmt.Errorf("read source map: segment %q leads outside the text", segment)
			}
			anchors = append(anchors, anchor{g, o})
		}
	}
	return anchors, nil
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// decodeVLQ decodes the signed numbers of one segment: six bits a digit, least first, the
// top bit for "more follows" and the lowest bit of a number for its sign.
func decodeVLQ(segment string) ([]int, bool) {
	var fields []int
	value, shift := 0, 0
	for i := range len(segment) {
		digit := strings.IndexByte(base64Digits, segment[i])
		if digit < 0 || shift > 30 {
			return nil, false
		}
		value |= digit & 31 << shift
		shift += 5
		if digit&32 != 0 {
			continue
		}
		n := value >> 1
		if value&1 != 0 {
			n = -n
		}
		fields = append(fields, n)
		value, shift = 0, 0
	}
	return fields, shift == 0
}

// columns turns lines and UTF-16 columns, both from 0, into byte offsets. It remembers the
// last place, so that places in ascending order cost one pass over the text.
type columns struct {
	text  string
	lines []int // offset of the start of each line

	line, col, off int
}

func newColumns(text string) *columns {
	return &columns{text: text, lines: lineStarts(text)}
}

// lineStarts returns the offset of the start of each line as JavaScript counts lines.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		i += n
		if isLineEnd(r) && !(r == '\r' && i < len(text) && text[i] == '\n') {
			starts = append(starts, i)
		}
	}
	return starts
}

func (c *columns) offset(line, col int) (int, bool) {
	if line < 0 || line >= len(c.lines) || col < 0 {
		return 0, false
	}
	if line != c.line || col < c.col {
		c.line, c.col, c.off = line, 0, c.lines[line]
	}
	end := len(c.text)
	if line+1 < len(c.lines) {
		end = c.lines[line+1]
	}
	for c.col < col && c.off < end {
		r, n := utf8.DecodeRuneInString(c.text[c.off:])
		c.off += n
		c.col++
		if r > 0xFFFF {
			c.col++
		}
	}
	return c.off, c.col >= col
}
