// Package testscripts runs scenarios with real processes: each *.txtar file is one, and its
// first comment says what it shows.
//
// Scripts run programs with "exec" only. Beside the programs on PATH they have nightgauge
// (this module's command line), fakecli (plays OpenCode's exit), waitevent (the reader that
// waits for an event), each with a usage text, and opencode, which plays a whole run by the
// scenario that FAKEOPENCODE_SCENARIO names (internal/fakeopencode). PLUGIN names the
// plugin's source tree, and the condition [node] holds when Node can run it.
package testscripts

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ngvet/ngvet/internal/fakeopencode"
	"github.com/ngvet/ngvet/internal/nightgauge"
)

var update = flag.Bool("update", false, "rewrite the files that scripts compare with cmp")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"nightgauge": runNightgauge,
		"fakecli":    runFakeCLI,
		"waitevent":  runWaitEvent,
		"opencode":   func() { os.Exit(fakeopencode.Main(os.Args[1:])) },
	})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, params(t))
}

// params are what every script has; it runs all scripts of this directory.
func params(t *testing.T) testscript.Params {
	t.Helper()
	tree, err := filepath.Abs("../plugin")
	if err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Dir:                 ".",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Setup: func(env *testscript.Env) error {
			hookBin, err := exec.LookPath("nightgauge")
			if err != nil {
				return fmt.Errorf("find the program that testscript installed: %w", err)
			}
			env.Setenv("PLUGIN", tree)
			env.Setenv("NIGHTGAUGE_HOOK_BIN", hookBin)
			return nil
		},
	}
}

// condition decides [node] and [mount]. The absence of Node is a reason to skip on a
// developer's machine and a failure in CI, where a skip would go unseen. Whether a process may
// mount in a namespace of its own is up to the machine.
func condition(name string) (bool, error) {
	switch name {
	case "mount":
		return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", os.TempDir()).Run() == nil, nil
	case "node":
	default:
		return false, fmt.Errorf("unknown condition %q, expected node or mount", name)
	}
	_, err := exec.LookPath("node")
	if err != nil && os.Getenv("CI") == "true" {
		return false, errors.New("CI=true and there is no node on PATH")
	}
	return err == nil, nil
}

func runNightgauge() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := nightgauge.Main(ctx, nightgauge.Invocation{
		Args:   os.Args[1:],
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Getenv: os.Getenv,

		Executable: os.Getenv("NIGHTGAUGE_HOOK_BIN"), // os.Executable would name the test binary
	})
	stop()
	os.Exit(status)
}
