//go:build unix

package testscripts

import (
	"os/exec"
	"syscall"
)

// detach gives the child a session of its own, as Node's detached does.
func detach(child *exec.Cmd) {
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// limitFileSize bounds the files that this process and its children can write.
func limitFileSize(bytes int64) error {
	limit := syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}
