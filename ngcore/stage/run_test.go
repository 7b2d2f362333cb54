//go:build unix

package stage_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore/stage"
)

// The runs of these tests end at the version, which no table knows: whatever is wrong with a
// configuration is found before. Runs that start are shown by the scripts in testscripts.

func TestRunRefusesForeignCode(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files map[string]string // below the repository's root
		links map[string]string // name to target
		dir   string            // of the agent, below the root
		want  []string          // found, without the root; nil: nothing
	}{
		{name: "nothing"},
		{name: "plugin", files: map[string]string{".opencode/plugin/x.ts": ""}, want: []string{"/.opencode/plugin/x.ts: a module that OpenCode imports"}},
		{name: "plugins", files: map[string]string{".opencode/plugins/x.JS": ""}, want: []string{"/.opencode/plugins/x.JS: a module that OpenCode imports"}},
		{name: "tool", files: map[string]string{".opencode/tool/x.ts": ""}, want: []string{"/.opencode/tool/x.ts: a module that OpenCode imports"}},
		{name: "tools", files: map[string]string{".opencode/tools/x.js": ""}, want: []string{"/.opencode/tools/x.js: a module that OpenCode imports"}},
		{name: "text beside plugins", files: map[string]string{".opencode/plugin/README.md": "", ".opencode/agent/a.md": ""}},
		{name: "link to a module", links: map[string]string{".opencode/plugin/x.js": "/nowhere"}, want: []string{"/.opencode/plugin/x.js: a module that OpenCode imports"}},
		{name: "above the agent's directory", files: map[string]string{".opencode/plugin/x.js": ""}, dir: "a/b", want: []string{"/.opencode/plugin/x.js: a module that OpenCode imports"}},
		{name: "below the agent's directory", files: map[string]string{"a/.opencode/plugin/x.js": ""}},
		{name: "above the repository", files: map[string]string{"../.opencode/plugin/x.js": ""}},
		{name: "above a linked work tree", files: map[string]string{"sub/.git": "gitdir: elsewhere", ".opencode/plugin/x.js": ""}, dir: "sub", want: []string{"/.opencode/plugin/x.js: a module that OpenCode imports"}},
		{name: "plugins by configuration", files: map[string]string{"opencode.json": `{"plugin":["x"]}`}, want: []string{"/opencode.json: plugin: names modules that OpenCode imports"}},
		{name: "plugins of another form", files: map[string]string{"opencode.json": `{"plugin":"x"}`}, want: []string{"/opencode.json: plugin: names modules that OpenCode imports"}},
		{name: "no plugins by configuration", files: map[string]string{"opencode.json": `{"plugin":[]}`}},
		{name: "commented configuration", files: map[string]string{".opencode/opencode.jsonc": "{ // \"x\"\n\"plugin\":[\"x\",],}"}, want: []string{"/.opencode/opencode.jsonc: plugin: names modules that OpenCode imports"}},
		{name: "local server", files: map[string]string{"opencode.json": `{"mcp":{"m":{"type":"local","command":["x"]}}}`}, want: []string{"/opencode.json: mcp: starts a program outside the gate"}},
		{name: "remote server", files: map[string]string{"opencode.json": `{"mcp":{"m":{"type":"remote","url":"https://example.invalid"}}}`}},
		{name: "language server", files: map[string]string{"opencode.json": `{"lsp":{"x":{"command":["x"]}}}`}, want: []string{"/opencode.json: lsp: starts a program outside the gate"}},
		{name: "language servers off", files: map[string]string{"opencode.json": `{"lsp":false,"formatter":false}`}},
		{name: "formatter", files: map[string]string{"opencode.json": `{"formatter":{"x":{"command":["x"]}}}`}, want: []string{"/opencode.json: formatter: starts a program outside the gate"}},
		{name: "provider from a file", files: map[string]string{"opencode.json": `{"provider":{"p":{"npm":"file:///x.js"}}}`}, want: []string{"/opencode.json: provider: names a module that OpenCode imports"}},
		{name: "provider from a registry", files: map[string]string{"opencode.json": `{"provider":{"p":{"npm":"@ai-sdk/openai-compatible"}}}`}},
		{name: "two findings", files: map[string]string{"opencode.json": `{"plugin":["x"]}`, ".opencode/plugin/x.js": ""}, want: []string{"/.opencode/plugin/x.js: a module that OpenCode imports", "/opencode.json: plugin: names modules that OpenCode imports"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "repository")
			writeFile(t, filepath.Join(root, ".git", "HEAD"), "")
			if tt.dir != "" {
				if err := os.MkdirAll(filepath.Join(root, tt.dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if _, linked := tt.files["sub/.git"]; linked {
				// The root of what contains the linked tree is no repository here.
				if err := os.RemoveAll(filepath.Join(root, ".git")); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range tt.files {
				writeFile(t, filepath.Join(root, name), text)
			}
			for name, target := range tt.links {
				writeFile(t, filepath.Join(root, filepath.Dir(name), "placeholder"), "")
				if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
					t.Fatal(err)
				}
			}
			cfg := testConfig(t)
			cfg.WorkDir = filepath.Join(root, tt.dir)
			_, err := stage.Run(t.Context(), cfg)
			var got []string
			if foreign := (*stage.ForeignCodeError)(nil); errors.As(err, &foreign) {
				for _, found := range foreign.Found {
					got = append(got, strings.TrimPrefix(found, root))
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunRefusesConfig(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(t *testing.T, cfg *stage.Config)
		want  string // within the error
	}{
		{"relative program", func(_ *testing.T, c *stage.Config) { c.OpenCode = "opencode" }, `OpenCode: expected an absolute path, found "opencode"`},
		{"program without the right to execute", func(t *testing.T, c *stage.Config) { c.OpenCode = writeFile(t, filepath.Join(t.TempDir(), "x"), "") }, "expected an executable file"},
		{"no hook binary", func(_ *testing.T, c *stage.Config) { c.HookBin = "" }, `hook binary: expected an absolute path, found ""`},
		{"test binary as hook binary", func(t *testing.T, c *stage.Config) { c.HookBin = link(t, c.HookBin, "stage.test") }, "expected the nightgauge binary, found a Go test binary"},
		{"relative work tree", func(_ *testing.T, c *stage.Config) { c.WorkDir = "." }, `working directory: expected an absolute path, found "."`},
		{"file as work tree", func(_ *testing.T, c *stage.Config) { c.WorkDir = c.OpenCode }, "expected a directory, found a file"},
		{"percent escape in the work tree's name", func(t *testing.T, c *stage.Config) {
			c.WorkDir = filepath.Join(t.TempDir(), "a%20b")
			writeFile(t, filepath.Join(c.WorkDir, "a.txt"), "")
		}, "expected a name without percent escapes"},
		{"link to such a work tree", func(t *testing.T, c *stage.Config) {
			target := filepath.Join(t.TempDir(), "a%20b")
			writeFile(t, filepath.Join(target, "a.txt"), "")
			c.WorkDir = link(t, target, "plain")
		}, "expected a name without percent escapes"},
		{"blank prompt", func(_ *testing.T, c *stage.Config) { c.Prompt = " \n" }, "prompt: expected text, found none"},
		{"long prompt", func(_ *testing.T, c *stage.Config) { c.Prompt = strings.Repeat("x", 200_000) }, "prompt: expected at most 122880 bytes, found 200000"},
		{"prompt with NUL", func(_ *testing.T, c *stage.Config) { c.Prompt = "a\x00b" }, "prompt: expected text, found a NUL byte"},
		{"relative policy", func(_ *testing.T, c *stage.Config) { c.GatePolicy = "p.json" }, `gate policy: expected an absolute path, found "p.json"`},
		{"negative limit", func(_ *testing.T, c *stage.Config) { c.Timeout = -1 }, "time limits: expected none below zero"},
		{"run id with a separator", func(_ *testing.T, c *stage.Config) { c.RunID = "a/b" }, `run id: expected one plain path element, found "a/b"`},
		{"used run id", func(t *testing.T, c *stage.Config) {
			c.RunID = "r"
			writeFile(t, filepath.Join(c.RunRoot, "opencode-events-r.jsonl"), "")
		}, "run id r: expected an unused one, found "},
		{"relative run root", func(_ *testing.T, c *stage.Config) { c.RunRoot = "run" }, `expected an absolute path, found "run"`},
		{"run root with a question mark", func(_ *testing.T, c *stage.Config) { c.RunRoot += "?" }, "expected a path without a question mark"},
		{"run root within the work tree", func(_ *testing.T, c *stage.Config) { c.RunRoot = filepath.Join(c.WorkDir, "run") }, "expected a directory outside of the work tree"},
		{"run root that is a link into the work tree", func(t *testing.T, c *stage.Config) {
			c.RunRoot = link(t, c.WorkDir, "link")
		}, "expected a directory outside of the work tree"},
		{"configuration that is no object", func(_ *testing.T, c *stage.Config) { c.HostConfig = []byte("null") }, "expected an object, found null"},
		{"configuration with a duplicate key", func(_ *testing.T, c *stage.Config) { c.HostConfig = []byte(`{"model":"a","model":"b"}`) }, "duplicate"},
		{"plugins that are no list", func(_ *testing.T, c *stage.Config) { c.HostConfig = []byte(`{"plugin":"x"}`) }, "plugin: "},
		{"plugin of another form", func(_ *testing.T, c *stage.Config) { c.HostConfig = []byte(`{"plugin":[7]}`) }, "expected a specifier or [specifier, options], found 7"},
		{"relative plugin", func(_ *testing.T, c *stage.Config) { c.HostConfig = []byte(`{"plugin":[["./x.js",{}]]}`) }, `"./x.js" is relative`},
		{"configuration too large", func(_ *testing.T, c *stage.Config) {
			c.HostConfig = []byte(`{"x":"` + strings.Repeat("x", 100_000) + `"}`)
		}, "expected at most 98304"},
		{"foreign file among the dependencies", func(t *testing.T, c *stage.Config) {
			writeFile(t, filepath.Join(c.RunRoot, "config", "opencode", "package.json"), "{}")
		}, "write dependencies: "},
		{"program that fails", func(t *testing.T, c *stage.Config) { c.OpenCode = program(t, "false") }, "for its version: exit status 1"},
		{"broken configuration in the work tree", func(t *testing.T, c *stage.Config) {
			writeFile(t, filepath.Join(c.WorkDir, "opencode.json"), "{env:X}")
		}, "look for code that OpenCode loads: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg := testConfig(t)
			tt.spoil(t, &cfg)
			result, err := stage.Run(t.Context(), cfg)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one with %q", err, tt.want)
			}
			if diff := cmp.Diff(stage.Result{}, result); diff != "" {
				t.Errorf("result of a run that was refused (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunThatIsRefusedLeavesNoDirectory(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	cfg := testConfig(t)
	cfg.RunRoot, cfg.HostConfig = "", []byte("[]")
	if _, err := stage.Run(t.Context(), cfg); err == nil {
		t.Fatal("no error for a broken configuration")
	}
	cfg.HostConfig, cfg.OpenCode = nil, program(t, "false")
	if _, err := stage.Run(t.Context(), cfg); err == nil {
		t.Fatal("no error for a broken program")
	}
	left, err := filepath.Glob(filepath.Join(temp, "nightgauge-run-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left %q, error %v", left, err)
	}
}

func TestRunNotesInstallInWorkTree(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	writeFile(t, filepath.Join(cfg.WorkDir, ".opencode", "agent", "a.md"), "")
	result, err := stage.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"OpenCode may run npm install in the .opencode directory of the work tree and wait for it"}
	if diff := cmp.Diff(want, result.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestRunMakesPrivateRoot(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	if err := os.Mkdir(cfg.RunRoot, 0o755); err != nil {
		t.Fatal(err)
	}
	result, err := stage.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{
		result.Files.Root:   0o700 | os.ModeDir,
		result.Files.Plugin: 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %s, want %s", path, info.Mode(), want)
		}
	}
	if _, err := os.Stat(result.Files.Sentinel); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("sentinel of a run that was not started: %v", err)
	}
}

// testConfig is a run that passes every check but the one of the version.
func testConfig(t *testing.T) stage.Config {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "work")
	writeFile(t, filepath.Join(work, ".git", "HEAD"), "")
	return stage.Config{
		OpenCode: program(t, "echo"), // what it prints is no version
		HookBin:  program(t, "sh"),
		WorkDir:  work,
		Prompt:   "do the work",
		RunRoot:  filepath.Join(dir, "run"),
	}
}

// program returns one of the system's: a file that a test has just written cannot always
// be executed while others fork.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func link(t *testing.T, target, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
