package runexit

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// waitDelay reports a run of OpenCode that ends only when everyone has closed its output.
func (c *checker) waitDelay(cmd *command) {
	if cmd.stored("WaitDelay") != nil || cmd.escapes() {
		return
	}
	for _, end := range cmd.runs() {
		if !capturesOutput(end) && !isPiped(cmd.stored("Stdout")) && !isPiped(cmd.stored("Stderr")) {
			continue
		}
		c.report(ruleWaitDelay, end, "this waits until every process that OpenCode left behind has closed the output, even after OpenCode was killed: set WaitDelay on the command")
	}
}

// capturesOutput reports whether a call makes its own pipe.
func capturesOutput(end ssa.CallInstruction) bool {
	name := goflow.Name(end)
	return name == "(*os/exec.Cmd).Output" || name == "(*os/exec.Cmd).CombinedOutput"
}

// isPiped reports whether a writer needs a pipe: it is known to be no file.
func isPiped(store *ssa.Store) bool {
	if store == nil {
		return false
	}
	made, ok := store.Val.(*ssa.MakeInterface)
	return ok && made.X.Type().String() != "*os.File"
}

// mayCopy reports whether the command may have a pipe that a goroutine serves: without one
// there is nothing to wait for after the process, and never exec.ErrWaitDelay.
func (cmd *command) mayCopy() bool {
	if cmd.escapes() {
		return true
	}
	for _, name := range []string{"Stdin", "Stdout", "Stderr"} {
		store := cmd.stored(name)
		if store == nil {
			continue
		}
		if made, ok := store.Val.(*ssa.MakeInterface); !ok || made.X.Type().String() != "*os.File" {
			return true
		}
	}
	return false
}

// waitDelayErr reports tests of an error that take ErrWaitDelay for a failure.
func (c *checker) waitDelayErr(cmd *command) {
	delay := cmd.stored("WaitDelay")
	if delay == nil || knowsWaitDelay(outermost(cmd.call.Parent())) || cmd.uses("ProcessState") {
		return
	}
	if n, ok := goflow.Int(delay.Val); ok && n <= 0 {
		return
	}
	for _, end := range cmd.runs() {
		err := errorOf(end)
		if err == nil || c.judged(err) || !capturesOutput(end) && !cmd.mayCopy() {
			continue
		}
		if test := nilTest(err); test != nil {
			c.reportTest(test)
		}
	}
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// knowsWaitDelay reports whether a function mentions exec.ErrWaitDelay.
func knowsWaitDelay(fn *ssa.Function) bool {
	for instr := range instrsWithin(fn) {
		for _, op := range instr.Operands(nil) {
			if g, ok := (*op).(*ssa.Global); ok && g.Object() != nil && g.Object().Name() == "ErrWaitDelay" && g.Pkg.Pkg.Path() == "os/exec" {
				return true
			}
			if text, ok := goflow.Text(orNil(*op)); ok && text == "exec: WaitDelay expired before I/O complete" {
				return true
			}
		}
	}
	return false
}

func answerDelay(fn *ssa.Function) []string {
	if knowsWaitDelay(fn) {
		return []string{knowsDelay}
	}
	return nil
}

// orNil keeps the missing operand of an instruction away from code that looks into it.
func orNil(v ssa.Value) ssa.Value {
	if c, ok := v.(*ssa.Const); ok {
		return c
	}
	return nil
}

// errorOf returns the error of a call that ends a process.
func errorOf(end ssa.CallInstruction) ssa.Value {
	value := end.Value()
	if value == nil {
		return nil
	}
	if ends[goflow.Name(end)] == 0 {
		return value
	}
	for _, ref := range *value.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == 1 {
			return e
		}
	}
	return nil
}

// judged reports whether a function that knows the delay gets the error, or one that the
// package does not hold and that is not one of the standard library's.
func (c *checker) judged(err ssa.Value) bool {
	for v := range goflow.Reaches(err) {
		for _, ref := range refs(v) {
			call, ok := ref.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if body := goflow.Body(call); body != nil && knowsWaitDelay(body) || c.pkg.Says(call, knowsDelay) {
				return true
			}
			if fn := goflow.Func(call); fn != nil && fn.Pkg() != c.pass.Pkg && !c.pkg.IsStandard(fn) && v == err {
				return true
			}
		}
	}
	return false
}

func refs(v ssa.Value) []ssa.Instruction {
	if r := v.Referrers(); r != nil {
		return *r
	}
	return nil
}

// nilTest returns the comparison of an error with nil.
func nilTest(err ssa.Value) *ssa.BinOp {
	for _, ref := range refs(err) {
		test, ok := ref.(*ssa.BinOp)
		if !ok || test.Op != token.NEQ && test.Op != token.EQL {
			continue
		}
		if k, ok := test.Y.(*ssa.Const); ok && k.IsNil() {
			return test
		}
	}
	return nil
}

// reportTest reports a test of an error, with a cure when both packages are at hand.
func (c *checker) reportTest(test *ssa.BinOp) {
	node, ok := goflow.Node(c.pass, test).(*ast.BinaryExpr)
	if !ok {
		return
	}
	d := analysis.Diagnostic{
		Category: ruleWaitDelayErr, Pos: node.Pos(), End: node.End(),
		Message: "the command may have exited with 0 while a child of it still held the output, and counts as failed: with WaitDelay set, leave out exec.ErrWaitDelay",
	}
	errs, execs := c.localName(node, "errors"), c.localName(node, "os/exec")
	if id, isIdent := ast.Unparen(node.X).(*ast.Ident); isIdent && errs != "" && execs != "" {
		text := id.Name + " != nil && !" + errs + ".Is(" + id.Name + ", " + execs + ".ErrWaitDelay)"
		if node.Op == token.EQL {
			text = id.Name + " == nil || " + errs + ".Is(" + id.Name + ", " + execs + ".ErrWaitDelay)"
		}
		if !goflow.IsCondition(c.pass, node) {
			text = "(" + text + ")"
		}
		d.SuggestedFixes = []analysis.SuggestedFix{{
			Message:   "leave out exec.ErrWaitDelay",
			TextEdits: []analysis.TextEdit{{Pos: node.Pos(), End: node.End(), NewText: []byte(text)}},
		}}
	}
	c.pass.Report(d)
}

// localName returns the name of an imported package at a node, or "" when the file does not
// import it or something hides it.
func (c *checker) localName(at ast.Node, path string) string {
	return goflow.ImportName(c.pass, at, path)
}

// deadline reports a run of OpenCode that nothing ends.
func (c *checker) deadline(cmd *command) {
	if cmd.skip == 1 && !isEndless(goflow.Arg(cmd.call, 0)) || cmd.escapes() || cmd.uses("Process") {
		return
	}
	for _, end := range cmd.runs() {
		c.report(ruleNoDeadline, end, "nothing ends this run of OpenCode: a provider that never answers keeps it for ever; use exec.CommandContext with a context that has a deadline")
	}
}

// isEndless reports whether a context is known to have neither deadline nor parent that
// may have one.
func isEndless(ctx ssa.Value) bool {
	for range 16 {
		if e, ok := goflow.Bare(ctx).(*ssa.Extract); ok {
			ctx = e.Tuple
		}
		call, ok := goflow.Bare(ctx).(*ssa.Call)
		if !ok {
			return false
		}
		switch goflow.Name(call) {
		case "context.Background", "context.TODO", "context.WithoutCancel":
			return true
		case "context.WithValue":
			ctx = goflow.Arg(call, 0)
		default:
			return false // WithCancel and signal.NotifyContext end when someone says so
		}
	}
	return false
}

// isHookBin reports whether an address is the HookBin of a stage's Config.
func isHookBin(addr ssa.Value) bool {
	at, ok := addr.(*ssa.FieldAddr)
	if !ok || fieldName(at) != "HookBin" {
		return false
	}
	ptr := at.X.Type().Underlying().(*types.Pointer)
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == stagePath
}

// isSelf reports whether a value is the path of the running executable.
func isSelf(v ssa.Value) bool {
	found := false
	goflow.Sources(v, func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Call:
			found = found || goflow.Name(v) == "os.Executable"
			return goflow.Name(v) == "path/filepath.EvalSymlinks" || goflow.Name(v) == "path/filepath.Abs"
		case *ssa.IndexAddr:
			index, ok := goflow.Int(v.Index)
			found = found || ok && index == 0 && isOSArgs(v.X)
		}
		return true
	})
	return found
}

func isOSArgs(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Name() == "Args" && g.Pkg.Pkg.Path() == "os"
}

// guardsTests reports whether a function tells a test binary from others.
func guardsTests(fn *ssa.Function) bool {
	for instr := range instrsWithin(outermost(fn)) {
		if call, ok := instr.(ssa.CallInstruction); ok && goflow.Name(call) == "testing.Testing" {
			return true
		}
		for _, op := range instr.Operands(nil) {
			text, ok := goflow.Text(orNil(*op))
			if ok && (strings.HasPrefix(text, "-test.") || text == ".test" || text == ".test.exe") {
				return true
			}
		}
	}
	return false
}
