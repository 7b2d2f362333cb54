package eventdetail_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/ngvet/ngvet/analyzers/eventdetail"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := eventdetail.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

// TestGoSide covers Go packages; the scripts of internal/ngvet cover embedded modules,
// whose findings analysistest cannot see.
func TestGoSide(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), eventdetail.Check.Analyzer, "a", "typeparams", "codes", "build", "between", "builduser", "tagged", "flow")
}
