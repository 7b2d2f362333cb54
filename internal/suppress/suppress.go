package suppress

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

//go:embed doc.go
var doc string

// Check documents the findings about directives. It has no analyzer to run: a driver asks
// a Set for its Problems when every other check has run.
var Check = &finding.Check{
	Analyzer: &analysis.Analyzer{Name: "ngvet", Doc: finding.Doc(doc), URL: "https://pkg.go.dev/github.com/ngvet/ngvet/internal/suppress"},
	Rules: []finding.Rule{
		{Name: RuleNoReason, Severity: finding.Error},
		{Name: RuleUnknownRule, Severity: finding.Error},
		{Name: RuleNearMiss, Severity: finding.Error},
		{Name: RuleUnused, Severity: finding.Warning},
		{Name: RuleUnreadable, Severity: finding.Error},
	},
}

// The rules of Check.
const (
	RuleNoReason    = "noreason"
	RuleUnknownRule = "unknownrule"
	RuleNearMiss    = "nearmiss"
	RuleUnused      = "unused"
	RuleUnreadable  = "unreadable" // reported by the driver
)

// Verbs that a directive may have, the part after "ngvet:".
var (
	goVerbs = []string{"ignore", "file-ignore", "mirror", "retention", "code"}
	jsVerbs = []string{"ignore", "file-ignore"}
)

// directive is one suppression.
type directive struct {
	file     string
	from, to int // lines, both included; the whole file when to is 0
	rules    []string
	used     map[string]bool
	js       bool
	pos, end token.Pos
}

// Set holds the suppressions of the files of one run. It is not safe for concurrent use.
type Set struct {
	known      func(rule string) bool
	directives []*directive
	problems   []analysis.Diagnostic
	files      map[string]bool
}

// NewSet returns an empty set. Rules that known denies are findings.
func NewSet(known func(rule string) bool) *Set {
	return &Set{known: known, files: make(map[string]bool)}
}

// AddGo adds the directives of a Go file. A file is added once.
func (s *Set) AddGo(fset *token.FileSet, file *ast.File) {
	name := finding.Position(fset, file.Package).Filename
	if s.files[name] {
		return
	}
	s.files[name] = true
	line := func(p token.Pos) int { return finding.Position(fset, p).Line }
	for _, group := range file.Comments {
		for _, c := range group.List {
			verb, args, ok := split(c.Text)
			if !ok {
				continue
			}
			if msg := nearMiss(c.Text, verb, goVerbs, false); msg != "" {
				s.problem(RuleNearMiss, c.Pos(), c.End(), msg)
				continue
			}
			d := &directive{file: name, pos: c.Pos(), end: c.End()}
			switch {
			case verb == "ignore":
				d.from, d.to = extent(file, c, line)
			case verb != "file-ignore":
				continue
			case c.Pos() > file.Package:
				s.problem(RuleNearMiss, c.Pos(), c.End(), "a file-ignore directive has no effect after the package clause")
				continue
			}
			s.add(d, args)
		}
	}
}

// AddJS adds the directives of a module. A module is added once.
func (s *Set) AddJS(positions *finding.Positions, m *js.Module) {
	if s.files[m.Path()] {
		return
	}
	s.files[m.Path()] = true
	for _, c := range m.Directives() {
		d := &directive{file: m.Path(), js: true}
		d.pos, d.end = positions.Range(finding.Place{Module: m, Span: c.Span})
		if msg := nearMiss("//ngvet:", c.Verb, jsVerbs, true); msg != "" {
			s.problem(RuleNearMiss, d.pos, d.end, msg)
			continue
		}
		if c.Verb == "ignore" {
			d.from, _ = m.Position(c.Span.Start)
			d.to = d.from
			if c.StmtLine > 0 {
				last, _ := m.Position(max(c.Stmt.Start, c.Stmt.End-1))
				d.to = max(d.from, last)
			}
		}
		s.add(d, c.Args)
	}
}

// add parses "RULE[,RULE] reason" and keeps the directive.
func (s *Set) add(d *directive, args string) {
	list, reason, _ := strings.Cut(args, " ")
	if list == "" || strings.TrimSpace(reason) == "" {
		s.problem(RuleNoReason, d.pos, d.end, "the directive needs a rule and a reason: ngvet:ignore RULE why it does not apply here")
		return
	}
	d.used = make(map[string]bool)
	for rule := range strings.SplitSeq(list, ",") {
		if !s.known(rule) || strings.HasPrefix(rule, "ngvet/") {
			s.problem(RuleUnknownRule, d.pos, d.end, fmt.Sprintf("%q is no rule that can be suppressed, ngvet --list names them", rule))
			continue
		}
		d.rules = append(d.rules, rule)
	}
	s.directives = append(s.directives, d)
}

func (s *Set) problem(rule string, pos, end token.Pos, msg string) {
	s.problems = append(s.problems, analysis.Diagnostic{Category: rule, Pos: pos, End: end, Message: msg})
}

// Match reports whether a finding of rule at p is suppressed, and remembers that the
// directive was of use.
func (s *Set) Match(rule string, p token.Position) bool {
	matched := false
	for _, d := range s.directives {
		covers := d.to == 0 || d.from <= p.Line && p.Line <= d.to
		if d.file == p.Filename && covers && slices.Contains(d.rules, rule) {
			d.used[rule] = true
			matched = true
		}
	}
	return matched
}

// Problems returns the findings about the directives themselves; their Category is a rule
// of Check. Call it after every Match. A directive in JavaScript is not called unused for a
// rule that this run need not have applied: one of Go packages, because the package that
// declares the contract may not be part of the run, or one that is off; idle tells those.
func (s *Set) Problems(idle func(rule string) bool) []analysis.Diagnostic {
	out := slices.Clone(s.problems)
	for _, d := range s.directives {
		for _, rule := range d.rules {
			if !d.used[rule] && !(d.js && idle(rule)) {
				out = append(out, analysis.Diagnostic{
					Category: RuleUnused, Pos: d.pos, End: d.end,
					Message: fmt.Sprintf("nothing here breaks %s: remove the directive, or it will hide the next finding", rule),
				})
			}
		}
	}
	return out
}

var form = regexp.MustCompile(`^//[ \t]*ngvet:([A-Za-z-]+)(?:[ \t]+(.*))?$`)

// split takes a comment apart that is or resembles a directive.
func split(comment string) (verb, args string, ok bool) {
	m := form.FindStringSubmatch(strings.TrimRight(comment, " \t\r"))
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// nearMiss tells why a comment that resembles a directive is none, or returns "".
func nearMiss(text, verb string, verbs []string, spaces bool) string {
	known := slices.Contains(verbs, verb)
	exact := strings.HasPrefix(text, "//ngvet:")
	switch {
	case !known && (exact || spaces):
		return fmt.Sprintf("ngvet:%s is no directive, known are %s", verb, strings.Join(verbs, ", "))
	case known && !exact && !spaces:
		return "a directive has no space after the slashes: without that this comment has no effect"
	}
	return ""
}

// extent returns the lines that an ignore directive in Go covers: its own line when code
// stands before it, else from itself to the end of the statement, declaration or element
// below. Of a function only the doc comment and the signature are covered.
func extent(file *ast.File, c *ast.Comment, line func(token.Pos) int) (from, to int) {
	from = line(c.Pos())
	to = from
	next := token.NoPos // of the first node after the comment
	trailing := false
	ast.Inspect(file, func(n ast.Node) bool {
		if _, isComment := n.(*ast.CommentGroup); n == nil || isComment || n == file {
			return n == file
		}
		if n.Pos() < c.Pos() && line(n.Pos()) == from || n.End() <= c.Pos() && line(n.End()) == from {
			trailing = true
		}
		if n.Pos() > c.End() && (next == token.NoPos || n.Pos() < next) {
			next = n.Pos()
		}
		return true
	})
	if trailing {
		return from, to
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if start(n, n.Doc) <= c.Pos() && c.Pos() < n.Type.End() || n.Type.Pos() == next {
				to = max(to, line(n.Type.End()))
			}
		case *ast.GenDecl:
			if start(n, n.Doc) <= c.Pos() && c.Pos() < n.TokPos {
				to = max(to, line(n.End()))
			}
		case ast.Stmt, ast.Spec, *ast.KeyValueExpr, *ast.Field, *ast.CompositeLit, *ast.BasicLit:
			if n.Pos() == next {
				to = max(to, line(n.End()))
			}
		}
		return true
	})
	return from, to
}

func start(n ast.Node, doc *ast.CommentGroup) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}
