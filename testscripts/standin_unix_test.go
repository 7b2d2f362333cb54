//go:build unix

package testscripts

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ngvet/ngvet/internal/fakeopencode"
)

// The scenarios of the supervised stage once more, on a machine without Node: the stand-in
// keeps the contracts that the real plugin keeps. Where the plugin itself is what a scenario
// shows, it skips itself by [!node].
func TestStageScriptsWithoutNode(t *testing.T) {
	t.Parallel()
	p := params(t)
	scripts, err := filepath.Glob("stage_*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("find the scenarios: expected stage_*.txtar, found %d (%v)", len(scripts), err)
	}
	p.Dir, p.Files = "", scripts
	p.Condition = func(name string) (bool, error) {
		if _, err := condition(name); err != nil {
			return false, err
		}
		return false, nil
	}
	path, setup := pathWithoutNode(t), p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Setenv("PATH", path)
		env.Setenv(fakeopencode.EnvPlugin, "go")
		return setup(env)
	}
	testscript.Run(t, p)
}

// pathWithoutNode returns PATH with links to all programs but node in the place of each
// directory that has it.
func pathWithoutNode(t *testing.T) string {
	t.Helper()
	dirs := filepath.SplitList(os.Getenv("PATH"))
	for i, dir := range dirs {
		if _, err := exec.LookPath(filepath.Join(dir, "node")); err != nil {
			continue
		}
		dirs[i] = t.TempDir()
		programs, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, program := range programs {
			if strings.HasPrefix(program.Name(), "node") {
				continue
			}
			err := os.Symlink(filepath.Join(dir, program.Name()), filepath.Join(dirs[i], program.Name()))
			if err != nil && !errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
		}
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}
