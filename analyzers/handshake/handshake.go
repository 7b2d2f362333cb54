package handshake

import (
	_ "embed"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/goflow"
	"github.com/ngvet/ngvet/plugin"
)

//go:embed doc.go
var doc string

// Check is the handshake analyzer with its rules.
var Check = &finding.Check{
	Analyzer: &analysis.Analyzer{
		Name:      "handshake",
		Doc:       finding.Doc(doc),
		URL:       finding.URL("handshake"),
		Requires:  []*analysis.Analyzer{goflow.SSA},
		FactTypes: []analysis.Fact{new(does)},
		Run:       run,
	},
	Rules: []finding.Rule{
		{Name: ruleDropped, Severity: finding.Error},
		{Name: ruleHalf, Severity: finding.Error},
		{Name: ruleNonce, Severity: finding.Error},
		{Name: ruleStale, Severity: finding.Warning},
		{Name: ruleNested, Severity: finding.Error},
		{Name: ruleExists, Severity: finding.Error},
	},
	Scope: finding.Scope{
		Imports:    []string{corePath},
		Commands:   []string{"opencode"},
		Annotated:  true,
		Bodies:     true,
		Everywhere: true,
	},
}

const (
	ruleDropped = "dropped"
	ruleHalf    = "half"
	ruleNonce   = "nonce"
	ruleStale   = "stale"
	ruleNested  = "nested"
	ruleExists  = "exists"

	corePath   = "github.com/ngvet/ngvet/ngcore"
	configName = corePath + ".HandshakeConfig"
)

// does is what the exported functions of a package do, by the names of the questions.
type does struct{ goflow.Answers }

// half is one half of the handshake.
type half struct {
	calls    map[string]bool // functions of ngcore whose error is its verdict
	verifies *goflow.Question
	verdict  *goflow.Question // of a function whose error is the verdict
	alone    string           // what a run with this half alone lacks
}

var (
	loaded = newHalf("loading",
		"this run proves that the plugin loaded and never that it was in time: tools may have run before it gated; call ngcore.VerifyNotLate (or Handshake.Exit) when OpenCode has ended",
		corePath+".VerifyLoaded", "(*"+corePath+".Handshake).StepStart", "(*"+corePath+".Handshake).ToolUse")
	late = newHalf("lateness",
		"this run never proves that the plugin loaded: VerifyNotLate passes a run without tool calls and speaks only at exit; call ngcore.VerifyLoaded at the first step_start",
		corePath+".VerifyNotLate", "(*"+corePath+".Handshake).Exit")
)

func newHalf(of, alone string, calls ...string) *half {
	h := &half{calls: make(map[string]bool), alone: alone}
	for _, name := range calls {
		h.calls[name] = true
	}
	is := func(call ssa.CallInstruction) bool { return h.calls[goflow.Name(call)] }
	h.verifies = &goflow.Question{Name: "verifies " + of, Is: is}
	h.verdict = &goflow.Question{Name: "returns the verdict on " + of, Is: is, Result: true}
	return h
}

var (
	deletes = &goflow.Question{Name: "deletes a sentinel", Is: isCallOf(corePath + ".DeleteStaleSentinel")}
	nonces  = &goflow.Question{Name: "returns a nonce", Is: isCallOf(corePath + ".NewNonce"), Result: true}
	environ = &goflow.Question{Name: "returns the environment of a handshake", Is: isCallOf("(" + configName + ").ChildEnv"), Result: true}
)

// reads is what a call does that gets at the content of a file.
var reads = &goflow.Use{Name: "reads the file at", Of: func(call ssa.CallInstruction) ssa.Value {
	switch goflow.Name(call) {
	case "os.ReadFile", "os.Open", "os.OpenFile":
		return goflow.Arg(call, 0)
	}
	return nil
}}

func isCallOf(name string) func(ssa.CallInstruction) bool {
	return func(call ssa.CallInstruction) bool { return goflow.Name(call) == name }
}

// checker checks one package.
type checker struct {
	pass  *analysis.Pass
	pkg   *goflow.Package
	funcs []*ssa.Function // those of files that are no tests

	judging *goflow.Question
}

func run(pass *analysis.Pass) (any, error) {
	if goflow.InStandard(pass) || pass.Pkg.Path() == corePath {
		return nil, nil // the two halves are made of each other there
	}
	c := &checker{pass: pass, pkg: goflow.Of(pass, new(does))}
	c.judging = &goflow.Question{Name: "judges a sentinel", Is: c.judges}
	for _, fn := range c.pkg.Funcs {
		if !strings.HasSuffix(finding.Position(pass.Fset, fn.Pos()).Filename, "_test.go") {
			c.funcs = append(c.funcs, fn)
		}
	}
	c.alone(loaded, late)
	c.alone(late, loaded)
	for _, fn := range c.funcs {
		c.dropped(fn)
		c.early(fn)
		c.nonces(fn)
		c.starts(fn)
		c.exists(fn)
	}
	c.pkg.Export(goflow.Asked{
		Questions: []*goflow.Question{deletes, nonces, environ, c.judging, loaded.verifies, late.verifies, loaded.verdict, late.verdict},
		Uses:      []*goflow.Use{reads},
	})
	return nil, nil
}

// report reports a rule at an instruction.
func (c *checker) report(rule string, at ssa.Instruction, message string) {
	node := goflow.Node(c.pass, at)
	if node == nil {
		return
	}
	c.pass.Report(analysis.Diagnostic{Category: rule, Pos: node.Pos(), End: node.End(), Message: message})
}

// verifies reports whether any function of the package comes to one half of the handshake,
// or names a function of it without calling it.
func (c *checker) verifies(h *half) bool {
	for _, fn := range c.pkg.Funcs {
		for instr := range goflow.Instrs(fn) {
			call, isCall := instr.(ssa.CallInstruction)
			if isCall && c.pkg.Performs(call, h.verifies) || namesAny(instr, h.calls) {
				return true
			}
		}
	}
	return false
}

// namesAny reports whether an instruction uses one of the functions as a value.
func namesAny(instr ssa.Instruction, names map[string]bool) bool {
	for _, op := range instr.Operands(nil) {
		if fn, ok := (*op).(*ssa.Function); ok && fn.Object() != nil {
			if obj, ok := fn.Object().(*types.Func); ok && names[obj.FullName()] {
				return true
			}
		}
	}
	return false
}

// isConfigField reports whether an address is the named field of a HandshakeConfig.
func isConfigField(addr ssa.Value, name string) bool {
	field, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	pointer, ok := types.Unalias(field.X.Type()).Underlying().(*types.Pointer)
	if !ok || types.TypeString(types.Unalias(pointer.Elem()), nil) != configName {
		return false
	}
	config, ok := pointer.Elem().Underlying().(*types.Struct)
	return ok && config.Field(field.Field).Name() == name
}

// noncePrefix begins the entry of an environment that carries the nonce.
const noncePrefix = plugin.EnvNonce + "="
