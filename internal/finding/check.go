package finding

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/js"
)

// Rule is one thing that a check reports.
type Rule struct {
	Name     string // the part after the slash of "mirror/differs"
	Severity Severity

	// Off: reported only when Options.Enable names the rule, because less than nine of ten
	// findings on real code were worth acting on.
	Off bool
}

// JSFunc is a check of one plugin entry. It must not keep prog or entry, and may be called
// for several entries at once with the same prog.
type JSFunc func(prog *js.Program, entry *js.Module, opts Options) []Finding

// DirFunc is a check of one directory that was given to ngvet as a plugin. What JSFunc
// must not do it must not do either.
type DirFunc func(prog *js.Program, dir string, opts Options) []Finding

// Check is one analyzer together with what the driver must know about it.
type Check struct {
	// Analyzer runs the check on a Go package. Its Name is the check's name and its Doc the
	// text of Doc.
	Analyzer *analysis.Analyzer

	// Rules lists everything that the check reports.
	Rules []Rule

	// JS runs the check on one plugin entry. It is nil for a check of Go packages.
	JS JSFunc

	// Dir runs what the check has to say about a whole package or project directory, such
	// as plugins in it that OpenCode does not find. It is nil for most checks.
	Dir DirFunc

	// Scope says which packages a check of Go packages has anything to say about. A
	// repository that declares nothing and uses none of our types costs a scan of its text.
	Scope Scope
}

// Scope selects packages by their text.
type Scope struct {
	Directives []string // verbs of //ngvet: directives in the package
	Imports    []string // import paths
	Embeds     bool     // a package that embeds modules and has any //ngvet: directive
	Bodies     bool     // the check looks into the bodies of functions
	Tests      bool     // directives in tests count as well
	// Importers adds the packages that import one selected by Directives.
	Importers bool

	Annotated bool     // a package with any //ngvet: directive
	Modules   bool     // a package that embeds modules
	Commands  []string // a package that uses os/exec and has one of these programs in a string

	// Everywhere: --everywhere selects every package. The check speaks about Go that knows
	// nothing of us as well, so it must ask for nothing that only our packages have.
	Everywhere bool
}

// NewJS makes a check of plugins. The check's Analyzer uses the zero Options; [Check.With]
// changes them.
func NewJS(name, doc string, rules []Rule, run JSFunc) *Check {
	c := &Check{Analyzer: &analysis.Analyzer{Name: name, Doc: doc, URL: URL(name)}, Rules: rules}
	c.JS = func(prog *js.Program, entry *js.Module, opts Options) []Finding {
		return slices.DeleteFunc(run(prog, entry, opts), func(f Finding) bool { return !c.Reports(f.Rule, opts) })
	}
	return c.With(Options{})
}

// With returns the check with its Analyzer under opts. A check of Go packages has no
// options and is returned as it is.
func (c *Check) With(opts Options) *Check {
	if c.JS == nil {
		return c
	}
	a := *c.Analyzer
	a.Requires = []*analysis.Analyzer{Program}
	a.Run = func(pass *analysis.Pass) (any, error) {
		return nil, runEmbedded(pass, c.JS, opts)
	}
	return &Check{Analyzer: &a, Rules: c.Rules, JS: c.JS, Dir: c.Dir}
}

// Name is the check's name, the part before the slash of "mirror/differs".
func (c *Check) Name() string { return c.Analyzer.Name }

// Rule returns the rule with the given name.
func (c *Check) Rule(name string) (Rule, bool) {
	for _, r := range c.Rules {
		if r.Name == name {
			return r, true
		}
	}
	return Rule{}, false
}

// Reports reports whether opts leave a rule of the check on.
func (c *Check) Reports(name string, opts Options) bool {
	r, ok := c.Rule(name)
	return !ok || !r.Off || slices.Contains(opts.Enable, c.Name()+"/"+name)
}

// Section returns the part of the documentation that explains one rule, without its
// heading, or "".
func (c *Check) Section(rule string) string {
	heading := "# " + c.Name() + "/" + rule
	var out []string
	inside := false
	for line := range strings.Lines(c.Analyzer.Doc) {
		switch {
		case strings.TrimRight(line, "\n") == heading:
			inside = true
		case strings.HasPrefix(line, "# "):
			inside = false
		case inside:
			out = append(out, line)
		}
	}
	return strings.TrimSpace(strings.Join(out, ""))
}

// Undocumented returns the rules that the documentation does not explain.
func (c *Check) Undocumented() []string {
	var missing []string
	for _, r := range c.Rules {
		if c.Section(r.Name) == "" {
			missing = append(missing, r.Name)
		}
	}
	return missing
}

// URL is where the documentation of a check is published.
func URL(name string) string {
	return "https://pkg.go.dev/github.com/ngvet/ngvet/analyzers/" + name
}

// RuleURL is where the documentation of one rule is published: the anchor that pkg.go.dev
// gives to its heading.
func (c *Check) RuleURL(rule string) string {
	return c.Analyzer.URL + "#hdr-" + c.Name() + "_" + rule
}

// Doc returns the package comment of a doc.go source, the text that go doc, --explain and
// [analysis.Analyzer.Doc] share. It panics when src has none: the source is embedded, so
// that is a fault of the build and every test of the check shows it.
func Doc(src string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", src, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil || file.Doc == nil {
		panic(fmt.Sprintf("finding: doc.go has no package comment (%v)", err))
	}
	return file.Doc.Text()
}
