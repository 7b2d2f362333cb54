package handshake

import (
	"go/token"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
	"github.com/ngvet/ngvet/plugin"
)

// environment is what is known of the environment that a command gets.
type environment struct {
	inherited bool // that of this process, whole
	gated     bool // with a nonce of its own
	nonces    []*ssa.Call
	written   bool // by something that this check does not understand
}

// fieldName returns the name of the field that an address is of.
func fieldName(addr *ssa.FieldAddr) string {
	pointer := addr.X.Type().Underlying().(*types.Pointer)
	return pointer.Elem().Underlying().(*types.Struct).Field(addr.Field).Name()
}

// starts checks the processes that a function starts.
func (c *checker) starts(fn *ssa.Function) {
	for call := range goflow.Calls(fn) {
		if !startsProcess(call) {
			continue
		}
		cmd, ok := goflow.Bare(goflow.Arg(call, 0)).(*ssa.Call)
		if !ok {
			continue
		}
		env := c.environmentOf(cmd)
		if env.gated {
			c.stale(fn, call)
			c.reused(call, env.nonces)
		}
		if env.inherited && !env.gated && !env.written && c.usesCore() && isOpenCode(cmd) {
			c.report(ruleNested, call, "this OpenCode gets the environment of this process as it is: inside a gated run that holds the nonce and the sentinel of the outer run, whose plugin then answers for the wrong one; pass HandshakeConfig.ChildEnv(os.Environ())")
		}
	}
}

// stale reports the start of a gated run that a sentinel of an earlier one can outlive.
func (c *checker) stale(fn *ssa.Function, start ssa.CallInstruction) {
	for call := range goflow.Calls(fn) {
		if c.pkg.Performs(call, deletes) && goflow.After(call, start, nil) {
			return
		}
	}
	if c.deletedBefore(fn, 4) {
		return
	}
	c.report(ruleStale, start, "OpenCode starts while the sentinel of an earlier run may still lie there: should this run's plugin not load, that file is judged in its place; call ngcore.DeleteStaleSentinel first and do not start when it fails")
}

// deletedBefore reports whether a function of the package that leads here, in a few calls,
// deletes a sentinel.
func (c *checker) deletedBefore(fn *ssa.Function, depth int) bool {
	for outer := fn.Parent(); outer != nil; outer = outer.Parent() {
		if c.pkg.Does(outer, deletes) {
			return true
		}
		fn = outer
	}
	if depth == 0 {
		return true
	}
	for _, call := range c.pkg.Callers(fn) {
		if c.pkg.Does(call.Parent(), deletes) || c.deletedBefore(call.Parent(), depth-1) {
			return true
		}
	}
	return false
}

// reused reports a nonce that is made once for a process that is started again and again.
func (c *checker) reused(start ssa.CallInstruction, nonces []*ssa.Call) {
	for _, nonce := range nonces {
		isNonce := func(i ssa.Instruction) bool { return i == ssa.Instruction(nonce) }
		if goflow.After(start, start, isNonce) && goflow.After(nonce, start, nil) {
			c.report(ruleNonce, nonce, "one nonce serves every turn of the loop that starts OpenCode: the sentinel of an earlier run passes for that of the next; call ngcore.NewNonce for each start")
		}
	}
}

// nonces reports nonces that are constant, or made once for the whole process.
func (c *checker) nonces(fn *ssa.Function) {
	for instr := range goflow.Instrs(fn) {
		switch instr := instr.(type) {
		case *ssa.Store:
			if isConfigField(instr.Addr, "Nonce") {
				c.nonce(instr, instr.Val)
			}
			c.entry(instr)
		case ssa.CallInstruction:
			if goflow.Name(instr) != "os.Setenv" && goflow.Name(instr) != "syscall.Setenv" {
				continue
			}
			if name, ok := goflow.Text(goflow.Arg(instr, 0)); ok && name == plugin.EnvNonce {
				c.nonce(instr, goflow.Arg(instr, 1))
			}
		}
	}
}

// entry checks an entry of an environment that carries a nonce, as NAME=nonce.
func (c *checker) entry(store *ssa.Store) {
	var at ssa.Instruction = store
	if call := variadic(store); call != nil {
		at = call // append; the store has no place of its own
	}
	if text, ok := goflow.Text(store.Val); ok && len(text) > len(noncePrefix) && strings.HasPrefix(text, noncePrefix) {
		c.reportConstant(at)
	}
	if sum, ok := goflow.Bare(store.Val).(*ssa.BinOp); ok && sum.Op == token.ADD {
		if text, ok := goflow.Text(sum.X); ok && text == noncePrefix {
			c.nonce(at, sum.Y)
		}
	}
}

func (c *checker) nonce(at ssa.Instruction, v ssa.Value) {
	if text, ok := goflow.Text(v); ok && text != "" {
		c.reportConstant(at)
		return
	}
	load, ok := goflow.Bare(v).(*ssa.UnOp)
	if !ok {
		return
	}
	if global, ok := load.X.(*ssa.Global); ok && c.isSetOnce(global) {
		c.report(ruleNonce, at, "this nonce is made once for the whole process: the sentinel of one run passes for that of the next; call ngcore.NewNonce for each run")
	}
}

func (c *checker) reportConstant(at ssa.Instruction) {
	c.report(ruleNonce, at, "a constant nonce proves nothing: a sentinel of any earlier run carries it as well; take it from ngcore.NewNonce, one for each run")
}

// isSetOnce reports whether only the initialization of the package stores to a variable
// that ngcore.NewNonce, a function that returns its nonce, or a constant fills.
func (c *checker) isSetOnce(global *ssa.Global) bool {
	found := false
	for _, member := range global.Pkg.Members {
		fn, ok := member.(*ssa.Function)
		if !ok {
			continue
		}
		for instr := range goflow.Instrs(fn) {
			store, ok := instr.(*ssa.Store)
			if !ok || store.Addr != global {
				continue
			}
			if fn.Name() != "init" {
				return false
			}
			goflow.Sources(store.Val, func(v ssa.Value) bool {
				call, isCall := v.(*ssa.Call)
				_, isText := goflow.Text(v)
				found = found || isText || isCall && c.pkg.Performs(call, nonces)
				return true
			})
		}
	}
	return found
}

// environmentOf collects what a function puts into the Env of a command.
func (c *checker) environmentOf(cmd *ssa.Call) environment {
	env := environment{inherited: true}
	for _, ref := range *cmd.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			for _, use := range *ref.Referrers() {
				if store, ok := use.(*ssa.Store); ok && store.Addr == ref && fieldName(ref) == "Env" {
					c.setEnv(&env, store.Val)
				}
			}
		case *ssa.Extract:
		case ssa.CallInstruction:
			if name := goflow.Name(ref); !strings.HasPrefix(name, "(*os/exec.Cmd).") {
				env.written = true // a helper may set Env
			}
		case *ssa.Return, *ssa.Store, *ssa.MakeInterface, *ssa.MakeClosure, *ssa.Phi:
			env.written = true
		}
	}
	return env
}

// setEnv adds what one assignment to Env says.
func (c *checker) setEnv(e *environment, v ssa.Value) {
	e.inherited = false
	goflow.Sources(v, func(v ssa.Value) bool {
		if text, ok := goflow.Text(v); ok && strings.HasPrefix(text, noncePrefix) {
			e.gated = true
		}
		call, ok := v.(*ssa.Call)
		if !ok {
			return true
		}
		switch name := goflow.Name(call); {
		case name == "os.Environ", name == "(*os/exec.Cmd).Environ":
			e.inherited = true
		case c.pkg.Performs(call, environ):
			e.gated = true
		case c.pkg.Performs(call, nonces):
			e.nonces = append(e.nonces, call)
			e.gated = true
		case name == "" && isAppend(call):
		default:
			e.written = e.written || name != "fmt.Sprintf" && name != "fmt.Sprint"
		}
		return true
	})
}

func isAppend(call *ssa.Call) bool {
	builtin, ok := call.Call.Value.(*ssa.Builtin)
	return ok && builtin.Name() == "append"
}

// isOpenCode reports whether a command is made with a name that is OpenCode's.
func isOpenCode(cmd *ssa.Call) bool {
	at := 0
	switch goflow.Name(cmd) {
	case "os/exec.Command":
	case "os/exec.CommandContext":
		at = 1
	default:
		return false
	}
	found, other := false, false
	goflow.Sources(goflow.Arg(cmd, at), func(v ssa.Value) bool {
		if text, ok := goflow.Text(v); ok && text != "" {
			base := strings.TrimSuffix(path.Base(strings.ReplaceAll(text, `\`, "/")), ".exe")
			found, other = found || base == "opencode", other || base != "opencode"
		}
		return true
	})
	return found && !other
}

// usesCore reports whether the package knows of the handshake. A program without one never
// runs inside a run of its own.
func (c *checker) usesCore() bool {
	for _, imported := range c.pass.Pkg.Imports() {
		if imported.Path() == corePath || imported.Path() == corePath+"/stage" {
			return true
		}
	}
	return false
}
