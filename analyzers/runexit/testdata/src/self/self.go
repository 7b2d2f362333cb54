package self

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/ngcore/stage"
)

func hook() error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	return exec.Command(exe, "hook", "gate").Start() // want `in a test this is the test binary`
}

func resolved() error {
	exe, _ := os.Executable()
	exe, _ = filepath.EvalSymlinks(exe)
	return exec.Command(exe, "hook").Start() // want `in a test this is the test binary`
}

func args() *exec.Cmd {
	return exec.Command(os.Args[0], "hook") // want `in a test this is the test binary`
}

func config() stage.Config {
	exe, _ := os.Executable()
	return stage.Config{HookBin: exe} // want `in a test this is the test binary`
}

func assigned(cfg *stage.Config) {
	cfg.HookBin, _ = os.Executable() // want `in a test this is the test binary`
}

func guarded() error {
	exe, _ := os.Executable()
	if testing.Testing() {
		return nil
	}
	return exec.Command(exe, "hook").Start() // OK
}

func suffixed() error {
	exe, _ := os.Executable()
	if strings.HasSuffix(exe, ".test") {
		return nil
	}
	return exec.Command(exe, "hook").Start() // OK
}

func helperProcess() *exec.Cmd {
	return exec.Command(os.Args[0], "-test.run=TestHelper") // OK: one test
}

func beside() *exec.Cmd {
	exe, _ := os.Executable()
	return exec.Command(filepath.Join(filepath.Dir(exe), "nightgauge"), "hook") // OK: another binary
}

func argument(args []string) *exec.Cmd {
	return exec.Command(args[0], os.Args[1]) // OK: not the name
}

func restart() error {
	return exec.Command(os.Args[0], "run").Start() // OK: not a hook
}

func rest(args []string) error {
	return exec.Command(os.Args[0], args...).Start() // OK: not known to be one
}
