package ngvet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/js"
)

// targets are what a run has to look at.
type targets struct {
	patterns []string // of Go packages
	entries  []string // files that are plugin entries
	dirs     []string // directories that can be a plugin package or hold plugins
	empty    []empty
}

// empty is a directory with neither an entry nor Go, nor packages that have one.
type empty struct{ target, path string }

// splitTargets sorts targets. A file is a plugin entry. A directory stands for the plugin
// entries and the Go package in it. Everything else is a pattern.
func splitTargets(prog *js.Program, dir string, args []string) (*targets, error) {
	t := new(targets)
	for _, target := range args {
		path := target
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		info, err := os.Stat(path)
		switch {
		case embedtree.IsModule(target) && err != nil:
			return nil, fmt.Errorf("plugin file %s: %w", target, errors.Unwrap(err))
		case err == nil && !info.IsDir() && !embedtree.IsModule(target) && filepath.Ext(target) != ".go":
			return nil, fmt.Errorf("target %s is neither a JavaScript or TypeScript file, a directory nor a package pattern", target)
		case err == nil && !info.IsDir() && embedtree.IsModule(target):
			t.entries = append(t.entries, path)
		case err == nil && info.IsDir() && !strings.Contains(target, "..."):
			if err := t.directory(prog, target, path); err != nil {
				return nil, err
			}
		default:
			t.patterns = append(t.patterns, target)
		}
	}
	slices.Sort(t.entries)
	t.entries = slices.Compact(t.entries)
	return t, nil
}

// directory adds the plugin entries of a directory, and its Go package. A directory with
// neither stands for the packages directly below it, as npm unpacks them.
func (t *targets) directory(prog *js.Program, target, path string) error {
	files, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("read directory: %w", err)
	}
	isGo := slices.ContainsFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".go" })
	if isGo {
		t.patterns = append(t.patterns, asPattern(target))
	}
	found, err := t.pluginDir(prog, path)
	if err != nil || isGo || found {
		return err
	}
	for _, f := range files {
		below := filepath.Join(path, f.Name())
		if _, err := os.Stat(filepath.Join(below, "package.json")); err != nil {
			continue
		}
		one, err := t.pluginDir(prog, below)
		if err != nil {
			return err
		}
		found = found || one
	}
	if !found {
		t.empty = append(t.empty, empty{target, path})
	}
	return nil
}

// pluginDir adds one directory and reports whether it has plugin entries.
func (t *targets) pluginDir(prog *js.Program, path string) (bool, error) {
	entries, err := prog.Entries(path)
	if err != nil {
		return false, fmt.Errorf("plugin entries of %s: %w", path, err)
	}
	t.dirs = append(t.dirs, path)
	t.entries = append(t.entries, entries...)
	return len(entries) > 0, nil
}

// asPattern writes a directory as the go command wants it: one without ./ is an import path.
func asPattern(dir string) string {
	if filepath.IsAbs(dir) || strings.HasPrefix(dir, ".") {
		return dir
	}
	return "./" + filepath.ToSlash(dir)
}
