package verdict

import (
	"errors"
	"fmt"
	"os/exec"
	"time"

	core "github.com/ngvet/ngvet/ngcore"
)

func ignored(cfg core.HandshakeConfig, h *core.Handshake) {
	core.VerifyLoaded(cfg)                     // want `the verdict of the handshake is dropped`
	_ = core.VerifyNotLate(cfg, time.Time{})   // want `the verdict of the handshake is dropped`
	defer core.VerifyNotLate(cfg, time.Time{}) // want `the verdict of the handshake is dropped`
	go core.VerifyLoaded(cfg)                  // want `the verdict of the handshake is dropped`
	h.StepStart()                              // want `the verdict of the handshake is dropped`
	step := h.StepStart
	step()                              // want `the verdict of the handshake is dropped`
	check(cfg)                          // want `the verdict of the handshake is dropped`
	_ = wrapped(cfg)                    // want `the verdict of the handshake is dropped`
	func() { core.VerifyLoaded(cfg) }() // want `the verdict of the handshake is dropped`
}

func overwritten(cfg core.HandshakeConfig) error {
	err := core.VerifyLoaded(cfg) // want `the verdict of the handshake is dropped`
	err = errors.New("other")
	return err
}

func check(cfg core.HandshakeConfig) error { return core.VerifyLoaded(cfg) }

func wrapped(cfg core.HandshakeConfig) error {
	if err := check(cfg); err != nil {
		return fmt.Errorf("plugin: %w", err)
	}
	return nil
}

func logs(cfg core.HandshakeConfig) {
	if err := core.VerifyLoaded(cfg); err != nil {
		fmt.Println(err)
	}
}

func early(cmd *exec.Cmd, cfg core.HandshakeConfig) error {
	if err := core.VerifyLoaded(cfg); err != nil {
		return err // OK: a failure
	}
	if err := cmd.Wait(); err == nil {
		return nil // want `skips the check for lateness`
	}
	return core.VerifyNotLate(cfg, time.Now())
}

func optional(cmd *exec.Cmd, cfg core.HandshakeConfig, gated bool) error {
	if gated {
		if err := core.VerifyLoaded(cfg); err != nil {
			return err
		}
	}
	if err := cmd.Wait(); err != nil {
		return err // OK: the run failed
	}
	if gated {
		return finish(cfg)
	}
	return nil
}

func through(cmd *exec.Cmd, h *core.Handshake) (err error) {
	defer func() { err = errors.Join(err, h.Exit()) }()
	if err := h.StepStart(); err != nil {
		return err
	}
	cmd.Wait()
	return nil // OK: deferred
}

func finish(cfg core.HandshakeConfig) error { return core.VerifyNotLate(cfg, time.Now()) }
