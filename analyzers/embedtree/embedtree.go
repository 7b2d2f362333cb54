package embedtree

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/goflow"
	"github.com/ngvet/ngvet/internal/js"
)

//go:embed doc.go
var doc string

// Check is the embedtree analyzer with its rules.
var Check = &finding.Check{
	Analyzer: &analysis.Analyzer{
		Name:      "embedtree",
		Doc:       finding.Doc(doc),
		URL:       finding.URL("embedtree"),
		Requires:  []*analysis.Analyzer{finding.Program, goflow.SSA},
		FactTypes: []analysis.Fact{new(does)},
		Run:       run,
	},
	Rules: []finding.Rule{
		{Name: ruleHidden, Severity: finding.Error},
		{Name: ruleMissing, Severity: finding.Error},
		{Name: ruleOutside, Severity: finding.Error},
		{Name: ruleFSPath, Severity: finding.Warning},
		{Name: ruleEOL, Severity: finding.Info},
	},
	Scope: finding.Scope{Modules: true, Bodies: true, Everywhere: true},
}

const (
	ruleHidden  = "hidden"
	ruleMissing = "missing"
	ruleOutside = "outside"
	ruleFSPath  = "fspath"
	ruleEOL     = "eol"
)

func run(pass *analysis.Pass) (any, error) {
	if goflow.InStandard(pass) {
		return nil, nil
	}
	fsPaths(pass)
	patterns, err := embedtree.Patterns(pass.Fset, pass.Files)
	if err != nil {
		return nil, err
	}
	t := newTree(pass, patterns)
	if len(t.modules) == 0 {
		return nil, nil
	}
	for _, m := range t.modules {
		for _, r := range t.references(m) {
			t.reference(m, r)
		}
	}
	t.reportHidden()
	t.lineEndings()
	return nil, nil
}

// tree is what a package embeds.
type tree struct {
	pass      *analysis.Pass
	prog      *js.Program
	positions *finding.Positions
	patterns  []embedtree.Pattern
	modules   []*js.Module
	files     map[string]bool        // that are embedded
	dropped   map[string]int         // files that only their name keeps out, and the pattern that does
	hidden    map[int][]hiddenTarget // what is missed, by pattern
	plugin    map[string]bool        // modules that OpenCode runs
	server    map[string]bool        // modules that are known not to run in a browser
}

// hiddenTarget is a file that a pattern drops and a module wants.
type hiddenTarget struct {
	path string
	by   *js.Module
	ref  reference
}

func newTree(pass *analysis.Pass, patterns []embedtree.Pattern) *tree {
	t := &tree{
		pass: pass, prog: finding.ProgramOf(pass), positions: finding.NewPositions(pass.Fset), patterns: patterns,
		files: make(map[string]bool), dropped: make(map[string]int), hidden: make(map[int][]hiddenTarget),
	}
	var paths []string
	for i, p := range patterns {
		for _, file := range p.Files {
			if embedtree.IsModule(file) && !t.files[file] {
				paths = append(paths, file)
			}
			t.files[file] = true
		}
		for _, file := range p.Dropped {
			t.dropped[file] = i
		}
	}
	for _, path := range paths {
		if m, err := t.prog.Load(path); err == nil {
			t.modules = append(t.modules, m)
		}
	}
	t.plugin = t.reach(finding.Entries(t.prog, paths))
	var server []*js.Module
	for _, m := range t.modules {
		if t.plugin[m.Path()] || usesNode(m) {
			server = append(server, m)
		}
	}
	t.server = t.reach(server)
	return t
}

// reach returns the embedded modules that the given ones import, and themselves.
func (t *tree) reach(from []*js.Module) map[string]bool {
	seen := make(map[string]bool)
	for len(from) > 0 {
		m := from[0]
		from = from[1:]
		if seen[m.Path()] {
			continue
		}
		seen[m.Path()] = true
		for _, specifier := range finding.Specifiers(m) {
			path, err := t.prog.Resolve(m, specifier)
			if err != nil || !t.files[path] {
				continue
			}
			if next, err := t.prog.Load(path); err == nil {
				from = append(from, next)
			}
		}
	}
	return seen
}

// report reports a finding in a module.
func (t *tree) report(rule string, m *js.Module, span js.Span, message string) {
	t.pass.Report(t.positions.Diagnostic(finding.Finding{
		Rule: rule, At: finding.Place{Module: m, Span: span}, Message: message,
	}))
}
