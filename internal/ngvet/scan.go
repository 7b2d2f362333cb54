package ngvet

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/gosource"
)

// scanned is what the files of one package say, before anything is type-checked. No verbs
// and no imports of a scope mean that no check has anything to say, which is so for nearly
// every package.
type scanned struct {
	pkg       *gosource.Package
	text      [][]byte        // of the files that are not tests
	verbs     map[string]bool // of //ngvet: directives
	testVerbs map[string]bool // of the internal tests
	extVerbs  map[string]bool // of the external tests
	annotated []*ast.File     // files with anything that resembles a directive
	embedders []*ast.File     // files with //go:embed
}

// scan reads and parses every Go file of the packages. A file with a syntax error is a
// *gosource.LoadError: the go command lists packages without looking below the imports.
func scan(ctx context.Context, fset *token.FileSet, listed []*gosource.Package) ([]*scanned, error) {
	out := make([]*scanned, len(listed))
	group, _ := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range listed {
		group.Go(func() (err error) {
			out[i], err = scanPackage(fset, p)
			return err
		})
	}
	return out, group.Wait()
}

func scanPackage(fset *token.FileSet, p *gosource.Package) (*scanned, error) {
	s := &scanned{pkg: p, verbs: make(map[string]bool), testVerbs: make(map[string]bool), extVerbs: make(map[string]bool)}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		data, err := s.read(fset, name, s.verbs)
		if err != nil {
			return nil, err
		}
		s.text = append(s.text, data)
	}
	for _, name := range p.TestGoFiles {
		if _, err := s.read(fset, name, s.testVerbs); err != nil {
			return nil, err
		}
	}
	for _, name := range p.XTestGoFiles {
		if _, err := s.read(fset, name, s.extVerbs); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// read reads one file and adds the verbs of its directives.
func (s *scanned) read(fset *token.FileSet, name string, verbs map[string]bool) ([]byte, error) {
	path := filepath.Join(s.pkg.Dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	annotated, embeds := bytes.Contains(data, []byte("ngvet:")), bytes.Contains(data, []byte("//go:embed "))
	mode := parser.SkipObjectResolution
	if annotated || embeds {
		mode |= parser.ParseComments
	} else {
		fset = token.NewFileSet() // the syntax is not kept
	}
	file, err := parser.ParseFile(fset, path, data, mode)
	if err != nil {
		return nil, &gosource.LoadError{ImportPath: s.pkg.ImportPath, Msg: err.Error()}
	}
	if annotated {
		s.annotated = append(s.annotated, file)
		addVerbs(file, verbs)
	}
	if embeds {
		s.embedders = append(s.embedders, file)
	}
	return data, nil
}

// addVerbs adds the verbs of the directives in a file; text in a string is none.
func addVerbs(file *ast.File, verbs map[string]bool) {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if d, ok := ast.ParseDirective(c.Pos(), c.Text); ok && d.Tool == "ngvet" {
				verbs[d.Name] = true
			}
		}
	}
}

// imports reports whether the text of a package has an import path.
func (s *scanned) imports(path string) bool {
	quoted := []byte(`"` + path + `"`)
	return slices.ContainsFunc(s.text, func(text []byte) bool { return bytes.Contains(text, quoted) })
}

// runs reports whether a package can start a program: it imports os/exec, and a string in
// it is the program's name or path or begins with it.
func (s *scanned) runs(program string) bool {
	if !s.imports("os/exec") {
		return false
	}
	named := regexp.MustCompile("[\"`/\\\\]" + regexp.QuoteMeta(program) + "(\\.exe)?[\"` ]")
	return slices.ContainsFunc(s.text, named.Match)
}

// embedsModules reports whether a package embeds JavaScript. A pattern that cannot be
// followed is reported elsewhere.
func (s *scanned) embedsModules(fset *token.FileSet) bool {
	if len(s.embedders) == 0 {
		return false
	}
	paths, err := embedtree.Modules(fset, s.embedders)
	return err != nil || len(paths) > 0
}

// selector decides which packages a scope selects.
type selector struct {
	fset       *token.FileSet
	scope      finding.Scope
	imports    []string // those of the scope and of packages that it adds
	everywhere bool
}

func newSelector(fset *token.FileSet, scope finding.Scope, scans []*scanned, everywhere bool) *selector {
	s := &selector{fset: fset, scope: scope, imports: slices.Clone(scope.Imports), everywhere: everywhere && scope.Everywhere}
	for _, p := range scans {
		if scope.Importers && s.has(p.verbs) {
			s.imports = append(s.imports, p.pkg.ImportPath)
		}
	}
	return s
}

func (s *selector) has(verbs map[string]bool) bool {
	return slices.ContainsFunc(s.scope.Directives, func(v string) bool { return verbs[v] })
}

// selects reports whether the scope selects a package, its tests aside.
func (s *selector) selects(p *scanned) bool {
	switch {
	case s.everywhere, s.has(p.verbs),
		s.scope.Annotated && len(p.verbs) > 0,
		s.scope.Embeds && len(p.verbs) > 0 && len(p.embedders) > 0,
		slices.ContainsFunc(s.imports, p.imports),
		slices.ContainsFunc(s.scope.Commands, p.runs):
		return true
	}
	return s.scope.Modules && p.embedsModules(s.fset)
}

// inScope returns the units that a check of the given scope looks at.
func inScope(fset *token.FileSet, scope finding.Scope, scans []*scanned, everywhere bool) []gosource.Unit {
	sel := newSelector(fset, scope, scans, everywhere)
	depth := gosource.Declarations
	if scope.Bodies {
		depth = gosource.Bodies
	}
	var out []gosource.Unit
	for _, p := range scans {
		switch {
		case scope.Tests && sel.has(p.testVerbs):
			out = append(out, gosource.Unit{Package: p.pkg, Depth: depth, Tests: true})
		case len(p.text) > 0 && sel.selects(p):
			out = append(out, gosource.Unit{Package: p.pkg, Depth: depth})
		}
		if scope.Tests && sel.has(p.extVerbs) {
			out = append(out, gosource.Unit{Package: p.pkg, Depth: depth, XTest: true})
		}
	}
	return out
}
