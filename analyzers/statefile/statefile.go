package statefile

import (
	_ "embed"
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/goflow"
)

//go:embed doc.go
var doc string

// Check is the statefile analyzer with its rules.
var Check = &finding.Check{
	Analyzer: &analysis.Analyzer{
		Name:      "statefile",
		Doc:       finding.Doc(doc),
		URL:       finding.URL("statefile"),
		Requires:  []*analysis.Analyzer{goflow.SSA},
		FactTypes: []analysis.Fact{new(does)},
		Run:       run,
	},
	Rules: []finding.Rule{
		{Name: ruleLostUpdate, Severity: finding.Warning, Off: true},
		{Name: ruleInPlace, Severity: finding.Warning, Off: true},
		{Name: ruleTempElsewhere, Severity: finding.Error},
		{Name: ruleStatCreate, Severity: finding.Warning},
		{Name: ruleLockSteal, Severity: finding.Error},
		{Name: ruleDirtyFlag, Severity: finding.Error},
		{Name: ruleSplitRecord, Severity: finding.Warning},
		{Name: ruleScanner, Severity: finding.Warning},
		{Name: ruleDatabase, Severity: finding.Error},
		{Name: rulePrefix, Severity: finding.Error},
		{Name: ruleOutside, Severity: finding.Error},
	},
	Scope: finding.Scope{
		Imports:    []string{corePath, corePath + "/stage"},
		Commands:   []string{"opencode"},
		Annotated:  true,
		Everywhere: true,
		Bodies:     true,
	},
}

const (
	ruleLostUpdate    = "lostupdate"
	ruleInPlace       = "inplace"
	ruleTempElsewhere = "tempelsewhere"
	ruleStatCreate    = "statcreate"
	ruleLockSteal     = "locksteal"
	ruleDirtyFlag     = "dirtyflag"
	ruleSplitRecord   = "splitrecord"
	ruleScanner       = "scanner"
	ruleDatabase      = "database"
	rulePrefix        = "prefix"
	ruleOutside       = "outside"

	corePath = "github.com/ngvet/ngvet/ngcore"
)

// does is what the exported functions of a package do, by the names of the questions.
type does struct{ goflow.Answers }

// checker checks one package.
type checker struct {
	pass *analysis.Pass
	pkg  *goflow.Package
}

func run(pass *analysis.Pass) (any, error) {
	if goflow.InStandard(pass) {
		return nil, nil
	}
	c := &checker{pass: pass, pkg: goflow.Of(pass, new(does))}
	for _, fn := range c.pkg.Funcs {
		// A test owns its directory, and writes what others must cope with.
		if strings.HasSuffix(finding.Position(pass.Fset, fn.Pos()).Filename, "_test.go") {
			continue
		}
		c.updates(fn)
		c.temporary(fn)
		c.statCreate(fn)
		c.lockSteal(fn)
		c.dirtyFlag(fn)
		c.splitRecord(fn)
		c.scanner(fn)
		c.database(fn)
		c.prefix(fn)
		c.outside(fn)
	}
	c.inPlace()
	c.pkg.Export(goflow.Asked{
		Questions: []*goflow.Question{readsFile, writesFile},
		Uses:      []*goflow.Use{reading, replacing, moving, decoding},
		More:      c.more,
	})
	return nil, nil
}

// report reports a rule at an instruction.
func (c *checker) report(rule string, at ssa.Instruction, format string, args ...any) {
	c.reportFix(rule, at, nil, format, args...)
}

func (c *checker) reportFix(rule string, at ssa.Instruction, fix *analysis.SuggestedFix, format string, args ...any) {
	node := goflow.Node(c.pass, at)
	if node == nil {
		return
	}
	d := analysis.Diagnostic{Category: rule, Pos: node.Pos(), End: node.End(), Message: fmt.Sprintf(format, args...)}
	if fix != nil {
		d.SuggestedFixes = []analysis.SuggestedFix{*fix}
	}
	c.pass.Report(d)
}

// replace is a fix of one node.
func replace(message string, at ast.Node, text string) *analysis.SuggestedFix {
	return &analysis.SuggestedFix{Message: message, TextEdits: []analysis.TextEdit{{Pos: at.Pos(), End: at.End(), NewText: []byte(text)}}}
}
