package mirror

import (
	"go/ast"
	"go/build"
	"go/parser"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/ngvet/ngvet/internal/embedtree"
)

// isTracked reports whether the go command's cache follows a file for this package: the
// package embeds it, or one of the same module that it imports does.
func (c *checker) isTracked(path string) bool {
	if c.embeds(c.pass.Files, path) {
		return true
	}
	module := Module(filepath.Dir(path))
	data, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return false
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) { // an embedder is above its files
		rel, err := filepath.Rel(module, dir)
		if err != nil || !filepath.IsLocal(rel) {
			return false
		}
		name := strings.TrimSuffix(modfile.ModulePath(data)+"/"+filepath.ToSlash(rel), "/.")
		if c.imports(name) && c.embeds(c.parseDir(dir), path) {
			return true
		}
	}
}

// imports reports whether a file of the package imports another. What is further away may
// change without a change of what is between.
func (c *checker) imports(path string) bool {
	return slices.ContainsFunc(c.pass.Files, func(file *ast.File) bool {
		return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
			name, err := strconv.Unquote(spec.Path.Value)
			return err == nil && name == path
		})
	})
}

// embeds reports whether files of one package embed a file.
func (c *checker) embeds(files []*ast.File, path string) bool {
	patterns, err := embedtree.Patterns(c.pass.Fset, files)
	return err == nil && slices.ContainsFunc(patterns, func(p embedtree.Pattern) bool { return slices.Contains(p.Files, path) })
}

// parseDir returns the files of this build in a directory, those that do not parse left out.
func (c *checker) parseDir(dir string) []*ast.File {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var files []*ast.File
	for _, name := range names {
		match, err := build.Default.MatchFile(dir, filepath.Base(name))
		if err != nil || !match || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if file, err := parser.ParseFile(c.pass.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			files = append(files, file)
		}
	}
	return files
}
