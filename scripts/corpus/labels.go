package main

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// label is one fault that must be found.
type label struct {
	Rule string // "hookname/unknown"
	File string // slash path in the package; with Line 0 also a directory above it
	Line int    // 1-based; 0 for any line
	Note string

	// Sample: the rule must find something there, and what else it finds is not judged.
	Sample bool
}

func (l label) String() string {
	line := "*"
	if l.Line > 0 {
		line = strconv.Itoa(l.Line)
	}
	return strings.TrimSpace(fmt.Sprintf("%s:%s: %s %s", l.File, line, l.Rule, l.Note))
}

// labelled is one package with everything that must be found in it. A package without
// labels is clean: no analyzer that has labels anywhere may find anything.
type labelled struct {
	Name   string // "name@version"
	Entry  string // slash path of the module that is checked, in the package
	Labels []label
}

// exact matches a package at one exact version. Ranges and tags would move under the labels.
var exact = regexp.MustCompile(`^(@[a-z0-9._-]+/)?[a-z0-9._-]+@\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// readLabels reads a file of labels, one a line, tab-separated: package@version, entry,
// rule, file:line, note. Lines of one package stand together. The rule "clean" says that
// the package has no labels; "stdout" is a sample of pluginhost/stdout.
func readLabels(file string) ([]labelled, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	var packages []labelled
	seen := map[string]bool{}
	clean := false
	for i, line := range strings.Split(string(src), "\n") {
		if line = strings.TrimRight(line, "\r"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, entry, l, err := parseLabel(line)
		if err != nil {
			return nil, fmt.Errorf("read labels: %s:%d: %w", file, i+1, err)
		}
		isNew := len(packages) == 0 || packages[len(packages)-1].Name != name
		if isNew && seen[name] || !isNew && (clean || l == nil) {
			return nil, fmt.Errorf("read labels: %s:%d: %s has rows elsewhere, or is clean and has labels", file, i+1, name)
		}
		if isNew {
			packages = append(packages, labelled{Name: name, Entry: entry})
			seen[name] = true
		}
		if packages[len(packages)-1].Entry != entry {
			return nil, fmt.Errorf("read labels: %s:%d: %s has two entries, %s and %s", file, i+1, name, packages[len(packages)-1].Entry, entry)
		}
		if clean = l == nil; !clean {
			last := &packages[len(packages)-1]
			last.Labels = append(last.Labels, *l)
		}
	}
	return packages, nil
}

// parseLabel returns the package of a line, its entry, and its label, nil for "clean".
func parseLabel(line string) (name, entry string, l *label, err error) {
	f := strings.Split(line, "\t")
	for len(f) < 5 {
		f = append(f, "")
	}
	name, entry = f[0], f[1]
	rule, place, note := f[2], f[3], f[4]
	if len(f) > 5 || !exact.MatchString(name) {
		return "", "", nil, fmt.Errorf("want package@version, entry, rule, file:line and note, found %q", line)
	}
	if !fs.ValidPath(entry) {
		return "", "", nil, fmt.Errorf("want an entry such as src/index.ts, found %q", entry)
	}
	if rule == "clean" {
		return name, entry, nil, nil
	}
	sample := rule == "stdout"
	if sample {
		rule = "pluginhost/stdout"
	}
	if analyzer, short, ok := strings.Cut(rule, "/"); !ok || analyzer == "" || short == "" {
		return "", "", nil, fmt.Errorf("want a rule such as hookname/unknown, found %q", rule)
	}
	file, at, ok := strings.Cut(place, ":")
	if !ok || file == "" {
		return "", "", nil, fmt.Errorf("want file:line or file:*, found %q", place)
	}
	l = &label{Rule: rule, File: file, Note: note, Sample: sample}
	if at != "*" {
		n, err := strconv.Atoi(at)
		if err != nil || n < 1 {
			return "", "", nil, fmt.Errorf("want file:line or file:*, found %q", place)
		}
		l.Line = n
	}
	return name, entry, l, nil
}
