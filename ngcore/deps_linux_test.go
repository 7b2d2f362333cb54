package ngcore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ngvet/ngvet/ngcore"
)

// asNobody runs f without root's rights: on one thread, which ends with f.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the runtime drops the thread
		const nobody = 65534
		// The raw call changes this thread only; os and unix would change all of them.
		_, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody)
		if errno != 0 {
			done <- errno
			return
		}
		defer close(done)
		f()
	}()
	if err := <-done; err != nil {
		t.Fatal("become nobody: ", err)
	}
}

// reachable makes a directory that other users can look into.
func reachable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOperatorInstallSatisfiedByPermissions(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		dirMode  os.FileMode
		lockMode os.FileMode
		want     bool
	}{
		{"unwritable and empty of everything", 0o555, 0, true},
		{"unwritable with a lockfile", 0o555, 0o644, true},
		{"writable with a readable lockfile", 0o777, 0o644, true},
		{"writable with an unreadable lockfile", 0o777, 0o200, false},
		{"writable and empty of everything", 0o777, 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := reachable(t)
			if tc.lockMode != 0 {
				if err := os.Mkdir(filepath.Join(dir, "node_modules"), 0o755); err != nil {
					t.Fatal(err)
				}
				lock := filepath.Join(dir, "package-lock.json")
				if err := os.WriteFile(lock, []byte(`{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"1"}}}}`), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(lock, tc.lockMode); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, tc.dirMode); err != nil {
				t.Fatal(err)
			}
			asNobody(t, func() {
				if got := ngcore.OperatorInstallSatisfied(dir); got != tc.want {
					t.Errorf("satisfied = %t, want %t", got, tc.want)
				}
			})
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestVerifyLoadedRefusesAnUnreadableSentinel(t *testing.T) {
	t.Parallel()
	p := place{dir: reachable(t)}
	p.path = filepath.Join(p.dir, "s.json")
	writeFile(t, p.path, goodContent)
	if err := os.Chmod(p.path, 0); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		wantCode(t, ngcore.VerifyLoaded(p.config()), ngcore.SentinelUnreadable)
	})
}

// A sentinel that cannot be deleted must keep OpenCode from being started.
func TestDeleteStaleSentinelReportsAReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	path := filepath.Join(dir, "s.json")
	writeFile(t, path, goodContent)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		if err := ngcore.DeleteStaleSentinel(path); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("= %v, want a permission error", err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestOperatorInstallSatisfiedDoesNotWaitOnAPipe(t *testing.T) {
	t.Parallel()
	for _, pipe := range []string{"package.json", "package-lock.json"} {
		t.Run(pipe, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := ngcore.WriteDependencies(dir); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(filepath.Join(dir, pipe)); err != nil {
				t.Fatal(err)
			}
			if err := unix.Mkfifo(filepath.Join(dir, pipe), 0o600); err != nil {
				t.Fatal(err)
			}
			if ngcore.OperatorInstallSatisfied(dir) {
				t.Error("satisfied")
			}
		})
	}
}
