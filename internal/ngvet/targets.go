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

// splitTargets sorts targets into patterns of Go packages and plugin entries. A file is an
// entry. A directory stands for the plugin entries and the Go package in it; one with
// neither is an error. Everything else is a pattern.
func splitTargets(prog *js.Program, dir string, targets []string) (patterns, entries []string, err error) {
	for _, target := range targets {
		path := target
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		info, err := os.Stat(path)
		switch {
		case embedtree.IsModule(target) && err != nil:
			return nil, nil, fmt.Errorf("plugin file %s: %w", target, errors.Unwrap(err))
		case err == nil && !info.IsDir() && !embedtree.IsModule(target) && filepath.Ext(target) != ".go":
			return nil, nil, fmt.Errorf("target %s is neither a JavaScript or TypeScript file, a directory nor a package pattern", target)
		case err == nil && !info.IsDir() && embedtree.IsModule(target):
			entries = append(entries, path)
		case err == nil && info.IsDir() && !strings.Contains(target, "..."):
			found, isGo, err := inspectDir(prog, path)
			if err != nil {
				return nil, nil, err
			}
			if isGo {
				patterns = append(patterns, asPattern(target))
			}
			if !isGo && len(found) == 0 {
				return nil, nil, fmt.Errorf("directory %s holds no Go package and no plugin entry (package.json with exports or main, index file, .opencode/plugin)", target)
			}
			entries = append(entries, found...)
		default:
			patterns = append(patterns, target)
		}
	}
	slices.Sort(entries)
	return patterns, slices.Compact(entries), nil
}

// inspectDir returns the plugin entries of a directory, and whether it holds Go files. A
// directory with neither stands for the packages directly below it, as npm unpacks them.
func inspectDir(prog *js.Program, path string) (entries []string, isGo bool, err error) {
	files, err := os.ReadDir(path)
	if err != nil {
		return nil, false, fmt.Errorf("read directory: %w", err)
	}
	isGo = slices.ContainsFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".go" })
	entries, err = prog.Entries(path)
	if err != nil {
		return nil, false, fmt.Errorf("plugin entries of %s: %w", path, err)
	}
	if isGo || len(entries) > 0 {
		return entries, isGo, nil
	}
	for _, f := range files {
		below := filepath.Join(path, f.Name())
		if _, err := os.Stat(filepath.Join(below, "package.json")); err != nil {
			continue
		}
		found, err := prog.Entries(below)
		if err != nil {
			return nil, false, fmt.Errorf("plugin entries of %s: %w", below, err)
		}
		entries = append(entries, found...)
	}
	return entries, isGo, nil
}

// asPattern writes a directory as the go command wants it: one without ./ is an import path.
func asPattern(dir string) string {
	if filepath.IsAbs(dir) || strings.HasPrefix(dir, ".") {
		return dir
	}
	return "./" + filepath.ToSlash(dir)
}
