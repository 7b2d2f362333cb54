package verdict

import (
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
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
	if err := core.VerifyLoaded(cfg); err != nil { // want `the verdict of the handshake is only printed`
		fmt.Println(err)
	}
	if err := core.VerifyLoaded(cfg); err != nil { // want `the verdict of the handshake is only printed`
		log.Printf("not gated: %v", err)
	}
	err := core.VerifyNotLate(cfg, time.Time{}) // want `the verdict of the handshake is only printed`
	slog.Error("late", "err", err)
	if err := check(cfg); err != nil { // want `the verdict of the handshake is only printed`
		fmt.Fprintln(os.Stderr, "plugin: "+err.Error())
	}
}

func acts(cfg core.HandshakeConfig, stop func(), errs chan<- error) (ok bool) {
	if err := core.VerifyLoaded(cfg); err != nil {
		log.Print(err)
		stop() // OK
	}
	if err := core.VerifyLoaded(cfg); err != nil {
		log.Fatal(err) // OK
	}
	ok = true
	if err := core.VerifyLoaded(cfg); err != nil {
		log.Print(err)
		ok = false // OK
	}
	if err := core.VerifyLoaded(cfg); err != nil {
		log.Print(err)
		errs <- err // OK
	}
	if err := core.VerifyLoaded(cfg); err != nil {
		log.Print(err)
	} else {
		stop() // OK: what follows is not the same
	}
	if err := core.VerifyNotLate(cfg, time.Time{}); err != nil {
		log.Print(err)
		return false // OK
	}
	return ok
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
