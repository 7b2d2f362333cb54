package ngcore_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ngvet/ngvet/ngcore"
)

func TestDepsVersionArchiveAndMarkerAgree(t *testing.T) {
	t.Parallel()
	version, err := ngcore.DepsPackageVersion()
	if err != nil {
		t.Fatal(err)
	}
	if version != ngcore.DepsVersion {
		t.Errorf("the embedded archive is for %s, DepsVersion is %s", version, ngcore.DepsVersion)
	}
	archive, err := txtar.ParseFile("deps/opencode-plugin-" + ngcore.DepsVersion + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := ngcore.WriteDependencies(dir); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, member := range archive.Files {
		want[member.Name] = string(member.Data)
	}
	if diff := cmp.Diff(want, contents(t, os.DirFS(dir))); diff != "" {
		t.Errorf("written files (-archive +written):\n%s", diff)
	}
	others, err := filepath.Glob("deps/*")
	if err != nil || len(others) != 1 {
		t.Errorf("deps holds %v (%v), want the one archive that is embedded", others, err)
	}
}

func TestWriteDependenciesSatisfiesOpenCode(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "config dir", "opencode")
	if ngcore.OperatorInstallSatisfied(dir) {
		t.Error("satisfied before the directory exists")
	}
	for range 2 { // the second time replaces
		if err := ngcore.WriteDependencies(dir); err != nil {
			t.Fatal(err)
		}
		if !ngcore.OperatorInstallSatisfied(dir) {
			t.Error("not satisfied afterwards")
		}
	}
	var lock struct {
		Packages map[string]struct{ Dependencies map[string]string }
	}
	data, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{ngcore.DepsPackage: ngcore.DepsVersion}
	if diff := cmp.Diff(want, lock.Packages[""].Dependencies); diff != "" {
		t.Errorf("root entry of the lockfile (-want +got):\n%s", diff)
	}
}

func TestWriteDependenciesKeepsWhatItDidNotWrite(t *testing.T) {
	t.Parallel()
	const marker = "nightgauge-deps.json"
	for _, tc := range []struct {
		name  string
		plant map[string]string
		text  string // of the error, "" when there is none
	}{
		{"empty", nil, ""},
		{"other files", map[string]string{"opencode.json": "{}", "node_modules/x/index.js": ""}, ""},
		{"own files of another version", map[string]string{marker: `{"version":"1.0.0"}`, "package.json": "{}"}, ""},
		{"killed after the marker", map[string]string{marker: `{"version":"1.18.30"}`}, ""},
		{"operator's package.json", map[string]string{"package.json": `{"dependencies":{"mine":"1"}}`}, "package.json exists and was not written"},
		{"operator's package-lock.json", map[string]string{"package-lock.json": "{}"}, "package-lock.json exists and was not written"},
		{"operator's node_modules", map[string]string{"node_modules/.package-lock.json": "{}"}, "node_modules/.package-lock.json exists"},
		{"a file in place of node_modules", map[string]string{"node_modules": ""}, "node_modules: expected a directory"},
		{"a directory in place of package.json", map[string]string{"package.json/x": ""}, "package.json: expected a regular file, found a directory"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, content := range tc.plant {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			before := contents(t, os.DirFS(dir))
			err := ngcore.WriteDependencies(dir)
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 && runtime.GOOS != "windows" {
				t.Errorf("the directory has mode %v (%v), want it left at 0755", info.Mode(), err)
			}
			if tc.text == "" {
				if err != nil || !ngcore.OperatorInstallSatisfied(dir) {
					t.Errorf("WriteDependencies = %v, satisfied %t", err, ngcore.OperatorInstallSatisfied(dir))
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("WriteDependencies = %v, want an error with %q", err, tc.text)
			}
			if diff := cmp.Diff(before, contents(t, os.DirFS(dir))); diff != "" {
				t.Errorf("a refused WriteDependencies changed files (-before +after):\n%s", diff)
			}
		})
	}
}

func TestWriteDependenciesFollowsNoLink(t *testing.T) {
	t.Parallel()
	for _, link := range []string{"package.json", "node_modules", "nightgauge-deps.json"} {
		t.Run(link, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			dir, victim := filepath.Join(base, "dir"), filepath.Join(base, "victim")
			for _, d := range []string{dir, victim} {
				if err := os.Mkdir(d, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(victim, filepath.Join(dir, link)); err != nil {
				t.Skip("this system has no symbolic links: ", err)
			}
			if err := ngcore.WriteDependencies(dir); err == nil || !strings.Contains(err.Error(), "a symbolic link") {
				t.Errorf("WriteDependencies = %v", err)
			}
			if entries, err := os.ReadDir(victim); err != nil || len(entries) != 0 {
				t.Errorf("the link's target holds %v, %v", entries, err)
			}
		})
	}
}

// The truth table of OpenCode's own check; read-only rows are in deps_linux_test.go.
func TestOperatorInstallSatisfied(t *testing.T) {
	t.Parallel()
	const self = `"@opencode-ai/plugin":"1.18.30"`
	lock := func(blocks string) string { return `{"packages":{"":{` + blocks + `}}}` }
	for _, tc := range []struct {
		name      string
		noModules bool
		manifest  string // package.json, "" when there is none
		lock      string // package-lock.json
		want      bool
	}{
		{name: "installed", manifest: `{"dependencies":{` + self + `}}`, lock: lock(`"dependencies":{` + self + `}`), want: true},
		{name: "installed, no package.json", lock: lock(`"dependencies":{` + self + `}`), want: true},
		{name: "another version", manifest: `{"dependencies":{"@opencode-ai/plugin":"9"}}`, lock: lock(`"dependencies":{"@opencode-ai/plugin":"1"}`), want: true},
		{name: "locked as a development dependency", lock: lock(`"devDependencies":{` + self + `}`), want: true},
		{name: "locked as a peer dependency", lock: lock(`"peerDependencies":{` + self + `}`), want: true},
		{name: "locked as an optional dependency", lock: lock(`"optionalDependencies":{` + self + `}`), want: true},
		{name: "no node_modules", noModules: true, manifest: `{"dependencies":{` + self + `}}`, lock: lock(`"dependencies":{` + self + `}`)},
		{name: "nothing but node_modules"},
		{name: "no lockfile", manifest: `{"dependencies":{` + self + `}}`},
		{name: "plugin not locked", lock: lock(`"dependencies":{"other":"1"}`)},
		{name: "plugin locked as a package only", lock: `{"packages":{"node_modules/@opencode-ai/plugin":{"version":"1"}}}`},
		{name: "dependency not locked", manifest: `{"dependencies":{"other":"1"}}`, lock: lock(`"dependencies":{` + self + `}`)},
		{name: "development dependency not locked", manifest: `{"devDependencies":{"other":"1"}}`, lock: lock(`"dependencies":{` + self + `}`)},
		{name: "peer dependency not locked", manifest: `{"peerDependencies":{"other":"1"}}`, lock: lock(`"dependencies":{` + self + `}`)},
		{name: "optional dependency not locked", manifest: `{"optionalDependencies":{"other":"1"}}`, lock: lock(`"dependencies":{` + self + `}`)},
		{name: "dependency locked in another block", manifest: `{"dependencies":{"other":"1"}}`, lock: lock(`"dependencies":{` + self + `},"devDependencies":{"other":"2"}`), want: true},
		{name: "name in another case", manifest: `{"dependencies":{"Other":"1"}}`, lock: lock(`"dependencies":{` + self + `,"other":"1"}`)},
		{name: "key in another case", lock: lock(`"Dependencies":{` + self + `}`)},
		{name: "bundled dependencies do not count", manifest: `{"bundledDependencies":["other"]}`, lock: lock(`"dependencies":{` + self + `}`), want: true},
		{name: "package.json is no JSON", manifest: `{`, lock: lock(`"dependencies":{` + self + `}`), want: true},
		{name: "package.json is null", manifest: `null`, lock: lock(`"dependencies":{` + self + `}`), want: true},
		{name: "package.json with garbage behind", manifest: `{"dependencies":{"other":"1"}}x`, lock: lock(`"dependencies":{` + self + `}`), want: true},
		{name: "package.json with a number past float64", manifest: `{"x":1e999,"dependencies":{"other":"1"}}`, lock: lock(`"dependencies":{` + self + `}`)},
		{name: "dependencies as a list", manifest: `{"dependencies":["other"]}`, lock: lock(`"dependencies":{` + self + `}`)},
		{name: "dependencies as a list, locked as one", manifest: `{"dependencies":["other"]}`, lock: lock(`"dependencies":{` + self + `},"devDependencies":["x"]`), want: true},
		{name: "dependencies as a string", manifest: `{"dependencies":"x"}`, lock: lock(`"dependencies":{` + self + `}`)},
		{name: "dependencies as a number", manifest: `{"dependencies":7}`, lock: lock(`"dependencies":{` + self + `}`), want: true},
		{name: "byte order mark", manifest: "\ufeff{}", lock: lock(`"dependencies":{` + self + `}`)},
		{name: "lockfile is no JSON", lock: `{`},
		{name: "lockfile is a list", lock: `[]`},
		{name: "packages is a list", lock: `{"packages":[]}`},
		{name: "root entry is null", lock: `{"packages":{"":null}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if !tc.noModules {
				if err := os.Mkdir(filepath.Join(dir, "node_modules"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for name, content := range map[string]string{"package.json": tc.manifest, "package-lock.json": tc.lock} {
				if content == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before := contents(t, os.DirFS(dir))
			if got := ngcore.OperatorInstallSatisfied(dir); got != tc.want {
				t.Errorf("satisfied = %t, want %t", got, tc.want)
			}
			if diff := cmp.Diff(before, contents(t, os.DirFS(dir))); diff != "" {
				t.Errorf("files changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestOperatorInstallSatisfiedOddPlaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"missing": filepath.Join(dir, "none"), "a file": file, "empty": ""} {
		if ngcore.OperatorInstallSatisfied(path) {
			t.Errorf("%s: satisfied", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("the missing directory was made: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	// Links are the operator's own arrangement, and OpenCode follows them.
	real := filepath.Join(dir, "real")
	if err := ngcore.WriteDependencies(real); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if !ngcore.OperatorInstallSatisfied(filepath.Join(dir, "link")) {
		t.Error("not satisfied through a link")
	}
}
