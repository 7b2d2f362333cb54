package handshake

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
	"github.com/ngvet/ngvet/plugin"
)

// exists reports a sentinel of which only the existence or the time is looked at.
func (c *checker) exists(fn *ssa.Function) {
	for call := range goflow.Calls(fn) {
		switch goflow.Name(call) {
		case "os.Stat", "os.Lstat":
		default:
			continue
		}
		if !isSentinel(goflow.Arg(call, 0)) || c.isJudged(fn, 4) {
			continue
		}
		c.report(ruleExists, call, "a sentinel that exists proves nothing: an earlier run, or the agent itself, may have left it; ngcore.VerifyLoaded compares its nonce, version and hooks")
	}
}

// isSentinel reports whether a path is made from that of the sentinel.
func isSentinel(v ssa.Value) bool {
	found := false
	goflow.Sources(v, func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Call:
			callee := goflow.Name(v)
			found = found || callee == corePath+".SentinelPath"
			if callee == "os.Getenv" || callee == "os.LookupEnv" {
				name, _ := goflow.Text(goflow.Arg(v, 0))
				found = found || name == plugin.EnvSentinel
			}
			return callee != "path/filepath.Dir" && callee != "path.Dir"
		case *ssa.FieldAddr:
			found = found || isConfigField(v, "SentinelPath")
		case *ssa.Field:
			found = found || isConfigValue(v, "SentinelPath")
		}
		return true
	})
	return found
}

// isConfigValue is isConfigField for a struct that is no variable.
func isConfigValue(field *ssa.Field, name string) bool {
	t := types.Unalias(field.X.Type())
	config, ok := t.Underlying().(*types.Struct)
	return ok && types.TypeString(t, nil) == configName && config.Field(field.Field).Name() == name
}

// isJudged reports whether a function, one around it or one that calls it reads more of a
// sentinel.
func (c *checker) isJudged(fn *ssa.Function, depth int) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if c.pkg.Does(fn, c.judging) {
		return true
	}
	if depth == 0 {
		return false
	}
	for _, call := range c.pkg.Callers(fn) {
		if call.Parent() != fn && c.isJudged(call.Parent(), depth-1) {
			return true
		}
	}
	return false
}

// judges reports whether a call looks into a sentinel.
func (c *checker) judges(call ssa.CallInstruction) bool {
	return loaded.calls[goflow.Name(call)] || late.calls[goflow.Name(call)] || isSentinel(c.pkg.Used(call, reads))
}

// reportReturn reports a return that comes ahead of the check for lateness.
func (c *checker) reportReturn(ret *ssa.Return) {
	if !ret.Pos().IsValid() {
		return
	}
	c.pass.Report(analysis.Diagnostic{
		Category: ruleHalf, Pos: ret.Pos(), End: ret.Pos() + 6, // the word return
		Message: "this way out reports success after OpenCode has ended and skips the check for lateness: tools may have run before the plugin gated; call ngcore.VerifyNotLate (or Handshake.Exit) on every way",
	})
}
