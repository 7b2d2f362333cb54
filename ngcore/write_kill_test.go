package ngcore_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ngvet/ngvet/ngcore"
)

const writeLoopEnv = "NGCORE_TEST_WRITE_LOOP"

// TestWriteLoop is not a test of its own: TestKilledWriteLeavesNoMixedTree runs it in a
// process that it kills.
func TestWriteLoop(t *testing.T) {
	dir := os.Getenv(writeLoopEnv)
	if dir == "" {
		t.Skip("runs only as the child of TestKilledWriteLeavesNoMixedTree")
	}
	os.Stdout.WriteString("ready\n")
	for t.Context().Err() == nil {
		if _, err := ngcore.Write(dir); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("written\n")
	}
}

// However a Write is killed, an entry that is there belongs to a whole tree.
func TestKilledWriteLeavesNoMixedTree(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 10 {
		dir := filepath.Join(t.TempDir(), "tree")
		// An older version: every module differs, one is gone from the new tree.
		entry := writeTree(t, dir)
		for _, name := range []string{"nightgauge/env.js", "nightgauge/gates.js", "nightgauge/gone.js"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("// old\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestWriteLoop$", "-test.v")
		cmd.Env = append(os.Environ(), writeLoopEnv+"="+dir)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Kill in the middle of the first Write, of the second, and so on.
		lines := bufio.NewScanner(stdout)
		for seen := 0; seen <= round && lines.Scan(); {
			if text := lines.Text(); text == "ready" || text == "written" {
				seen++
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if _, err := os.Stat(entry); err == nil {
			old, err := os.ReadFile(filepath.Join(dir, "nightgauge", "gone.js"))
			if err == nil && string(old) == "// old\n" && round == 0 {
				continue // killed before the first Write began
			}
			if err := ngcore.VerifyTree(entry); err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		}
		// The next Write heals whatever was left.
		if err := ngcore.VerifyTree(writeTree(t, dir)); err != nil {
			t.Errorf("round %d: after the next Write: %v", round, err)
		}
	}
}
