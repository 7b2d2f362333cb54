package stage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/ngvet/ngvet/ngcore"
)

// ForeignCodeError reports that OpenCode would start code of the work tree by itself:
// inside its own process, where it can forge all evidence, or beside it, outside the gate.
type ForeignCodeError struct {
	Found []string // one "path: what it does" each, sorted
}

func (e *ForeignCodeError) Error() string {
	return fmt.Sprintf("expected a work tree without code that OpenCode loads by itself, found %s", strings.Join(e.Found, "; "))
}

// findForeignCode looks for what OpenCode 1.18.30 loads from the configuration directories
// and files of a work tree: it goes from workDir up to the root of the repository, and
// OPENCODE_DISABLE_PROJECT_CONFIG does not keep it from loading plugins (measured; BUGS.md
// B16). own are further configuration directories.
func findForeignCode(workDir string, own ...string) error {
	var found []string
	files, dirs := []string{}, own
	for _, dir := range configChain(workDir) {
		files = append(files, filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc"))
		dirs = append(dirs, filepath.Join(dir, ".opencode"))
	}
	for _, dir := range dirs {
		for _, name := range []string{"plugin", "plugins", "tool", "tools"} {
			modules, err := foreignModules(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			found = append(found, modules...)
		}
		for _, name := range []string{"config.json", "opencode.json", "opencode.jsonc"} {
			files = append(files, filepath.Join(dir, name))
		}
	}
	for _, file := range files {
		settings, err := foreignSettings(file)
		if err != nil {
			return err
		}
		found = append(found, settings...)
	}
	if len(found) > 0 {
		slices.Sort(found)
		return &ForeignCodeError{Found: found}
	}
	return nil
}

// hasInstallRisk tells that OpenCode would run an npm install in a directory of the work
// tree.
func hasInstallRisk(workDir string) bool {
	return slices.ContainsFunc(configChain(workDir), func(dir string) bool {
		own := filepath.Join(dir, ".opencode")
		info, err := os.Stat(own)
		return err == nil && info.IsDir() && !ngcore.OperatorInstallSatisfied(own)
	})
}

// configChain returns the directories in which OpenCode looks for configuration. It stops
// at the root of the repository. Where that is not certain, as in a linked work tree, whose
// .git is a file, the chain goes on to the top.
func configChain(workDir string) []string {
	var chain []string
	for dir := workDir; ; dir = filepath.Dir(dir) {
		chain = append(chain, dir)
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return chain
		}
	}
}

// moduleExtensions are those of code. OpenCode loads .ts and .js (HOST.md section 1); the
// others are listed because a version that loads them must not find any.
var moduleExtensions = []string{".js", ".ts", ".mjs", ".mts", ".cjs", ".cts", ".jsx", ".tsx"}

func foreignModules(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for code that OpenCode loads: %w", err)
	}
	var found []string
	for _, entry := range entries {
		if slices.Contains(moduleExtensions, strings.ToLower(filepath.Ext(entry.Name()))) {
			found = append(found, filepath.Join(dir, entry.Name())+": a module that OpenCode imports")
		}
	}
	return found, nil
}

// foreignSettings reads the keys of a configuration that load modules or start programs. A
// file that cannot be read is an error: what is in it cannot be excluded.
func foreignSettings(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for code that OpenCode loads: %w", err)
	}
	config, err := decodeConfig(text)
	if err != nil {
		return nil, fmt.Errorf("look for code that OpenCode loads: %s: %w", path, err)
	}
	var found []string
	var plugins []jsontext.Value
	if list := config["plugin"]; list != nil && (json.Unmarshal(list, &plugins) != nil || len(plugins) > 0) {
		found = append(found, path+": plugin: names modules that OpenCode imports")
	}
	for _, key := range []string{"mcp", "lsp", "formatter"} {
		if hasEntry(config[key], "command", func(jsontext.Value) bool { return true }) {
			found = append(found, path+": "+key+": starts a program outside the gate")
		}
	}
	if hasEntry(config["provider"], "npm", isLocalModule) {
		found = append(found, path+": provider: names a module that OpenCode imports")
	}
	return found, nil
}

// hasEntry reports whether an entry of the section has a member that matches. A section of
// another form than an object switches something on or off and names nothing.
func hasEntry(section jsontext.Value, member string, matches func(jsontext.Value) bool) bool {
	var entries map[string]jsontext.Value
	if section == nil || json.Unmarshal(section, &entries) != nil {
		return false
	}
	for _, value := range entries {
		var entry map[string]jsontext.Value
		if json.Unmarshal(value, &entry) == nil && entry[member] != nil && matches(entry[member]) {
			return true
		}
	}
	return false
}

// isLocalModule tells a file from a package of the registry, which is no code of the work
// tree.
func isLocalModule(value jsontext.Value) bool {
	var spec string
	return json.Unmarshal(value, &spec) != nil || strings.HasPrefix(spec, "file:") || strings.HasPrefix(spec, ".") || strings.HasPrefix(spec, "/")
}

// absent tells a path that is not there, also because an element of it is a file.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
