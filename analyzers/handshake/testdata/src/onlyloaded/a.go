package onlyloaded

import (
	"os/exec"

	"github.com/ngvet/ngvet/ngcore"
)

func run(cmd *exec.Cmd, cfg ngcore.HandshakeConfig) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := ngcore.VerifyLoaded(cfg); err != nil { // want `never that it was in time`
		return err
	}
	return cmd.Wait()
}
