package hookname_test

import (
	"testing"

	"github.com/ngvet/ngvet/analyzers/hookname"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
)

func FuzzCheck(f *testing.F) { findingtest.Fuzz(f, hookname.Check, "testdata/*/*") }
