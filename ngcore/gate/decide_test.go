package gate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore/gate"
	"github.com/ngvet/ngvet/plugin"
)

// verdictOf is the decision and the code, without the sentence.
func verdictOf(v gate.Verdict) string { return string(v.Decision) + " " + string(v.Code) }

func TestDecideTools(t *testing.T) {
	t.Parallel()
	policy, ws := gate.Careful(), newWorkspace(t)
	for _, tc := range []struct {
		name, tool string
		args       map[string]any
		want       string
	}{
		{"null arguments", "bash", nil, "deny no_args"},
		{"command of another type", "bash", map[string]any{"command": 7.0}, "deny bad_args"},
		{"command is null", "bash", map[string]any{"command": nil}, "deny bad_args"},
		{"empty command", "bash", map[string]any{"command": ""}, "deny bad_args"},
		{"blank command", "bash", map[string]any{"command": " \n\t"}, "deny no_command"},
		{"only a comment", "bash", map[string]any{"command": "# ls"}, "deny no_command"},
		{"NUL in command", "bash", map[string]any{"command": "ls\x00"}, "deny bad_args"},
		{"unparsable command", "bash", map[string]any{"command": "ls )"}, "deny parse_error"},
		{"command of 200 KiB", "bash", map[string]any{"command": "echo " + strings.Repeat("x", 200<<10)}, "deny too_complex"},
		{"workdir inside", "bash", map[string]any{"command": "rm -rf a", "workdir": "build"}, "allow allowed"},
		{"workdir outside", "bash", map[string]any{"command": "ls", "workdir": "/etc"}, "deny outside_workspace"},
		{"workdir decides what is relative", "bash", map[string]any{"command": "cat ../src/a.go", "workdir": "build"}, "allow allowed"},
		{"read without path", "read", map[string]any{}, "deny bad_args"},
		{"read a path of another type", "read", map[string]any{"filePath": []any{"a"}}, "deny bad_args"},
		{"read a library", "read", map[string]any{"filePath": "/usr/include/stdio.h"}, "allow allowed"},
		{"read a scratch file", "read", map[string]any{"filePath": "/tmp/elsewhere/x.txt"}, "allow allowed"},
		{"read the home's name in any spelling", "read", map[string]any{"filePath": "$HOME/.ssh/id_rsa"}, "deny secret"},
		{"a dollar in an ordinary name", "edit", map[string]any{"filePath": "src/routes/$id.tsx"}, "allow allowed"},
		{"write through a link to git", "write", map[string]any{"filePath": "link-git/config"}, "deny git_internals"},
		{"write git in another case", "write", map[string]any{"filePath": ".GIT/config"}, "deny git_internals"},
		{"write a name with a final dot", "write", map[string]any{"filePath": "opencode.json."}, "deny self_protection"},
		{"write a protected directory", "write", map[string]any{"filePath": "plugin-tree/x.js"}, "deny self_protection"},
		{"write beside a protected name", "write", map[string]any{"filePath": "plugin-tree2/x.js"}, "allow allowed"},
		{"climb and return", "write", map[string]any{"filePath": "../work/src/b.go"}, "allow allowed"},
		{"climb through a link", "write", map[string]any{"filePath": "link-in/../b.go"}, "allow allowed"},
		{"climb out through a link", "write", map[string]any{"filePath": "link-out/../work2/b.go"}, "deny outside_workspace"},
		{"example of a secret", "write", map[string]any{"filePath": ".env.example"}, "allow allowed"},
		{"list without path", "list", map[string]any{}, "allow allowed"},
		{"list outside", "list", map[string]any{"path": ".."}, "deny outside_workspace"},
		{"grep inside", "grep", map[string]any{"pattern": "rm -rf /", "include": "*.go"}, "allow allowed"},
		{"grep in a secret", "grep", map[string]any{"pattern": "KEY", "path": ".env"}, "deny secret"},
		{"grep aimed at a secret", "grep", map[string]any{"pattern": "KEY", "include": ".env*"}, "deny secret"},
		{"grep outside", "grep", map[string]any{"pattern": "x", "path": "/etc"}, "deny outside_workspace"},
		{"glob inside", "glob", map[string]any{"pattern": "**/*.go"}, "allow allowed"},
		{"glob without pattern", "glob", map[string]any{}, "deny bad_args"},
		{"glob that climbs", "glob", map[string]any{"pattern": "../**/*.go"}, "deny outside_workspace"},
		{"glob of the root", "glob", map[string]any{"pattern": "/etc/**"}, "deny outside_workspace"},
		{"lsp", "lsp", map[string]any{"operation": "hover", "filePath": "src/a.go", "line": 1.0, "character": 1.0}, "allow allowed"},
		{"fetch https", "webfetch", map[string]any{"url": "https://example.org/a"}, "allow allowed"},
		{"fetch a file", "webfetch", map[string]any{"url": "file:///etc/passwd"}, "deny url"},
		{"fetch nothing", "webfetch", map[string]any{}, "deny bad_args"},
		{"fetch a metadata service", "webfetch", map[string]any{"url": "http://169.254.169.254/latest"}, "deny secret"},
		{"fetch a number", "webfetch", map[string]any{"url": "http://2852039166/"}, "deny secret"},
		{"search the web", "websearch", map[string]any{"query": "rm -rf /"}, "allow allowed"},
		{"ask", "question", map[string]any{"question": "?"}, "deny no_operator"},
		{"a tool of an MCP server", "github_create_issue", map[string]any{}, "deny unknown_tool"},
		{"empty tool name", "", map[string]any{}, "deny unknown_tool"},
		{"a name of Object.prototype", "constructor", map[string]any{}, "deny unknown_tool"},
		{"patch without begin", "apply_patch", map[string]any{"patchText": "*** Add File: a\n+x"}, "deny bad_args"},
		{"patch without files", "apply_patch", map[string]any{"patchText": "*** Begin Patch\n*** End Patch"}, "deny bad_args"},
		{"patch with an unknown header", "apply_patch", map[string]any{"patchText": "*** Begin Patch\n*** Copy File: a\n*** End Patch"}, "deny bad_args"},
		{"patch that moves out", "apply_patch", map[string]any{"patchText": "*** Begin Patch\n*** Update File: src/a.go\n*** Move to: ../a.go\n@@\n-a\n+b\n*** End Patch"}, "deny outside_workspace"},
		{"patch that deletes", "apply_patch", map[string]any{"patchText": "*** Begin Patch\n*** Delete File: src/a.go\n*** End Patch"}, "allow allowed"},
		{"patch whose text looks like a header", "apply_patch", map[string]any{"patchText": "*** Begin Patch\n*** Update File: src/a.go\n@@\n+*** Add File: ../x\n*** End Patch"}, "allow allowed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			v := gate.Decide(policy, gate.Call{Tool: tc.tool, Args: tc.args}, ws)
			if diff := cmp.Diff(tc.want, verdictOf(v)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s%s", diff, v.Reason)
			}
		})
	}
}

func TestDecideHarmlessTools(t *testing.T) {
	t.Parallel()
	for _, tool := range plugin.HarmlessTools {
		v := gate.Decide(gate.Careful(), gate.Call{Tool: tool}, newWorkspace(t))
		if got := verdictOf(v); got != "allow "+plugin.HarmlessCode {
			t.Errorf("%s: %s", tool, got)
		}
	}
}

// TestDecideLinkedRoot shows that a workspace which is reached through a link is judged
// like the directory that it is (BUGS.md B66).
func TestDecideLinkedRoot(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	if err := os.MkdirAll(filepath.Join(base, "real/src"), 0o700); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(base, "link")
	if err := os.Symlink("real", root); err != nil {
		t.Fatal(err)
	}
	ws, err := gate.NewWorkspace(gate.WorkspaceConfig{Root: root, Dir: filepath.Join(root, "src")})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(root, "src/a.go"):       "allow allowed",
		filepath.Join(base, "real/src/a.go"):  "allow allowed",
		"../b.go":                             "allow allowed",
		"../../c.go":                          "deny outside_workspace",
		filepath.Join(base, "other/a.go"):     "deny outside_workspace",
		filepath.Join(base, "real/.git/HEAD"): "deny git_internals",
	} {
		v := gate.Decide(gate.Careful(), gate.Call{Tool: "write", Args: map[string]any{"filePath": path}}, ws)
		if got := verdictOf(v); got != want {
			t.Errorf("write %s: %s, want %s", path, got, want)
		}
	}
	if v := gate.Decide(gate.Careful(), bash("rm -rf "+filepath.Join(base, "real")), ws); v.Code != gate.CodeDestroysFiles {
		t.Errorf("deleting the resolved root: %+v", v)
	}
}

func TestNewWorkspaceRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tc := range []struct {
		name string
		cfg  gate.WorkspaceConfig
		want string
	}{
		{"relative root", gate.WorkspaceConfig{Root: "work", Dir: dir}, "expected an absolute path"},
		{"relative directory", gate.WorkspaceConfig{Root: dir, Dir: "."}, "expected an absolute path"},
		{"nothing", gate.WorkspaceConfig{}, "expected an absolute path"},
		{"the whole file system", gate.WorkspaceConfig{Root: "/", Dir: "/"}, "expected a directory below"},
		{"missing root", gate.WorkspaceConfig{Root: filepath.Join(dir, "none"), Dir: filepath.Join(dir, "none")}, "no such file"},
		{"directory outside", gate.WorkspaceConfig{Root: dir, Dir: filepath.Dir(dir)}, "expected one inside"},
		{"relative protected path", gate.WorkspaceConfig{Root: dir, Dir: dir, Protected: []string{"x"}}, "expected an absolute path"},
	} {
		if _, err := gate.NewWorkspace(tc.cfg); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want one with %q", tc.name, err, tc.want)
		}
	}
	if _, err := gate.NewWorkspace(gate.WorkspaceConfig{Root: "/", Dir: dir}); err != nil {
		t.Errorf("no version control: %v", err)
	}
}

func TestExplainTellsEveryCommand(t *testing.T) {
	t.Parallel()
	steps, v := gate.Explain(gate.Careful(), "ls $X | sudo -u x sh -c 'git status; rm -rf ~'", newWorkspace(t))
	var got []string
	for _, s := range steps {
		words := s.Words
		if words[0] == "rm" {
			words = words[:2] // the home of this test
		}
		got = append(got, strings.TrimSpace(strings.Join(words, " ")+" "+string(s.Verdict.Code)))
	}
	want := []string{"ls $_", "git status", "rm -rf destroys_files", "sh -c git status; rm -rf ~ destroys_files", "sudo -u x sh -c git status; rm -rf ~ destroys_files"}
	if diff := cmp.Diff(want, got); diff != "" || v.Code != gate.CodeDestroysFiles {
		t.Errorf("verdict %+v, steps (-want +got):\n%s", v, diff)
	}
}

// TestDecideBounds shows that programs made to grow are judged within bounds: the test
// would not end without them.
func TestDecideBounds(t *testing.T) {
	t.Parallel()
	policy, ws := gate.Careful(), newWorkspace(t)
	for _, tc := range []struct{ name, command string }{
		{"a value that doubles", "X=aaaaaaaaaaaaaaaa; " + strings.Repeat("X=$X$X; ", 200) + "echo $X"},
		{"an array that doubles", "a=(x y); " + strings.Repeat(`a=("${a[@]}" "${a[@]}"); `, 200) + `echo "${a[@]}"`},
		{"parameters that double", "set -- x y; " + strings.Repeat(`set -- "$@" "$@"; `, 200) + `echo "$@"`},
		{"an output that doubles", "X=aaaaaaaaaaaaaaaa; " + strings.Repeat("X=$(echo $X; echo $X); ", 200) + "echo $X"},
		{"braces", "echo " + strings.Repeat("{a,b}", 60)},
		{"a sequence", "echo {1..99999999}"},
		{"cases that multiply", strings.Repeat("if a; then X=$X/x; Y=y$X; else X=z; fi; ", 100) + "ls $X $Y"},
		{"loops in loops", strings.Repeat("for i in a b c; do ", 60) + "X=$i$X; ls" + strings.Repeat("; done", 60)},
		{"functions that call one another", "a() { b x; b y; }; b() { c x; c y; }; c() { d x; d y; }; d() { a z; a w; }; a"},
		{"substitutions in substitutions", strings.Repeat("$(echo ", 150) + "x" + strings.Repeat(")", 150)},
		{"defaults in defaults", "echo " + strings.Repeat("${X:-", 150) + "x" + strings.Repeat("}", 150)},
		{"printf without end", "printf '%s%s' " + strings.Repeat("x ", 20000)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if v := gate.Decide(policy, bash(tc.command), ws); v.Decision == "" {
				t.Error("no decision")
			}
		})
	}
}

// TestDecideBoundsWork judges small texts that ask for a great deal of work. A verdict at
// all is what it wants: without bounds they take minutes.
func TestDecideBoundsWork(t *testing.T) {
	t.Parallel()
	policy := gate.Careful()
	ws := newWorkspace(t)
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String()
	}
	for name, command := range map[string]string{
		"braces":           "echo " + strings.Repeat("{a,b}", 10000),
		"calls that fork":  numbered(1000, "f%d() { f%[2]d a$1; f%[2]d b$1; };") + "f0",
		"directories":      strings.Repeat("cd a;", 10000) + "rm b",
		"one long path":    "rm " + strings.Repeat("a/", 40000) + "b",
		"places and tests": "find " + strings.Repeat("a ", 1000) + strings.Repeat("-name x -exec ls {} \\; ", 1000),
		"words and items":  "parallel " + strings.Repeat("ls ", 1000) + "::: " + strings.Repeat("a ", 1000),
		"a long document":  "bash <<'E'\n" + strings.Repeat("ls\n", 40000) + "E\n",
		"cases of loops":   "for a in 1 2 3 4 5; do for b in 1 2 3 4 5; do " + strings.Repeat("x=$(rm $a $b);", 1000) + " done; done",
		"many variables":   numbered(1000, "if a; then v%d=x%d; fi;"),
		"code":             "python3 -c '" + strings.Repeat("open(\"a\");", 10000) + "'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v := gate.Decide(policy, bash(command), ws); v.Code == "" {
				t.Errorf("no code: %+v", v)
			}
		})
	}
}
