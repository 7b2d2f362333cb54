// Package goflow answers questions about the flow of control and values in one Go package:
// what a call calls, whether two expressions name the same path, what can run after what,
// and where a value goes. It rests on go/ssa.
//
// It looks at the bodies of one package. What an exported function of another package does
// comes from the facts that its check exported there ([Package.Export]); the driver of
// ngvet shows the packages of the main module and those replaced by a directory. Of any
// other function the name and type alone are known; what it does is never guessed in a way
// that makes a check speak.
package goflow

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/finding"
)

// SSA is the analyzer that builds the functions of a package once for all checks, when the
// first of them asks: under go vet most packages are none that a check looks at. It has no
// facts, unlike buildssa and ctrlflow, which need those of every dependency.
var SSA = &analysis.Analyzer{
	Name:       "goflow",
	Doc:        "builds the flow of a Go package for the other analyzers",
	ResultType: reflect.TypeFor[func() *Package](),
	Run: func(pass *analysis.Pass) (any, error) {
		return sync.OnceValue(func() *Package { return build(pass) }), nil
	},
}

// Package is one package in SSA form, as one check sees it. It is not safe for concurrent
// use.
type Package struct {
	Funcs []*ssa.Function // functions with a body in source order, literals after their owner

	callers map[*ssa.Function][]ssa.CallInstruction
	pass    *analysis.Pass
	fact    Fact
	doers   map[*Question]map[*ssa.Function]bool
	users   map[*Use]map[*ssa.Function]int // the parameter, or -1
	facts   map[*types.Func][]string
}

// Of returns the package of a pass whose analyzer requires [SSA] and has the type of fact
// among its FactTypes. It panics where go/ssa does; the driver makes an error of that.
func Of(pass *analysis.Pass, fact Fact) *Package {
	p := *pass.ResultOf[SSA].(func() *Package)()
	p.pass, p.fact = pass, fact
	p.doers = make(map[*Question]map[*ssa.Function]bool)
	p.users = make(map[*Use]map[*ssa.Function]int)
	p.facts = make(map[*types.Func][]string)
	return &p
}

// InStandard reports whether a pass is over a package of the standard library: a driver that
// asks for facts about those as well need not pay for them.
func InStandard(pass *analysis.Pass) bool {
	return len(pass.Files) > 0 && finding.InStandard(pass.Fset, pass.Files[0].Package)
}

// IsStandard reports whether a function is one of the standard library, as far as its import
// path tells: the first element has no dot, and is not that of this package.
func (p *Package) IsStandard(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true // error.Error
	}
	first, _, _ := strings.Cut(fn.Pkg().Path(), "/")
	own, _, _ := strings.Cut(p.pass.Pkg.Path(), "/")
	return first != own && !strings.Contains(first, ".")
}

func build(pass *analysis.Pass) *Package {
	prog := ssa.NewProgram(pass.Fset, ssa.BuilderMode(0))
	prog.SetNoReturn(NoReturn)
	for _, imported := range pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	out := &Package{callers: make(map[*ssa.Function][]ssa.CallInstruction)}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if obj, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
				if fn := prog.FuncValue(obj); fn != nil {
					out.add(fn)
				}
			}
		}
	}
	for _, fn := range out.Funcs {
		for call := range Calls(fn) {
			if callee := call.Common().StaticCallee(); callee != nil {
				callee = declared(callee)
				out.callers[callee] = append(out.callers[callee], call)
			}
		}
	}
	return out
}

// add adds a function and the literals in it.
func (p *Package) add(fn *ssa.Function) {
	p.Funcs = append(p.Funcs, fn)
	for _, anon := range fn.AnonFuncs {
		p.add(anon)
	}
}

// Callers returns the calls of a function that name it, within the package.
func (p *Package) Callers(fn *ssa.Function) []ssa.CallInstruction { return p.callers[declared(fn)] }

// NoReturn reports whether a function is one of the standard library after which nothing runs.
func NoReturn(fn *types.Func) bool {
	switch fn.FullName() {
	case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln", "runtime.Goexit",
		"(*testing.common).Fatal", "(*testing.common).Fatalf", "(*testing.common).FailNow", "(*testing.common).Skip":
		return true
	}
	return false
}
