package gate

import (
	"path"
	"strings"
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

	allMarkers = anyText + atomText + listText + hostText + starText + queryText
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

// globOf turns the markers of text into a pattern for path.Match.
func globOf(text string) string {
	return strings.NewReplacer(starText, "*", queryText, "?", atomText, "*", anyText, "*", listText, "*", hostText, "*").Replace(text)
}

// readable shows text in a reason.
func readable(text string) string {
	return strings.NewReplacer(starText, "*", queryText, "?", atomText, "$_", anyText, "$?", listText, "$_", hostText, "$_").Replace(text)
}

// secretSamples are names that the secret patterns cover, for the question whether a glob
// was written to reach one.
var secretSamples = []string{".env", ".env.local", ".env.production", "~~.pem", "~~.key", "~~.p12", "~~.pfx", "~~.jks", "id_rsa", "id_ed25519", ".netrc", ".git-credentials", ".ssh", ".aws", ".kube", ".gnupg", ".docker", "credentials.json"}

// aimsAtSecret reports whether a glob names a secret: it matches a sample and says more
// than "everything here".
func (p *Policy) aimsAtSecret(glob string) bool {
	name := fold(path.Base(glob))
	if p.isSecret([]string{name}) {
		return true
	}
	if strings.Trim(name, "*?[].") == "" && !strings.HasPrefix(name, ".") {
		return false
	}
	for _, sample := range secretSamples {
		if ok, _ := path.Match(name, sample); ok && (sample[0] == name[0] || sample[0] != '.') {
			return true
		}
	}
	return false
}
