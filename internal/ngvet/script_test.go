package ngvet_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ngvet/ngvet/internal/ngvet"
)

var update = flag.Bool("update", false, "rewrite the golden output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ngvet": command})
}

// command is main of cmd/ngvet.
func command() {
	if ngvet.IsVetTool(os.Args[1:]) {
		ngvet.VetTool()
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(ngvet.ExitUsage)
	}
	os.Exit(ngvet.Main(context.Background(), ngvet.Invocation{
		Args: os.Args[1:], Dir: dir, Stdout: os.Stdout, Stderr: os.Stderr,
	}))
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// setup gives a script the caches of the go command, and the path of ngvet for -vettool.
func setup(env *testscript.Env) error {
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		env.Setenv(name, goEnv()[name])
	}
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOFLAGS", "")
	bin, _, _ := strings.Cut(env.Getenv("PATH"), string(filepath.ListSeparator))
	env.Setenv("NGVET", filepath.Join(bin, "ngvet"))
	return nil
}

// status runs a command and requires its exit status: status 2 ngvet ./... The outputs go
// to stdout and stderr, as with exec.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		got = exitCode(err)
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("%s: exit status %d, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}
