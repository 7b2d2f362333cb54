//go:build !go1.1

package tagged

import "os/exec"

func run() error {
	return exec.Command("opencode", "run").Run()
}
