package pluginload

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/pluginhooks"
	"github.com/ngvet/ngvet/ngcore/host"
)

//go:embed doc.go
var doc string

// Check finds plugins that OpenCode does not load, loads twice, or dies of.
var Check = newCheck()

func newCheck() *finding.Check {
	c := finding.NewJS("pluginload", finding.Doc(doc), []finding.Rule{
		{Name: "valueexport", Severity: finding.Error},
		{Name: "helperexport", Severity: finding.Error},
		{Name: "v1shape", Severity: finding.Error},
		{Name: "doublefactory", Severity: finding.Error},
		{Name: "unbounddefault", Severity: finding.Error},
		{Name: "notdiscoverable", Severity: finding.Error},
		{Name: "packageentry", Severity: finding.Error},
		{Name: "returnsnothing", Severity: finding.Error},
		{Name: "throwsatinit", Severity: finding.Warning},
		{Name: "swallowedimport", Severity: finding.Warning, Off: true},
	}, run)
	c.Dir = runDir
	return c
}

// hostPackage is what a plugin imports its types from.
const hostPackage = "@opencode-ai/plugin"

func run(prog *js.Program, entry *js.Module, opts finding.Options) []finding.Finding {
	c, ok := newChecker(prog, opts)
	if !ok {
		return nil // hookname reports a version that is not known, and modules that cannot be read
	}
	c.entry = entry
	c.exports, _ = prog.EntryExports(entry)
	c.objects, _ = prog.Hooks(entry)
	c.unbound()
	v1, decided := c.v1()
	if !v1 && !c.isPlugin() {
		return c.found // a library, or what cannot be judged
	}
	if !v1 && decided {
		c.legacy()
	}
	c.factories()
	c.swallowed(entry, make(map[*js.Module]bool))
	return c.found
}

// checker is one run of the check.
type checker struct {
	prog    *js.Program
	table   *host.Table
	entry   *js.Module
	exports []js.EntryExport
	objects []js.HooksObject
	found   []finding.Finding
}

func newChecker(prog *js.Program, opts finding.Options) (*checker, bool) {
	table, err := host.Lookup(cmp.Or(opts.Host, host.Default))
	return &checker{prog: prog, table: table}, err == nil
}

func (c *checker) report(rule string, m *js.Module, span js.Span, format string, args ...any) *finding.Finding {
	c.found = append(c.found, finding.Finding{
		Rule: rule, At: finding.Place{Module: m, Span: span}, Message: fmt.Sprintf(format, args...),
	})
	return &c.found[len(c.found)-1]
}

// meant reports whether an object is surely that of a plugin.
func (c *checker) meant(o js.HooksObject) bool {
	return o.Factory == js.FactoryServer || pluginhooks.Meant(c.prog, c.table, o)
}

// isPlugin reports whether the entry is surely one: a factory of it returns hooks, or it
// says so by naming OpenCode's package. The main module of a package may be any library.
func (c *checker) isPlugin() bool {
	return slices.ContainsFunc(c.objects, c.meant) || bytes.Contains(c.entry.Source(), []byte(hostPackage))
}

// defaultExport returns the default export of the entry.
func (c *checker) defaultExport() (js.EntryExport, bool) {
	i := slices.IndexFunc(c.exports, func(e js.EntryExport) bool { return e.Name == "default" })
	if i < 0 {
		return js.EntryExport{}, false
	}
	return c.exports[i], true
}

// shown names an export in a message.
func (c *checker) shown(e js.EntryExport) string {
	if e.Via.Name == "*" {
		return fmt.Sprintf("%s (of %s)", e.Name, e.Via.Specifier)
	}
	return e.Name
}

// unexport is the fix of an export that should not be one: its declaration stays. There is
// none when a module of the plugin imports it from the entry.
func (c *checker) unexport(e js.EntryExport) []finding.Fix {
	const keyword = "export "
	stmt := e.Via.Stmt
	node := e.Via.Value.Node
	for node != nil && node.Type != js.ExportDecl {
		node = node.Parent
	}
	text := c.entry.Text(stmt)
	if node == nil || len(text) < len(keyword) || text[:len(keyword)] != keyword || declares(node.Kids[0]) != 1 || c.isImported(e.Name) {
		return nil
	}
	return []finding.Fix{{
		Message: "do not export " + e.Name,
		Edits:   []finding.Edit{{At: finding.Place{Module: c.entry, Span: js.Span{Start: stmt.Start, End: stmt.Start + len(keyword)}}}},
	}}
}

// isImported reports whether a module that the entry imports takes a name, or everything,
// from the entry.
func (c *checker) isImported(name string) bool {
	tree := make(map[string]bool)
	c.reach(c.entry.Path(), tree)
	for path := range tree {
		m, err := c.prog.Load(path)
		if err != nil {
			continue
		}
		for _, imp := range m.Imports() {
			if imp.Imported != name && imp.Imported != "*" {
				continue
			}
			if target, err := c.prog.Resolve(m, imp.Specifier); err == nil && target == c.entry.Path() {
				return true
			}
		}
	}
	return false
}

// declares counts the names that a declaration declares; 0 is a pattern.
func declares(decl *js.Node) int {
	if decl.Type != js.VarDecl {
		return 1
	}
	for _, d := range decl.Kids {
		if d.Kids[0].Type != js.Ident {
			return 0
		}
	}
	return len(decl.Kids)
}

// isPackageEntry reports whether OpenCode takes the entry from a package, which has a name
// of its own, and not from a path.
func (c *checker) isPackageEntry() bool {
	for dir := filepath.Dir(c.entry.Path()); ; dir = filepath.Dir(dir) {
		e, err := c.prog.PackageEntry(dir)
		if err != nil {
			return false
		}
		if e.Manifest != nil {
			return e.Path == c.entry.Path()
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
