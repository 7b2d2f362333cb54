// Package gate wraps the handshake for the packages of a program.
package gate

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

func Prepare(cfg ngcore.HandshakeConfig) error { // want Prepare:"^deletes a sentinel$"
	return ngcore.DeleteStaleSentinel(cfg.SentinelPath)
}

func Prepared(cfg ngcore.HandshakeConfig) (err error) { // want Prepared:"^deletes a sentinel$"
	func() { err = Prepare(cfg) }()
	return err
}

func Env(cfg ngcore.HandshakeConfig) []string { // want Env:"^returns the environment of a handshake$"
	return append(cfg.ChildEnv(os.Environ()), "CI=1")
}

func Nonce() string { // want Nonce:"^returns a nonce$"
	nonce, err := ngcore.NewNonce()
	if err != nil {
		panic(err)
	}
	return nonce
}

func Loaded(cfg ngcore.HandshakeConfig) error { // want Loaded:"^judges a sentinel, returns the verdict on loading, verifies loading$"
	if err := ngcore.VerifyLoaded(cfg); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}

func Late(cfg ngcore.HandshakeConfig) error { // want Late:"^judges a sentinel, returns the verdict on lateness, verifies lateness$"
	return ngcore.VerifyNotLate(cfg, time.Time{})
}

// Recursive functions: each of the two may come first.
func Even(cfg ngcore.HandshakeConfig, n int) error { // want Even:"verifies loading"
	if n == 0 {
		return ngcore.VerifyLoaded(cfg)
	}
	return Odd(cfg, n-1)
}

func Odd(cfg ngcore.HandshakeConfig, n int) error { // want Odd:"verifies loading"
	if n == 0 {
		return errors.New("odd")
	}
	return Even(cfg, n-1)
}

// Gate is a handshake of some kind of run.
type Gate[T any] struct {
	Config ngcore.HandshakeConfig
	Run    T
}

func (g *Gate[T]) Check() error { // want Check:"returns the verdict on loading"
	return Loaded(g.Config)
}

func Content(path string) ([]byte, error) { return os.ReadFile(path) } // want Content:"^reads the file at argument 0$"

func Parsed(strict bool, path string) string { // want Parsed:"^reads the file at argument 1$"
	data, err := Content(path)
	if err != nil && strict {
		panic(err)
	}
	return string(data)
}

func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
