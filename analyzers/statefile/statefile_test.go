package statefile_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/ngvet/ngvet/analyzers/statefile"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := statefile.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), statefile.Check.Analyzer,
		"update", "locked", "inplace", "create", "record", "prefixed", "outside", "opendb", "typeparams", "tagged",
		"fileutil", "stateuser")
}

func TestFixes(t *testing.T) {
	t.Parallel()
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), statefile.Check.Analyzer, "fixed")
}
