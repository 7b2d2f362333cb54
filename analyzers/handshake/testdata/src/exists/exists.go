package exists

import (
	"os"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

func there(cfg ngcore.HandshakeConfig) bool {
	_, err := os.Stat(cfg.SentinelPath) // want `a sentinel that exists proves nothing`
	return err == nil
}

func recent(dir, id string, since time.Time) bool {
	info, err := os.Lstat(ngcore.SentinelPath("", dir, id)) // want `a sentinel that exists proves nothing`
	return err == nil && info.ModTime().After(since)
}

func byEnv() bool {
	path := os.Getenv("NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL")
	_, err := os.Stat(path) // want `a sentinel that exists proves nothing`
	return err == nil
}

func waits(cfg *ngcore.HandshakeConfig) error {
	for {
		if _, err := os.Stat(cfg.SentinelPath); err == nil {
			return ngcore.VerifyLoaded(*cfg)
		}
	}
}

func plugin(cfg ngcore.HandshakeConfig) bool {
	_, err := os.Stat(cfg.PluginPath)
	return err == nil
}

func finish(cfg ngcore.HandshakeConfig) error { return ngcore.VerifyNotLate(cfg, time.Now()) }
