// Package embedtree finds the JavaScript files that a Go package embeds.
//
// It follows the rules of the go command for //go:embed patterns: a directory stands for
// the files under it except those whose name begins with '.' or '_', unless the pattern
// begins with "all:"; other modules and files that are not regular are left out. A pattern
// that matches nothing is the compiler's to report and yields nothing here.
package embedtree

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Extensions are the file name extensions of JavaScript and TypeScript modules.
var Extensions = []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}

// IsModule reports whether a file name is that of a JavaScript or TypeScript module.
// Declaration files (.d.ts) hold no code and are none.
func IsModule(name string) bool {
	for _, d := range []string{".d.ts", ".d.mts", ".d.cts"} {
		if strings.HasSuffix(name, d) {
			return false
		}
	}
	return slices.Contains(Extensions, path.Ext(name))
}

// Modules returns the absolute paths of the modules that the given files of one package
// embed, sorted.
func Modules(fset *token.FileSet, files []*ast.File) ([]string, error) {
	found := make(map[string]bool)
	for _, file := range files {
		// The position ignores //line: embed patterns are relative to the real file.
		dir := filepath.Dir(fset.PositionFor(file.FileStart, false).Filename)
		for _, group := range file.Comments {
			for _, c := range group.List {
				d, ok := ast.ParseDirective(c.Pos(), c.Text)
				if !ok || d.Tool != "go" || d.Name != "embed" {
					continue
				}
				patterns, err := d.ParseArgs()
				if err != nil {
					return nil, fmt.Errorf("%s: %w", fset.Position(c.Pos()), err)
				}
				for _, p := range patterns {
					if err := expand(dir, p.Arg, found); err != nil {
						return nil, fmt.Errorf("%s: embed pattern %q: %w", fset.Position(p.Pos), p.Arg, err)
					}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// expand adds the modules that one pattern selects.
func expand(dir, pattern string, found map[string]bool) error {
	tree := os.DirFS(dir)
	pattern, all := strings.CutPrefix(pattern, "all:")
	names, err := fs.Glob(tree, pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		err := walk(tree, name, all, func(file string) {
			found[filepath.Join(dir, filepath.FromSlash(file))] = true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// walk calls add for the modules at or under name.
func walk(tree fs.FS, name string, all bool, add func(file string)) error {
	return fs.WalkDir(tree, name, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(file)
		hidden := !all && file != name && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"))
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir():
			if _, err := fs.Stat(tree, path.Join(file, "go.mod")); err == nil {
				return fs.SkipDir
			}
		case d.Type().IsRegular() && !hidden && IsModule(file):
			add(file)
		}
		return nil
	})
}
