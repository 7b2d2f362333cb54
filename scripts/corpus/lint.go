package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// bound is how long one package may take: far more than it needs, and it ends.
const bound = 2 * time.Minute

// found is one finding of ngvet, with what the comparison needs of it.
type found struct {
	Rule    string `json:"rule"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

func (f found) String() string {
	return fmt.Sprintf("%s:%d: %s (%s)", f.File, f.Line, f.Message, f.Rule)
}

// lint runs ngvet on the package in dir and on the entry that its labels are about, which
// need not be one that the package offers. Paths of the findings are relative to dir.
func lint(ctx context.Context, linter, dir, entry string) ([]found, error) {
	out, err := output(ctx, dir, linter, "--format", "json", ".", "./"+entry)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, err
	}
	var findings []found
	for line := range bytes.Lines(out) {
		var f found
		if err := json.Unmarshal(line, &f); err != nil {
			return nil, fmt.Errorf("ngvet printed %.80q: %w", line, err)
		}
		if f.Rule == "" || f.File == "" || f.Line < 1 {
			return nil, fmt.Errorf("ngvet printed %.80q, want a rule, a file and a line", line)
		}
		findings = append(findings, f)
	}
	if (err != nil) != (len(findings) > 0) {
		return nil, fmt.Errorf("ngvet printed %d findings and ended with %v", len(findings), err)
	}
	return findings, nil
}

// listRules returns the rules that ngvet has: the first word of each line that is one.
func listRules(ctx context.Context, linter string) (map[string]bool, error) {
	out, err := output(ctx, "", linter, "--list")
	if err != nil {
		return nil, err
	}
	rules := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) > 0 && strings.Count(words[0], "/") == 1 {
			rules[words[0]] = true
		}
	}
	if len(rules) == 0 {
		return nil, fmt.Errorf("%s --list names no rule", linter)
	}
	return rules, nil
}

// output runs a command and returns its standard output. The error of a command that ran
// wraps an *exec.ExitError and quotes its standard error.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return out, fmt.Errorf("%s: %w: %.400s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
