package ngvet_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/internal/ngvet"
)

// module writes a module with one contract and returns its directory.
func module(t *testing.T, js string) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26\n")
	writeFile(t, filepath.Join(dir, "m.go"), "package m\n\n//ngvet:mirror plugin.js#VERSION\nconst Version = \"1\"\n")
	if js != "" {
		writeFile(t, filepath.Join(dir, "plugin.js"), js)
	}
	return dir
}

func TestFixKeepsLineEndingsAndMode(t *testing.T) {
	t.Parallel()
	dir := module(t, "// é\r\nexport const VERSION = '2';\r\n")
	path := filepath.Join(dir, "plugin.js")
	if err := os.Chmod(path, 0o750); err != nil {
		t.Fatal(err)
	}
	if status, out := check(t, dir, "-fix", "./..."); status != ngvet.ExitClean || out != "" {
		t.Fatalf("exit status %d, output:\n%s", status, out)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "// é\r\nexport const VERSION = '1';\r\n"; string(got) != want {
		t.Errorf("fixed file is %q, want %q", got, want)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o750 {
		t.Errorf("mode is %v, want 0750", info.Mode().Perm())
	}
}

// TestHostileTargets: whatever the file of a contract is, it is a finding.
func TestHostileTargets(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		setup func(t *testing.T, dir, path string) error
		want  string
	}{
		{"missing", func(*testing.T, string, string) error { return nil }, "mirror/unreadable"},
		{"directory", func(_ *testing.T, _, path string) error { return os.Mkdir(path, 0o755) }, "mirror/unreadable"},
		{"link out of the repository", func(t *testing.T, _, path string) error {
			outside := filepath.Join(t.TempDir(), "outside.js")
			writeFile(t, outside, `export const VERSION = "1";`)
			return os.Symlink(outside, path)
		}, "mirror/malformed"},
		{"link within the repository", func(t *testing.T, dir, path string) error {
			writeFile(t, filepath.Join(dir, "real.js"), `export const VERSION = "2";`)
			return os.Symlink("real.js", path)
		}, "mirror/differs"},
		{"link to itself", func(_ *testing.T, _, path string) error { return os.Symlink("plugin.js", path) }, "mirror/"},
		{"not UTF-8", func(_ *testing.T, _, path string) error {
			return os.WriteFile(path, []byte("export const VERSION = '\xff';"), 0o644)
		}, "mirror/unreadable"},
		{"empty", func(_ *testing.T, _, path string) error { return os.WriteFile(path, nil, 0o644) }, "mirror/missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := module(t, "")
			if err := tc.setup(t, dir, filepath.Join(dir, "plugin.js")); err != nil {
				t.Fatal(err)
			}
			status, out := check(t, dir, "./...")
			if status != ngvet.ExitFindings || !strings.Contains(out, tc.want) {
				t.Errorf("exit status %d, want %d and %s; output:\n%s", status, ngvet.ExitFindings, tc.want, out)
			}
		})
	}
}

func TestUnknownHost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "p.js"), "export const P = async () => ({ event: async () => {} });\n")
	status, out := check(t, dir, "--host", "99.0.0", "p.js")
	if status == ngvet.ExitClean || !strings.Contains(out, "99.0.0") {
		t.Errorf("exit status %d, output:\n%s", status, out)
	}
}
