package runexit_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/ngvet/ngvet/analyzers/runexit"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := runexit.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), runexit.Check.Analyzer,
		"a", "self", "typeparams", "tagged", "wrapped", "delay_import", "proc", "procuser")
}

func TestFixes(t *testing.T) {
	t.Parallel()
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), runexit.Check.Analyzer, "delay")
}
