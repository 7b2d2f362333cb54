// Package embedtree finds the files that a Go package embeds, JavaScript above all.
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
	"strconv"
	"strings"
	"unicode"
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

// Pattern is one pattern of a //go:embed directive and what it selects.
type Pattern struct {
	Arg      string    // as written, without quotes
	Pos, End token.Pos // of the pattern as written

	Files   []string // absolute paths of the files that it embeds, sorted
	Dropped []string // files below its directories that only their name keeps out, sorted
}

// Modules returns the absolute paths of the modules that the given files of one package
// embed, sorted.
func Modules(fset *token.FileSet, files []*ast.File) ([]string, error) {
	patterns, err := Patterns(fset, files)
	if err != nil {
		return nil, err
	}
	found := make(map[string]bool)
	for _, p := range patterns {
		for _, file := range p.Files {
			if IsModule(filepath.Base(file)) {
				found[file] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// Patterns returns the patterns of the //go:embed directives in the given files, in order.
func Patterns(fset *token.FileSet, files []*ast.File) ([]Pattern, error) {
	var out []Pattern
	for _, file := range files {
		// The position ignores //line: embed patterns are relative to the real file.
		dir := filepath.Dir(fset.PositionFor(file.FileStart, false).Filename)
		for _, group := range file.Comments {
			for _, c := range group.List {
				d, ok := ast.ParseDirective(c.Pos(), c.Text)
				if !ok || d.Tool != "go" || d.Name != "embed" {
					continue
				}
				args, err := d.ParseArgs()
				if err != nil {
					return nil, fmt.Errorf("%s: %w", fset.Position(c.Pos()), err)
				}
				for _, a := range args {
					p := Pattern{Arg: a.Arg, Pos: a.Pos, End: a.Pos + token.Pos(written(c.Text[a.Pos-c.Pos():]))}
					if err := p.expand(dir); err != nil {
						return nil, fmt.Errorf("%s: embed pattern %q: %w", fset.Position(a.Pos), a.Arg, err)
					}
					out = append(out, p)
				}
			}
		}
	}
	return out, nil
}

// written returns the length of the first argument in text.
func written(text string) int {
	if text != "" && (text[0] == '"' || text[0] == '`') {
		if quoted, err := strconv.QuotedPrefix(text); err == nil {
			return len(quoted)
		}
	}
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return i
	}
	return len(text)
}

// expand finds the files of the pattern.
func (p *Pattern) expand(dir string) error {
	tree := os.DirFS(dir)
	pattern, all := strings.CutPrefix(p.Arg, "all:")
	names, err := fs.Glob(tree, pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := p.walk(tree, dir, name, all); err != nil {
			return err
		}
	}
	for _, list := range []*[]string{&p.Files, &p.Dropped} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return nil
}

// walk adds the files at or under name.
func (p *Pattern) walk(tree fs.FS, dir, name string, all bool) error {
	return fs.WalkDir(tree, name, func(file string, d fs.DirEntry, err error) error {
		hidden := !all && isHidden(below(name, file))
		switch {
		case err != nil && hidden:
			return fs.SkipDir // the go command does not look there
		case err != nil:
			return err
		case d.IsDir() && isRepository(d.Name()):
			return fs.SkipDir
		case d.IsDir():
			if _, err := fs.Stat(tree, path.Join(file, "go.mod")); err == nil {
				return fs.SkipDir
			}
		case d.Type().IsRegular() && hidden:
			p.Dropped = append(p.Dropped, filepath.Join(dir, filepath.FromSlash(file)))
		case d.Type().IsRegular():
			p.Files = append(p.Files, filepath.Join(dir, filepath.FromSlash(file)))
		}
		return nil
	})
}

// below returns what follows the directory name in the path of a file in it.
func below(name, file string) string {
	if name == "." {
		return file
	}
	return strings.TrimPrefix(file, name)
}

// isHidden reports whether an element of a path below a directory keeps a file out.
func isHidden(rest string) bool {
	for element := range strings.SplitSeq(rest, "/") {
		if strings.HasPrefix(element, ".") || strings.HasPrefix(element, "_") {
			return true
		}
	}
	return false
}

// isRepository reports whether a directory is one that even "all:" leaves out.
func isRepository(name string) bool {
	switch name {
	case ".bzr", ".hg", ".git", ".svn":
		return true
	}
	return false
}
