// Package finding is what a rule of ngvet reports and how a rule is registered.
//
// A [Check] is one analyzer with its rules. There are two kinds:
//
//   - A check of Go packages is an ordinary [analysis.Analyzer]. It reports
//     [analysis.Diagnostic] values whose Category is the rule's name ("differs").
//   - A check of plugins ([NewJS]) is a [JSFunc] over one entry module of internal/js. The
//     same function serves a plugin directory without any Go, where the driver calls
//     it for every entry, and a Go package that embeds a plugin, where the check's
//     Analyzer calls it for every entry of the embedded tree.
//
// A folder under analyzers holds one check. Its doc.go is the documentation: the package
// comment with one section per rule, headed "# NAME/RULE", embedded and handed to [Doc].
// Its test calls [Check.Undocumented]. analyzers.All lists the checks.
//
// A check of plugins looks like this:
//
//	//go:embed doc.go
//	var doc string
//
//	// Check finds hooks that no host calls.
//	var Check = finding.NewJS("hookname", finding.Doc(doc), []finding.Rule{
//		{Name: "unknown", Severity: finding.Error},
//	}, run)
//
//	func run(prog *js.Program, entry *js.Module, opts finding.Options) []finding.Finding
//
// Suppression, ordering, de-duplication and output belong to the driver, never to a check.
package finding

import (
	"github.com/ngvet/ngvet/internal/js"
)

// Severity says how bad a finding is. Every severity makes ngvet exit 1.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"   // a feature or a guarantee is lost at run time
	Warning Severity = "warning" // wrong in some circumstances, or a likely mistake
	Info    Severity = "info"    // nothing breaks today
)

// Place is a range of bytes of one module.
type Place struct {
	Module *js.Module
	Span   js.Span
}

// Finding is one fault in a module. Its fields are what the text output, the JSON output
// and the fixes are made of.
type Finding struct {
	Rule    string // a Rule.Name of the check
	At      Place
	Message string // one sentence: what is wrong, what happens at run time, what to do
	Related []Related
	Fixes   []Fix // alternatives; -fix applies the first
}

// Related is another place that the finding is about, such as the other side of a contract.
type Related struct {
	At      Place
	Message string
}

// Fix is one way to repair a finding. All its edits are applied, or none.
type Fix struct {
	Message string
	Edits   []Edit
}

// Edit replaces the bytes at a place by New.
type Edit struct {
	At  Place
	New string
}

// Options are what the user decides about checks of plugins.
type Options struct {
	Host   string   // OpenCode version whose tables apply; "" means host.Default
	Enable []string // full names of rules that are off by default and shall report
}
