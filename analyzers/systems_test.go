package analyzers_test

import (
	"testing"

	"github.com/ngvet/ngvet/analyzers"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
)

// Small plugins in the manner of real ones that had several faults each, with every rule of
// every check, and each once more as it should be.
func TestSystems(t *testing.T) {
	t.Parallel()
	findingtest.RunAll(t, analyzers.All(finding.Options{}), "testdata/systems/*")
}
