package ngcore

import "time"

const EnvNonce = "NIGHTGAUGE_OPENCODE_PLUGIN_NONCE"

type HandshakeConfig struct{ Nonce, SentinelPath, PluginPath string }

func (cfg HandshakeConfig) ChildEnv(base []string) []string { return base }

type Handshake struct{}

func NewHandshake(cfg HandshakeConfig) (*Handshake, error) { return nil, nil }

func (h *Handshake) StepStart() error              { return nil }
func (h *Handshake) ToolUse(start time.Time) error { return nil }
func (h *Handshake) Exit() error                   { return nil }

func VerifyLoaded(cfg HandshakeConfig) error                          { return nil }
func VerifyNotLate(cfg HandshakeConfig, firstToolUse time.Time) error { return nil }
func NewNonce() (string, error)                                       { return "", nil }
func DeleteStaleSentinel(path string) error                           { return nil }
func SentinelPath(outputFile, runDir, runID string) string            { return "" }
