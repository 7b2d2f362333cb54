package gosource

import (
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
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

	// Facts asks for the local packages that the unit calls, with the bodies of what is
	// called, for an analyzer that has facts.
	Facts bool
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
	facts   bool                // the bodies of local packages are followed
}

// checked is a package that others import. It is tainted when it or something that it
// imports has errors.
type checked struct {
	pkg      *types.Package
	tainted  bool
	followed *packages.Package // with what is needed of its bodies, or nil
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
	l.facts = slices.ContainsFunc(units, func(u Unit) bool { return u.Facts })
	roots := make([]*source, len(units))
	for i, u := range units {
		files, err := l.parse(u.Dir, u.files(), parser.ParseComments, nil)
		if err != nil {
			return nil, &LoadError{u.ImportPath, err.Error()}
		}
		roots[i] = &source{pkg: u.Package, files: files}
	}
	if err := l.list(ctx, units, roots); err != nil {
		return nil, err
	}
	// What every unit needs must be known before the first package is checked.
	for _, s := range roots {
		l.index(s)
	}
	for i, u := range units {
		l.seed(roots[i], u.Depth)
	}
	var out []*packages.Package
	for i, u := range units {
		pkg := l.fromSource(u, roots[i])
		if pkg == nil {
			var err error
			if pkg, err = l.complete(ctx, u, roots[i].importPaths()); err != nil {
				return nil, err
			}
		}
		out = append(out, pkg)
	}
	return out, nil
}

// list asks the go command for everything that the units import.
func (l *Loader) list(ctx context.Context, units []Unit, roots []*source) error {
	var patterns []string
	for i, s := range roots {
		patterns = append(patterns, s.pkg.ImportPath)
		if units[i].Tests || units[i].XTest {
			patterns = append(patterns, s.importPaths()...)
		}
	}
	slices.Sort(patterns)
	pkgs, err := listDeps(ctx, l.dir, slices.Compact(patterns))
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
	out := l.describe(u.Package, s.files)
	if u.XTest {
		out.ID, out.PkgPath, out.Name = u.ImportPath+"_test", u.ImportPath+"_test", u.Name+"_test"
	}
	files := s.files
	if u.Depth == Declarations {
		files = s.slices()
	}
	result := l.check(s, files, out.PkgPath, out.TypesInfo)
	if result.tainted {
		return nil
	}
	out.Types = result.pkg
	out.Imports = l.followed(s)
	return out
}

// describe returns what is known about a package before it is type-checked.
func (l *Loader) describe(p *Package, files []*ast.File) *packages.Package {
	out := &packages.Package{
		ID: p.ImportPath, Name: p.Name, PkgPath: p.ImportPath,
		Fset: l.fset, Syntax: files, TypesSizes: l.sizes, TypesInfo: newInfo(),
	}
	for _, name := range p.IgnoredGoFiles {
		out.IgnoredFiles = append(out.IgnoredFiles, filepath.Join(p.Dir, name))
	}
	if m := p.Module; m != nil {
		out.Module = &packages.Module{Path: m.Path, Version: m.Version, Main: m.Main, Dir: m.Dir, GoMod: m.GoMod, GoVersion: m.GoVersion}
	}
	return out
}

// followed returns those of the imports of a package that have bodies.
func (l *Loader) followed(s *source) map[string]*packages.Package {
	out := make(map[string]*packages.Package)
	for _, path := range s.importPaths() {
		real := cmp.Or(s.pkg.ImportMap[path], path)
		if c := l.checked[real]; c != nil && c.followed != nil {
			out[path] = c.followed
		}
	}
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
func (l *Loader) complete(ctx context.Context, u Unit, imports []string) (*packages.Package, error) {
	cfg := &packages.Config{
		Context: ctx, Dir: l.dir, Fset: l.fset, Tests: u.Tests || u.XTest,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedForTest,
	}
	pkgs, err := packages.Load(cfg, append(l.localDeps(u, imports), u.ImportPath)...)
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
		prune(p)
		return p, nil
	}
	return nil, &LoadError{u.ImportPath, "go/packages does not list it"}
}

// localDeps returns the local packages that a unit with facts imports, at any distance:
// go/packages gives bodies to what it is asked for.
func (l *Loader) localDeps(u Unit, imports []string) []string {
	if !u.Facts || l.listed[u.ImportPath] == nil {
		return nil
	}
	var out []string
	seen := map[string]bool{u.ImportPath: true}
	for todo := slices.Concat(l.listed[u.ImportPath].Imports, imports); len(todo) > 0; todo = todo[1:] {
		p := l.listed[todo[0]]
		if p == nil || !p.local() || seen[p.ImportPath] {
			continue
		}
		seen[p.ImportPath] = true
		out = append(out, p.ImportPath)
		todo = append(todo, p.Imports...)
	}
	return out
}

// prune drops the imports of a package that have no bodies, at any distance.
func prune(p *packages.Package) {
	packages.Visit([]*packages.Package{p}, nil, func(p *packages.Package) {
		maps.DeleteFunc(p.Imports, func(_ string, dep *packages.Package) bool { return len(dep.Syntax) == 0 })
	})
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
	// Without cgo there is no sense to be made of the bodies that use it.
	follow := l.facts && p.local() && len(p.CgoFiles) == 0
	mode, edit := parser.Mode(0), blankBodies
	if follow {
		mode, edit = parser.ParseComments, nil
	}
	files, err := l.parse(p.Dir, slices.Concat(p.GoFiles, p.CgoFiles), mode, edit)
	if err != nil {
		return nil
	}
	s := &source{pkg: p, files: files, bodies: follow, followed: follow}
	l.index(s)
	l.sources[path] = s
	return s
}

// check type-checks files, all or slices of those of a source, as package path.
func (l *Loader) check(s *source, files []*ast.File, path string, info *types.Info) *checked {
	out := new(checked)
	imports := &importer{loader: l, from: s.pkg}
	conf := &types.Config{
		Importer:         imports,
		FakeImportC:      true,
		IgnoreFuncBodies: !s.bodies,
		Sizes:            l.sizes,
		Error: func(err error) {
			// In a slice imports are unused; whether they are in the file the compiler says.
			soft, ok := err.(types.Error)
			out.tainted = out.tainted || !(s.followed && ok && soft.Soft)
		},
	}
	if m := s.pkg.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
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
		c = l.checkImport(l.sources[real])
		l.checked[real] = c
	}
	if c == nil {
		return nil, &LoadError{real, "import cycle"}
	}
	i.tainted = i.tainted || c.tainted
	return c.pkg, nil
}

// checkImport type-checks what is needed of a package that others import.
func (l *Loader) checkImport(s *source) *checked {
	files := s.slices()
	if !s.followed {
		return l.check(s, files, s.pkg.ImportPath, nil)
	}
	described := l.describe(s.pkg, files)
	c := l.check(s, files, s.pkg.ImportPath, described.TypesInfo)
	described.Types = c.pkg
	described.Imports = l.followed(s)
	c.followed = described
	return c
}
