package embedtree

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/goflow"
)

// lookups are the functions that look a slash-separated name up in an fs.FS, with the index
// of the first name among receiver and arguments, and whether more names follow.
var lookups = map[string]struct {
	first int
	more  bool
}{
	"(embed.FS).Open": {1, false}, "(embed.FS).ReadFile": {1, false}, "(embed.FS).ReadDir": {1, false},
	"(io/fs.FS).Open": {1, false}, "(io/fs.ReadFileFS).ReadFile": {1, false}, "(io/fs.ReadDirFS).ReadDir": {1, false},
	"(io/fs.StatFS).Stat": {1, false}, "(io/fs.SubFS).Sub": {1, false}, "(io/fs.GlobFS).Glob": {1, false},
	"io/fs.ReadFile": {1, false}, "io/fs.ReadDir": {1, false}, "io/fs.Stat": {1, false}, "io/fs.Sub": {1, false},
	"io/fs.Glob": {1, false}, "io/fs.WalkDir": {1, false},
	"text/template.ParseFS": {1, true}, "html/template.ParseFS": {1, true},
	"(*text/template.Template).ParseFS": {2, true}, "(*html/template.Template).ParseFS": {2, true},
	"net/http.ServeFileFS": {3, false},
}

// native are the functions whose result has the separator of the platform, with the one
// of package path that takes their place, if any.
var native = map[string]string{
	"path/filepath.Join": "Join", "path/filepath.Clean": "Clean", "path/filepath.Dir": "Dir",
	"path/filepath.Rel": "", "path/filepath.FromSlash": "", "path/filepath.Localize": "",
}

// transparent are the functions of strings that keep separators.
var transparent = map[string]bool{
	"path.Join": true, "path.Clean": true, "fmt.Sprintf": true, "strings.TrimPrefix": true, "strings.TrimSuffix": true,
	"strings.TrimSpace": true, "strings.ToLower": true, "strings.TrimLeft": true, "strings.TrimRight": true, "strings.Trim": true,
}

// does is the fact that a function looks one of its arguments up in an fs.FS.
type does struct{ goflow.Answers }

// lookedUp is the answer about the i-th argument, the receiver included.
func lookedUp(i int) string { return "looks up argument " + strconv.Itoa(i) }

// fsPaths reports names with the platform's separator that are looked up in an fs.FS.
func fsPaths(pass *analysis.Pass) {
	f := &fsPathFinder{
		pass: pass, pkg: goflow.Of(pass, new(does)),
		seen: make(map[ssa.CallInstruction]bool), params: make(map[*ssa.Parameter]bool),
	}
	for _, fn := range f.pkg.Funcs {
		if !f.isForWindows(fn.Pos()) {
			continue
		}
		for call := range goflow.Calls(fn) {
			for _, name := range f.names(call) {
				f.name(name, maxCallers)
			}
		}
	}
	f.pkg.Export(goflow.Asked{More: func(fn *ssa.Function) []string {
		var out []string
		for i, param := range fn.Params {
			if f.params[param] {
				out = append(out, lookedUp(i))
			}
		}
		return out
	}})
}

// names returns the names that a call looks up, itself or in a function of another package.
func (f *fsPathFinder) names(call ssa.CallInstruction) []ssa.Value {
	if at, ok := lookups[goflow.Name(call)]; ok {
		first := goflow.Arg(call, at.first)
		if at.more {
			return append(goflow.Elements(first), first)
		}
		return []ssa.Value{first}
	}
	var out []ssa.Value
	for i, arg := range goflow.Args(call) {
		if f.pkg.Says(call, lookedUp(i)) {
			out = append(out, arg)
		}
	}
	return out
}

// maxCallers bounds how many calls up a name is followed.
const maxCallers = 4

type fsPathFinder struct {
	pass *analysis.Pass
	pkg  *goflow.Package
	seen map[ssa.CallInstruction]bool

	params map[*ssa.Parameter]bool // that are looked up
}

// name follows the name that a lookup gets to what made it.
func (f *fsPathFinder) name(v ssa.Value, depth int) {
	if v == nil || depth == 0 {
		return
	}
	goflow.Sources(v, func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Call:
			name := goflow.Name(v)
			if _, ok := native[name]; ok {
				f.report(v, name)
				return false
			}
			return transparent[name]
		case *ssa.Parameter:
			f.params[v] = true
			f.callers(v, depth)
		}
		return true
	})
}

// callers follows a parameter to what the package passes for it.
func (f *fsPathFinder) callers(p *ssa.Parameter, depth int) {
	for i, param := range p.Parent().Params {
		if param != p {
			continue
		}
		for _, call := range f.pkg.Callers(p.Parent()) {
			f.name(goflow.Arg(call, i), depth-1)
		}
	}
}

func (f *fsPathFinder) report(call *ssa.Call, name string) {
	node, ok := goflow.Node(f.pass, call).(*ast.CallExpr)
	if !ok || f.seen[call] || !f.isForWindows(node.Pos()) {
		return
	}
	f.seen[call] = true
	d := analysis.Diagnostic{Category: ruleFSPath, Pos: node.Pos(), End: node.End()}
	if instead := native[name]; instead != "" {
		d.Message = fmt.Sprintf("names in an fs.FS have slashes everywhere, but %s makes backslashes on Windows: the file is not found there; use path.%s", short(name), instead)
		if edits := f.edits(node, instead); edits != nil {
			d.SuggestedFixes = []analysis.SuggestedFix{{Message: "use path." + instead, TextEdits: edits}}
		}
	} else {
		d.Message = fmt.Sprintf("names in an fs.FS have slashes everywhere, but %s makes backslashes on Windows: the file is not found there; use filepath.ToSlash on it", short(name))
	}
	f.pass.Report(d)
}

func short(name string) string { return strings.TrimPrefix(name, "path/") }

// edits replace filepath.X by path.X, with the import, or are nil where that would not
// compile or would capture another name.
func (f *fsPathFinder) edits(call *ast.CallExpr, instead string) []analysis.TextEdit {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil // dot import, function value
	}
	old, ok := sel.X.(*ast.Ident)
	if !ok {
		return nil
	}
	file := f.fileOf(call.Pos())
	last := f.uses(file, old) == 1
	name := goflow.ImportName(f.pass, call, "path")
	switch {
	case name != "" && !last:
		return []analysis.TextEdit{{Pos: sel.Pos(), End: sel.End(), NewText: []byte(name + "." + instead)}}
	case name != "" || !last || !f.isFree("path", call):
		return nil // an import would have to go or come, and others may need it
	}
	for _, spec := range file.Imports {
		if spec.Path.Value == `"path/filepath"` && spec.Name == nil {
			return []analysis.TextEdit{
				{Pos: spec.Pos(), End: spec.End(), NewText: []byte(`"path"`)},
				{Pos: sel.Pos(), End: sel.End(), NewText: []byte("path." + instead)},
			}
		}
	}
	return nil
}

// uses counts the uses of an imported package in a file.
func (f *fsPathFinder) uses(file *ast.File, name *ast.Ident) int {
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && f.pass.TypesInfo.Uses[id] == f.pass.TypesInfo.Uses[name] {
			n++
		}
		return true
	})
	return n
}

// isFree reports whether nothing at a node has a name.
func (f *fsPathFinder) isFree(name string, at ast.Node) bool {
	scope := f.pass.Pkg.Scope().Innermost(at.Pos())
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(name, at.Pos())
	return obj == nil && f.pass.Pkg.Scope().Lookup(name) == nil
}

func (f *fsPathFinder) fileOf(pos token.Pos) *ast.File {
	for _, file := range f.pass.Files {
		if file.FileStart <= pos && pos < file.FileEnd {
			return file
		}
	}
	return nil
}

// isForWindows reports whether the file of a position can be part of a build for Windows.
// Elsewhere both separators are one.
func (f *fsPathFinder) isForWindows(pos token.Pos) bool {
	file := f.fileOf(pos)
	if file == nil {
		return true // synthetic
	}
	name := strings.TrimSuffix(filepath.Base(finding.Position(f.pass.Fset, file.FileStart).Filename), ".go")
	for i, word := range strings.Split(strings.TrimSuffix(name, "_test"), "_") {
		if i > 0 && otherSystems[word] {
			return false
		}
	}
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			if expr, err := constraint.Parse(c.Text); err == nil && constraint.IsGoBuild(c.Text) {
				return expr.Eval(func(tag string) bool { return !otherSystems[tag] && tag != "unix" })
			}
		}
	}
	return true
}

// otherSystems are the values of GOOS but windows.
var otherSystems = map[string]bool{
	"aix": true, "android": true, "darwin": true, "dragonfly": true, "freebsd": true, "illumos": true, "ios": true, "js": true,
	"linux": true, "netbsd": true, "openbsd": true, "plan9": true, "solaris": true, "wasip1": true,
}
