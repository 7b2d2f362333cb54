// Package between stands between the package that fills a map and the one that sends it.
package between

import "build"

func Wrap(msg string) map[string]any { // want Wrap:"result bannedkey, freetext"
	m := build.Reason(msg)
	build.Fill(0, m, msg)
	return m
}

func Fine(n int) map[string]any {
	m := build.Good(n)
	build.Count(m, n)
	return m
}
