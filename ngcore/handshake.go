package ngcore

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ngvet/ngvet/plugin"
)

// PluginVersion is the version that a sentinel must carry.
const PluginVersion = plugin.Version

// Environment names of the handshake. All three are set for a gated run.
const (
	EnvNonce      = plugin.EnvNonce      // a value of NewNonce
	EnvSentinel   = plugin.EnvSentinel   // absolute path, from SentinelPath
	EnvPluginPath = plugin.EnvPluginPath // absolute path, from Write
)

// HookNames lists the hooks that a sentinel must name, in registration order. It is a
// copy for readers: changing it does not change what VerifyLoaded expects.
var HookNames = slices.Clone(plugin.HookNames)

// NewNonce returns 128 random bits in hex. Every run needs its own: the nonce is all that
// tells this run's sentinel from a copy of another one's.
func NewNonce() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("nonce: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// SentinelPath returns where a run's sentinel lies: beside outputFile, or in runDir when
// outputFile is empty. It returns "", which no check accepts, when the run id is not one
// plain path element or the place is not an absolute path free of "..".
func SentinelPath(outputFile, runDir, runID string) string {
	if outputFile != "" {
		path, _ := besideOutput(outputFile, runID, plugin.SentinelFileName)
		return path
	}
	if !isPlainAbsolute(runDir) || !isPathElement(runID) {
		return ""
	}
	return filepath.Join(runDir, plugin.SentinelFileName(runID))
}

// DeleteStaleSentinel removes what an earlier run may have left at path, before OpenCode
// is started. A file that is not there is fine; a link is removed, not followed. When it
// fails, do not start OpenCode.
func DeleteStaleSentinel(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && path != "" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("delete stale sentinel: %w", err)
	}
	if kind := info.Mode().Type(); kind != 0 && kind != fs.ModeSymlink {
		return fmt.Errorf("delete stale sentinel %s: expected a regular file, found %s", path, describeType(kind))
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete stale sentinel: %w", err)
	}
	return nil
}

// HandshakeConfig is what Go and the plugin agree on before the run. All fields are
// needed; a configuration with an empty one never verifies.
type HandshakeConfig struct {
	Nonce        string // from NewNonce
	SentinelPath string // from SentinelPath
	PluginPath   string // from Write
}

// HandshakeConfigFromEnv reads the configuration from the environment that a run was
// given. ok is false when none of its variables is set: that run has no handshake. With
// some of them it is true, and the partial configuration fails every check.
func HandshakeConfigFromEnv(env map[string]string) (cfg HandshakeConfig, ok bool) {
	cfg = HandshakeConfig{
		Nonce:        env[EnvNonce],
		SentinelPath: env[EnvSentinel],
		PluginPath:   env[EnvPluginPath],
	}
	return cfg, cfg != HandshakeConfig{}
}

// ChildEnv returns base without any variable of a handshake, followed by those of cfg. It
// is how the environment of an OpenCode process is made from os.Environ: a run inside a
// run must not answer for the outer one (BUGS.md B23). The zero cfg only removes.
func (cfg HandshakeConfig) ChildEnv(base []string) []string {
	own := [][2]string{{EnvNonce, cfg.Nonce}, {EnvSentinel, cfg.SentinelPath}, {EnvPluginPath, cfg.PluginPath}}
	env := make([]string, 0, len(base)+len(own))
	for _, entry := range base {
		name, _, _ := strings.Cut(entry, "=")
		if !slices.ContainsFunc(own, func(v [2]string) bool { return sameEnvName(v[0], name) }) {
			env = append(env, entry)
		}
	}
	for _, v := range own {
		if v[1] != "" {
			env = append(env, v[0]+"="+v[1])
		}
	}
	return env
}

func sameEnvName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// VerifyLoaded proves that the plugin loaded whole for this run. Call it at the first
// step_start of the stream, which always follows the plugin's start (HOST.md section 1).
//
// The sentinel must be a regular file of at most 64 KiB, reached without a link, in the
// strict format of plugin.Sentinel, with this nonce, PluginVersion and HookNames. Every
// failure is an *IncompatibleError. It never blocks, not even on a FIFO.
//
// Prefer Handshake, which runs this check and those at exit in one state.
func VerifyLoaded(cfg HandshakeConfig) error {
	_, err := readSentinel(cfg)
	return err
}

// VerifyNotLate proves at exit that the sentinel is still this run's and that it was not
// written after the first tool was used, by a plugin that came too late to gate it.
// firstToolUse is the call's part.state.time.start; zero means that no tool was used, and
// passes.
//
// The file's time may be past firstToolUse by the resolution of the two clocks:
// 5 ms, and up to 2 s more when the file's time itself is that coarse. A file system with
// a clock of its own (a shared mount) or a clock that was set back can make a good
// sentinel look late; Handshake judges those runs by content.
func VerifyNotLate(cfg HandshakeConfig, firstToolUse time.Time) error {
	if err := cfg.check(); err != nil {
		return err
	}
	if firstToolUse.IsZero() {
		return nil
	}
	found, err := readSentinel(cfg)
	if err != nil {
		return err
	}
	return found.notAfter(firstToolUse)
}

// check refuses a configuration that nobody could have answered.
func (cfg HandshakeConfig) check() error {
	refuse := func(what, expected, found string) error {
		return differs(NotConfigured, cfg.PluginPath, what, expected, found)
	}
	switch {
	case cfg.Nonce == "":
		return refuse("no nonce was agreed on", EnvNonce, "nothing")
	case cfg.SentinelPath == "":
		return refuse("no place for the sentinel was agreed on", EnvSentinel, "nothing")
	case cfg.PluginPath == "":
		return refuse("no plugin was agreed on", EnvPluginPath, "nothing")
	case !filepath.IsAbs(cfg.SentinelPath):
		return refuse("the sentinel's place depends on a working directory", "an absolute path", quote(cfg.SentinelPath))
	}
	return nil
}
