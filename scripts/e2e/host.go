//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ngvet/ngvet/internal/modelserver"
	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

const (
	// runBound ends a run that hangs. One takes 4 to 9 s on two idle cores (HOST.md section
	// 6), and a minute on busy ones.
	runBound = 150 * time.Second

	// verdictBound is above the 5 s that the stop-verify child may take.
	verdictBound = 8 * time.Second

	runID = "e2e"
)

// host runs OpenCode.
type host struct {
	opencode, hookBin string
	keep              bool
}

// run is one run of OpenCode: its directories, what it was given, and what it showed.
type run struct {
	root     string // holds all of the run's directories
	project  string // the work tree
	home     string
	entry    string // of the plugin
	sentinel string
	config   map[string]any // OPENCODE_CONFIG_CONTENT
	env      []string       // beyond the base environment
	keep     bool

	model     *modelserver.Server
	handshake *ngcore.Handshake
	loadErr   error // of the handshake, at the first step_start
	exitErr   error // of the handshake, at exit
	status    int
	timedOut  bool
	stream    []streamLine
	noise     []string // lines of standard output that are no JSON object
	stderr    bytes.Buffer
	events    []ngcore.Event
	receipts  []ngcore.Receipt
}

// streamLine is one line of "opencode run --format json".
type streamLine struct {
	Type      string `json:"type"`
	SessionID string `json:"sessionID"`
	Part      struct {
		CallID string `json:"callID"`
		Tool   string `json:"tool"`
		State  struct {
			Status string `json:"status"`
			Error  string `json:"error"`
			Time   struct {
				Start int64 `json:"start"` // milliseconds
			} `json:"time"`
		} `json:"state"`
	} `json:"part"`
}

// run prepares, runs and reads one scenario. An error is a failure of the machinery; what
// the host did wrong is in the run.
func (h host) run(ctx context.Context, s scenario) (r *run, err error) {
	r, err = h.prepare(s)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	if err := h.execute(ctx, r, s.args); err != nil {
		return nil, err
	}
	r.exitErr = r.handshake.Exit()
	r.events, err = ngcore.WaitForRunEvent(r.eventsPath(), "stop_verify", verdictBound)
	if err != nil {
		return nil, err
	}
	path, _ := ngcore.ReceiptsPath(r.outputFile(), runID)
	r.receipts, err = ngcore.ReadReceipts(path)
	return r, err
}

// prepare makes the directories of a run as an orchestrator does.
func (h host) prepare(s scenario) (*run, error) {
	root, err := os.MkdirTemp("", "nightgauge-e2e-"+s.name+"-")
	if err != nil {
		return nil, err
	}
	r := &run{
		root:     root,
		project:  filepath.Join(root, "project"),
		home:     filepath.Join(root, "home"),
		sentinel: ngcore.SentinelPath(filepath.Join(root, "run", "output.json"), "", runID),
		keep:     h.keep,
	}
	for _, dir := range []string{r.project, filepath.Join(root, "run"), filepath.Join(root, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if err := ngcore.WriteDependencies(filepath.Join(r.home, ".config", "opencode")); err != nil {
		return nil, err
	}
	if r.entry, err = ngcore.Write(filepath.Join(root, "run", "tree")); err != nil {
		return nil, err
	}
	if err := r.makeProject(); err != nil {
		return nil, err
	}
	if r.model, err = modelserver.Start(s.model(r)); err != nil {
		return nil, err
	}
	r.config = baseConfig(r.model.URL(), r.entry)
	if err := r.setEnv(h); err != nil {
		return nil, err
	}
	if s.prepare != nil {
		err = s.prepare(r)
	}
	return r, err
}

// makeProject makes a git work tree with one committed file.
func (r *run) makeProject() error {
	if err := os.WriteFile(filepath.Join(r.project, "a.txt"), []byte("alpha\nbeta\n"), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=e2e", "-c", "user.email=e2e@example.invalid", "commit", "-q", "-m", "start"},
	} {
		git := exec.Command("git", args...)
		git.Dir = r.project
		if out, err := git.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

func baseConfig(modelURL, entry string) map[string]any {
	model := map[string]any{"tool_call": true, "limit": map[string]any{"context": 200_000, "output": 8192}}
	return map[string]any{
		"model":             "fake/" + modelserver.Model,
		"small_model":       "fake/" + modelserver.Model,
		"enabled_providers": []string{"fake"},
		"autoupdate":        false,
		"share":             "disabled",
		"provider": map[string]any{"fake": map[string]any{
			"npm":     "@ai-sdk/openai-compatible",
			"options": map[string]any{"baseURL": modelURL, "apiKey": "none"},
			"models":  map[string]any{modelserver.Model: model},
		}},
		"plugin": []string{fileURL(entry)},
	}
}

// setEnv sets the variables of the handshake and of the run.
func (r *run) setEnv(h host) error {
	nonce, err := ngcore.NewNonce()
	if err != nil {
		return err
	}
	cfg := ngcore.HandshakeConfig{Nonce: nonce, SentinelPath: r.sentinel, PluginPath: r.entry}
	if r.handshake, err = ngcore.NewHandshake(cfg); err != nil {
		return err
	}
	r.env = append(cfg.ChildEnv(nil),
		plugin.EnvOutputFile+"="+r.outputFile(),
		plugin.EnvRunID+"="+runID,
		plugin.EnvHookBin+"="+h.hookBin,
	)
	return ngcore.DeleteStaleSentinel(r.sentinel)
}

func (r *run) outputFile() string { return filepath.Join(r.root, "run", "output.json") }

func (r *run) eventsPath() string {
	path, _ := ngcore.EventsPath(r.outputFile(), runID)
	return path
}

// environment is the offline recipe of HOST.md section 6.
func (r *run) environment() ([]string, error) {
	models := filepath.Join(r.root, "models.json")
	if err := os.WriteFile(models, []byte("{}"), 0o600); err != nil {
		return nil, err
	}
	config, err := json.Marshal(r.config)
	if err != nil {
		return nil, err
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + r.home,
		"TMPDIR=" + filepath.Join(r.root, "tmp"),
		"XDG_CONFIG_HOME=" + filepath.Join(r.home, ".config"),
		"XDG_DATA_HOME=" + filepath.Join(r.home, ".local", "share"),
		"XDG_STATE_HOME=" + filepath.Join(r.home, ".local", "state"),
		"XDG_CACHE_HOME=" + filepath.Join(r.home, ".cache"),
		"OPENCODE_CONFIG_CONTENT=" + string(config),
		"OPENCODE_MODELS_PATH=" + models,
		"npm_config_offline=true",
	}
	for _, name := range []string{"MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE", "CLAUDE_CODE", "EXTERNAL_SKILLS"} {
		env = append(env, "OPENCODE_DISABLE_"+name+"=1")
	}
	return append(env, r.env...), nil
}

// execute runs OpenCode and follows its stream.
func (h host) execute(ctx context.Context, r *run, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, runBound)
	defer cancel()
	env, err := r.environment()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, h.opencode, append([]string{"run", "--format", "json", "--title", "t"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = r.project, env, &r.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	readErr := r.follow(stdout)
	err = cmd.Wait()
	r.status, r.timedOut = cmd.ProcessState.ExitCode(), ctx.Err() != nil
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && !r.timedOut {
		return err
	}
	return readErr
}

// follow reads the stream to its end and makes the handshake's checks where it says so.
func (r *run) follow(stdout io.Reader) error {
	lines := bufio.NewReader(stdout)
	for {
		text, err := lines.ReadString('\n')
		if text = strings.TrimSpace(text); text != "" {
			r.line(text)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the stream: %w", err)
		}
	}
}

func (r *run) line(text string) {
	var line streamLine
	if err := json.Unmarshal([]byte(text), &line); err != nil {
		r.noise = append(r.noise, text)
		return
	}
	r.stream = append(r.stream, line)
	var err error
	switch line.Type {
	case "step_start":
		err = r.handshake.StepStart()
	case "tool_use":
		err = r.handshake.ToolUse(time.UnixMilli(line.Part.State.Time.Start))
	}
	if r.loadErr == nil {
		r.loadErr = err
	}
}

// dump writes what there is to see about a failed run.
func (r *run) dump(w io.Writer) {
	for _, line := range r.stream {
		fmt.Fprintf(w, "    stream: %s %s %s %s %s\n", line.Type, line.Part.Tool, line.Part.CallID, line.Part.State.Status, line.Part.State.Error)
	}
	for _, event := range r.events {
		fmt.Fprintf(w, "    event: %+v\n", event)
	}
	for _, receipt := range r.receipts {
		fmt.Fprintf(w, "    receipt: %+v\n", receipt)
	}
	fmt.Fprintf(w, "    status %d, stderr: %s\n", r.status, r.stderr.String())
}

func (r *run) close() {
	if r.model != nil {
		r.model.Close()
	}
	if r.keep {
		fmt.Println("  kept", r.root)
		return
	}
	os.RemoveAll(r.root)
}
