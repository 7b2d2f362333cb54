//go:build unix

package ngvet_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ngvet/ngvet/internal/ngvet"
)

// TestPipeIsRefused: reading a pipe would never end.
func TestPipeIsRefused(t *testing.T) {
	t.Parallel()
	dir := module(t, "")
	if err := syscall.Mkfifo(filepath.Join(dir, "plugin.js"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out := check(t, dir, "./...")
	if status != ngvet.ExitFindings || !strings.Contains(out, "mirror/unreadable") {
		t.Errorf("exit status %d, output:\n%s", status, out)
	}
	status, out = check(t, dir, "plugin.js")
	if status != ngvet.ExitFindings || !strings.Contains(out, "not a regular file") {
		t.Errorf("exit status %d, output:\n%s", status, out)
	}
}
