package main

import (
	"slices"
	"strings"
)

// outcome is what the comparison of one package shows.
type outcome struct {
	True    []found // findings that have a label
	False   []found // findings of judged analyzers that have none
	Missed  []label // labels without a finding
	Absent  []label // labels of rules that ngvet does not have
	Outside []found // findings of analyzers that are not judged
}

// judged returns the analyzers whose every finding must have a label. What ngvet reports
// itself, such as a module that it cannot read, is among them: public plugins load.
func judged(packages []labelled) map[string]bool {
	analyzers := map[string]bool{"ngvet": true}
	for _, p := range packages {
		for _, l := range p.Labels {
			if !l.Sample {
				analyzers[analyzer(l.Rule)] = true
			}
		}
	}
	return analyzers
}

func analyzer(rule string) string {
	name, _, _ := strings.Cut(rule, "/")
	return name
}

// compare judges the findings of one package. Several findings may share the label of one
// line. Labels for any line of a file need a finding each.
func compare(pkg labelled, findings []found, rules, analyzers map[string]bool) outcome {
	var o outcome
	var labels []label
	for _, l := range pkg.Labels {
		if rules[l.Rule] {
			labels = append(labels, l)
		} else {
			o.Absent = append(o.Absent, l)
		}
	}
	used := make([]int, len(labels))
	for _, f := range findings {
		i := match(labels, used, f)
		switch {
		case i >= 0:
			used[i]++
			o.True = append(o.True, f)
		case analyzers[analyzer(f.Rule)]:
			o.False = append(o.False, f)
		default:
			o.Outside = append(o.Outside, f)
		}
	}
	for i, l := range labels {
		if used[i] == 0 {
			o.Missed = append(o.Missed, l)
		}
	}
	return o
}

// match returns the label of a finding, the least used one, or -1.
func match(labels []label, used []int, f found) int {
	best := -1
	for i, l := range labels {
		fits := l.Rule == f.Rule && (l.Line == f.Line && l.File == f.File ||
			l.Line == 0 && (l.File == f.File || strings.HasPrefix(f.File, l.File+"/")))
		if fits && (best < 0 || used[i] < used[best]) {
			best = i
		}
	}
	return best
}

func (o outcome) differs() bool { return len(o.False)+len(o.Missed) > 0 }

// absentRules returns the rules that ngvet does not have, sorted, each once.
func absentRules(labels []label) []string {
	var rules []string
	for _, l := range labels {
		rules = append(rules, l.Rule)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}
