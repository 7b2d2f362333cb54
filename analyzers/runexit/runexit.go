package runexit

import (
	_ "embed"
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/goflow"
)

//go:embed doc.go
var doc string

// Check is the runexit analyzer with its rules.
var Check = &finding.Check{
	Analyzer: &analysis.Analyzer{
		Name:      "runexit",
		Doc:       finding.Doc(doc),
		URL:       finding.URL("runexit"),
		Requires:  []*analysis.Analyzer{goflow.SSA},
		FactTypes: []analysis.Fact{new(does)},
		Run:       run,
	},
	Rules: []finding.Rule{
		{Name: ruleEarlyRead, Severity: finding.Error},
		{Name: ruleWaitDelay, Severity: finding.Error},
		{Name: ruleWaitDelayErr, Severity: finding.Warning},
		{Name: ruleNoDeadline, Severity: finding.Warning},
		{Name: ruleTestBinary, Severity: finding.Warning},
	},
	Scope: finding.Scope{
		Imports:    []string{corePath, stagePath},
		Commands:   []string{"opencode"},
		Annotated:  true,
		Everywhere: true,
		Bodies:     true,
	},
}

const (
	ruleEarlyRead    = "earlyread"
	ruleWaitDelay    = "waitdelay"
	ruleWaitDelayErr = "waitdelayerr"
	ruleNoDeadline   = "nodeadline"
	ruleTestBinary   = "testbinary"

	corePath  = "github.com/ngvet/ngvet/ngcore"
	stagePath = corePath + "/stage"
)

// does is what the exported functions of a package do, by the names of the questions.
type does struct{ goflow.Answers }

var waitsForVerdict = &goflow.Question{Name: "waits for an event", Is: waitsForEvent}

// knowsDelay is the answer about a function that leaves exec.ErrWaitDelay out.
const knowsDelay = "knows exec.ErrWaitDelay"

// checker checks one package.
type checker struct {
	pass *analysis.Pass
	pkg  *goflow.Package
	ends *goflow.Question
}

func run(pass *analysis.Pass) (any, error) {
	if goflow.InStandard(pass) {
		return nil, nil
	}
	c := &checker{pass: pass, pkg: goflow.Of(pass, new(does))}
	c.ends = &goflow.Question{Name: "ends a run", Is: c.endsRun}
	for _, fn := range c.pkg.Funcs {
		c.earlyRead(fn)
		for call := range goflow.Calls(fn) {
			if cmd, ok := newCommand(c.pkg, call); ok {
				c.command(cmd)
			}
		}
		c.testBinary(fn)
	}
	c.pkg.Export(goflow.Asked{Questions: []*goflow.Question{c.ends, waitsForVerdict}, More: answerDelay})
	return nil, nil
}

// command checks one command that the package makes.
func (c *checker) command(cmd *command) {
	if cmd.isOpenCode() && cmd.isRun() {
		c.waitDelay(cmd)
		c.deadline(cmd)
	}
	c.waitDelayErr(cmd)
}

// earlyRead reports reads of events that can follow the end of a process with no wait for
// the verdict in between.
func (c *checker) earlyRead(fn *ssa.Function) {
	for read := range goflow.Calls(fn) {
		switch goflow.Name(read) {
		case corePath + ".ReadRunEvents", corePath + ".ReadRunEventsReport":
		default:
			continue
		}
		for end := range goflow.Calls(fn) {
			if _, plain := end.(*ssa.Call); !plain || !c.pkg.Performs(end, c.ends) {
				continue
			}
			if c.pkg.Performs(end, waitsForVerdict) || !goflow.After(end, read, c.waits) {
				continue
			}
			c.report(ruleEarlyRead, read, "the events are read as soon as the process has ended, but the stop_verify event comes from a child that outlives it: the verdict is missed now and then; call ngcore.WaitForRunEvent instead")
			break
		}
	}
}

func (c *checker) waits(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	return ok && c.pkg.Performs(call, waitsForVerdict)
}

// endsRun reports whether a process has ended after a call that may be OpenCode: it is not
// known to be another.
func (c *checker) endsRun(call ssa.CallInstruction) bool {
	if !endsProcess(call) {
		return false
	}
	made, ok := goflow.Bare(goflow.Arg(call, 0)).(*ssa.Call)
	if !ok {
		return true
	}
	cmd, ok := newCommand(c.pkg, made)
	if !ok {
		return true
	}
	_, other := cmd.names()
	return !other
}

func endsProcess(call ssa.CallInstruction) bool {
	_, ok := ends[goflow.Name(call)]
	return ok
}

func waitsForEvent(call ssa.CallInstruction) bool {
	name := goflow.Name(call)
	return name == corePath+".Tail" || name == stagePath+".Run" || strings.HasPrefix(name, corePath+".WaitForRunEvent")
}

// testBinary reports executables of the process itself that serve as its hook binary, outside
// of commands.
func (c *checker) testBinary(fn *ssa.Function) {
	inTest := c.inTest(fn)
	if c.pass.Pkg.Name() == "main" || inTest && c.hasTestMain() || guardsTests(fn) {
		return
	}
	for instr := range goflow.Instrs(fn) {
		var name ssa.Value
		switch instr := instr.(type) {
		case ssa.CallInstruction:
			if cmd, ok := newCommand(c.pkg, instr); ok && cmd.isHook() {
				name = cmd.name()
			}
		case *ssa.Store:
			if isHookBin(instr.Addr) {
				name = instr.Val
			}
		}
		if name == nil || !isSelf(name) {
			continue
		}
		c.report(ruleTestBinary, instr, "in a test this is the test binary, which runs every test again, without end: take the path of the binary as a setting")
	}
}

func (c *checker) inTest(fn *ssa.Function) bool {
	return strings.HasSuffix(finding.Position(c.pass.Fset, fn.Pos()).Filename, "_test.go")
}

func (c *checker) hasTestMain() bool {
	for _, file := range c.pass.Files {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "TestMain" {
				return true
			}
		}
	}
	return false
}

// report reports a rule at an instruction, from its place in the source to the end of the
// innermost call or assignment there.
func (c *checker) report(rule string, at ssa.Instruction, format string, args ...any) {
	node := goflow.Node(c.pass, at)
	if node == nil {
		return
	}
	c.pass.Report(analysis.Diagnostic{Category: rule, Pos: node.Pos(), End: node.End(), Message: fmt.Sprintf(format, args...)})
}
