package pathguard_test

import (
	"testing"

	"github.com/ngvet/ngvet/analyzers/pathguard"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := pathguard.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, pathguard.Check, "testdata/*")
}
