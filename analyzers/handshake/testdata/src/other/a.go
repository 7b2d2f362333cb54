package other

import (
	"os"
	"os/exec"
)

// A program that knows nothing of the handshake.
func models() ([]byte, error) { return exec.Command("opencode", "models").Output() }

func stat(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
