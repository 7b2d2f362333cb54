package pluginload

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// runDir checks what OpenCode finds in a package or project directory.
func runDir(prog *js.Program, dir string, opts finding.Options) []finding.Finding {
	c, ok := newChecker(prog, opts)
	if !ok {
		return nil
	}
	c.packageEntry(dir)
	c.discoverable(dir)
	return c.found
}

// discoverable reports plugins in the plugin directories of dir that OpenCode does not
// load from there, and that nothing else names.
func (c *checker) discoverable(dir string) {
	entries, _ := c.prog.Entries(dir) // what it cannot find is an error of the driver
	loaded := make(map[string]bool)
	for _, path := range entries {
		c.reach(path, loaded)
	}
	for _, config := range []string{dir, filepath.Join(dir, ".opencode")} {
		if base := filepath.Base(config); base != ".opencode" && base != "opencode" {
			continue
		}
		for _, name := range []string{"plugin", "plugins"} {
			c.pluginDir(filepath.Join(config, name), loaded)
		}
	}
}

// reach marks a module and those of its tree that it imports.
func (c *checker) reach(path string, loaded map[string]bool) {
	if loaded[path] || !js.Supported(path) {
		return
	}
	loaded[path] = true
	m, err := c.prog.Load(path)
	if err != nil {
		return
	}
	for _, specifier := range finding.Specifiers(m) {
		if target, err := c.prog.Resolve(m, specifier); err == nil && isRelative(specifier) {
			c.reach(target, loaded)
		}
	}
}

// pluginDir looks through one plugin directory.
func (c *checker) pluginDir(dir string, loaded map[string]bool) {
	// A directory that cannot be read holds no plugin for OpenCode either.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !d.Type().IsRegular() || loaded[path] || !js.Supported(path) || filepath.Ext(path) == ".json":
			return nil
		}
		m, err := c.prog.Load(path)
		if err != nil {
			return nil
		}
		if at, ok := c.pluginExport(m); ok {
			c.hidden(dir, m, at)
		}
		return nil
	})
}

// pluginExport returns the export by which a module is surely a plugin.
func (c *checker) pluginExport(m *js.Module) (js.Span, bool) {
	exports, _ := c.prog.EntryExports(m)
	for _, e := range exports {
		objects, isV1 := c.prog.HooksOf(e)
		if isV1 && e.Name == "default" || slices.ContainsFunc(objects, c.meant) {
			return e.Via.Span, true
		}
	}
	return js.Span{}, false
}

func (c *checker) hidden(dir string, m *js.Module, at js.Span) {
	rel, err := filepath.Rel(dir, m.Path())
	if err != nil {
		return
	}
	why := "the extension " + filepath.Ext(rel)
	if filepath.Dir(rel) != "." {
		why = "a directory below it"
	} else if ext := filepath.Ext(rel); ext == ".js" || ext == ".ts" {
		return
	}
	c.report("notdiscoverable", m, at, "OpenCode %s never loads this plugin: in %s it looks for .js and .ts files only, not for %s (move it, or name it in the plugin list of opencode.json)",
		c.table.Version(), filepath.Base(dir), why)
}

// packageEntry checks that the package in dir has the entry that OpenCode looks for.
func (c *checker) packageEntry(dir string) {
	e, err := c.prog.PackageEntry(dir)
	if err != nil || e.Manifest == nil {
		return
	}
	if e.Path == "" {
		c.missingEntry(dir, e)
	}
	engines := e.Value.Get("engines").Get("opencode")
	if engines.Kind == js.String && c.excludes(engines.Str) {
		c.report("packageentry", e.Manifest, engines.Span, "engines.opencode %q excludes OpenCode %s: it does not load the package",
			engines.Str, c.table.Version())
	}
}

func (c *checker) missingEntry(dir string, e js.PackageEntry) {
	if e.Named.Kind == js.String && e.Named.Str != "" {
		if c.saysPlugin(e.Value) {
			c.report("packageentry", e.Manifest, e.Named.Span, "the entry %s does not exist: OpenCode %s goes on without the plugin and leaves no trace (build it first, or correct the path)",
				e.Named.Str, c.table.Version())
		}
		return
	}
	exports := e.Value.Get("exports")
	if exports.Kind != js.Object || exports.Get("./tui").Kind != js.Undefined {
		return
	}
	main, err := c.prog.PackageMain(dir)
	if err != nil {
		return
	}
	m, err := c.prog.Load(main)
	if err != nil {
		return
	}
	if _, ok := c.pluginExport(m); !ok {
		return // a library
	}
	c.report("packageentry", e.Manifest, exports.Span, `exports has no "./server" and there is no main: OpenCode %s does not load the package and says nothing (add "./server", or main)`,
		c.table.Version())
}

// saysPlugin reports whether a package.json says that the package is for OpenCode.
func (c *checker) saysPlugin(manifest js.Value) bool {
	for _, group := range []string{"dependencies", "devDependencies", "peerDependencies"} {
		if manifest.Get(group).Get(hostPackage).Kind != js.Undefined {
			return true
		}
	}
	return strings.Contains(manifest.Get("name").Str, "opencode") || slices.ContainsFunc(manifest.Get("keywords").Elems, func(v js.Value) bool {
		return strings.Contains(v.Str, "opencode")
	})
}

// excludes reports whether a range of versions surely leaves out the host.
func (c *checker) excludes(text string) bool {
	r, err := parseRange(text)
	return err == nil && !r.contains(c.table.Version())
}
