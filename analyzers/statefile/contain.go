package statefile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// pathMakers are functions whose result is a path in the file system.
var pathMakers = []string{
	"path/filepath.Join", "path/filepath.Clean", "path/filepath.Abs", "path/filepath.EvalSymlinks", "path/filepath.Dir",
	"os.Getwd", "os.UserHomeDir", "os.TempDir", "os.MkdirTemp", "os.Executable",
}

// prefix reports tests of whether a path is inside a directory that take /root-other for
// inside of /root.
func (c *checker) prefix(fn *ssa.Function) {
	for test := range goflow.Calls(fn) {
		if goflow.Name(test) != "strings.HasPrefix" {
			continue
		}
		path, root := goflow.Arg(test, 0), goflow.Arg(test, 1)
		if !isPath(path) || !isDirectory(root) || c.comparesNext(fn, path) {
			continue
		}
		c.reportFix(rulePrefix, test, c.separated(test), "a prefix is no containment: with the root /srv/run this takes /srv/run-other for inside; compare with the root and a separator, or use filepath.Rel and filepath.IsLocal")
	}
}

// isPath reports whether a value is the result of a function that makes paths.
func isPath(v ssa.Value) bool {
	v = goflow.Bare(v)
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	switch v := v.(type) {
	case *ssa.Call:
		return slices.Contains(pathMakers, goflow.Name(v))
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !isPhi(e) && isPath(e) })
	}
	return false
}

func isPhi(v ssa.Value) bool {
	_, ok := v.(*ssa.Phi)
	return ok
}

// isDirectory reports whether a value is a directory without a separator at its end, known
// only at run time.
func isDirectory(root ssa.Value) bool {
	root = goflow.Bare(root)
	if phi, ok := root.(*ssa.Phi); ok {
		// One that gets a separator where it has none is no directory without one.
		return !slices.ContainsFunc(phi.Edges, isSum) && isPath(phi)
	}
	if isPath(root) {
		return true
	}
	switch v := root.(type) {
	case *ssa.Parameter, *ssa.UnOp, *ssa.Field:
		// A field or parameter may hold the separator; its name decides, and only for roots.
		return hasRootName(v)
	}
	return false
}

func isSum(v ssa.Value) bool {
	sum, ok := goflow.Bare(v).(*ssa.BinOp)
	return ok && sum.Op == token.ADD
}

func hasRootName(v ssa.Value) bool {
	name := v.Name()
	if field, ok := goflow.Field(v); ok {
		if s, ok := field.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); ok {
			name = s.Field(field.Field).Name()
		}
	}
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "root") || strings.HasSuffix(name, "dir") || strings.HasSuffix(name, "directory")
}

// comparesNext reports whether the function looks at single bytes of the path, or tests it
// in another way as well.
func (c *checker) comparesNext(fn *ssa.Function, path ssa.Value) bool {
	for instr := range goflow.Instrs(fn) {
		switch instr := instr.(type) {
		case *ssa.Lookup:
			if c.pkg.Same(instr.X, path) {
				return true
			}
		case *ssa.Index:
			if c.pkg.Same(instr.X, path) {
				return true
			}
		case *ssa.Call:
			switch goflow.Name(instr) {
			case "path/filepath.Rel", "path/filepath.IsLocal", "os.IsPathSeparator":
				return true
			}
		}
	}
	return false
}

// separated is the fix for operands without effects.
func (c *checker) separated(test ssa.CallInstruction) *analysis.SuggestedFix {
	call, ok := goflow.Node(c.pass, test).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !isPlain(call.Args[0]) || !isPlain(call.Args[1]) {
		return nil
	}
	name := goflow.ImportName(c.pass, call, "path/filepath")
	fun, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if name == "" || !ok {
		return nil
	}
	path, root := types.ExprString(call.Args[0]), types.ExprString(call.Args[1])
	text := "(" + path + " == " + root + " || " + types.ExprString(fun) + "(" + path + ", " + root + "+string(" + name + ".Separator)))"
	return replace("compare with a separator", call, text)
}

// isPlain reports whether an expression is a name or a field.
func isPlain(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPlain(e.X)
	}
	return false
}

// outside reports files that are opened at a path which a request or an archive chooses.
func (c *checker) outside(fn *ssa.Function) {
	for open := range goflow.Calls(fn) {
		if !opens(open) {
			continue
		}
		name := untrusted(goflow.Arg(open, 0))
		if name == nil || c.isChecked(fn, goflow.Arg(open, 0), name) || c.isHandedOut(name) {
			continue
		}
		c.report(ruleOutside, open, "the name comes from outside and may hold .. or lead through a symbolic link: the file may lie outside of the directory; open it through os.OpenRoot")
	}
}

func opens(call ssa.CallInstruction) bool {
	switch goflow.Name(call) {
	case "os.Open", "os.OpenFile", "os.Create", "os.ReadFile", "os.WriteFile", "io/ioutil.ReadFile", "io/ioutil.WriteFile", "os.Remove", "os.RemoveAll":
		return true
	}
	return false
}

// untrusted returns the part of a joined path that a request or an archive holds.
func untrusted(path ssa.Value) (name ssa.Value) {
	joined := false
	goflow.Sources(path, func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Call:
			switch goflow.Name(v) {
			case "path/filepath.Join", "path.Join":
				joined = true
				return true
			case "path/filepath.FromSlash", "path/filepath.Clean", "path.Clean", "strings.TrimPrefix", "strings.TrimSuffix", "fmt.Sprintf":
				return true
			case "(*net/http.Request).PathValue", "(*net/http.Request).FormValue", "(*net/http.Request).PostFormValue", "(net/url.Values).Get":
				name = v
			}
			return false
		case *ssa.BinOp:
			joined = joined || v.Op == token.ADD
		case *ssa.UnOp:
			if field, ok := v.X.(*ssa.FieldAddr); ok && isForeignName(field) {
				name = v
			}
		}
		return true
	})
	if !joined {
		return nil
	}
	return name
}

// isForeignName reports whether a field holds a name that someone else chose.
func isForeignName(at *ssa.FieldAddr) bool {
	ptr, ok := at.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	switch named.Obj().Pkg().Path() + "." + named.Obj().Name() + "." + s.Field(at.Field).Name() {
	case "archive/tar.Header.Name", "archive/zip.FileHeader.Name", "archive/zip.File.Name", "net/url.URL.Path", "mime/multipart.FileHeader.Filename":
		return true
	}
	return false
}

// isChecked reports whether anything looks at the name or at the joined path: a test of the
// standard library, a comparison, or a function whose body may do so.
func (c *checker) isChecked(fn *ssa.Function, path, name ssa.Value) bool {
	for call := range goflow.Calls(fn) {
		called := goflow.Name(call)
		switch called {
		case "path/filepath.IsLocal", "path/filepath.Rel", "strings.HasPrefix", "strings.Contains", "path/filepath.Base", "path.Base", "path/filepath.Localize":
		default:
			if fn := goflow.Func(call); fn == nil || c.pkg.IsStandard(fn) {
				continue
			}
		}
		for _, arg := range goflow.Args(call) {
			if c.pkg.Same(arg, path) || goflow.Reaches(name)[arg] || c.isMadeOf(arg, name) {
				return true
			}
		}
	}
	return isRooted(path)
}

// isHandedOut reports whether a name is out of what a function outside of the standard library
// returned, which may have looked at every name in it, or out of a request made here.
func (c *checker) isHandedOut(name ssa.Value) bool {
	found := false
	goflow.Sources(name, func(v ssa.Value) bool {
		if call, ok := v.(*ssa.Call); ok {
			fn := goflow.Func(call)
			found = found || fn != nil && !c.pkg.IsStandard(fn) || strings.HasPrefix(goflow.Name(call), "net/http.NewRequest")
		}
		return !found
	})
	return found
}

// isMadeOf reports whether a value is made of another, or of the same read again.
func (c *checker) isMadeOf(v, name ssa.Value) bool {
	found := false
	goflow.Sources(v, func(v ssa.Value) bool {
		found = found || c.pkg.Same(v, name)
		return !found
	})
	return found
}

// isRooted reports whether a path is cleaned as an absolute one first, as in
// path.Clean("/" + name), which takes every .. out of it.
func isRooted(path ssa.Value) bool {
	found := false
	goflow.Sources(path, func(v ssa.Value) bool {
		call, ok := v.(*ssa.Call)
		if !ok {
			return true
		}
		switch goflow.Name(call) {
		case "path.Clean", "path/filepath.Clean":
			if sum, ok := goflow.Bare(goflow.Arg(call, 0)).(*ssa.BinOp); ok {
				text, ok := goflow.Text(sum.X)
				found = found || ok && strings.HasPrefix(text, "/")
			}
		case "path.Join", "path/filepath.Join":
			if parts := goflow.Elements(goflow.Arg(call, 0)); len(parts) > 0 && parts[0] != nil {
				text, ok := goflow.Text(parts[0])
				found = found || ok && text == "/"
			}
		}
		return true
	})
	return found
}
