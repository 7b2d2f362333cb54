package js

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// serverExport is the export under which a package offers its OpenCode plugin (HOST.md
// section 1).
const serverExport = "./server"

// conditions are the keys that hold in a conditional export when Bun imports it.
var conditions = []string{"bun", "node", "import", "module-sync", "default"}

// manifest evaluates the package.json in dir.
func (p *Program) manifest(dir string) (Value, error) {
	m, err := p.Load(filepath.Join(dir, "package.json"))
	if err != nil {
		return Value{}, err
	}
	v, err := p.Lookup(m, "default")
	if err == nil && v.Kind != Object {
		err = m.errorAt(v.Span, "want an object")
	}
	return v, err
}

// Get returns a property of an object; an absent one is Undefined.
func (v Value) Get(key string) Value {
	for _, e := range v.Entries {
		if v.Kind == Object && e.Key.Str == key {
			return e.Value
		}
	}
	return Value{Kind: Undefined}
}

// packageFile returns the file of the package at root that sub, "." or "./path", names.
func (p *Program) packageFile(root string, manifest Value, sub string) (string, error) {
	exports := manifest.Get("exports")
	if exports.Kind == Undefined || exports.Kind == Null {
		if sub != "." {
			return p.resolveFile(filepath.Join(root, filepath.FromSlash(sub)), sub)
		}
		return p.packageMain(root)
	}
	target := exportTarget(exports, sub)
	if target == "" {
		return "", &Error{Path: filepath.Join(root, "package.json"), Msg: fmt.Sprintf("exports has no %q", sub)}
	}
	return p.inPackage(root, target)
}

// inPackage resolves a path of a package.json, which must not lead out of the package.
func (p *Program) inPackage(root, target string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(target)) {
		return "", &Error{Path: filepath.Join(root, "package.json"), Msg: fmt.Sprintf("%q leads out of the package", target)}
	}
	return p.resolveFile(filepath.Join(root, filepath.FromSlash(target)), target)
}

// exportTarget finds what exports maps sub to, "" for nothing.
func exportTarget(exports Value, sub string) string {
	subpaths := exports.Kind == Object && len(exports.Entries) > 0 && strings.HasPrefix(exports.Entries[0].Key.Str, ".")
	if !subpaths {
		if sub != "." {
			return ""
		}
		return conditional(exports, 0).Str
	}
	if v := exports.Get(sub); v.Kind != Undefined {
		return conditional(v, 0).Str
	}
	for _, e := range exports.Entries {
		before, after, star := strings.Cut(e.Key.Str, "*")
		if star && len(sub) >= len(before)+len(after) && strings.HasPrefix(sub, before) && strings.HasSuffix(sub, after) {
			return strings.ReplaceAll(conditional(e.Value, 0).Str, "*", sub[len(before):len(sub)-len(after)])
		}
	}
	return ""
}

// conditional follows the conditions of an export to the string with a path, else Undefined.
func conditional(v Value, depth int) Value {
	none := Value{Kind: Undefined}
	if depth > maxAlias {
		return none
	}
	switch v.Kind {
	case String:
		return v
	case Array:
		for _, e := range v.Elems {
			if target := conditional(e, depth+1); target.Str != "" {
				return target
			}
		}
	case Object:
		for _, e := range v.Entries {
			if !slices.Contains(conditions, e.Key.Str) {
				continue
			}
			if target := conditional(e.Value, depth+1); target.Str != "" {
				return target
			}
		}
	}
	return none
}

// packageMain returns the file that the directory dir stands for: main, else its index.
func (p *Program) packageMain(dir string) (string, error) {
	manifest, err := p.manifest(dir)
	if err == nil {
		if main := manifest.Get("main"); main.Kind == String && main.Str != "" {
			return p.inPackage(dir, main.Str)
		}
	}
	for _, ext := range extensions {
		if index := filepath.Join(dir, "index"+ext); p.exists(index) {
			return index, nil
		}
	}
	return "", &Error{Path: dir, Msg: "no package.json with a main, and no index file"}
}

// Entries returns the modules that OpenCode loads as plugins from dir (HOST.md section 1),
// each once: what package.json offers, what the plugin list of opencode.json names by path,
// and the .js and .ts files in the plugin and plugins directories of .opencode. dir is a
// package, a project, or a configuration directory itself. The error joins what a
// configuration names and cannot be found; the entries that were found are returned beside
// it. A package whose entry is missing has none: [Program.PackageEntry] tells why.
func (p *Program) Entries(dir string) ([]string, error) {
	var entries []string
	var problems []error
	add := func(list []string, err error) {
		for _, path := range list {
			if !slices.Contains(entries, path) {
				entries = append(entries, path)
			}
		}
		problems = append(problems, err)
	}
	add(p.packageEntries(dir))
	for _, config := range []string{dir, filepath.Join(dir, ".opencode")} {
		for _, name := range []string{"opencode.json", "opencode.jsonc"} {
			add(p.configured(filepath.Join(config, name)))
		}
		if base := filepath.Base(config); base != ".opencode" && base != "opencode" {
			continue
		}
		for _, name := range []string{"plugin", "plugins"} {
			add(p.discovered(filepath.Join(config, name)))
		}
	}
	return entries, errors.Join(problems...)
}

// packageEntries returns the entry of the plugin package in dir, if it has one.
func (p *Program) packageEntries(dir string) ([]string, error) {
	entry, err := p.PackageEntry(dir)
	if err != nil || entry.Path == "" {
		return nil, err
	}
	return []string{entry.Path}, nil
}

// PackageEntry is what the package.json of a plugin package offers to OpenCode.
type PackageEntry struct {
	Manifest *Module // nil when there is no package.json
	Value    Value   // its content
	Named    Value   // the string that names the entry; Undefined when none does
	Path     string  // the file; "" when there is none
}

// PackageEntry returns the entry of the package in dir: what exports names for "./server",
// else main, else, without exports, the index file (HOST.md section 1). A name that leads to
// no file leaves Path empty. The error is an *Error of a package.json that cannot be read.
func (p *Program) PackageEntry(dir string) (PackageEntry, error) {
	path := filepath.Join(dir, "package.json")
	if !p.exists(path) {
		return PackageEntry{}, nil
	}
	manifest, err := p.manifest(dir)
	if err != nil {
		return PackageEntry{}, err
	}
	m, err := p.Load(path)
	if err != nil {
		return PackageEntry{}, err
	}
	e := PackageEntry{Manifest: m, Value: manifest, Named: Value{Kind: Undefined}}
	exports := manifest.Get("exports")
	if exports.Kind == Object {
		e.Named = conditional(exports.Get(serverExport), 0)
	}
	if main := manifest.Get("main"); e.Named.Str == "" && main.Kind == String {
		e.Named = main
	}
	switch {
	case e.Named.Str != "":
		if file, err := p.inPackage(dir, e.Named.Str); err == nil {
			e.Path = file
		}
	case exports.Kind != Object:
		for _, ext := range extensions {
			if index := filepath.Join(dir, "index"+ext); ext != ".json" && p.exists(index) {
				e.Path = index
				break
			}
		}
	}
	return e, nil
}

// PackageMain returns the file that an import of the package in dir by its name gives.
func (p *Program) PackageMain(dir string) (string, error) {
	manifest, err := p.manifest(dir)
	if err != nil {
		return "", err
	}
	return p.packageFile(dir, manifest, ".")
}

// configured returns the modules that the plugin list of a configuration file names by path.
func (p *Program) configured(config string) ([]string, error) {
	if !p.exists(config) {
		return nil, nil
	}
	m, err := p.Load(config)
	if err != nil {
		return nil, err
	}
	v, err := p.Lookup(m, "default")
	if err != nil {
		return nil, err
	}
	var list []string
	var problems []error
	for _, plugin := range v.Get("plugin").Elems {
		if plugin.Kind == Array && len(plugin.Elems) > 0 { // [specifier, options]
			plugin = plugin.Elems[0]
		}
		if plugin.Kind != String || !isPath(plugin.Str) {
			continue
		}
		path, err := p.Resolve(m, plugin.Str)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		list = append(list, path)
	}
	return list, errors.Join(problems...)
}

// isPath reports whether an item of a plugin list is a path rather than a package.
func isPath(specifier string) bool {
	return strings.HasPrefix(specifier, "file://") || strings.HasPrefix(specifier, ".") || filepath.IsAbs(filepath.FromSlash(specifier))
}

// discovered returns the modules that OpenCode finds by itself in a plugin directory.
func (p *Program) discovered(dir string) ([]string, error) {
	list := p.List
	if list == nil {
		list = listFiles
	}
	names, err := list(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{Path: dir, Msg: err.Error(), Err: err}
	}
	var entries []string
	for _, name := range names {
		if ext := filepath.Ext(name); ext == ".js" || ext == ".ts" {
			entries = append(entries, filepath.Join(dir, name))
		}
	}
	slices.Sort(entries)
	return entries, nil
}

// listFiles returns the names of the files in dir, links to files included.
func listFiles(dir string) ([]string, error) {
	items, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, item := range items {
		if info, err := os.Stat(filepath.Join(dir, item.Name())); err == nil && info.Mode().IsRegular() {
			names = append(names, item.Name())
		}
	}
	return names, nil
}
