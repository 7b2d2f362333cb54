package finding

import (
	"bytes"
	"go/build"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/js"
)

// Program is the analyzer that gives all checks of one package the same [*js.Program], so
// that a module is parsed once. It reports nothing.
var Program = &analysis.Analyzer{
	Name:       "jsprogram",
	Doc:        "reads JavaScript modules for the other analyzers",
	ResultType: reflect.TypeFor[*js.Program](),
	Run: func(*analysis.Pass) (any, error) {
		// Not Pass.ReadFile: it refuses every file that is not part of the Go package.
		return js.NewProgram(ReadFile), nil
	},
}

// ProgramOf returns the program of a pass whose analyzer requires [Program].
func ProgramOf(pass *analysis.Pass) *js.Program {
	return pass.ResultOf[Program].(*js.Program)
}

// Positions maps places in modules to positions of one file set, so that a diagnostic can
// point into a file that is not Go. The zero value is not usable; a Positions is not safe
// for concurrent use.
type Positions struct {
	fset  *token.FileSet
	files map[string]region
}

// region is where the text of a module lies in a file.
type region struct {
	file *token.File
	base int
}

// NewPositions returns the mapping into fset.
func NewPositions(fset *token.FileSet) *Positions {
	return &Positions{fset: fset, files: make(map[string]region)}
}

// Embed says that the text of m lies in the file at path, whose content is given, from
// offset on. It is for modules that are members of an archive.
func (p *Positions) Embed(m *js.Module, path string, content []byte, offset int) {
	file := p.fset.AddFile(path, -1, len(content))
	file.SetLinesForContent(content)
	p.files[m.Path()] = region{file, offset}
}

// Range returns the positions of the two ends of a place.
func (p *Positions) Range(at Place) (pos, end token.Pos) {
	if _, ok := p.files[at.Module.Path()]; !ok {
		p.Embed(at.Module, at.Module.Path(), at.Module.Source(), 0)
	}
	r := p.files[at.Module.Path()]
	size := len(at.Module.Source())
	return r.file.Pos(r.base + min(at.Span.Start, size)), r.file.Pos(r.base + min(at.Span.End, size))
}

// Diagnostic converts a finding. Its Category is the rule's name.
func (p *Positions) Diagnostic(f Finding) analysis.Diagnostic {
	d := analysis.Diagnostic{Category: f.Rule, Message: f.Message}
	d.Pos, d.End = p.Range(f.At)
	for _, r := range f.Related {
		pos, end := p.Range(r.At)
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: pos, End: end, Message: r.Message})
	}
	for _, fix := range f.Fixes {
		s := analysis.SuggestedFix{Message: fix.Message}
		for _, e := range fix.Edits {
			pos, end := p.Range(e.At)
			s.TextEdits = append(s.TextEdits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(e.New)})
		}
		d.SuggestedFixes = append(d.SuggestedFixes, s)
	}
	return d
}

// Position returns the place of pos in the text as it lies on disk. Line directives do not
// count, except in the files that cgo makes of those that the user wrote.
func Position(fset *token.FileSet, pos token.Pos) token.Position {
	return fset.PositionFor(pos, !InSource(fset, pos))
}

// InSource reports whether the bytes at pos are those of a file that the user wrote, so
// that a fix may change them. What cgo made lies in the build cache under a name without
// extension, or in a work directory as x.cgo1.go.
func InSource(fset *token.FileSet, pos token.Pos) bool {
	name := fset.PositionFor(pos, false).Filename
	generated := filepath.Ext(name) != ".go" || strings.HasSuffix(name, ".cgo1.go")
	return !generated || fset.PositionFor(pos, true).Filename == name
}

// InStandard reports whether pos is in the standard library, about which checks know what
// they need by name.
func InStandard(fset *token.FileSet, pos token.Pos) bool {
	root := build.Default.GOROOT
	return root != "" && strings.HasPrefix(Position(fset, pos).Filename, root+string(filepath.Separator))
}

// runEmbedded runs a check of plugins on the plugins that a Go package embeds.
func runEmbedded(pass *analysis.Pass, run JSFunc, opts Options) error {
	paths, err := embedtree.Modules(pass.Fset, pass.Files)
	if err != nil {
		return err
	}
	prog := ProgramOf(pass)
	positions := NewPositions(pass.Fset)
	for _, entry := range Entries(prog, paths) {
		for _, f := range run(prog, entry, opts) {
			pass.Report(positions.Diagnostic(f))
		}
	}
	return nil
}

// Entries returns the plugin entries among the modules of an embedded tree: those that no
// other one imports and that say what they are, by the V1 shape or by naming OpenCode's
// package. A package may embed JavaScript for a browser; a function of it that returns an
// object is no plugin factory. Modules that cannot be read are left out.
func Entries(prog *js.Program, paths []string) []*js.Module {
	imported := make(map[string]bool)
	var modules []*js.Module
	for _, path := range paths {
		m, err := prog.Load(path)
		if err != nil {
			continue
		}
		modules = append(modules, m)
		for _, specifier := range Specifiers(m) {
			if target, err := prog.Resolve(m, specifier); err == nil && target != path {
				imported[target] = true
			}
		}
	}
	return slices.DeleteFunc(modules, func(m *js.Module) bool {
		return imported[m.Path()] || !isV1(m) && !bytes.Contains(m.Source(), []byte(hostPackage))
	})
}

// hostPackage is what a plugin imports its types from, also in a comment.
const hostPackage = "@opencode-ai/plugin"

// Specifiers returns what a module imports and re-exports from.
func Specifiers(m *js.Module) []string {
	var out []string
	for _, imp := range m.Imports() {
		out = append(out, imp.Specifier)
	}
	for _, e := range m.Exports() {
		if e.Specifier != "" {
			out = append(out, e.Specifier)
		}
	}
	return out
}

// isV1 reports whether the default export of a module is an object with a server.
func isV1(m *js.Module) bool {
	for _, e := range m.Exports() {
		if e.Name == "default" {
			props, ok := e.Value.Object()
			return ok && slices.ContainsFunc(props, func(p js.Prop) bool { return p.Key == "server" })
		}
	}
	return false
}
