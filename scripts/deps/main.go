// Deps makes the archive from which ngcore.WriteDependencies writes, out of facts alone:
// the package's name, its version, and which files OpenCode looks at before it decides to
// install (HOST.md section 1). Nothing is downloaded.
//
//	go run ./scripts/deps VERSION
//
// writes ngcore/deps/opencode-plugin-VERSION.txtar. For a new version, change DepsVersion
// and the embed line in ngcore/deps.go to match; a test holds the three together.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"golang.org/x/tools/txtar"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "deps:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("expected one argument, the version; run it from the module's root")
	}
	content, err := archive(args[0])
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("ngcore", "deps", "opencode-plugin-"+args[0]+".txtar"), content, 0o644)
}

const packageName = "@opencode-ai/plugin"

var plainVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)

type (
	names    map[string]string
	manifest struct {
		Dependencies names `json:"dependencies"`
	}
	lockfile struct {
		Name            string              `json:"name"`
		LockfileVersion int                 `json:"lockfileVersion"`
		Requires        bool                `json:"requires"`
		Packages        map[string]manifest `json:"packages"`
	}
	marker struct {
		Version string `json:"version"`
	}
)

// archive returns the txtar form for one version.
func archive(version string) ([]byte, error) {
	if !plainVersion.MatchString(version) {
		return nil, fmt.Errorf("expected a version such as 1.18.30, found %q", version)
	}
	root := manifest{Dependencies: names{packageName: version}}
	members := []struct {
		name  string
		value any
	}{
		{"nightgauge-deps.json", marker{version}},
		{"package.json", root},
		{"package-lock.json", lockfile{"opencode", 3, true, map[string]manifest{"": root}}},
		// npm keeps this file for itself; with it node_modules is not empty, and so
		// survives tools that drop empty directories.
		{"node_modules/.package-lock.json", lockfile{"opencode", 3, true, map[string]manifest{}}},
	}
	a := txtar.Archive{Comment: []byte("Stands in for an installed " + packageName + " " + version + ". Made by scripts/deps; do not edit.\n")}
	for _, m := range members {
		data, err := json.MarshalIndent(m.value, "", "  ")
		if err != nil {
			return nil, err
		}
		a.Files = append(a.Files, txtar.File{Name: m.name, Data: append(data, '\n')})
	}
	return txtar.Format(&a), nil
}
