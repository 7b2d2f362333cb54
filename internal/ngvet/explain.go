package ngvet

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ngvet/ngvet/analyzers"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/suppress"
)

// catalogue is every check, the one about directives last.
func catalogue() []*finding.Check {
	return append(analyzers.All(finding.Options{}), suppress.Check)
}

// ruleOf returns the check that a full rule name belongs to, or nil.
func ruleOf(checks []*finding.Check, rule string) *finding.Check {
	name, short, _ := strings.Cut(rule, "/")
	for _, c := range checks {
		if _, ok := c.Rule(short); ok && c.Name() == name {
			return c
		}
	}
	return nil
}

// list writes every rule with its severity and the first sentence of its documentation.
func list(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, c := range catalogue() {
		for _, r := range c.Rules {
			fmt.Fprintf(tw, "%s/%s\t%s\t%s\n", c.Name(), r.Name, standing(r), firstSentence(c.Section(r.Name)))
		}
	}
	return tw.Flush()
}

// standing is how a rule reports: its severity, and off when it does only on demand.
func standing(r finding.Rule) string {
	if r.Off {
		return string(r.Severity) + ", off"
	}
	return string(r.Severity)
}

func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i]
	}
	return strings.TrimSuffix(text, ".")
}

// explain writes the documentation of a rule, or of a whole check. It reports whether
// there is one of that name.
func explain(w io.Writer, name string) bool {
	checks := catalogue()
	if c := ruleOf(checks, name); c != nil {
		_, short, _ := strings.Cut(name, "/")
		rule, _ := c.Rule(short)
		fmt.Fprintf(w, "%s (%s)\n\n%s\n\n%s\n", name, standing(rule), c.Section(short), c.RuleURL(short))
		return true
	}
	i := slices.IndexFunc(checks, func(c *finding.Check) bool { return c.Name() == name })
	if i < 0 {
		return false
	}
	fmt.Fprintf(w, "%s\n%s\n", strings.TrimRight(checks[i].Analyzer.Doc, "\n"), checks[i].Analyzer.URL)
	return true
}

// nearest returns the rule names that share a part with name, for a hint.
func nearest(name string) []string {
	var out []string
	head, tail, _ := strings.Cut(name, "/")
	for _, c := range catalogue() {
		for _, r := range c.Rules {
			if c.Name() == head || r.Name == tail || r.Name == head {
				out = append(out, c.Name()+"/"+r.Name)
			}
		}
	}
	return out
}
