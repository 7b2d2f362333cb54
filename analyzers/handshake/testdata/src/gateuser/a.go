package gateuser

import (
	"os"
	"os/exec"

	g "gate"

	"github.com/ngvet/ngvet/ngcore"
)

type config = ngcore.HandshakeConfig

func dropped(cfg config, gate *g.Gate[int]) {
	g.Loaded(cfg)   // want `the verdict of the handshake is dropped`
	_ = g.Late(cfg) // want `the verdict of the handshake is dropped`
	gate.Check()    // want `the verdict of the handshake is dropped`
	g.Prepare(cfg)  // OK for this check: no verdict
	again(cfg)      // want `the verdict of the handshake is dropped`
	checked := gate.Check
	defer checked() // want `the verdict of the handshake is dropped`
}

func again(cfg config) error { return g.Loaded(cfg) }

func start(cfg config) error {
	if err := g.Prepared(cfg); err != nil {
		return err
	}
	cmd := exec.Command("opencode", "run")
	cmd.Env = g.Env(cfg)
	return cmd.Start()
}

func stale(cfg config) error {
	cmd := exec.Command("opencode", "run")
	cmd.Env = g.Env(cfg)
	return cmd.Start() // want `the sentinel of an earlier run`
}

func reused(cfg config) error {
	nonce := g.Nonce() // want `one nonce serves every turn of the loop`
	for range 3 {
		cmd := exec.Command("opencode", "run")
		cmd.Env = append(os.Environ(), "NIGHTGAUGE_OPENCODE_PLUGIN_NONCE="+nonce)
		if err := g.Prepare(cfg); err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
	}
	return nil
}

var process = g.Nonce()

func global(path string) config {
	return config{Nonce: process, SentinelPath: path} // want `made once for the whole process`
}

func early(cmd *exec.Cmd, cfg config) error {
	if err := g.Loaded(cfg); err != nil {
		return err
	}
	if err := cmd.Wait(); err == nil {
		return nil // want `skips the check for lateness`
	}
	return g.Late(cfg)
}

func there(cfg config) bool {
	_, err := os.Stat(cfg.SentinelPath) // want `a sentinel that exists proves nothing`
	return err == nil && g.Exists(cfg.PluginPath)
}

func content(cfg config) string {
	if _, err := os.Stat(cfg.SentinelPath); err != nil {
		return ""
	}
	return g.Parsed(true, cfg.SentinelPath)
}

func other(cfg config) bool {
	_, err := os.Stat(cfg.SentinelPath) // want `a sentinel that exists proves nothing`
	return err == nil && g.Parsed(true, cfg.PluginPath) != ""
}
