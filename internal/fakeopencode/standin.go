package fakeopencode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

// standIn keeps the plugin's contracts without Node: the sentinel, one receipt per call,
// the events, and the two child processes.
type standIn struct {
	events   string
	children map[string]bool // sessions with a parent
	idle     map[string]bool
}

// loadStandIn loads nothing when the entry is not the one of the embedded tree: a stand-in
// for a module that does not parse.
func loadStandIn(entry string) (loadedPlugin, error) {
	want, err := plugin.Files.ReadFile(plugin.EntryFile)
	if err != nil {
		return nil, err
	}
	if got, err := os.ReadFile(entry); err != nil || !bytes.Equal(got, want) {
		return nil, nil
	}
	events, ok := ngcore.RunEventsPathFromEnv()
	if !ok {
		return nil, fmt.Errorf("no events file in the environment")
	}
	if err := writeJSON(os.Getenv(plugin.EnvSentinel), newSentinel(os.Getenv(plugin.EnvNonce))); err != nil {
		return nil, nil
	}
	return &standIn{events: events, children: map[string]bool{}, idle: map[string]bool{}}, nil
}

func newSentinel(nonce string) plugin.Sentinel {
	return plugin.Sentinel{
		V:             plugin.SentinelFormat,
		Nonce:         nonce,
		PluginVersion: plugin.Version,
		Hooks:         plugin.HookNames,
		PID:           os.Getpid(),
		TS:            timestamp(),
	}
}

func timestamp() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }

func writeJSON(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}

func (p *standIn) before(call toolCall) (string, error) {
	decision, code, reason := p.judge(call)
	receipt := plugin.Receipt{
		V: plugin.ReceiptFormat, TS: timestamp(),
		SessionID: call.session, CallID: call.id, Tool: plugin.ReceiptID(call.tool),
		Decision: decision, Code: code,
	}
	if err := appendReceipt(receipt); err != nil {
		decision, code, reason = plugin.DecisionDeny, "receipt_failed", err.Error()
	}
	if decision == plugin.DecisionAllow {
		return "", nil
	}
	return fmt.Sprintf("nightgauge denied %s (%s): %s", call.tool, code, reason), nil
}

func (p *standIn) judge(call toolCall) (decision, code, reason string) {
	if slices.Contains(plugin.HarmlessTools, call.tool) {
		return plugin.DecisionAllow, plugin.HarmlessCode, ""
	}
	directory := os.Getenv("PWD")
	question, err := json.Marshal(plugin.GateCall{
		V: plugin.GateFormat, Tool: call.tool, Args: call.args, SessionID: call.session, CallID: call.id,
		Child: p.children[call.session], Directory: directory, Worktree: directory, Protected: []string{},
	})
	if err != nil {
		return plugin.DecisionDeny, "bad_args", err.Error()
	}
	cmd := exec.Command(os.Getenv(plugin.EnvHookBin), plugin.GateVerb...)
	cmd.Stdin = bytes.NewReader(question)
	out, err := cmd.Output()
	if err != nil {
		return plugin.DecisionDeny, "no_bin", err.Error()
	}
	var verdict struct{ Decision, Code, Reason string }
	if err := json.Unmarshal(out, &verdict); err != nil {
		return plugin.DecisionDeny, "garbage", err.Error()
	}
	return verdict.Decision, verdict.Code, verdict.Reason
}

func appendReceipt(receipt plugin.Receipt) error {
	path, _ := ngcore.ReceiptsPath(os.Getenv(plugin.EnvOutputFile), os.Getenv(plugin.EnvRunID))
	line, err := json.Marshal(receipt)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(append(line, '\n'))
	return err
}

func (p *standIn) after(call toolCall) error {
	if call.tool != "skill" {
		return nil
	}
	return p.append("skill", call.session)
}

func (p *standIn) publish(kind string, properties map[string]any) error {
	session, _ := properties["sessionID"].(string)
	switch kind {
	case "session.created":
		info := properties["info"].(map[string]any)
		p.children[info["id"].(string)] = info["parentID"] != nil
	case "session.compacted":
		return p.append("compaction", session)
	case "permission.asked":
		return p.append("permission_ask", session)
	case "session.status": // busy is the one status that is published
		delete(p.idle, session)
	case "session.idle":
		return p.becameIdle(session)
	}
	return nil
}

func (p *standIn) becameIdle(session string) error {
	if p.idle[session] {
		return nil
	}
	p.idle[session] = true
	if err := p.append("idle", session); err != nil {
		return err
	}
	child, known := p.children[session]
	if child || !known {
		return nil
	}
	args := append(slices.Clone(plugin.StopVerifyVerb), plugin.StopVerifyFlagEmit,
		plugin.StopVerifyFlagWorkdir, filepath.Clean(os.Getenv("PWD")), plugin.StopVerifyFlagSession, session)
	cmd := exec.Command(os.Getenv(plugin.EnvHookBin), args...)
	detach(cmd)
	if cmd.Start() == nil { // without the binary there is no verdict, as in the plugin
		cmd.Process.Release()
	}
	return nil
}

// append drops what the full file has no room for, as the plugin does.
func (p *standIn) append(kind, session string) error {
	ngcore.AppendRunEvent(p.events, ngcore.Event{Kind: kind, SessionID: session, Child: p.children[session]})
	return nil
}

func (p *standIn) compact(string) (bool, error) { return false, nil }

func (p *standIn) kill() {}
