package stage

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// start starts cmd in a process group of its own, and so that the kernel kills it when
// this process dies: an agent must not go on without its supervisor. release must be
// called once cmd has ended.
func start(cmd *exec.Cmd) (release func(), err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		// The signal is sent when the thread ends that started the process, hence it is
		// kept until then.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		started <- cmd.Start()
		<-ended
	}()
	return func() { close(ended) }, <-started
}

// killSurvivors kills every process whose environment has the entry marker, and returns
// how many there were; a zombie is none. The process group alone is not enough: OpenCode's
// shell tool starts its commands in groups of their own.
func killSurvivors(_ *exec.Cmd, marker string) int {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	n := 0
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || pid == os.Getpid() {
			continue
		}
		// The handle first: it stays with this process when the number is used again.
		process, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if isAlive(dir) && hasVariable(dir, marker) && process.Kill() == nil {
			n++
		}
		process.Release()
	}
	return n
}

func isAlive(procDir string) bool {
	stat, err := os.ReadFile(filepath.Join(procDir, "stat"))
	if err != nil {
		return false
	}
	// "pid (name) state ...", and the name may have any character.
	state := bytes.TrimLeft(stat[bytes.LastIndexByte(stat, ')')+1:], " ")
	return len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}

func hasVariable(procDir, entry string) bool {
	environ, err := os.ReadFile(filepath.Join(procDir, "environ"))
	return err == nil && bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+entry+"\x00"))
}
