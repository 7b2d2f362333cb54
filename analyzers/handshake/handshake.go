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
		Name:     "handshake",
		Doc:      finding.Doc(doc),
		URL:      finding.URL("handshake"),
		Requires: []*analysis.Analyzer{goflow.SSA},
		Run:      run,
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

// The two halves of the handshake, by the functions whose error is the verdict.
var (
	loadedCalls = map[string]bool{
		corePath + ".VerifyLoaded":                true,
		"(*" + corePath + ".Handshake).StepStart": true,
		"(*" + corePath + ".Handshake).ToolUse":   true,
	}
	lateCalls = map[string]bool{
		corePath + ".VerifyNotLate":          true,
		"(*" + corePath + ".Handshake).Exit": true,
	}
)

func isLoaded(call ssa.CallInstruction) bool { return loadedCalls[goflow.Name(call)] }
func isLate(call ssa.CallInstruction) bool   { return lateCalls[goflow.Name(call)] }
func isVerdict(call ssa.CallInstruction) bool {
	return isLoaded(call) || isLate(call)
}

func isDelete(call ssa.CallInstruction) bool {
	return goflow.Name(call) == corePath+".DeleteStaleSentinel"
}

func isNewNonce(call ssa.CallInstruction) bool { return goflow.Name(call) == corePath+".NewNonce" }

// checker checks one package.
type checker struct {
	pass  *analysis.Pass
	pkg   *goflow.Package
	funcs []*ssa.Function // those of files that are no tests
}

func run(pass *analysis.Pass) (any, error) {
	if pass.Pkg.Path() == corePath {
		return nil, nil // the two halves are made of each other there
	}
	c := &checker{pass: pass, pkg: goflow.Of(pass)}
	for _, fn := range c.pkg.Funcs {
		if !strings.HasSuffix(finding.Position(pass.Fset, fn.Pos()).Filename, "_test.go") {
			c.funcs = append(c.funcs, fn)
		}
	}
	c.halves()
	for _, fn := range c.funcs {
		c.dropped(fn)
		c.early(fn)
		c.nonces(fn)
		c.starts(fn)
		c.exists(fn)
	}
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

// does reports whether any function of the package holds such a call, or names the
// function without calling it.
func (c *checker) does(is func(ssa.CallInstruction) bool, names map[string]bool) bool {
	for _, fn := range c.pkg.Funcs {
		for call := range goflow.Calls(fn) {
			if is(call) {
				return true
			}
		}
		for instr := range goflow.Instrs(fn) {
			if namesAny(instr, names) {
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
