package js

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// errExternal tells that a specifier names something outside the files: a module of the
// host, or a package that is not installed.
var errExternal = errors.New("outside the files that are read")

func isExternal(err error) bool { return errors.Is(err, errExternal) }

// imported loads the module that specifier names in m.
func (p *Program) imported(m *Module, specifier string) (*Module, error) {
	if p == nil || p.read == nil {
		return nil, fmt.Errorf("import %q: %w", specifier, errExternal)
	}
	path, err := p.Resolve(m, specifier)
	if err != nil {
		return nil, err
	}
	return p.Load(path)
}

// importTarget returns what an imported name denotes in the module that exports it.
func (p *Program) importTarget(m *Module, b *Binding) (Expr, error) {
	specifier, name := b.Owner.Parent.Text, b.Owner.Text
	if name == "*" {
		return Expr{}, nil
	}
	from, err := p.imported(m, specifier)
	if err != nil {
		return Expr{}, err
	}
	return p.exported(from, name)
}

// exported returns the expression or declaration that an export of m is bound to.
func (p *Program) exported(m *Module, name string) (Expr, error) {
	return p.exportedOnce(m, name, make(map[exportedName]bool))
}

// exportedName is a name that is looked for in the exports of a module.
type exportedName struct {
	module *Module
	name   string
}

func (p *Program) exportedOnce(m *Module, name string, seen map[exportedName]bool) (Expr, error) {
	if seen[exportedName{m, name}] { // re-exports in a circle
		return Expr{}, &NotFoundError{Module: m, Name: name}
	}
	seen[exportedName{m, name}] = true
	exports := m.Exports()
	for _, e := range exports {
		switch {
		case e.Name != name:
		case e.Kind == ExportReexport:
			from, err := p.imported(m, e.Specifier)
			if err != nil {
				return Expr{}, err
			}
			return p.exportedOnce(from, e.Local, seen)
		case e.Kind != ExportStar:
			return e.Value, nil
		}
	}
	for _, e := range exports {
		if e.Kind != ExportStar || e.Name != "*" || name == "default" {
			continue
		}
		from, err := p.imported(m, e.Specifier)
		if err != nil {
			return Expr{}, err
		}
		if found, err := p.exportedOnce(from, name, seen); err == nil {
			return found, nil
		}
	}
	return Expr{}, &NotFoundError{Module: m, Name: name, Nearest: nearestNames(name, exportNames(exports))}
}

func exportNames(exports []Export) []string {
	var names []string
	for _, e := range exports {
		names = append(names, e.Name)
	}
	return names
}

// imported evaluates an imported name.
func (ev *evaluator) imported(m *Module, b *Binding) Value {
	if b.Owner.Text == "*" {
		return opaque(m, b.Decl.Span, "%s is a whole module", b.Name)
	}
	target, err := ev.p.importTarget(m, b)
	if err == nil {
		return ev.eval(target.Module, target.Node)
	}
	v := opaque(m, b.Owner.Span, "%s comes from %q: %v", b.Name, b.Owner.Parent.Text, err)
	var unreadable *Error
	if errors.As(err, &unreadable) {
		v.Err.Err = unreadable
	}
	return v
}

// extensions are tried in Bun's order behind a path that names no file.
var extensions = []string{".tsx", ".jsx", ".mts", ".ts", ".mjs", ".js", ".cjs", ".cts", ".json"}

// Resolve returns the file that specifier names in module from, as Bun finds it: a relative
// or absolute path with or without extension, a directory with an index file, a file: URL,
// or a package in a node_modules above. The error says what was looked for.
func (p *Program) Resolve(from *Module, specifier string) (string, error) {
	dir := filepath.Dir(from.path)
	bare, _, _ := strings.Cut(specifier, "?")
	switch {
	case strings.HasPrefix(bare, "node:") || strings.HasPrefix(bare, "bun:") || bare == "bun" || bare == "":
		return "", fmt.Errorf("import %q: %w", specifier, errExternal)
	case strings.HasPrefix(bare, "file://"):
		return p.resolveFile(filepath.FromSlash(strings.TrimPrefix(bare, "file://")), specifier)
	case bare == "." || bare == ".." || strings.HasPrefix(bare, "./") || strings.HasPrefix(bare, "../"):
		return p.resolveFile(filepath.Join(dir, filepath.FromSlash(bare)), specifier)
	case filepath.IsAbs(filepath.FromSlash(bare)):
		return p.resolveFile(filepath.FromSlash(bare), specifier)
	}
	return p.resolvePackage(dir, bare)
}

// resolveFile finds the file that a path without its extension may mean.
func (p *Program) resolveFile(path, specifier string) (string, error) {
	for _, candidate := range candidates(path) {
		if p.exists(candidate) {
			return candidate, nil
		}
	}
	if entry, err := p.packageMain(path); err == nil {
		return entry, nil
	}
	return "", &Error{Path: path, Msg: fmt.Sprintf("import %q names no file: neither it nor it with %s, nor an index file in it", specifier, strings.Join(extensions, " "))}
}

// candidates lists the files that a path may mean, in order. A .js path may mean the .ts
// file that it will be compiled from.
func candidates(path string) []string {
	list := []string{path}
	for _, ext := range extensions {
		list = append(list, path+ext)
	}
	for _, pair := range [][2]string{{".js", ".ts"}, {".js", ".tsx"}, {".jsx", ".tsx"}, {".mjs", ".mts"}, {".cjs", ".cts"}} {
		if base, ok := strings.CutSuffix(path, pair[0]); ok {
			list = append(list, base+pair[1])
		}
	}
	for _, ext := range extensions {
		list = append(list, filepath.Join(path, "index"+ext))
	}
	return list
}

// exists reports whether name is a file. A directory cannot be read, so that it is none.
func (p *Program) exists(name string) bool {
	_, err := p.readFile(filepath.Clean(name))
	return err == nil
}

// resolvePackage finds a package in the node_modules directories from dir upward.
func (p *Program) resolvePackage(dir, specifier string) (string, error) {
	name, sub := splitPackage(specifier)
	for {
		if filepath.Base(dir) != "node_modules" {
			root := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
			if manifest, err := p.manifest(root); err == nil {
				return p.packageFile(root, manifest, sub)
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("import %q: package %s is not installed: %w", specifier, name, errExternal)
		}
		dir = parent
	}
}

// splitPackage splits a specifier into the name of the package and "." or "./sub/path".
func splitPackage(specifier string) (name, sub string) {
	parts := strings.SplitN(specifier, "/", 3)
	n := 1
	if strings.HasPrefix(specifier, "@") && len(parts) > 1 {
		n = 2
	}
	name = strings.Join(parts[:n], "/")
	if rest := strings.TrimPrefix(specifier[len(name):], "/"); rest != "" {
		return name, "./" + rest
	}
	return name, "."
}
