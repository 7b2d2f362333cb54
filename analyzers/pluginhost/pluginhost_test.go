package pluginhost_test

import (
	"testing"

	"github.com/ngvet/ngvet/analyzers/pluginhost"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := pluginhost.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, pluginhost.Check, "testdata/*")
}
