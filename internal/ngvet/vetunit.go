package ngvet

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// vetUnit is what decides how the package of one call of go vet is checked, out of the
// file that the go command hands to a tool (unitchecker.Config).
type vetUnit struct {
	Dir           string
	VetxOnly      bool   // the package was not asked for: only its facts are wanted
	Stdout        string // where findings go, which the go command caches
	ModulePath    string // up to Go 1.27
	ModuleVersion string
	Module        *analysis.Module // from Go 1.27
}

// readUnit reads the file that the last of the arguments of go vet names, if it names one.
func readUnit(args []string) (path string, text []byte, unit vetUnit, err error) {
	path = args[len(args)-1]
	if !strings.HasSuffix(path, ".cfg") {
		return "", nil, unit, nil
	}
	if text, err = os.ReadFile(path); err == nil {
		err = json.Unmarshal(text, &unit)
	}
	if err != nil {
		return "", nil, unit, fmt.Errorf("the description of the package from go vet: %w", err)
	}
	return path, text, unit, nil
}

// module returns the module of the package; outside of modules its path is empty.
func (u vetUnit) module() analysis.Module {
	if u.Module != nil {
		return *u.Module
	}
	return analysis.Module{Path: u.ModulePath, Version: u.ModuleVersion}
}

// local reports whether the user works on the package: it has a module that is neither in
// the cache nor vendored.
func (u vetUnit) local() bool {
	m := u.module()
	if m.Path == "" {
		return false
	}
	if cache := os.Getenv("GOMODCACHE"); cache != "" { // the go command sets it
		if rel, err := filepath.Rel(cache, u.Dir); err == nil && filepath.IsLocal(rel) {
			return false
		}
	}
	return m.Version == "" || !strings.Contains(filepath.ToSlash(u.Dir), "/vendor/")
}

// asRequested changes the arguments so that a local package of which go vet wants only the
// facts is reported on as if it had been asked for. Go 1.26 caches both under one key: it
// would later replay the silence of the first.
func asRequested(args []string, path string, text []byte, u vetUnit) error {
	if !u.VetxOnly || !u.local() || u.Stdout == "" || !slices.Contains(args, "-json") {
		return nil // nothing is cached but facts
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	fields["VetxOnly"] = json.RawMessage("false")
	text, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	path = strings.TrimSuffix(path, ".cfg") + ".requested.cfg"
	args[len(args)-1] = path
	return os.WriteFile(path, text, 0o600)
}
