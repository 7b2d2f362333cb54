// Package ngvet is the command line of cmd/ngvet, kept apart from package main so that
// test scripts can run it.
//
// It finds out what the checks in analyzers have to look at, gives it to them, and reports
// what they find: see run.go for the order of work. Nothing in it knows a rule.
package ngvet

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/gosource"
	"github.com/ngvet/ngvet/ngcore/host"
)

// Exit statuses.
const (
	ExitClean    = 0 // nothing was found
	ExitFindings = 1 // there are findings
	ExitUsage    = 2 // the command line is wrong, or something could not be checked
)

// Invocation is one call of the command line. Args excludes the program's name; Dir is the
// absolute working directory.
type Invocation struct {
	Args   []string
	Dir    string
	Stdout io.Writer
	Stderr io.Writer
}

const usage = `Usage: ngvet [flags] [targets]

ngvet holds the Go side and the JavaScript side of a program together, keeps free text
out of events, and finds what makes OpenCode plugins silently useless.

A target is a pattern of Go packages (./..., the default) or a plugin: a JavaScript or
TypeScript file, a package directory, a directory with .opencode/plugin.

  ngvet ./...                          the Go packages of this module
  ngvet path/to/plugin                 a plugin, no Go needed
  ngvet -diff ./...                    what -fix would change
  ngvet --explain mirror/differs       what a rule means and what to do
  go vet -vettool=$(go tool -n ngvet)  the checks of Go packages in go vet

Flags:
`

const usageEnd = `
Suppress one finding with a comment above it or at the end of its line; the reason is
required: //ngvet:ignore RULE reason

Exit status: 0 nothing found, 1 findings, 2 usage, or something could not be checked.
`

// flags are the parsed command line.
type flags struct {
	format  string
	fix     bool
	diff    bool
	list    bool
	explain string
	host    string
	targets []string
	scope
}

// scope are the flags that say what is reported. Go vet hands them on to us.
type scope struct {
	enable     []string
	everywhere bool
}

func (s *scope) register(set *flag.FlagSet) {
	set.Func("enable", "report also this `rule`, which --list shows as off; may be repeated", s.enableRule)
	set.BoolVar(&s.everywhere, "everywhere", false, "check Go packages also when they neither use ngcore, start OpenCode\nnor have a directive of ngvet")
}

func parseFlags(inv Invocation) (*flags, error) {
	f := new(flags)
	set := flag.NewFlagSet("ngvet", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.format, "format", "text", "`text` or json: one JSON object a line with rule, severity, file, line,\ncolumn, endLine, endColumn, message, url, fixes")
	set.BoolVar(&f.fix, "fix", false, "apply the first suggested fix of every finding")
	set.BoolVar(&f.diff, "diff", false, "print what -fix would change, as a unified diff, and change nothing")
	set.BoolVar(&f.list, "list", false, "list the rules")
	set.StringVar(&f.explain, "explain", "", "explain a `rule`, such as mirror/differs, or a whole check, such as mirror")
	set.StringVar(&f.host, "host", host.Default, "check plugins against this OpenCode `version`")
	f.register(set)
	err := set.Parse(inv.Args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(inv.Stdout, usage)
		set.SetOutput(inv.Stdout)
		set.PrintDefaults()
		fmt.Fprint(inv.Stdout, usageEnd)
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if f.format != "text" && f.format != "json" {
		return nil, fmt.Errorf("format %q is neither text nor json", f.format)
	}
	if f.fix && f.diff {
		return nil, errors.New("-fix and -diff exclude each other")
	}
	if _, err := host.Lookup(f.host); err != nil {
		return nil, err
	}
	f.targets = set.Args()
	if len(f.targets) == 0 {
		f.targets = []string{"./..."}
	}
	return f, nil
}

// enableRule takes one value of --enable.
func (s *scope) enableRule(name string) error {
	c := ruleOf(catalogue(), name)
	if c == nil {
		return errors.New("there is no such rule")
	}
	_, short, _ := strings.Cut(name, "/")
	if rule, _ := c.Rule(short); !rule.Off {
		return errors.New("the rule is always on")
	}
	s.enable = append(s.enable, name)
	return nil
}

// Main runs one command line and returns its exit status.
func Main(ctx context.Context, inv Invocation) int {
	f, err := parseFlags(inv)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return ExitClean
	case err != nil:
		return fail(inv.Stderr, err, "ngvet -h shows the flags")
	case f.list:
		if err := list(inv.Stdout); err != nil {
			return fail(inv.Stderr, err, "")
		}
		return ExitClean
	case f.explain != "":
		if !explain(inv.Stdout, f.explain) {
			hint := "ngvet --list names the rules"
			if near := nearest(f.explain); len(near) > 0 {
				hint = "there is " + strings.Join(near, ", ")
			}
			return fail(inv.Stderr, fmt.Errorf("there is no rule %q", f.explain), hint)
		}
		return ExitClean
	}
	r, err := check(ctx, options{
		dir: inv.Dir, targets: f.targets, everywhere: f.everywhere,
		plugins: finding.Options{Host: f.host, Enable: f.enable},
	})
	if err != nil {
		return fail(inv.Stderr, err, hintFor(err))
	}
	return r.output(inv, f)
}

// output writes the report and returns the exit status.
func (r *report) output(inv Invocation, f *flags) int {
	if f.fix || f.diff {
		return r.repair(inv, f)
	}
	write := r.writeText
	if f.format == "json" {
		write = r.writeJSON
	}
	if err := write(inv.Stdout, inv.Dir); err != nil {
		return fail(inv.Stderr, err, "")
	}
	if len(r.problems) > 0 {
		return ExitFindings
	}
	return ExitClean
}

// repair applies or shows the fixes. Findings without a fix are printed, and are the only
// ones that count after -fix.
func (r *report) repair(inv Invocation, f *flags) int {
	files, skipped, err := r.fixAll()
	if err != nil {
		return fail(inv.Stderr, err, "run ngvet again")
	}
	for _, p := range skipped {
		at := r.place(inv.Dir, p.diag.Pos, p.diag.End)
		fmt.Fprintf(inv.Stderr, "ngvet: %s:%d:%d: not fixed, another fix overlaps in this file (%s)\n", at.File, at.Line, at.Column, p.rule)
	}
	status := ExitClean
	if len(skipped) > 0 || f.diff && len(r.problems) > 0 {
		status = ExitFindings
	}
	if f.diff {
		if err := writeDiff(inv.Stdout, inv.Dir, files); err != nil {
			return fail(inv.Stderr, err, "")
		}
		return status
	}
	for _, file := range files {
		if err := file.write(); err != nil {
			return fail(inv.Stderr, fmt.Errorf("fix %s: %w", file.name, err), "the file is unchanged")
		}
	}
	rest := &report{fset: r.fset}
	for _, p := range r.problems {
		if len(p.diag.SuggestedFixes) == 0 {
			rest.problems = append(rest.problems, p)
		}
	}
	return max(status, rest.output(inv, &flags{format: f.format}))
}

func fail(stderr io.Writer, err error, hint string) int {
	fmt.Fprintf(stderr, "ngvet: %v\n", err)
	if hint != "" {
		fmt.Fprintf(stderr, "hint: %s\n", hint)
	}
	return ExitUsage
}

// hintFor says what to do about an error.
func hintFor(err error) string {
	var load *gosource.LoadError
	switch {
	case errors.Is(err, gosource.ErrNoMatch):
		return "./... means the packages below this directory; a plugin is given as a file or directory"
	case errors.As(err, &load):
		return "nothing was checked; go build shows all errors"
	}
	return ""
}
