package ngvet

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

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

// inScope returns the units that a check of the given scope looks at.
func inScope(scope finding.Scope, scans []*scanned) []gosource.Unit {
	has := func(verbs map[string]bool) bool {
		return slices.ContainsFunc(scope.Directives, func(v string) bool { return verbs[v] })
	}
	imports := slices.Clone(scope.Imports)
	for _, s := range scans {
		if scope.Importers && has(s.verbs) {
			imports = append(imports, s.pkg.ImportPath)
		}
	}
	depth := gosource.Declarations
	if scope.Bodies {
		depth = gosource.Bodies
	}
	var out []gosource.Unit
	for _, s := range scans {
		switch {
		case scope.Tests && has(s.testVerbs):
			out = append(out, gosource.Unit{Package: s.pkg, Depth: depth, Tests: true})
		case has(s.verbs), scope.Embeds && len(s.verbs) > 0 && len(s.embedders) > 0, slices.ContainsFunc(imports, s.imports):
			out = append(out, gosource.Unit{Package: s.pkg, Depth: depth})
		}
		if scope.Tests && has(s.extVerbs) {
			out = append(out, gosource.Unit{Package: s.pkg, Depth: depth, XTest: true})
		}
	}
	return out
}
