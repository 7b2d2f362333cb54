package gate

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// A word's value is a string in which bytes that no UTF-8 text contains stand for what is
// not known before the command runs.
const (
	anyText   = "\xff" // anything at all
	atomText  = "\xfe" // part of one name: no slash, no blank, not "." or ".."
	listText  = "\xfd" // a path that a listing of this directory printed
	hostText  = "\xfc" // a value that the agent cannot choose: the host's environment
	starText  = "\xfb" // an unquoted *
	queryText = "\xfa" // an unquoted ? or [...]

	// secretText stands for the value of a variable that holds a credential. It is a
	// hostText with a note.
	secretText = hostText + "\xf9"

	// envText is all that the environment holds.
	envText = anyText + "\xf9"

	allMarkers = anyText + atomText + listText + hostText + starText + queryText + "\xf9"
)

// isDynamic reports whether text may stand for more than one value.
func isDynamic(text string) bool { return hasAnyByte(text, allMarkers) }

// isOpen reports whether text may stand for any path at all.
func isOpen(text string) bool { return hasAnyByte(text, anyText+listText+hostText) }

// hasAnyByte is strings.ContainsAny for bytes that are no runes.
func hasAnyByte(text, set string) bool {
	for i := range len(text) {
		if strings.IndexByte(set, text[i]) >= 0 {
			return true
		}
	}
	return false
}

// consistsOf reports whether text is not empty and made of the bytes in set. The
// functions of package strings take every marker for the same invalid rune.
func consistsOf(text, set string) bool {
	for i := range len(text) {
		if strings.IndexByte(set, text[i]) < 0 {
			return false
		}
	}
	return text != ""
}

// globOf turns the markers of text into a pattern for path.Match.
func globOf(text string) string {
	return strings.NewReplacer(starText, "*", queryText, "?", atomText, "*", anyText, "*", listText, "*", hostText, "*").Replace(text)
}

// readable shows text in a reason.
func readable(text string) string {
	return strings.NewReplacer(secretText, "$_", envText, "$?", starText, "*", queryText, "?", atomText, "$_", anyText, "$?", listText, "$_", hostText, "$_").Replace(text)
}

// aimsAtSecret reports whether a glob was written to reach a secret.
func (p *Policy) aimsAtSecret(glob string) bool {
	return p.isSecret([]string{fold(markGlobs(path.Base(glob)))})
}

// changeCase applies an ASCII change of case; the markers stay what they are.
func changeCase(text string, from, to byte) string {
	b := []byte(text)
	for i, c := range b {
		if c >= from && c <= from+25 {
			b[i] = c - from + to
		}
	}
	return string(b)
}

// pattern compiles an expression when it is first needed: most calls need none, and every
// judged call is a process of its own.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
