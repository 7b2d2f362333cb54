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

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/gosource"
)

// scanned is what the text of one package says, before anything is parsed. No verbs and
// no imports of a scope mean that no check has anything to say, which is so for nearly
// every package.
type scanned struct {
	pkg       *gosource.Package
	text      [][]byte        // of the files that are not tests
	verbs     map[string]bool // of //ngvet: directives
	testVerbs map[string]bool // of the internal tests
	extVerbs  map[string]bool // of the external tests
	annotated []*sourceFile   // files with anything that resembles a directive
	embedders []*sourceFile   // files with //go:embed
}

// sourceFile is a Go file that may be parsed, once.
type sourceFile struct {
	path string
	file *ast.File
}

// parse returns the syntax of the file, comments included. A file that does not parse has
// been refused by the go command; what there is of it is returned.
func (f *sourceFile) parse(fset *token.FileSet) *ast.File {
	if f.file == nil {
		f.file, _ = parser.ParseFile(fset, f.path, nil, parser.ParseComments|parser.SkipObjectResolution)
	}
	return f.file
}

var directiveLine = regexp.MustCompile(`(?m)^[ \t]*//ngvet:([a-z-]+)`)

// scan reads every Go file of the packages. A file with a syntax error is a
// *gosource.LoadError: the go command lists packages without looking below the imports.
func scan(ctx context.Context, listed []*gosource.Package) ([]*scanned, error) {
	out := make([]*scanned, len(listed))
	group, _ := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range listed {
		group.Go(func() (err error) {
			out[i], err = scanPackage(p)
			return err
		})
	}
	return out, group.Wait()
}

func scanPackage(p *gosource.Package) (*scanned, error) {
	s := &scanned{pkg: p, verbs: make(map[string]bool), testVerbs: make(map[string]bool), extVerbs: make(map[string]bool)}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		data, err := s.read(name, s.verbs)
		if err != nil {
			return nil, err
		}
		s.text = append(s.text, data)
	}
	for _, name := range p.TestGoFiles {
		if _, err := s.read(name, s.testVerbs); err != nil {
			return nil, err
		}
	}
	for _, name := range p.XTestGoFiles {
		if _, err := s.read(name, s.extVerbs); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// read reads one file and adds the verbs of its directives.
func (s *scanned) read(name string, verbs map[string]bool) ([]byte, error) {
	path := filepath.Join(s.pkg.Dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if _, err := parser.ParseFile(token.NewFileSet(), path, data, parser.SkipObjectResolution); err != nil {
		return nil, &gosource.LoadError{ImportPath: s.pkg.ImportPath, Msg: err.Error()}
	}
	file := &sourceFile{path: path}
	if bytes.Contains(data, []byte("ngvet:")) {
		for _, m := range directiveLine.FindAllSubmatch(data, -1) {
			verbs[string(m[1])] = true
		}
		s.annotated = append(s.annotated, file)
	}
	if bytes.Contains(data, []byte("//go:embed ")) {
		s.embedders = append(s.embedders, file)
	}
	return data, nil
}

// imports reports whether the text of a package has an import path.
func (s *scanned) imports(path string) bool {
	quoted := []byte(`"` + path + `"`)
	return slices.ContainsFunc(s.text, func(text []byte) bool { return bytes.Contains(text, quoted) })
}

// embedding returns the syntax of the files with embed patterns.
func (s *scanned) embedding(fset *token.FileSet) []*ast.File {
	var out []*ast.File
	for _, f := range s.embedders {
		out = append(out, f.parse(fset))
	}
	return out
}

// inScope returns the units that a check of the given scope looks at. Tests are looked at
// where they declare something themselves.
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
		case has(s.testVerbs):
			out = append(out, gosource.Unit{Package: s.pkg, Depth: depth, Tests: true})
		case has(s.verbs), scope.Embeds && len(s.verbs) > 0 && len(s.embedders) > 0, slices.ContainsFunc(imports, s.imports):
			out = append(out, gosource.Unit{Package: s.pkg, Depth: depth})
		}
		if has(s.extVerbs) {
			out = append(out, gosource.Unit{Package: s.pkg, Depth: depth, XTest: true})
		}
	}
	return out
}
