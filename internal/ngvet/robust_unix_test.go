//go:build unix

package ngvet_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// nobody is a user without rights: as root nothing is refused.
const nobody = 65534

var unreadable = []robustCase{
	{
		name:   "directory beside the package",
		files:  map[string]string{"m.go": contract, "plugin.js": jsOther, "closed/closed.go": "package closed\n"},
		setup:  func(t *testing.T, dir string) { forbid(t, filepath.Join(dir, "closed"), 0) },
		status: 2, want: `^ngvet: .*closed: permission denied`,
		vet: 1, vetted: `closed: permission denied`,
	},
	{
		name:   "directory in the embedded tree",
		files:  map[string]string{"m.go": embedder, "tree/plugin.js": jsOther, "tree/closed/a.js": jsSame},
		setup:  func(t *testing.T, dir string) { forbid(t, filepath.Join(dir, "tree", "closed"), 0) },
		status: 2, want: `^ngvet: .*closed: permission denied`,
		vet: 1, vetted: `closed: permission denied`,
	},
	{
		name:   "module",
		files:  map[string]string{"m.go": contract, "plugin.js": jsOther},
		setup:  func(t *testing.T, dir string) { forbid(t, filepath.Join(dir, "plugin.js"), 0) },
		status: 1, want: `permission denied \(mirror/unreadable\)`,
		vet: 1, vetted: `permission denied \(mirror/unreadable\)`,
	},
	{
		name:   "Go file",
		files:  map[string]string{"m.go": contract, "plugin.js": jsOther},
		setup:  func(t *testing.T, dir string) { forbid(t, filepath.Join(dir, "m.go"), 0) },
		status: 2, want: `^ngvet: .*m\.go: permission denied`,
		vet: 1, vetted: `m\.go: permission denied`,
	},
	{
		name:   "directory that may not be listed",
		files:  map[string]string{"m.go": contract, "plugin.js": jsOther},
		setup:  func(t *testing.T, dir string) { forbid(t, dir, 0o111) },
		status: 2, want: `^ngvet: .*permission denied`,
		vet: 1, vetted: `permission denied`,
	},
}

func forbid(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(path, 0o755) })
}

// TestRobustUnreadable is TestRobust for what the user may not read.
func TestRobustUnreadable(t *testing.T) {
	t.Parallel()
	bin := public(t, 0o755)
	test, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	ngvet := filepath.Join(bin, "ngvet") // this binary under that name is ngvet
	if err := os.WriteFile(ngvet, test, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range unreadable {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir, home := public(t, 0o755), public(t, 0o777)
			tc.write(t, dir)
			tc.check(t, dir, ngvet, func(cmd *exec.Cmd) {
				for _, name := range []string{"HOME", "GOCACHE", "GOPATH", "GOMODCACHE"} {
					cmd.Env = append(cmd.Env, name+"="+filepath.Join(home, name))
				}
				if os.Getuid() == 0 {
					cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
				}
			})
		})
	}
}

// public returns a directory that every user may enter.
func public(t *testing.T, mode os.FileMode) string {
	t.Helper()
	dir := t.TempDir()
	for path, mode := range map[string]os.FileMode{dir: mode, filepath.Dir(dir): 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
