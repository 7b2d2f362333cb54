package nightgauge

import "os/exec"

// openNonblock has no counterpart: a plan on Windows cannot be a named pipe of the file
// system.
const openNonblock = 0

// ownGroup does nothing: Windows has no process groups to kill.
func ownGroup(*exec.Cmd) {}

// killGroup kills the command itself. What it started lives on, without its streams.
func killGroup(cmd *exec.Cmd) error {
	return cmd.Process.Kill()
}
