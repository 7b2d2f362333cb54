//go:build unix

package fakeopencode

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// detach gives the child a session of its own, as Node's detached does.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func limitFiles(_ *fakeHost, rest string) error {
	n, err := strconv.ParseUint(rest, 10, 64)
	if err != nil {
		return err
	}
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
}

// holdOutput leaves a process in a session of its own that keeps standard output open for
// a minute: as its own standard output, or as a further descriptor, which a closed stdio
// does not show.
func holdOutput(_ *fakeHost, rest string) error {
	cmd := exec.Command("sleep", "60")
	detach(cmd)
	switch rest {
	case "1":
		cmd.Stdout = os.Stdout
	case "3":
		cmd.ExtraFiles = []*os.File{os.Stdout}
	default:
		return fmt.Errorf("expected descriptor 1 or 3, found %q", rest)
	}
	return cmd.Start()
}

func signalParent(_ *fakeHost, rest string) error {
	signal, ok := map[string]syscall.Signal{
		"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL,
	}[rest]
	if !ok {
		return fmt.Errorf("expected INT, TERM or KILL, found %q", rest)
	}
	return syscall.Kill(os.Getppid(), signal)
}

// lockFile keeps a lock on a file as long as this process lives.
func lockFile(_ *fakeHost, rest string) error {
	fd, err := syscall.Open(rest, syscall.O_CREAT|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	return syscall.Flock(fd, syscall.LOCK_EX)
}
