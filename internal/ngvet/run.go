package ngvet

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/ngvet/ngvet/analyzers"
	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/gosource"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/suppress"
)

// options are what one run is asked to do.
type options struct {
	dir     string   // where targets and the go command are relative to
	targets []string // package patterns, directories and files
	plugins finding.Options

	everywhere bool // checks that can speak about any package do
}

// problem is one finding with its full rule name.
type problem struct {
	rule     string
	severity finding.Severity
	diag     analysis.Diagnostic
}

// report is the outcome of a run: problems that are not suppressed, sorted, each once.
type report struct {
	fset     *token.FileSet
	problems []problem
}

// run collects the problems of one run.
type run struct {
	opts      options
	checks    []*finding.Check
	fset      *token.FileSet
	prog      *js.Program
	positions *finding.Positions
	ignores   *suppress.Set
	modules   map[string]*js.Module // whose directives count
	problems  []problem
}

// check runs every check on the targets. An error means that something could not be
// checked; there is no partial report.
func check(ctx context.Context, opts options) (*report, error) {
	fset := token.NewFileSet()
	checks := analyzers.All(opts.plugins)
	r := &run{
		opts:      opts,
		checks:    checks,
		fset:      fset,
		prog:      js.NewProgram(finding.ReadFile),
		positions: finding.NewPositions(fset),
		ignores:   suppress.NewSet(func(rule string) bool { return ruleOf(checks, rule) != nil }),
		modules:   make(map[string]*js.Module),
	}
	targets, err := splitTargets(r.prog, opts.dir, opts.targets)
	if err != nil {
		return nil, err
	}
	if err := r.directories(targets); err != nil {
		return nil, err
	}
	if err := r.plugins(targets.entries); err != nil {
		return nil, err
	}
	if len(targets.patterns) > 0 {
		if err := r.packages(ctx, targets.patterns); err != nil {
			return nil, err
		}
	}
	return r.finish(), nil
}

// directories runs what checks have to say about whole directories. One with nothing to
// check, and nothing wrong with it that explains why, is an error.
func (r *run) directories(t *targets) error {
	for _, dir := range t.dirs {
		before := len(r.problems)
		for _, c := range r.checks {
			if c.Dir == nil {
				continue
			}
			found, err := guard(c.Name(), dir, func() []finding.Finding { return c.Dir(r.prog, dir, r.opts.plugins) })
			if err != nil {
				return err
			}
			for _, f := range found {
				r.add(c, r.positions.Diagnostic(f))
			}
		}
		if len(r.problems) > before {
			t.empty = slices.DeleteFunc(t.empty, func(e empty) bool { return e.path == dir || e.path == filepath.Dir(dir) })
		}
	}
	if len(t.empty) == 0 {
		return nil
	}
	return fmt.Errorf("directory %s holds no Go package and no plugin entry (package.json with exports or main, index file, .opencode/plugin)", t.empty[0].target)
}

// plugins runs the checks of plugins on entry modules and reads the directives of
// everything that those import from their own tree.
func (r *run) plugins(entries []string) error {
	for _, path := range entries {
		m, err := r.prog.Load(path)
		if err != nil {
			r.unreadable(path, err)
			continue
		}
		r.follow(m)
		if err := r.plugin(m); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) plugin(entry *js.Module) error {
	for _, c := range r.checks {
		if c.JS == nil {
			continue
		}
		found, err := guard(c.Name(), entry.Path(), func() []finding.Finding {
			return c.JS(r.prog, entry, r.opts.plugins)
		})
		if err != nil {
			return err
		}
		for _, f := range found {
			r.add(c, r.positions.Diagnostic(f))
		}
	}
	return nil
}

// guard turns a panic of a check into an error that names it.
func guard[T any](check, subject string, f func() T) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("check %s on %s: internal error: %v", check, subject, p)
		}
	}()
	return f(), nil
}

// follow adds a module and the modules of the same tree that it imports. What a package
// manager installed is not the author's to annotate.
func (r *run) follow(m *js.Module) {
	if r.modules[m.Path()] != nil {
		return
	}
	r.modules[m.Path()] = m
	for _, specifier := range finding.Specifiers(m) {
		if !strings.HasPrefix(specifier, ".") {
			continue
		}
		path, err := r.prog.Resolve(m, specifier)
		if err != nil || !js.Supported(path) {
			continue // a rule of the plugin checks; Bun hands over text and other files unparsed
		}
		if next, err := r.prog.Load(path); err == nil {
			r.follow(next)
		} else {
			r.unreadable(path, err)
		}
	}
}

// unreadable reports a module that is part of a plugin and cannot be read.
func (r *run) unreadable(path string, err error) {
	pos := token.NoPos
	if data, readErr := finding.ReadFile(path); readErr == nil {
		file := r.fset.AddFile(path, -1, len(data))
		file.SetLinesForContent(data)
		offset := 0
		if e, ok := err.(*js.Error); ok && e.Path == path {
			offset = min(max(e.Span.Start, 0), len(data))
			err = fmt.Errorf("%s", e.Msg)
		}
		pos = file.Pos(offset)
	} else {
		pos = r.fset.AddFile(path, -1, 0).Pos(0)
	}
	r.add(suppress.Check, analysis.Diagnostic{
		Category: suppress.RuleUnreadable, Pos: pos,
		Message: fmt.Sprintf("this module cannot be read, so OpenCode does not load the plugin and says nothing: %v", err),
	})
}

// packages runs the checks on Go packages.
func (r *run) packages(ctx context.Context, patterns []string) error {
	listed, err := gosource.List(ctx, r.opts.dir, patterns)
	if err != nil {
		return err
	}
	scans, err := scan(ctx, r.fset, listed)
	if err != nil {
		return err
	}
	for _, s := range scans {
		if err := r.embedded(s); err != nil {
			return err
		}
		for _, file := range s.annotated {
			r.ignores.AddGo(r.fset, file)
		}
	}
	return r.analyze(ctx, scans)
}

// embedded runs the checks of plugins on what a package embeds.
func (r *run) embedded(s *scanned) error {
	paths, err := embedtree.Modules(r.fset, s.embedders)
	if err != nil {
		return err
	}
	for _, path := range paths {
		switch m, err := r.prog.Load(path); {
		case err == nil:
			r.modules[path] = m
		case len(s.verbs) > 0:
			r.unreadable(path, err)
		}
	}
	for _, entry := range finding.Entries(r.prog, paths) {
		if err := r.plugin(entry); err != nil {
			return err
		}
	}
	return nil
}

// analyze runs the checks of Go packages, each on the packages of its scope. A package is
// loaded once, as deep as the most demanding of its checks needs it.
func (r *run) analyze(ctx context.Context, scans []*scanned) error {
	var units []gosource.Unit
	index := make(map[string]int)
	work := make(map[*finding.Check][]int)
	for _, c := range r.checks {
		if c.JS != nil {
			continue
		}
		for _, u := range inScope(r.fset, c.Scope, scans, r.opts.everywhere) {
			key := fmt.Sprint(u.ImportPath, u.Tests, u.XTest)
			i, ok := index[key]
			if !ok {
				i = len(units)
				index[key] = i
				units = append(units, u)
			}
			units[i].Depth = max(units[i].Depth, u.Depth)
			units[i].Facts = units[i].Facts || len(c.Analyzer.FactTypes) > 0
			work[c] = append(work[c], i)
		}
	}
	pkgs, err := gosource.NewLoader(r.fset, r.opts.dir).Load(ctx, units)
	if err != nil {
		return err
	}
	together := make(assignment)
	for c, indices := range work {
		packages := make(map[*packages.Package]bool)
		for _, i := range indices {
			packages[pkgs[i]] = true
		}
		if len(c.Analyzer.FactTypes) > 0 {
			together[c] = packages
		} else if err := r.apply(assignment{c: packages}); err != nil {
			return err
		}
	}
	return r.apply(together)
}

// assignment says on which packages a check reports.
type assignment map[*finding.Check]map[*packages.Package]bool

// apply runs checks, each on the packages of all of them, so that what they share is built
// once. A check with facts loses nothing by that: it sees what its packages import anyway.
func (r *run) apply(a assignment) error {
	var checks []*analysis.Analyzer
	var pkgs []*packages.Package
	owner := make(map[*analysis.Analyzer]*finding.Check)
	for c, packages := range a {
		g := guarded(c.Analyzer)
		checks = append(checks, g)
		owner[g] = c
		for p := range packages {
			if !slices.Contains(pkgs, p) {
				pkgs = append(pkgs, p)
			}
		}
	}
	if len(pkgs) == 0 {
		return nil
	}
	graph, err := checker.Analyze(checks, pkgs, nil)
	if err != nil {
		return err
	}
	for action := range graph.All() { // the cause of an error comes before what it prevents
		if action.Err != nil {
			return fmt.Errorf("check %s on %s: %w", action.Analyzer.Name, action.Package.PkgPath, action.Err)
		}
	}
	for _, action := range graph.Roots {
		c := owner[action.Analyzer]
		if !a[c][action.Package] {
			continue
		}
		for _, d := range action.Diagnostics {
			if c.Reports(d.Category, r.opts.plugins) {
				r.add(c, d)
			}
		}
	}
	return nil
}

// guarded returns an analyzer whose panics are errors.
func guarded(a *analysis.Analyzer) *analysis.Analyzer {
	out := *a
	out.Run = func(pass *analysis.Pass) (result any, err error) {
		_, panicked := guard(a.Name, pass.Pkg.Path(), func() bool {
			result, err = a.Run(pass)
			return true
		})
		return result, cmp.Or(panicked, err)
	}
	return &out
}

func (r *run) add(c *finding.Check, d analysis.Diagnostic) {
	p := problem{rule: c.Name() + "/" + d.Category, diag: d}
	if rule, ok := c.Rule(d.Category); ok {
		p.severity = rule.Severity
	}
	p.diag.URL = c.RuleURL(d.Category)
	if !finding.InSource(r.fset, d.Pos) {
		p.diag.SuggestedFixes = nil
	}
	r.problems = append(r.problems, p)
}

// finish applies suppressions, sorts, and leaves each finding once.
func (r *run) finish() *report {
	for _, p := range r.problems {
		name := finding.Position(r.fset, p.diag.Pos).Filename
		if r.modules[name] == nil && embedtree.IsModule(name) {
			if m, err := r.prog.Load(name); err == nil {
				r.modules[name] = m
			}
		}
	}
	for _, m := range r.modules {
		r.ignores.AddJS(r.positions, m)
	}
	kept := slices.DeleteFunc(r.problems, func(p problem) bool {
		return r.ignores.Match(p.rule, finding.Position(r.fset, p.diag.Pos))
	})
	r.problems = kept
	for _, d := range r.ignores.Problems(r.isIdle) {
		r.add(suppress.Check, d)
	}
	out := &report{fset: r.fset, problems: r.problems}
	slices.SortStableFunc(out.problems, out.order)
	out.problems = slices.CompactFunc(out.problems, func(a, b problem) bool { return out.order(a, b) == 0 })
	return out
}

// isIdle reports whether a rule need not have been applied to every plugin of the run.
func (r *run) isIdle(rule string) bool {
	c := ruleOf(r.checks, rule)
	_, short, _ := strings.Cut(rule, "/")
	return c.JS == nil || !c.Reports(short, r.opts.plugins)
}

// order sorts by file, place, rule and message.
func (r *report) order(a, b problem) int {
	x, y := finding.Position(r.fset, a.diag.Pos), finding.Position(r.fset, b.diag.Pos)
	return cmp.Or(
		cmp.Compare(filepath.ToSlash(x.Filename), filepath.ToSlash(y.Filename)),
		cmp.Compare(x.Line, y.Line),
		cmp.Compare(x.Column, y.Column),
		cmp.Compare(a.rule, b.rule),
		cmp.Compare(a.diag.Message, b.diag.Message),
	)
}
