package testscripts

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

// exitDelay is the time between the idle event and the exit of a real CLI at its fastest
// (HOST.md section 4).
const exitDelay = 10 * time.Millisecond

// runFakeCLI plays the last moments of OpenCode with the plugin in it: it publishes idle,
// starts the stop-verify child the way the plugin does, and is gone.
func runFakeCLI() {
	noChild := flag.Bool("no-child", false, "start no stop-verify child")
	room := flag.Int64("room", -1, "bytes of its line that the child can write before it is cut; waits for its end")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, "Usage: fakecli [-no-child] [-room BYTES]\n\nPublishes idle for session ses_root, starts the stop-verify child, exits 10 ms later.\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := fakeCLI(*noChild, *room); err != nil {
		fmt.Fprintln(os.Stderr, "fakecli:", err)
		os.Exit(1)
	}
	time.Sleep(exitDelay)
}

func fakeCLI(noChild bool, room int64) error {
	path, ok := ngcore.RunEventsPathFromEnv()
	if !ok {
		return fmt.Errorf("no events file: %s and %s are not set", plugin.EnvOutputFile, plugin.EnvRunID)
	}
	if err := ngcore.AppendRunEvent(path, ngcore.Event{Kind: "idle", SessionID: "ses_root"}); err != nil {
		return err
	}
	switch {
	case noChild:
		return nil
	case room >= 0:
		return cutChild(path, room)
	}
	child, err := startChild()
	if err != nil {
		return err
	}
	return child.Process.Release()
}

// cutChild lets the child write so many bytes of its line. Then the write ends short, as it
// does when the disk is full or the process is killed in the middle of it.
func cutChild(path string, room int64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := limitFileSize(info.Size() + room); err != nil {
		return err
	}
	child, err := startChild()
	if err != nil {
		return err
	}
	if err := child.Wait(); err == nil {
		return fmt.Errorf("the child wrote its line in spite of a limit of %d bytes", room)
	}
	return nil
}

// startChild starts the child as the plugin does: in a session of its own, on the null
// device.
func startChild() (*exec.Cmd, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	args := append(slices.Clone(plugin.StopVerifyVerb),
		plugin.StopVerifyFlagEmit, plugin.StopVerifyFlagWorkdir, dir, plugin.StopVerifyFlagSession, "ses_root")
	child := exec.Command(os.Getenv(plugin.EnvHookBin), args...)
	detach(child)
	return child, child.Start()
}
