package ngcore_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

const envHolder = "NGCORE_TEST_HOLDER" // FILE: hold the turn on it

func init() { processes[envHolder] = holdTurnWithoutFirstThread }

// A killed process may lose its first thread, whose state is the one that the system shows,
// while another is still in the system call that ends its turn. Nobody may take that turn.
func TestTurnOfProcessWithoutFirstThread(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), ngcore.EventsFileName("run"))
	must(t, os.WriteFile(file, filling(1000<<10), 0o600))
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envHolder+"="+file)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("holder said %q (%v)", line, err)
	}

	inNode := make(chan string)
	go func() {
		out, err := exec.CommandContext(t.Context(), nodePath(t), "testdata/append_worker.mjs",
			"../plugin/nightgauge/events.js", file, "node", "0").CombinedOutput()
		inNode <- fmt.Sprintf("%s%v", out, err)
	}()
	if err := ngcore.AppendRunEvent(file, ngcore.Event{Kind: "idle"}); err == nil || !strings.Contains(err.Error(), "waited 5s") {
		t.Errorf("append during the turn: got error %v, want one that says how long it waited", err)
	}
	if got, want := <-inNode, "0 failed\n<nil>"; got != want {
		t.Errorf("append in Node during the turn: got %q, want %q", got, want)
	}

	must(t, stdin.Close())
	must(t, cmd.Wait())
	must(t, ngcore.AppendRunEvent(file, ngcore.Event{Kind: "idle"}))
}

// holdTurnWithoutFirstThread takes the turn on the file, ends the first thread, says "held",
// and ends when its standard input does.
func holdTurnWithoutFirstThread(file string) {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		panic(err)
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		panic(err)
	}
	start := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))[19]
	owner := fmt.Sprintf("%d:%s:%s:token", os.Getpid(), start, strings.Trim(namespace, "pid:[]"))
	if err := os.Symlink(owner, plugin.EventsLockName(file)); err != nil {
		panic(err)
	}
	go func() {
		runtime.LockOSThread()
		for !firstThreadEnded() {
			runtime.Gosched()
		}
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	runtime.LockOSThread()
	for unix.Gettid() != os.Getpid() { // another goroutine may get the first thread
		go func() {
			runtime.LockOSThread()
			endFirstThread()
			select {}
		}()
		runtime.Gosched()
	}
	endFirstThread()
}

// endFirstThread ends the calling thread if it is the first one of its process.
func endFirstThread() {
	if unix.Gettid() == os.Getpid() {
		unix.Syscall(unix.SYS_EXIT, 0, 0, 0)
	}
}

func firstThreadEnded() bool {
	stat, err := os.ReadFile("/proc/self/stat")
	return err == nil && strings.HasPrefix(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " Z")
}
