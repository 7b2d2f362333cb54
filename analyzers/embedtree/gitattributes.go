package embedtree

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/finding"
)

// lineEndings reports patterns with text whose bytes depend on where git checks it out,
// once each.
func (t *tree) lineEndings() {
	repos := make(map[string]*repository) // by directory of a file
	for _, p := range t.patterns {
		if !t.embedsServer(p) {
			continue
		}
		var free []string
		for _, file := range p.Files {
			dir := filepath.Dir(file)
			if _, seen := repos[dir]; !seen {
				repos[dir] = repositoryAround(dir)
			}
			if repo := repos[dir]; repo != nil && isText(file) && !repo.ignores(file) && !repo.settles(file) {
				free = append(free, filepath.Base(file))
			}
		}
		if len(free) == 0 {
			continue
		}
		t.pass.Report(analysis.Diagnostic{
			Category: ruleEOL, Pos: p.Pos, End: p.End,
			Message: fmt.Sprintf("git may check out %s with CRLF on Windows, so that a binary built there embeds other bytes (%d of this pattern); add a line such as *%s text eol=lf to .gitattributes", free[0], len(free), filepath.Ext(free[0])),
		})
	}
}

// embedsServer reports whether a pattern embeds a module that does not run in a browser,
// which copes with any line ending.
func (t *tree) embedsServer(p embedtree.Pattern) bool {
	for _, file := range p.Files {
		if t.server[file] {
			return true
		}
	}
	return false
}

// isText reports whether git takes a file for text with lines: no NUL near its start.
func isText(file string) bool {
	data, err := finding.ReadFile(file)
	return err == nil && bytes.IndexByte(data[:min(len(data), 8000)], 0) < 0 && bytes.IndexByte(data, '\n') >= 0
}

// repository is the git work tree around a directory, with what its files say about paths.
type repository struct {
	root    string
	ignored []rule // of .gitignore, the later ones win
	eol     []rule // of .gitattributes
}

// rule is one line: whether it settles the paths that its pattern matches.
type rule struct {
	base    string // directory of the file that it is in
	pattern *regexp.Regexp
	settles bool
	dirOnly bool
}

// repositoryAround reads the files from the root of the work tree down to dir. It is nil
// outside of one, where nothing is checked out by git.
func repositoryAround(dir string) *repository {
	var dirs []string
	for at := dir; ; at = filepath.Dir(at) {
		dirs = append([]string{at}, dirs...)
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		if filepath.Dir(at) == at {
			return nil
		}
	}
	r := &repository{root: dirs[0]}
	macros := map[string]bool{"binary": true}
	for _, at := range dirs {
		for line := range fileLines(filepath.Join(at, ".gitattributes")) {
			r.attribute(at, line, macros)
		}
		for line := range fileLines(filepath.Join(at, ".gitignore")) {
			r.ignore(at, line)
		}
	}
	return r
}

// fileLines calls yield for the lines of a file that are not empty and no comments.
func fileLines(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		data, err := finding.ReadFile(name)
		if err != nil {
			return
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// attribute adds a line of .gitattributes when it says something about line endings.
func (r *repository) attribute(base, line string, macros map[string]bool) {
	pattern, rest := splitPattern(line)
	name, isMacro := strings.CutPrefix(pattern, "[attr]")
	settled, reset := false, false
	for _, word := range strings.Fields(rest) {
		// A plain "text" leaves the eol= of another line in force.
		switch {
		case word == "eol=lf" || word == "eol=crlf" || word == "-text" || macros[word]:
			settled = true
		case word == "!text" || word == "-eol" || word == "!eol":
			reset = true
		}
	}
	switch {
	case isMacro:
		macros[name] = settled
	case settled || reset:
		r.eol = append(r.eol, newRule(base, pattern, settled))
	}
}

// splitPattern splits a line of .gitattributes, whose pattern may be quoted.
func splitPattern(line string) (pattern, rest string) {
	if quoted, err := strconv.QuotedPrefix(line); err == nil {
		if text, err := strconv.Unquote(quoted); err == nil {
			return text, line[len(quoted):]
		}
	}
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], line[i:]
	}
	return line, ""
}

// ignore adds a line of .gitignore.
func (r *repository) ignore(base, line string) {
	pattern, negated := strings.CutPrefix(line, "!")
	pattern, dirOnly := strings.CutSuffix(strings.TrimPrefix(pattern, `\`), "/")
	added := newRule(base, pattern, !negated)
	added.dirOnly = dirOnly
	r.ignored = append(r.ignored, added)
}

func newRule(base, pattern string, settles bool) rule {
	return rule{base: base, pattern: compile(pattern), settles: settles}
}

// compile translates a pattern of git. One without a slash matches in any directory.
func compile(pattern string) *regexp.Regexp {
	anywhere := !strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	var re strings.Builder
	re.WriteString("^")
	if anywhere {
		re.WriteString("(?:.*/)?")
	}
	for pattern != "" {
		n := 1
		switch {
		case strings.HasPrefix(pattern, "**/"):
			n = 3
			re.WriteString("(?:.*/)?")
		case strings.HasPrefix(pattern, "**"):
			n = 2
			re.WriteString(".*")
		case pattern[0] == '*':
			re.WriteString("[^/]*")
		case pattern[0] == '?':
			re.WriteString("[^/]")
		case pattern[0] == '[' && strings.Contains(pattern, "]"):
			n = strings.Index(pattern, "]") + 1
			re.WriteString(strings.Replace(pattern[:n], "[!", "[^", 1))
		case pattern[0] == '\\' && len(pattern) > 1:
			n = 2
			re.WriteString(regexp.QuoteMeta(pattern[1:2]))
		default:
			re.WriteString(regexp.QuoteMeta(pattern[:1]))
		}
		pattern = pattern[n:]
	}
	re.WriteString("$")
	compiled, err := regexp.Compile(re.String())
	if err != nil {
		return regexp.MustCompile(`$.^`) // a class that git would not match either
	}
	return compiled
}

// matches reports whether a rule matches a path below its directory.
func (r rule) matches(file string) bool {
	rel, err := filepath.Rel(r.base, file)
	return err == nil && filepath.IsLocal(rel) && r.pattern.MatchString(filepath.ToSlash(rel))
}

// settles reports whether the line endings of a file are the same on every platform.
func (r *repository) settles(file string) bool {
	settled := false
	for _, rule := range r.eol {
		if rule.matches(file) {
			settled = rule.settles
		}
	}
	return settled
}

// ignores reports whether git leaves a file alone: what a build makes is not checked out.
func (r *repository) ignores(file string) bool {
	rel, err := filepath.Rel(r.root, file)
	if err != nil {
		return false
	}
	elements := strings.Split(filepath.ToSlash(rel), "/")
	for i := range elements {
		at := filepath.Join(r.root, filepath.FromSlash(path.Join(elements[:i+1]...)))
		ignored := false
		for _, rule := range r.ignored {
			if (!rule.dirOnly || i < len(elements)-1) && rule.matches(at) {
				ignored = rule.settles
			}
		}
		if ignored {
			return true
		}
	}
	return false
}
