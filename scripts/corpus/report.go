package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// printer writes the report package by package, so that a long run shows its progress.
type printer struct {
	out     io.Writer
	verbose bool

	packages int
	took     time.Duration
	sum      outcome
}

// add reports one package.
func (p *printer) add(name string, took time.Duration, o outcome) {
	p.packages++
	p.took += took
	p.sum.True = append(p.sum.True, o.True...)
	p.sum.False = append(p.sum.False, o.False...)
	p.sum.Missed = append(p.sum.Missed, o.Missed...)
	p.sum.Absent = append(p.sum.Absent, o.Absent...)
	p.sum.Outside = append(p.sum.Outside, o.Outside...)
	fmt.Fprintf(p.out, "%-48s %6.2fs  %s\n", name, took.Seconds(), counts(o))
	for _, f := range o.False {
		fmt.Fprintf(p.out, "  false positive: %s\n", f)
	}
	for _, l := range o.Missed {
		fmt.Fprintf(p.out, "  miss: %s\n", l)
	}
	if p.verbose {
		for _, f := range o.Outside {
			fmt.Fprintf(p.out, "  not judged: %s\n", f)
		}
	}
}

// total reports the sums.
func (p *printer) total() {
	fmt.Fprintf(p.out, "%-48s %6.2fs  %s\n", fmt.Sprintf("all %d packages", p.packages), p.took.Seconds(), counts(p.sum))
	if len(p.sum.Absent) > 0 {
		fmt.Fprintf(p.out, "not implemented: %d labels of %s\n", len(p.sum.Absent), strings.Join(absentRules(p.sum.Absent), ", "))
	}
}

func (p *printer) differs() bool { return p.sum.differs() }

func counts(o outcome) string {
	return fmt.Sprintf("true %d  false %d  missed %d  not implemented %d  not judged %d",
		len(o.True), len(o.False), len(o.Missed), len(o.Absent), len(o.Outside))
}
