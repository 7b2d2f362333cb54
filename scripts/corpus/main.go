// Command corpus runs ngvet on public OpenCode plugins and compares its findings with labels
// made by hand: a finding without a label and a label without a finding are both errors.
//
// Only the analyzers that have labels are judged. A label of a rule that ngvet does not have
// is listed and not counted, so that the labels can be ahead of the rules.
//
// scripts/corpus.sh builds and calls it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// errDiffers is the answer of a run that worked and found a difference.
var errDiffers = errors.New("findings and labels differ")

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	flags.SetOutput(stderr)
	linter := flags.String("ngvet", "", "absolute path of the ngvet `binary`")
	cache := flags.String("cache", "", "`directory` that holds the fetched packages")
	verbose := flags.Bool("v", false, "print the findings of analyzers that are not judged, too")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() != 1 || *linter == "" || *cache == "" {
		fmt.Fprintln(stderr, "usage: corpus -ngvet BINARY -cache DIRECTORY [-v] LABELS.tsv")
		return 2
	}
	err := check(ctx, flags.Arg(0), *linter, *cache, &printer{out: stdout, verbose: *verbose})
	switch {
	case errors.Is(err, errDiffers):
		return 1
	case err != nil:
		fmt.Fprintln(stderr, "error:", err)
		return 2
	}
	return 0
}

// check runs the whole corpus. One package that cannot be checked does not hide the
// results of the others.
func check(ctx context.Context, labelsFile, linter, cache string, p *printer) error {
	packages, err := readLabels(labelsFile)
	if err != nil {
		return err
	}
	rules, err := listRules(ctx, linter)
	if err != nil {
		return err
	}
	analyzers := judged(packages)
	var broken []error
	for _, pkg := range packages {
		dir, err := fetch(ctx, cache, pkg.Name)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		start := time.Now()
		findings, err := lint(ctx, linter, dir, pkg.Entry)
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", pkg.Name, err))
			continue
		}
		p.add(pkg.Name, time.Since(start), compare(pkg, findings, rules, analyzers))
	}
	p.total()
	if len(broken) > 0 {
		return errors.Join(broken...)
	}
	if p.differs() {
		return errDiffers
	}
	return nil
}
