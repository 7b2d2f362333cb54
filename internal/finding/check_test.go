package finding_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/finding"
)

const doc = `// Package x finds y.
//
// # x/first
//
// The first rule. It has
// two lines:
//
//	code()
//
// # x/second
//
// The second rule.
//
// # Notes
//
// Nothing.
package x
`

func check() *finding.Check {
	return &finding.Check{
		Analyzer: &analysis.Analyzer{Name: "x", Doc: finding.Doc(doc), URL: finding.URL("x")},
		Rules:    []finding.Rule{{Name: "first", Severity: finding.Error}, {Name: "third", Severity: finding.Info}},
	}
}

func TestSection(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ rule, want string }{
		{"first", "The first rule. It has\ntwo lines:\n\n\tcode()"},
		{"second", "The second rule."},
		{"third", ""},
		{"fir", ""},
	} {
		if diff := cmp.Diff(tc.want, check().Section(tc.rule)); diff != "" {
			t.Errorf("section %s (-want +got):\n%s", tc.rule, diff)
		}
	}
	if diff := cmp.Diff([]string{"third"}, check().Undocumented()); diff != "" {
		t.Errorf("undocumented rules (-want +got):\n%s", diff)
	}
}

func TestRuleURLIsTheAnchorOfTheHeading(t *testing.T) {
	t.Parallel()
	const want = "https://pkg.go.dev/github.com/ngvet/ngvet/analyzers/x#hdr-x_first"
	if got := check().RuleURL("first"); got != want {
		t.Errorf("URL is %s, want %s", got, want)
	}
}
