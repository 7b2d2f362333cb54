//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ngvet/ngvet/internal/modelserver"
	"github.com/ngvet/ngvet/ngcore"
)

//go:embed probe.mjs
var probe []byte

const (
	// runBound ends a run that hangs. One takes 4 to 9 s on two idle cores (HOST.md section 6).
	runBound = 150 * time.Second

	smallModel = "small1"
	toolName   = "probe_tool"
	summary    = "SUMMARY of things so far."
)

// plan tells the plugin what to do in one run.
type plan struct {
	Log      string   `json:"log"`
	Mode     string   `json:"mode"`     // "reassign" or "mutate"
	Fields   []string `json:"fields"`   // to change, "HOOK FIELD"
	Triggers []string `json:"triggers"` // hooks to offer

	Tool            string  `json:"tool"`
	SmallModel      string  `json:"smallModel"`
	Temperature     float64 `json:"temperature"`
	TopP            float64 `json:"topP"`
	MaxOutputTokens int     `json:"maxOutputTokens"`
}

// logLine is one line of the plugin.
type logLine struct {
	Kind string   `json:"kind"` // "read", "call", "change" or "event"
	Name string   `json:"name"`
	Keys []string `json:"keys"` // of a call's output, or of an event's properties
}

// trace is what one run showed.
type trace struct {
	lines    []logLine
	stream   string // standard output
	requests []modelserver.Request
}

func (t *trace) saw(kind, name string) bool {
	for _, line := range t.lines {
		if line.Kind == kind && line.Name == name {
			return true
		}
	}
	return false
}

// shows tells whether text is in what the host printed or sent to the model.
func (t *trace) shows(text string) bool {
	if strings.Contains(t.stream, text) {
		return true
	}
	for _, r := range t.requests {
		if bytes.Contains(r.Body, []byte(text)) || r.Header.Get("X-Probe") == text {
			return true
		}
	}
	return false
}

// execute runs OpenCode once in a directory of its own.
func execute(ctx context.Context, opencode string, p plan) (*trace, error) {
	root, err := os.MkdirTemp("", "reprobe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	model, err := modelserver.Start(answer())
	if err != nil {
		return nil, err
	}
	defer model.Close()
	p.Log = filepath.Join(root, "log.jsonl")
	env, err := environment(root, model.URL(), p)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, runBound)
	defer cancel()
	cmd := exec.CommandContext(ctx, opencode, "run", "--format", "json", "--command", "hello", "world")
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = filepath.Join(root, "project"), env, &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("opencode run: %w: %s%s", err, &stderr, &stdout)
	}
	t := &trace{stream: stdout.String(), requests: model.Requests()}
	t.lines, err = readLog(p.Log)
	return t, err
}

// answer returns the model: a tool call, one that overflows the context, and after the
// compaction one that needs permission. Requests without tools are for titles and
// summaries.
func answer() func(modelserver.Request) modelserver.Reply {
	bash := func(command string) []modelserver.Call {
		return []modelserver.Call{{Tool: "bash", Args: map[string]any{"command": command, "description": "one step"}}}
	}
	script := modelserver.Script(
		modelserver.Reply{Text: "First.", Calls: bash("echo env=$PROBE_ENV")},
		modelserver.Reply{Text: "Much to say.", Calls: bash("echo two"), PromptTokens: 19_900},
		modelserver.Reply{Calls: bash("touch asked.txt")},
	)
	return func(r modelserver.Request) modelserver.Reply {
		if !bytes.Contains(r.Body, []byte(`"tools":[`)) {
			return modelserver.Reply{Text: summary}
		}
		return script(r)
	}
}

// environment is the offline recipe of HOST.md section 6.
func environment(root, modelURL string, p plan) ([]string, error) {
	home, models, entry := filepath.Join(root, "home"), filepath.Join(root, "models.json"), filepath.Join(root, "probe.mjs")
	for _, dir := range []string{filepath.Join(root, "project"), filepath.Join(root, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if out, err := exec.Command("git", "-C", filepath.Join(root, "project"), "init", "-q").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git init: %w: %s", err, out)
	}
	if err := ngcore.WriteDependencies(filepath.Join(home, ".config", "opencode")); err != nil {
		return nil, err
	}
	if err := os.WriteFile(models, []byte("{}"), 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(entry, probe, 0o600); err != nil {
		return nil, err
	}
	config, err := json.Marshal(hostConfig(modelURL, entry))
	if err != nil {
		return nil, err
	}
	planned, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + home,
		"TMPDIR=" + filepath.Join(root, "tmp"),
		"OPENCODE_CONFIG_CONTENT=" + string(config),
		"OPENCODE_MODELS_PATH=" + models,
		"npm_config_offline=true",
		"REPROBE_PLAN=" + string(planned),
	}
	for _, name := range []string{"MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE", "CLAUDE_CODE", "EXTERNAL_SKILLS"} {
		env = append(env, "OPENCODE_DISABLE_"+name+"=1")
	}
	return env, nil
}

func hostConfig(modelURL, entry string) map[string]any {
	model := map[string]any{"tool_call": true, "temperature": true, "limit": map[string]any{"context": 20_000, "output": 1000}}
	return map[string]any{
		"model":             "fake/" + modelserver.Model,
		"enabled_providers": []string{"fake"},
		"autoupdate":        false,
		"share":             "disabled",
		"permission":        map[string]any{"bash": map[string]any{"*": "allow", "touch *": "ask"}},
		"command":           map[string]any{"hello": map[string]any{"template": "Say hello to $ARGUMENTS."}},
		"provider": map[string]any{"fake": map[string]any{
			"npm":     "@ai-sdk/openai-compatible",
			"options": map[string]any{"baseURL": modelURL, "apiKey": "none"},
			"models":  map[string]any{modelserver.Model: model, smallModel: model},
		}},
		"plugin": []string{(&url.URL{Scheme: "file", Path: entry}).String()},
	}
}

func readLog(path string) (lines []logLine, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the plugin did not load: %w", err)
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 16<<20) // a line holds what a hook got, tool output included
	for in.Scan() {
		var line logLine
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		lines = append(lines, line)
	}
	return lines, in.Err()
}
