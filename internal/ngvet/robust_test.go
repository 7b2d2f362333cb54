package ngvet_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// robustCase is a tree with something that tools choke on, and what the two drivers make of
// it: their exit status, and a pattern in what they print ("" for nothing printed).
type robustCase struct {
	name  string
	files map[string]string // an empty go.mod is none; without one there is a usual one
	setup func(t *testing.T, dir string)
	run   string // directory in which the drivers run, below the tree

	status int
	want   string
	vet    int // of go vet -vettool -everywhere
	vetted string
}

const (
	goMod    = "module example.com/m\n\ngo 1.26\n"
	contract = "package m\n\n//ngvet:mirror plugin.js#VERSION\nconst Version = \"1\"\n"
	embedder = "package m\n\nimport \"embed\"\n\n//go:embed tree\nvar Tree embed.FS\n\n//ngvet:mirror tree/plugin.js#VERSION\nconst Version = \"1\"\n"
	jsSame   = "export const VERSION = \"1\";\n"
	jsOther  = "export const VERSION = \"2\";\n"
	differs  = `plugin\.js:1:24: VERSION is "2"`
)

// robustCases is a function because this binary is ngvet as well, and started often.
func robustCases() []robustCase {
	return []robustCase{
		// Go that does not compile: nothing is checked, and that is said.
		{
			name:   "syntax error",
			files:  map[string]string{"m.go": contract + "func {\n", "plugin.js": jsSame},
			status: 2, want: `^ngvet: .*m\.go:5:6: `,
			vet: 1, vetted: `m\.go:5:6: `,
		},
		{
			name:   "type error",
			files:  map[string]string{"m.go": contract + "var X = nothing\n", "plugin.js": jsOther},
			status: 2, want: `^ngvet: package example\.com/m does not load: .*undefined: nothing`,
			vet: 1, vetted: `undefined: nothing`,
		},
		{
			name: "type error in a dependency",
			files: map[string]string{
				"m.go":       strings.Replace(contract, "\n\n", "\n\nimport \"example.com/m/dep\"\n\n", 1) + "\nvar _ = dep.X\n",
				"dep/dep.go": "package dep\n\nvar X int = \"\"\n", "plugin.js": jsOther,
			},
			status: 2, want: `^ngvet: package example\.com/m.* does not load: `,
			vet: 1, vetted: `dep\.go:3:13: `,
		},
		{
			name:   "type error in a body",
			files:  map[string]string{"m.go": contract + "func f() { nothing() }\n", "plugin.js": jsOther},
			status: 2, want: `^ngvet: package example\.com/m does not load: .*undefined: nothing`,
			vet: 1, vetted: `undefined: nothing`,
		},
		{
			name: "import cycle",
			files: map[string]string{
				"m.go":      "package m\n\nimport \"example.com/m/a\"\n\n//ngvet:mirror plugin.js#VERSION\nconst Version = a.Version\n",
				"a/a.go":    "package a\n\nimport \"example.com/m\"\n\nconst Version = m.Version\n",
				"plugin.js": jsOther,
			},
			status: 2, want: `^ngvet: .*import cycle`,
			vet: 1, vetted: `import cycle`,
		},
		{
			name:   "two packages in one directory",
			files:  map[string]string{"m.go": contract, "n.go": "package n\n", "plugin.js": jsSame},
			status: 2, want: `^ngvet: .*found packages m \(m\.go\) and n \(n\.go\)`,
			vet: 1, vetted: `found packages`,
		},
		{
			name:   "import that is nowhere",
			files:  map[string]string{"m.go": contract, "n.go": "package m\n\nimport _ \"example.org/gone\"\n", "plugin.js": jsSame},
			status: 2, want: `^ngvet: .*example\.org/gone`,
			vet: 1, vetted: `example\.org/gone`,
		},
		{
			name:   "Go that is not UTF-8",
			files:  map[string]string{"m.go": contract + "const X = \"\xff\"\n", "plugin.js": jsSame},
			status: 2, want: `^ngvet: .*illegal UTF-8`,
			vet: 1, vetted: `UTF-8`,
		},
		{
			name:   "byte order mark and CRLF",
			files:  map[string]string{"m.go": "\ufeff" + strings.ReplaceAll(contract, "\n", "\r\n"), "plugin.js": "\ufeff" + strings.ReplaceAll(jsOther, "\n", "\r\n")},
			status: 1, want: `plugin\.js:1:27: VERSION is "2"`, // columns are bytes, as in Go
			vet: 1, vetted: `plugin\.js:1:27: VERSION is "2"`,
		},
		{
			name:   "empty Go file",
			files:  map[string]string{"m.go": contract, "n.go": "", "plugin.js": jsSame},
			status: 2, want: `^ngvet: .*n\.go:1:1: expected 'package'`,
			vet: 1, vetted: `n\.go:1:1: `,
		},

		// Modules and workspaces.
		{
			name:   "newer toolchain",
			files:  map[string]string{"go.mod": "module example.com/m\n\ngo 1.99\n", "m.go": contract, "plugin.js": jsOther},
			status: 2, want: `^ngvet: .*1\.99`,
			vet: 1, vetted: `requires go >= 1\.99`,
		},
		{
			name:   "broken go.mod",
			files:  map[string]string{"go.mod": "modul example.com/m\n", "m.go": contract, "plugin.js": jsOther},
			status: 2, want: `^ngvet: go list: go: errors parsing go\.mod:\n.*unknown directive: modul`,
			vet: 1, vetted: `unknown directive: modul`,
		},
		{
			name: "go.work",
			files: map[string]string{
				"go.mod": "", "go.work": "go 1.26\n\nuse (\n\t./app\n\t./lib\n)\n",
				"app/go.mod": "module example.com/app\n\ngo 1.26\n", "app/app.go": "package app\n\nimport \"example.com/lib\"\n\n//ngvet:mirror app.js#VERSION\nconst Version = lib.Version\n",
				"app/app.js": jsOther, "lib/go.mod": "module example.com/lib\n\ngo 1.26\n", "lib/lib.go": "package lib\n\nconst Version = \"1\"\n",
			},
			run:    "app",
			status: 1, want: `app\.js:1:24: VERSION is "2"`,
			vet: 1, vetted: `app\.js:1:24: VERSION is "2"`,
		},
		{
			name:   "broken go.work",
			files:  map[string]string{"go.work": "use\n", "m.go": contract, "plugin.js": jsOther},
			status: 2, want: `^ngvet: go list: .*go\.work`,
			vet: 1, vetted: `go\.work`,
		},
		{
			name: "vendor",
			files: map[string]string{
				"go.mod": goMod + "\nrequire example.org/dep v1.0.0\n", "vendor/modules.txt": "# example.org/dep v1.0.0\n## explicit; go 1.26\nexample.org/dep\n",
				"vendor/example.org/dep/dep.go": "package dep\n\n//ngvet:mirror gone.js#A\nconst Version = \"1\"\n",
				"m.go":                          "package m\n\nimport \"example.org/dep\"\n\n//ngvet:mirror plugin.js#VERSION\nconst Version = dep.Version\n", "plugin.js": jsOther,
			},
			status: 1, want: differs,
			vet: 1, vetted: differs,
		},
		{
			name: "replaced module that is not there",
			files: map[string]string{
				"go.mod": goMod + "\nrequire example.org/dep v1.0.0\n\nreplace example.org/dep => ../gone\n",
				"m.go":   "package m\n\nimport \"example.org/dep\"\n\n//ngvet:mirror plugin.js#VERSION\nconst Version = dep.Version\n", "plugin.js": jsOther,
			},
			status: 2, want: `^ngvet: .*gone`,
			vet: 1, vetted: `gone`,
		},
		{
			name:   "only files of another build",
			files:  map[string]string{"m.go": "//go:build none\n\n" + contract, "plugin.js": jsOther},
			status: 2, want: `^ngvet: no package matches`,
			vet: 1, vetted: `matched no packages`,
		},
		{
			name:   "only tests",
			files:  map[string]string{"m_test.go": strings.Replace(contract, "package m", "package m_test", 1), "plugin.js": jsOther},
			status: 1, want: differs,
			vet: 1, vetted: differs,
		},

		// //line and cgo: findings are where the user wrote.
		{
			name:   "line directives",
			files:  map[string]string{"m.go": "//line gone.y:7\n" + strings.Replace(contract, "const", "const /*line /etc/passwd:1:1*/", 1), "plugin.js": jsOther},
			status: 1, want: differs,
			vet: 1, vetted: differs,
		},
		{
			name:  "cgo",
			files: map[string]string{"m.go": strings.Replace(contract, "\n\n", "\n\n// int n;\nimport \"C\"\n\n", 1) + "\nfunc N() C.int { return C.n }\n", "plugin.js": jsOther},
			setup: func(t *testing.T, _ string) {
				if _, err := exec.LookPath("gcc"); err != nil {
					t.Skip("cgo needs a C compiler")
				}
			},
			status: 1, want: differs,
			vet: 1, vetted: differs,
		},
		{
			name:  "cgo that does not compile",
			files: map[string]string{"m.go": strings.Replace(contract, "\n\n", "\n\n// #include <gone.h>\nimport \"C\"\n\n", 1), "plugin.js": jsOther},
			setup: func(t *testing.T, _ string) {
				if _, err := exec.LookPath("gcc"); err != nil {
					t.Skip("cgo needs a C compiler")
				}
			},
			status: 2, want: `^ngvet: .*does not load: `,
			vet: 1, vetted: `gone\.h`,
		},
		{
			name:   "line directive without a line",
			files:  map[string]string{"m.go": contract + "//line m.go:99999999999999999999\n", "plugin.js": jsOther},
			status: 2, want: `^ngvet: .*invalid line number`,
			vet: 1, vetted: `invalid line number`,
		},
		{
			name:   "line directive on a directive",
			files:  map[string]string{"m.go": "package m\n\n//line plugin.js:1\n//ngvet:mirror gone.js#A\nconst A = 1\n"},
			status: 1, want: `m\.go:4:16: .*mirror/unreadable`,
			vet: 1, vetted: `mirror/unreadable`,
		},

		// Embedded trees.
		{
			name:   "pattern that matches nothing",
			files:  map[string]string{"m.go": embedder},
			status: 1, want: `mirror/unreadable`,
			vet: 1, vetted: `pattern tree: no matching files found`,
		},
		{
			name:  "symbolic links in the tree",
			files: map[string]string{"m.go": embedder, "tree/plugin.js": jsOther + "import \"./link.js\";\nimport \"./dir/x.js\";\nimport \"./loop.js\";\n", "outside.js": jsSame},
			setup: func(t *testing.T, dir string) {
				link(t, "../outside.js", filepath.Join(dir, "tree/link.js"))
				link(t, "gone.js", filepath.Join(dir, "tree/dangling.js"))
				link(t, "loop.js", filepath.Join(dir, "tree/loop.js"))
				link(t, "..", filepath.Join(dir, "tree/dir"))
			},
			status: 1, want: differs,
			vet: 1, vetted: differs,
		},
		{
			name:  "symbolic link as the tree",
			files: map[string]string{"m.go": embedder, "real/plugin.js": jsOther},
			setup: func(t *testing.T, dir string) { link(t, "real", filepath.Join(dir, "tree")) },
			// The go command refuses to embed it; the contract is read all the same.
			status: 1, want: differs,
			vet: 1, vetted: `cannot embed irregular file tree`,
		},
		{
			name:  "file names of all kinds",
			files: map[string]string{"m.go": embedder, "tree/plugin.js": jsOther, "tree/a b é.js": jsSame, "tree/-- x.js --": "", "tree/#?.js": "import './a b é.js'\n"},
			// The go command embeds no name with a question mark, and says so.
			status: 1, want: differs,
			vet: 1, vetted: `cannot embed file tree/#\?\.js: invalid name`,
		},
		{
			name:   "empty module",
			files:  map[string]string{"m.go": contract, "plugin.js": ""},
			status: 1, want: `there is no VERSION in plugin\.js`,
			vet: 1, vetted: `there is no VERSION in plugin\.js`,
		},
		{
			name:   "JavaScript that does not parse",
			files:  map[string]string{"m.go": contract, "plugin.js": "export const VERSION = \"1\"; }\n"},
			status: 1, want: `mirror/unreadable`,
			vet: 1, vetted: `mirror/unreadable`,
		},

		// Huge files.
		{
			name:   "huge module",
			files:  map[string]string{"m.go": contract, "plugin.js": jsOther + strings.Repeat("// "+strings.Repeat("x", 1020)+"\n", 17<<10)},
			status: 1, want: `bytes long, the limit is \d+ \(mirror/unreadable\)`,
			vet: 1, vetted: `the limit is`,
		},
		{
			name:   "deep module",
			files:  map[string]string{"m.go": contract, "plugin.js": jsOther + "x = " + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + ";\n"},
			status: 1, want: `mirror/unreadable`,
			vet: 1, vetted: `mirror/unreadable`,
		},
		{
			name:   "huge Go file",
			files:  map[string]string{"m.go": contract + "\nvar Table = []string{\n" + strings.Repeat("\t\"0123456789abcdef0123456789abcdef\",\n", 100_000) + "}\n", "plugin.js": jsOther},
			status: 1, want: differs,
			vet: 1, vetted: differs,
		},
		{
			name:   "deep Go expression",
			files:  map[string]string{"m.go": contract + "\nconst Deep = " + strings.Repeat("(", 20_000) + "1" + strings.Repeat(")", 20_000) + "\n", "plugin.js": jsOther},
			status: 1, want: differs,
			vet: 1, vetted: differs,
		},
		{
			name:   "huge directive",
			files:  map[string]string{"m.go": "package m\n\n//ngvet:mirror plugin.js#" + strings.Repeat("A.", 500_000) + "A\nconst A = 1\n", "plugin.js": "export const A = 1;\n"},
			status: 1, want: `mirror/(notconst|missing|malformed)`,
			vet: 1, vetted: `mirror/(notconst|missing|malformed)`,
		},
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err) // Windows lets only administrators make links
	}
}

// TestRobust: whatever the tree is, both drivers end with a status and a sentence.
func TestRobust(t *testing.T) {
	t.Parallel()
	for _, tc := range robustCases() {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tc.write(t, dir)
			ngvet, err := exec.LookPath("ngvet")
			if err != nil {
				t.Fatal(err)
			}
			tc.check(t, filepath.Join(dir, tc.run), ngvet, func(*exec.Cmd) {})
		})
	}
}

// write makes the tree.
func (tc *robustCase) write(t *testing.T, dir string) {
	t.Helper()
	if _, ok := tc.files["go.mod"]; !ok {
		writeFile(t, filepath.Join(dir, "go.mod"), goMod)
	}
	for name, text := range tc.files {
		if text == "" && name == "go.mod" {
			continue // none
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, text)
	}
	if tc.setup != nil {
		tc.setup(t, dir)
	}
}

// check runs both drivers in dir, each after prepare.
func (tc *robustCase) check(t *testing.T, dir, ngvet string, prepare func(*exec.Cmd)) {
	t.Helper()
	for _, d := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{ngvet, "--everywhere", "./..."}, tc.status, tc.want},
		{[]string{"go", "vet", "-vettool=" + ngvet, "-everywhere", "./..."}, tc.vet, tc.vetted},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // only against a hang
		defer cancel()
		cmd := exec.CommandContext(ctx, d.args[0], d.args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOPROXY=off", "GOFLAGS=", "GOWORK=")
		prepare(cmd)
		out, err := cmd.CombinedOutput()
		shown := string(out[:min(len(out), 2000)])
		got := 0
		if err != nil {
			got = exitCode(err)
		}
		if got != d.status {
			t.Errorf("%q: exit status %d, want %d:\n%s", d.args, got, d.status, shown)
		}
		if d.want == "" && len(out) > 0 || !regexp.MustCompile("(?m)"+d.want).Match(out) {
			t.Errorf("%q does not print %q:\n%s", d.args, d.want, shown)
		}
		if crash := regexp.MustCompile(`(?m)^(panic: |fatal error: |goroutine \d+ \[)`).Find(out); crash != nil {
			t.Errorf("%q crashes:\n%s", d.args, shown)
		}
	}
}
