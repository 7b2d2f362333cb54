package handshake_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/ngvet/ngvet/analyzers/handshake"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := handshake.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), handshake.Check.Analyzer,
		"verdict", "onlyloaded", "onlylate", "wrapper", "start", "exists", "typeparams", "other", "tagged",
		"gate", "gateuser", "gatehalf", "gatewhole")
}
