//go:build unix

// Command reprobe measures again what the tables of ngcore/host say, on a given executable
// of OpenCode, and prints what is different: which hooks are used and how their output is
// read back, and which events are published. It works offline, against a scripted model,
// and reads the JavaScript that the executable carries.
//
// Usage: reprobe OPENCODE, an absolute path. Exit status: 0 the same, 1 different, 2 it could
// not be measured. scripts/reprobe.sh installs a version and calls it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/ngcore/host"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	changed, err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	if changed {
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (changed bool, err error) {
	if len(args) != 1 || !filepath.IsAbs(args[0]) {
		return false, fmt.Errorf("expected the absolute path of OpenCode, found %q", args)
	}
	opencode := args[0]
	out, err := exec.CommandContext(ctx, opencode, "--version").Output()
	if err != nil {
		return false, fmt.Errorf("%s --version: %w", opencode, err)
	}
	version := strings.TrimSpace(string(out))
	table, err := host.Lookup(version)
	if unknown := (*host.UnknownVersionError)(nil); errors.As(err, &unknown) {
		table, err = host.Lookup(host.Default)
	}
	if err != nil {
		return false, err
	}
	m, err := probeHost(ctx, opencode, table)
	if err != nil {
		return false, err
	}
	f := compare(table, m)
	f.print(version, table)
	return len(f.changes) > 0, nil
}

// probeHost reads the bundle and makes the runs.
func probeHost(ctx context.Context, opencode string, table *host.Table) (m measured, err error) {
	bundle, err := os.ReadFile(opencode)
	if err != nil {
		return m, err
	}
	m.scan = scanBundle(bundle)
	p := plan{
		Triggers: triggerNames(table, m.scan),
		Tool:     toolName, SmallModel: smallModel,
		Temperature: temperature, TopP: topP, MaxOutputTokens: maxOutputTokens,
		Fields: []string{},
	}
	if m.plain, err = execute(ctx, opencode, p); err != nil {
		return m, err
	}
	for _, pass := range passes {
		p.Mode, p.Fields = pass.mode, pass.fields
		t, err := execute(ctx, opencode, p)
		if err != nil {
			return m, fmt.Errorf("run with %s: %w", pass.mode, err)
		}
		m.changed = append(m.changed, t)
	}
	return m, nil
}

// triggerNames returns the hooks to offer: those of the table and those of the bundle.
func triggerNames(table *host.Table, s scan) (names []string) {
	for name := range s.triggers {
		names = append(names, name)
	}
	for _, h := range table.Hooks() {
		if h.Kind == host.Trigger && !s.triggers[h.Name] {
			names = append(names, h.Name)
		}
	}
	slices.Sort(names)
	return names
}

func (f *findings) print(version string, table *host.Table) {
	fmt.Printf("OpenCode %s, compared with the table of %s\n", version, table.Version())
	if !table.EventsMeasured() {
		fmt.Printf("the events of the table are those of %s\n", host.Default)
	}
	fmt.Printf("measured: %d hooks, %d output fields, %d events\n", f.hooks, f.fields, f.events)
	for _, line := range f.notMeasured {
		fmt.Println("not measured:", line)
	}
	if len(f.changes) == 0 {
		fmt.Println("same")
		return
	}
	fmt.Printf("changed: %d\n", len(f.changes))
	for _, line := range f.changes {
		fmt.Println(line)
	}
}
