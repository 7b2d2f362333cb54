package mirror

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/embedtree"
)

// promise matches what a comment says of two things that must not come apart.
var promise = regexp.MustCompile(`(?i)\b(?:must|should|has to|have to|needs? to|keep|kept|stays?)\s+(?:\S+\s+){0,5}?(?:match|equal|agree|in sync|in step|the same|identical|consistent)\b|\bin sync with\b|\bmirror(?:s|ed)?\b|\b(?:same|identical)\s+(?:\S+\s+){0,3}?(?:as|to|in)\b`)

// moduleName matches the name of a JavaScript or TypeScript file in prose.
var moduleName = regexp.MustCompile(`[\w.@/-]*\w\.(?:[cm]?[jt]s|[jt]sx)\b`)

// word matches what may be the name of a binding.
var word = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

// unmirrored reports declarations whose comments promise what only a directive holds.
func (c *checker) unmirrored(file *ast.File) {
	if ast.IsGenerated(file) {
		return // its comments are somebody else's
	}
	for _, d := range documented(file) {
		if slices.ContainsFunc(d.comments, hasDirective) {
			continue
		}
		for _, group := range d.comments {
			if c.promised(file, d.name, group) {
				break
			}
		}
	}
}

// documentedName is the first name of a declaration with its comments.
type documentedName struct {
	name     *ast.Ident
	comments []*ast.CommentGroup
}

func documented(file *ast.File) []documentedName {
	var out []documentedName
	add := func(name *ast.Ident, groups ...*ast.CommentGroup) {
		out = append(out, documentedName{name, slices.DeleteFunc(groups, func(g *ast.CommentGroup) bool { return g == nil })})
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			add(decl.Name, decl.Doc)
		case *ast.GenDecl:
			for i, spec := range decl.Specs {
				var doc *ast.CommentGroup
				if i == 0 {
					doc = decl.Doc
				}
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					add(spec.Names[0], doc, spec.Doc, spec.Comment)
				case *ast.TypeSpec:
					add(spec.Name, doc, spec.Doc, spec.Comment)
				}
			}
		}
	}
	return out
}

func hasDirective(group *ast.CommentGroup) bool {
	return slices.ContainsFunc(group.List, func(c *ast.Comment) bool {
		d, ok := ast.ParseDirective(c.Pos(), c.Text)
		return ok && d.Tool == "ngvet" && d.Name == "mirror"
	})
}

// promised reports a declaration if a comment of it promises something about a file that is
// there.
func (c *checker) promised(file *ast.File, at *ast.Ident, group *ast.CommentGroup) bool {
	text := group.Text()
	if !promise.MatchString(text) {
		return false
	}
	for _, name := range moduleName.FindAllString(text, -1) {
		path := c.mentioned(file, name)
		if path == "" {
			continue
		}
		c.report(ruleUnmirrored, at.Pos(), at.End(), "the comment promises that %s and %s agree, and nothing compares them: //ngvet:mirror %s#%s would", at.Name, name, c.directiveFile(file, path), c.binding(path, text))
		return true
	}
	return false
}

// mentioned returns the file that prose means: beside the Go file, below the root of the
// module, or embedded by the package under that name. It is "" when there is none.
func (c *checker) mentioned(file *ast.File, name string) string {
	dir := filepath.Dir(c.pass.Fset.PositionFor(file.FileStart, false).Filename)
	for _, base := range []string{dir, Module(dir)} {
		path := filepath.Join(base, filepath.FromSlash(name))
		if exists(path) {
			return path
		}
	}
	modules, err := embedtree.Modules(c.pass.Fset, c.pass.Files)
	if err != nil {
		return ""
	}
	for _, path := range modules {
		if strings.HasSuffix(filepath.ToSlash(path), "/"+name) {
			return path
		}
	}
	return ""
}

// directiveFile writes a path as a directive of the file has it.
func (c *checker) directiveFile(file *ast.File, path string) string {
	dir := filepath.Dir(c.pass.Fset.PositionFor(file.FileStart, false).Filename)
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(Module(dir), path); err == nil {
		return "/" + filepath.ToSlash(rel)
	}
	return filepath.Base(path)
}

// binding returns the first word of a comment that the module declares, or PATH.
func (c *checker) binding(path, text string) string {
	m, err := c.prog.Load(path)
	if err != nil {
		return "PATH"
	}
	for _, name := range word.FindAllString(moduleName.ReplaceAllString(text, ""), -1) {
		if m.TopLevel(name) != nil {
			return name
		}
	}
	return "PATH"
}
