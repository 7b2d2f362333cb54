package gosource

import (
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
)

// Depth says how much of a package is type-checked.
type Depth int

const (
	// Declarations leaves the bodies of functions unchecked, and with them everything
	// that only they mention.
	Declarations Depth = iota
	// Bodies checks everything.
	Bodies
)

// Unit is one package to load.
type Unit struct {
	*Package
	Tests bool // with the files of its internal tests
	XTest bool // the files of its external tests alone
	Depth Depth
}

func (u Unit) files() []string {
	switch {
	case u.XTest:
		return u.XTestGoFiles
	case u.Tests:
		return slices.Concat(u.GoFiles, u.TestGoFiles)
	}
	return u.GoFiles
}

// Loader type-checks packages. It is not safe for concurrent use.
type Loader struct {
	fset    *token.FileSet
	dir     string // where the go command runs
	sizes   types.Sizes
	listed  map[string]*Package
	files   map[string]*ast.File
	sources map[string]*source
	checked map[string]*checked // nil while in progress
}

// checked is a package that others import. It is tainted when it or something that it
// imports has errors.
type checked struct {
	pkg     *types.Package
	tainted bool
}

// NewLoader returns a loader that adds its files to fset. The go command runs in dir.
func NewLoader(fset *token.FileSet, dir string) *Loader {
	return &Loader{
		fset:    fset,
		dir:     dir,
		sizes:   types.SizesFor("gc", goarch()),
		listed:  make(map[string]*Package),
		files:   make(map[string]*ast.File),
		sources: make(map[string]*source),
		checked: make(map[string]*checked),
	}
}

// Load type-checks units, in order; it may be called once. The error is a *LoadError when
// a package has errors.
func (l *Loader) Load(ctx context.Context, units []Unit) ([]*packages.Package, error) {
	if len(units) == 0 {
		return nil, nil
	}
	if err := l.list(ctx, units); err != nil {
		return nil, err
	}
	// What every unit needs must be known before the first package is checked.
	roots := make([]*source, len(units))
	for i, u := range units {
		files, err := l.parse(u.Dir, u.files(), parser.ParseComments, nil)
		if err != nil {
			return nil, &LoadError{u.ImportPath, err.Error()}
		}
		roots[i] = &source{pkg: u.Package, files: files}
		l.index(roots[i])
	}
	for i, u := range units {
		l.seed(roots[i], u.Depth)
	}
	var out []*packages.Package
	for i, u := range units {
		pkg := l.fromSource(u, roots[i])
		if pkg == nil {
			var err error
			if pkg, err = l.complete(ctx, u); err != nil {
				return nil, err
			}
		}
		out = append(out, pkg)
	}
	return out, nil
}

// list asks the go command for everything that the units import.
func (l *Loader) list(ctx context.Context, units []Unit) error {
	var patterns []string
	for _, u := range units {
		patterns = append(patterns, u.ImportPath)
		if u.Tests {
			patterns = append(patterns, u.TestImports...)
		}
		if u.XTest {
			patterns = append(patterns, u.XTestImports...)
		}
	}
	slices.Sort(patterns)
	patterns = slices.DeleteFunc(slices.Compact(patterns), func(p string) bool { return p == "C" })
	pkgs, err := listDeps(ctx, l.dir, patterns)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		l.listed[p.ImportPath] = p
	}
	return nil
}

// fromSource checks a unit, or returns nil when go/packages must.
func (l *Loader) fromSource(u Unit, s *source) *packages.Package {
	if len(u.CgoFiles) > 0 {
		return nil
	}
	out := &packages.Package{
		ID: u.ImportPath, Name: u.Name, PkgPath: u.ImportPath,
		Fset: l.fset, Syntax: s.files, TypesSizes: l.sizes, TypesInfo: newInfo(),
	}
	if u.XTest {
		out.ID, out.PkgPath, out.Name = u.ImportPath+"_test", u.ImportPath+"_test", u.Name+"_test"
	}
	if m := u.Module; m != nil {
		out.Module = &packages.Module{Path: m.Path, Version: m.Version, Dir: m.Dir, GoMod: m.GoMod, GoVersion: m.GoVersion}
	}
	result := l.check(s, out.PkgPath, out.TypesInfo, u.Depth)
	if result.tainted {
		return nil
	}
	out.Types = result.pkg
	return out
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Instances:    make(map[*ast.Ident]types.Instance),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Scopes:       make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string),
	}
}

// complete loads a unit with go/packages.
func (l *Loader) complete(ctx context.Context, u Unit) (*packages.Package, error) {
	cfg := &packages.Config{
		Context: ctx, Dir: l.dir, Fset: l.fset, Tests: u.Tests || u.XTest,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedForTest,
	}
	pkgs, err := packages.Load(cfg, u.ImportPath)
	if err != nil {
		return nil, &LoadError{u.ImportPath, err.Error()}
	}
	for _, p := range pkgs {
		if !isVariant(u, p) {
			continue
		}
		if msg := firstError(p); msg != "" || p.IllTyped {
			return nil, &LoadError{u.ImportPath, cmp.Or(msg, "it or a package that it imports has errors")}
		}
		return p, nil
	}
	return nil, &LoadError{u.ImportPath, "go/packages does not list it"}
}

// firstError returns the first error of a package and of what it imports that has a place,
// or else the first, or "". It looks at imports first: their errors explain those of the
// package. The go command may put a whole transcript of the compiler into one.
func firstError(p *packages.Package) string {
	var placed, first string
	packages.Visit([]*packages.Package{p}, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			first = cmp.Or(first, e.Error())
			for line := range strings.Lines(e.Error()) {
				if strings.Contains(line, ".go:") {
					placed = cmp.Or(placed, strings.TrimSuffix(strings.TrimSpace(line), "; to add it:"))
				}
			}
		}
	})
	return cmp.Or(placed, first)
}

// isVariant reports whether p is the form of the package that a unit asks for.
func isVariant(u Unit, p *packages.Package) bool {
	switch {
	case u.XTest:
		return p.PkgPath == u.ImportPath+"_test"
	case u.Tests:
		return p.PkgPath == u.ImportPath && p.ForTest == u.ImportPath
	}
	return p.PkgPath == u.ImportPath && p.ForTest == ""
}

// parse parses files, each once and several at a time, with the mode and the text that
// edit, if any, makes of them.
func (l *Loader) parse(dir string, names []string, mode parser.Mode, edit func([]byte) []byte) ([]*ast.File, error) {
	files := make([]*ast.File, len(names))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		name = filepath.Join(dir, name)
		if files[i] = l.files[name]; files[i] != nil {
			continue
		}
		group.Go(func() error {
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if edit != nil {
				src = edit(src)
			}
			files[i], err = parser.ParseFile(l.fset, name, src, mode|parser.SkipObjectResolution)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i, name := range names {
		l.files[filepath.Join(dir, name)] = files[i]
	}
	return files, nil
}

// source returns an imported package as parsed, or nil when it cannot be; its absence
// then shows as an error of the package that imports it.
func (l *Loader) source(path string) *source {
	if s, seen := l.sources[path]; seen {
		return s
	}
	l.sources[path] = nil
	p := l.listed[path]
	if p == nil {
		return nil
	}
	files, err := l.parse(p.Dir, slices.Concat(p.GoFiles, p.CgoFiles), 0, blankBodies)
	if err != nil {
		return nil
	}
	s := &source{pkg: p, files: files}
	l.index(s)
	l.sources[path] = s
	return s
}

// check type-checks what is needed of a source, as package path.
func (l *Loader) check(s *source, path string, info *types.Info, depth Depth) *checked {
	out := new(checked)
	imports := &importer{loader: l, from: s.pkg}
	conf := &types.Config{
		Importer:         imports,
		FakeImportC:      true,
		IgnoreFuncBodies: depth == Declarations,
		Sizes:            l.sizes,
		Error:            func(error) { out.tainted = true },
	}
	if m := s.pkg.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
	}
	files := s.files
	if depth == Declarations {
		files = nil
		for _, f := range s.files {
			files = append(files, s.slice(f))
		}
	}
	out.pkg, _ = conf.Check(path, l.fset, files, info) // Error has seen every error
	out.tainted = out.tainted || imports.tainted
	return out
}

// importer gives one package its imports.
type importer struct {
	loader  *Loader
	from    *Package
	tainted bool
}

// Import implements [types.Importer]. A package of which nothing is needed is an empty one
// of the right name.
func (i *importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	l := i.loader
	real := cmp.Or(i.from.ImportMap[path], path)
	p := l.listed[real]
	if p == nil || p.Name == "" {
		return nil, &LoadError{real, "the go command does not list it"}
	}
	if s := l.sources[real]; s == nil || len(s.needed) == 0 {
		empty := types.NewPackage(real, p.Name)
		empty.MarkComplete()
		return empty, nil
	}
	c, seen := l.checked[real]
	if !seen {
		l.checked[real] = nil
		c = l.check(l.sources[real], real, nil, Declarations)
		l.checked[real] = c
	}
	if c == nil {
		return nil, &LoadError{real, "import cycle"}
	}
	i.tainted = i.tainted || c.tainted
	return c.pkg, nil
}
