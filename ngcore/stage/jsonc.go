package stage

import "bytes"

// plainJSON returns JSON with comments and trailing commas, as OpenCode accepts it in its
// configuration, without either. Offsets stay as they are: what is dropped becomes spaces.
// Text that is no such JSON comes back as no JSON.
func plainJSON(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1 // the last comma, while only spaces and comments have followed
	for i := 0; i < len(out); {
		rest := out[i:]
		switch c := rest[0]; {
		case c == '"':
			comma = -1
			i += stringLen(rest)
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			i += blank(rest[:end])
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += blank(rest[:end+4])
		case c == ',':
			comma = i
			i++
		default:
			if (c == '}' || c == ']') && comma >= 0 {
				out[comma] = ' '
			}
			if c > ' ' {
				comma = -1
			}
			i++
		}
	}
	return out
}

// stringLen returns the length of the string that text starts with, quotes included.
func stringLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func blank(comment []byte) int {
	for i, c := range comment {
		if c != '\n' {
			comment[i] = ' '
		}
	}
	return len(comment)
}
