package ngcore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

// A run from its preparation to its verdict. The stream's events, here in a slice, come
// from OpenCode's standard output.
func ExampleHandshake() {
	runDir, err := os.MkdirTemp("", "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(runDir)

	entry, err := ngcore.Write(filepath.Join(runDir, "tree"))
	if err != nil {
		fmt.Println(err)
		return
	}
	nonce, err := ngcore.NewNonce()
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := ngcore.HandshakeConfig{Nonce: nonce, SentinelPath: ngcore.SentinelPath("", runDir, "r1"), PluginPath: entry}
	if err := ngcore.DeleteStaleSentinel(cfg.SentinelPath); err != nil {
		fmt.Println(err)
		return
	}
	handshake, err := ngcore.NewHandshake(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	// Start OpenCode with cfg.ChildEnv(os.Environ()) and entry, as a file URL, as its plugin.
	// This one "ran" without loading the plugin, and exited 0.
	stream := []string{"step_start", "tool_use"}
	for _, event := range stream {
		switch event {
		case "step_start":
			err = handshake.StepStart()
		case "tool_use":
			err = handshake.ToolUse(time.Now())
		}
		if err != nil {
			break // and kill OpenCode's process group
		}
	}
	if err == nil {
		err = handshake.Exit()
	}
	var incompatible *ngcore.IncompatibleError
	if errors.As(err, &incompatible) {
		fmt.Println(incompatible.Kind(), incompatible.Code)
	}
	// Output: adapter_incompatible sentinel_absent
}

func ExampleCheckReceipts() {
	calls := []ngcore.ToolUse{
		{SessionID: "ses_1", CallID: "call_1", Tool: "bash", Completed: true},
		{SessionID: "ses_1", CallID: "call_2", Tool: "edit", Completed: true},
	}
	receipts := []ngcore.Receipt{
		{V: 1, SessionID: "ses_1", CallID: "call_1", Tool: "bash", Decision: "allow", Code: "read_only"},
	}
	report := ngcore.CheckReceipts(calls, receipts)
	fmt.Println(report.Gated, "gated;", report.Ungated)
	fmt.Println(report.Err() != nil)
	// Output:
	// 1 gated; ["edit" call "call_2" of session "ses_1", which completed]
	// true
}

func ExampleTreeDigest() {
	dir, err := os.MkdirTemp("", "tree")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	entry, err := ngcore.Write(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	before, _ := ngcore.TreeDigest(os.DirFS(dir))
	if err := os.WriteFile(entry, []byte("export default {};\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	after, _ := ngcore.TreeDigest(os.DirFS(dir))
	fmt.Println(before == after, ngcore.VerifyTree(entry) == nil)
	// Output: false false
}

func ExampleHandshakeConfig_ChildEnv() {
	outer := []string{"PATH=/bin", ngcore.EnvNonce + "=outer", ngcore.EnvSentinel + "=/outer.json"}
	cfg := ngcore.HandshakeConfig{Nonce: "inner", SentinelPath: "/inner.json", PluginPath: "/tree/nightgauge.js"}
	for _, entry := range cfg.ChildEnv(outer) {
		fmt.Println(entry)
	}
	// Output:
	// PATH=/bin
	// NIGHTGAUGE_OPENCODE_PLUGIN_NONCE=inner
	// NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL=/inner.json
	// NIGHTGAUGE_OPENCODE_PLUGIN_PATH=/tree/nightgauge.js
}

func ExampleWriteDependencies() {
	dir, err := os.MkdirTemp("", "opencode")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	fmt.Println(ngcore.OperatorInstallSatisfied(dir))
	if err := ngcore.WriteDependencies(dir); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ngcore.OperatorInstallSatisfied(dir))
	// Output:
	// false
	// true
}
