package runexit

import (
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// ends are the methods after which a process has ended, with the index of their error.
var ends = map[string]int{
	"(*os/exec.Cmd).Run":            0,
	"(*os/exec.Cmd).Wait":           0,
	"(*os/exec.Cmd).Output":         1,
	"(*os/exec.Cmd).CombinedOutput": 1,
}

// command is one exec.Cmd that a function makes.
type command struct {
	pkg  *goflow.Package
	call ssa.CallInstruction
	skip int // arguments ahead of the name
}

func newCommand(pkg *goflow.Package, call ssa.CallInstruction) (*command, bool) {
	if call.Value() == nil {
		return nil, false
	}
	switch goflow.Name(call) {
	case "os/exec.Command":
		return &command{pkg, call, 0}, true
	case "os/exec.CommandContext":
		return &command{pkg, call, 1}, true
	}
	return nil, false
}

func (c *command) name() ssa.Value { return goflow.Arg(c.call, c.skip) }

// isRun reports whether the arguments may be those of "opencode run": the word is among
// them, or not all of them are constants. Other verbs print something and end.
func (c *command) isRun() bool {
	args := goflow.Elements(goflow.Arg(c.call, c.skip+1))
	for _, arg := range args {
		if arg == nil {
			return true
		}
		if word, ok := goflow.Text(arg); !ok || word == "run" {
			return true
		}
	}
	return len(args) == 0 // none, or a slice that is not written out
}

// isHook reports whether the command runs one of the hooks of a plugin: "BIN hook ...".
func (c *command) isHook() bool {
	args := goflow.Elements(goflow.Arg(c.call, c.skip+1))
	if len(args) == 0 || args[0] == nil {
		return false
	}
	word, ok := goflow.Text(args[0])
	return ok && word == "hook"
}

// isOpenCode reports whether the command is known to run OpenCode.
func (c *command) isOpenCode() bool {
	if named, other := c.names(); named || other {
		return named
	}
	var words []string
	for _, arg := range goflow.Elements(goflow.Arg(c.call, c.skip+1)) {
		word := ""
		if arg != nil {
			word, _ = goflow.Text(arg)
		}
		words = append(words, word)
	}
	at := slices.Index(words, "--format")
	return len(words) > 0 && words[0] == "run" && (at >= 0 && at+1 < len(words) && words[at+1] == "json" || slices.Contains(words, "--format=json"))
}

// names reports whether the name of the command is known to be OpenCode's, or another.
func (c *command) names() (openCode, other bool) {
	goflow.Sources(c.name(), func(v ssa.Value) bool {
		if text, ok := goflow.Text(v); ok {
			base := strings.TrimSuffix(path.Base(strings.ReplaceAll(text, `\`, "/")), ".exe")
			openCode = openCode || base == "opencode"
			other = other || base != "opencode" && text != ""
		}
		return true
	})
	return openCode, other && !openCode
}

// runs are the calls in this function, or in literals in it, after which the process has ended.
func (c *command) runs() []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for call := range within(c.call.Parent()) {
		if endsProcess(call) && c.pkg.Same(goflow.Arg(call, 0), c.call.Value()) {
			out = append(out, call)
		}
	}
	return out
}

// within returns the calls of a function and of the literals in it.
func within(fn *ssa.Function) func(func(ssa.CallInstruction) bool) {
	return func(yield func(ssa.CallInstruction) bool) {
		for instr := range instrsWithin(fn) {
			if call, ok := instr.(ssa.CallInstruction); ok && !yield(call) {
				return
			}
		}
	}
}

func instrsWithin(fn *ssa.Function) func(func(ssa.Instruction) bool) {
	return func(yield func(ssa.Instruction) bool) {
		for instr := range goflow.Instrs(fn) {
			if !yield(instr) {
				return
			}
		}
		for _, anon := range fn.AnonFuncs {
			for instr := range instrsWithin(anon) {
				if !yield(instr) {
					return
				}
			}
		}
	}
}

// stored returns what the function puts into a field of the command, or nil.
func (c *command) stored(field string) *ssa.Store {
	for instr := range instrsWithin(c.call.Parent()) {
		if store, ok := instr.(*ssa.Store); ok && c.isField(store.Addr, field) {
			return store
		}
	}
	return nil
}

// uses reports whether the function reads a field of the command.
func (c *command) uses(field string) bool {
	for instr := range instrsWithin(c.call.Parent()) {
		if load, ok := instr.(*ssa.UnOp); ok && load.Op == token.MUL && c.isField(load.X, field) {
			return true
		}
	}
	return false
}

func (c *command) isField(addr ssa.Value, field string) bool {
	at, ok := addr.(*ssa.FieldAddr)
	return ok && fieldName(at) == field && c.pkg.Same(at.X, c.call.Value())
}

func fieldName(at *ssa.FieldAddr) string {
	ptr, ok := at.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return ""
	}
	s, ok := ptr.Elem().Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	return s.Field(at.Field).Name()
}

// escapes reports whether anything but the methods of the command gets it: what that sets
// is not in sight.
func (c *command) escapes() bool {
	for call := range within(c.call.Parent()) {
		if strings.HasPrefix(goflow.Name(call), "(*os/exec.Cmd).") {
			continue
		}
		for _, arg := range goflow.Args(call) {
			if c.pkg.Same(arg, c.call.Value()) {
				return true
			}
		}
	}
	for instr := range instrsWithin(c.call.Parent()) {
		switch instr := instr.(type) {
		case *ssa.Return:
			if slices.ContainsFunc(instr.Results, func(v ssa.Value) bool { return c.pkg.Same(v, c.call.Value()) }) {
				return true
			}
		case *ssa.Store:
			if _, local := instr.Addr.(*ssa.Alloc); !local && c.pkg.Same(instr.Val, c.call.Value()) {
				return true
			}
		}
	}
	return false
}
