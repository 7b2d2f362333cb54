package delay_import

import (
	"os/exec"
	"strings"
	"time"
)

// run has no import of errors: the finding comes without a fix.
func run(name string) error {
	cmd := exec.Command(name)
	cmd.Stdout = new(strings.Builder)
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil { // want `the command may have exited with 0`
		return err
	}
	return nil
}
