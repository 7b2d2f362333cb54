//go:build e2e && unix

package stage_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ngvet/ngvet/internal/modelserver"
	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/ngcore/stage"
	"github.com/ngvet/ngvet/plugin"
)

// Variables that scripts/e2e.sh sets: absolute paths of the real OpenCode and of the
// nightgauge binary.
const (
	envOpenCode   = "NGVET_E2E_OPENCODE"
	envNightgauge = "NGVET_E2E_NIGHTGAUGE"
)

// The tests run one after the other: OpenCode takes all of two cores to start.

func TestRealOpenCodeReportsRun(t *testing.T) {
	r := newRealRun(t, modelserver.Script(
		modelserver.Reply{Text: "First.", Calls: []modelserver.Call{bash("echo one > one.txt")}},
		modelserver.Reply{Calls: []modelserver.Call{bash("rm -rf .git"), bash("echo two > two.txt")}},
	))
	result := r.run(t, "--json", "--verify", "test -e two.txt")
	r.want(t, result, stage.OK, 0)
	if result.Allowed != 2 || result.Denied != 1 || len(result.Calls) != 3 || result.Steps != 3 {
		t.Errorf("got %d allowed, %d denied, %d calls, %d steps, want 2, 1, 3, 3", result.Allowed, result.Denied, len(result.Calls), result.Steps)
	}
	if result.Tokens.Input == 0 || result.Tokens.Output == 0 {
		t.Errorf("no tokens counted: %+v", result.Tokens)
	}
	if v := result.Verdict; v == nil || v.Verdict != "complete" || v.Exit == nil || *v.Exit != 0 {
		t.Errorf("verdict %+v, want complete with exit status 0", v)
	}
	if !r.has("one.txt") || !r.has("two.txt") || !r.has(".git") {
		t.Error("the work tree is not what the verdicts say: expected one.txt, two.txt and .git")
	}
}

// What the outer run's variables would do: switch plugins off, load others, answer for it.
func TestRealOpenCodeWithinAnotherRun(t *testing.T) {
	r := newRealRun(t, modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{bash("echo one > one.txt")}}))
	r.env = append(r.env,
		"OPENCODE_PURE=1",
		"OPENCODE_CONFIG_DIR="+t.TempDir(),
		"OPENCODE_PERMISSION={\"bash\":\"deny\"}",
		plugin.EnvNonce+"=outer",
		plugin.EnvSentinel+"="+filepath.Join(t.TempDir(), "outer"),
		plugin.EnvPluginPath+"=/outer/nightgauge.js",
		plugin.EnvRunID+"=outer",
		plugin.EnvGatePolicy+"=/outer/policy.json",
	)
	r.want(t, r.run(t, "--json"), stage.OK, 0)
	if !r.has("one.txt") {
		t.Error("the tool did not run")
	}
}

// The agent is reminded of what was denied, and OpenCode adds no turn of its own.
func TestRealOpenCodeCompacts(t *testing.T) {
	const summary = "SUMMARY of things so far."
	r := newRealRun(t, modelserver.Script(
		modelserver.Reply{Calls: []modelserver.Call{bash("rm -rf .git")}},
		modelserver.Reply{Calls: []modelserver.Call{bash("echo one > one.txt")}, PromptTokens: 19_900},
		modelserver.Reply{Text: summary},
	))
	r.context = 20_000
	result := r.run(t, "--json")
	r.want(t, result, stage.OK, 0)
	events := r.events(t, result, func(e ngcore.Event) bool { return e.Kind == "compaction" })
	if result.Compactions != 1 || events != 1 {
		t.Errorf("%d compactions, %d events of them, want 1 and 1", result.Compactions, events)
	}
	reminded, continued := 0, 0
	for _, request := range r.model.Requests() {
		if strings.Contains(request.Last(), "Calls denied so far") {
			reminded++
		}
		if request.Contains(summary) {
			continued++
		}
	}
	if reminded != 1 || continued != 0 {
		t.Errorf("reminded of denials %d times, asked again after the summary %d times, want 1 and 0", reminded, continued)
	}
}

// Nobody is there to answer, so OpenCode rejects the call; that is no failure of the run.
func TestRealOpenCodeAsksPermission(t *testing.T) {
	r := newRealRun(t, modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{bash("touch asked.txt")}}))
	r.permission = `{"bash": {"*": "allow", "touch *": "ask"}}`
	result := r.run(t, "--json")
	r.want(t, result, stage.OK, 0)
	if result.PermissionAsks != 1 || result.Allowed != 1 || r.has("asked.txt") {
		t.Errorf("%d permission requests, %d calls allowed by the gate, ran: %v; want 1, 1, false", result.PermissionAsks, result.Allowed, r.has("asked.txt"))
	}
	if text, err := os.ReadFile(result.Files.Events); err != nil || strings.Contains(string(text), "asked.txt") {
		t.Errorf("what the request was about is in the events: %v, %s", err, text)
	}
}

// A plugin that is damaged in any way is found, and no tool runs, however fast the model is.
func TestRealOpenCodeWithDamagedPlugin(t *testing.T) {
	tests := []struct {
		name  string
		entry string
		want  stage.Class
	}{
		{"syntax error", `export default { id: "nightgauge", server: (`, stage.Ungated},
		{"missing module", `import "./nightgauge/none.js"; export default { id: "nightgauge", server: async () => ({}) };`, stage.Ungated},
		{"start that throws", `export default { id: "nightgauge", server: async () => { throw new Error("x"); } };`, stage.Ungated},
		{"no hooks", `export default { id: "nightgauge", server: async () => ({}) };`, stage.Ungated},
		{"nothing returned", `export default { id: "nightgauge", server: async () => undefined };`, stage.PluginFatal},
		{"end of the process", `process.exit(7);`, stage.PluginFatal},
		{"start that never ends", `export default { id: "nightgauge", server: () => new Promise(() => {}) };`, stage.Hung},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRealRun(t, modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{
				bash("echo x > bash.txt"),
				{Tool: "write", Args: map[string]any{"filePath": filepath.Join(t.TempDir(), "write.txt"), "content": "x"}},
			}}))
			r.damageEntry(t, tt.entry)
			args := []string{"--json"}
			if tt.want == stage.Hung {
				args = append(args, "--idle-timeout", "20s")
			}
			result := r.run(t, args...)
			r.want(t, result, tt.want, 1)
			if len(result.Calls) > 0 || r.has("bash.txt") {
				t.Errorf("a tool ran: %+v", result.Calls)
			}
		})
	}
}

func TestRealOpenCodeModelError(t *testing.T) {
	r := newRealRun(t, func(modelserver.Request) modelserver.Reply { return modelserver.Reply{Status: 400} })
	result := r.run(t, "--json")
	r.want(t, result, stage.HostError, 1)
	if want := []string{"APIError: scripted error"}; !slices.Equal(result.HostErrors, want) {
		t.Errorf("errors %q, want %q", result.HostErrors, want)
	}
}

// The signal comes while the model is asked. Nothing of the run may be left afterwards.
func TestRealOpenCodeTerminated(t *testing.T) {
	asked := make(chan struct{}, 16)
	release := make(chan struct{})
	r := newRealRun(t, func(modelserver.Request) modelserver.Reply {
		asked <- struct{}{}
		<-release
		return modelserver.Reply{Text: "too late"}
	})
	t.Cleanup(func() { close(release) })
	cmd := r.command("--json")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-asked:
	case err := <-ended:
		t.Fatalf("the run ended before the model was asked: %v: %s", err, &out)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	result := r.finish(t, cmd, <-ended, out.Bytes())
	r.want(t, result, stage.Interrupted, 1)
	if left := processesOf(t, result.Files.Plugin); len(left) > 0 {
		t.Errorf("processes of the run are left: %q", left)
	}
}

// realRun is one run of nightgauge with the real OpenCode, offline, in directories whose
// names need care (BUGS.md B25).
type realRun struct {
	opencode string
	project  string
	config   string
	root     string
	model    *modelserver.Server
	env      []string
	status   int // of nightgauge

	context    int    // of the model, in tokens
	permission string // of the configuration, JSON
	more       string // members of the configuration
}

func newRealRun(t *testing.T, answer func(modelserver.Request) modelserver.Reply) *realRun {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a b%20#c")
	r := &realRun{
		opencode: requireEnv(t, envOpenCode),
		project:  filepath.Join(t.TempDir(), "my #project's"), // a percent sign is refused
		config:   filepath.Join(dir, "opencode.json"),
		root:     filepath.Join(dir, "run"),

		context:    200_000,
		permission: `"allow"`,
	}
	writeFile(t, filepath.Join(r.project, "a.txt"), "alpha\n")
	models := writeFile(t, filepath.Join(dir, "models.json"), "{}")
	if out, err := exec.Command("git", "-C", r.project, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	var err error
	if r.model, err = modelserver.Start(answer); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.model.Close() })
	r.env = append(os.Environ(), "OPENCODE_MODELS_PATH="+models, "npm_config_offline=true")
	for _, name := range []string{"MODELS_FETCH", "LSP_DOWNLOAD", "CLAUDE_CODE", "EXTERNAL_SKILLS"} {
		r.env = append(r.env, "OPENCODE_DISABLE_"+name+"=1")
	}
	return r
}

func requireEnv(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if !filepath.IsAbs(value) {
		t.Fatalf("%s: expected an absolute path, found %q; run scripts/e2e.sh", name, value)
	}
	return value
}

// damageEntry replaces the plugin's entry in the last moment, behind everything that the
// stage has prepared.
func (r *realRun) damageEntry(t *testing.T, text string) {
	t.Helper()
	entry := writeFile(t, filepath.Join(t.TempDir(), "entry.js"), text)
	r.inFrontOf(t, fmt.Sprintf(`if [ "$1" = run ]; then cp '%s' "$%s"; fi`, entry, plugin.EnvPluginPath))
}

// inFrontOf puts a script with the given line in front of OpenCode.
func (r *realRun) inFrontOf(t *testing.T, line string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "opencode")
	script := fmt.Sprintf("#!/bin/sh\n%s\nexec '%s' \"$@\"\n", line, r.opencode)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	r.opencode = path
}

func (r *realRun) command(args ...string) *exec.Cmd {
	more := r.more
	if more != "" {
		more += ","
	}
	config := fmt.Sprintf(`{
		"model": "fake/m1", "small_model": "fake/m1", "enabled_providers": ["fake"], "permission": %s,
		%s
		"provider": {"fake": {
			"npm": "@ai-sdk/openai-compatible",
			"options": {"baseURL": %q, "apiKey": "none"},
			"models": {%q: {"tool_call": true, "limit": {"context": %d, "output": 1000}}},
		}},
	}`, r.permission, more, r.model.URL(), modelserver.Model, r.context)
	if err := os.WriteFile(r.config, []byte(config), 0o600); err != nil {
		panic(err) // the directory is the test's own
	}
	argv := append([]string{"run", "--opencode", r.opencode, "--dir", r.project, "--config", r.config, "--run-root", r.root}, args...)
	cmd := exec.Command(os.Getenv(envNightgauge), append(argv, "--", "please do the thing")...)
	cmd.Env = r.env
	return cmd
}

func (r *realRun) run(t *testing.T, args ...string) stage.Result {
	t.Helper()
	requireEnv(t, envNightgauge)
	cmd := r.command(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if stderr.Len() > 0 {
		t.Errorf("on stderr: %s", &stderr)
	}
	return r.finish(t, cmd, err, out)
}

func (r *realRun) finish(t *testing.T, cmd *exec.Cmd, err error, out []byte) (result stage.Result) {
	t.Helper()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r.status = cmd.ProcessState.ExitCode()
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("result: %v: %s", err, out)
	}
	return result
}

func (r *realRun) want(t *testing.T, result stage.Result, class stage.Class, status int) {
	t.Helper()
	if result.Class != class || r.status != status {
		t.Errorf("class %s, exit status %d, want %s, %d: %s", result.Class, r.status, class, status, result.Reason)
	}
	if result.SkippedLines > 0 {
		t.Errorf("%d lines of the stream are no events", result.SkippedLines)
	}
	t.Logf("%s in %.1f s: %s", result.Class, float64(result.DurationMS)/1000, result.Reason)
}

func (r *realRun) has(name string) bool {
	_, err := os.Stat(filepath.Join(r.project, name))
	return err == nil
}

func bash(command string) modelserver.Call {
	return modelserver.Call{Tool: "bash", Args: map[string]any{"command": command, "description": "one step"}}
}

// processesOf returns the command lines of the processes that have the plugin in their
// environment. Without /proc there is nothing to look at.
func processesOf(t *testing.T, entry string) (lines []string) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err == nil && strings.Contains(string(environ), plugin.EnvPluginPath+"="+entry) {
			line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			lines = append(lines, string(line))
		}
	}
	return lines
}
