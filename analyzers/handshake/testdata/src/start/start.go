package start

import (
	"context"
	"os"
	"os/exec"

	"github.com/ngvet/ngvet/ngcore"
)

var shared, _ = ngcore.NewNonce()

func once(path string) ngcore.HandshakeConfig {
	return ngcore.HandshakeConfig{Nonce: shared, SentinelPath: path} // want `made once for the whole process`
}

func constant(path string) (cfg ngcore.HandshakeConfig) {
	cfg.Nonce = "fixed" // want `a constant nonce proves nothing`
	cfg.SentinelPath = path
	return cfg
}

func setenv() { os.Setenv("NIGHTGAUGE_OPENCODE_PLUGIN_NONCE", "fixed") } // want `a constant nonce proves nothing`

func cleared() { os.Setenv("NIGHTGAUGE_OPENCODE_PLUGIN_NONCE", "") }

func empty() ngcore.HandshakeConfig { return ngcore.HandshakeConfig{Nonce: ""} }

func given(nonce string) ngcore.HandshakeConfig { return ngcore.HandshakeConfig{Nonce: nonce} }

func stale(ctx context.Context, cfg ngcore.HandshakeConfig) error {
	cmd := exec.CommandContext(ctx, "opencode", "run")
	cmd.Env = cfg.ChildEnv(os.Environ())
	return cmd.Run() // want `OpenCode starts while the sentinel of an earlier run`
}

func fresh(ctx context.Context, cfg ngcore.HandshakeConfig) error {
	if err := ngcore.DeleteStaleSentinel(cfg.SentinelPath); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "opencode", "run")
	cmd.Env = cfg.ChildEnv(os.Environ())
	return cmd.Run()
}

func prepare(cfg ngcore.HandshakeConfig) error { return ngcore.DeleteStaleSentinel(cfg.SentinelPath) }

func outer(cfg ngcore.HandshakeConfig) error {
	if err := prepare(cfg); err != nil {
		return err
	}
	return inner(cfg)
}

func inner(cfg ngcore.HandshakeConfig) error {
	cmd := exec.Command("opencode", "run")
	cmd.Env = cfg.ChildEnv(os.Environ())
	return cmd.Run() // OK: outer has deleted it
}

func loop(path string) error {
	nonce, err := ngcore.NewNonce() // want `one nonce serves every turn`
	if err != nil {
		return err
	}
	for range 3 {
		if err := ngcore.DeleteStaleSentinel(path); err != nil {
			return err
		}
		cmd := exec.Command("opencode", "run")
		cmd.Env = append(os.Environ(), "NIGHTGAUGE_OPENCODE_PLUGIN_NONCE="+nonce)
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

func each(path string) error {
	for range 3 {
		nonce, err := ngcore.NewNonce()
		if err != nil {
			return err
		}
		if err := ngcore.DeleteStaleSentinel(path); err != nil {
			return err
		}
		cmd := exec.Command("opencode", "run")
		cmd.Env = append(os.Environ(), "NIGHTGAUGE_OPENCODE_PLUGIN_NONCE="+nonce)
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

func models() ([]byte, error) {
	return exec.Command("/usr/bin/opencode", "models").Output() // want `environment of this process as it is`
}

func explicit() error {
	cmd := exec.Command("opencode", "models")
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	return cmd.Run() // want `environment of this process as it is`
}

func bare() error {
	cmd := exec.Command("opencode", "models")
	cmd.Env = []string{"PATH=/bin"}
	return cmd.Run()
}

func unnested() error {
	cmd := exec.Command("opencode", "models")
	cmd.Env = without(os.Environ())
	return cmd.Run()
}

func git() error { return exec.Command("git", "status").Run() }

func without(env []string) []string { return env[:0] }

const fixedNonce = "fixed"

var onceNonce, _ = ngcore.NewNonce()

func entries(path string) error {
	if err := ngcore.DeleteStaleSentinel(path); err != nil {
		return err
	}
	cmd := exec.Command("opencode", "run")
	cmd.Env = append(cmd.Environ(), ngcore.EnvNonce+"="+fixedNonce) // want `a constant nonce proves nothing`
	cmd.Env = append(cmd.Environ(), ngcore.EnvNonce+"="+onceNonce)  // want `this nonce is made once for the whole process`
	cmd.Env = []string{"A=b", ngcore.EnvNonce + "=" + onceNonce}    // want `this nonce is made once for the whole process`
	return cmd.Run()
}

var table [2]string

func global(i int) { table[i] = "NIGHTGAUGE_OPENCODE_PLUGIN_NONCE" }
