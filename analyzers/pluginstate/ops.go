package pluginstate

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// opKind is what is done to a file.
type opKind string

const (
	opRead   opKind = "read"
	opWrite  opKind = "write" // the whole file, in place
	opAppend opKind = "append"
	opCreate opKind = "create" // fails when it is there
	opRename opKind = "rename"
	opCopy   opKind = "copy"
	opRemove opKind = "remove"
	opStat   opKind = "stat"
	opProbe  opKind = "probe" // a process is asked whether it lives
	opLock   opKind = "lock"  // a call whose name tells that it takes turns
)

// op is one thing done to a file.
type op struct {
	kind opKind
	path string  // its spelling
	to   string  // that of the new name
	call js.Expr // of the function of the runtime
	data js.Expr // what is written
	sync bool
	site *js.Node // call, or the call in the function at hand that leads to it
	deep int      // calls between the function at hand and call
}

// maxOps bounds the operations of one function, those of its callees included.
const maxOps = 300

// ops lists what a function does to files, in the order of the source, as far as it runs
// when the function does: that of callees and of callbacks included.
func (c *checker) ops(fn js.Expr) []op {
	if list, ok := c.effects[fn.Node]; ok {
		return list
	}
	c.effects[fn.Node] = nil // a recursive call adds nothing
	l := &lister{c: c, m: fn.Module}
	for _, kid := range fn.Node.Kids[1:] {
		l.visit(kid)
	}
	c.effects[fn.Node] = l.list
	return l.list
}

// lister lists the operations of one function.
type lister struct {
	c    *checker
	m    *js.Module
	list []op
}

func (l *lister) visit(n *js.Node) {
	if n == nil || len(l.list) >= maxOps {
		return
	}
	switch n.Type {
	case js.FuncLit:
		if runsInPlace(n) {
			for _, kid := range n.Kids[1:] {
				l.visit(kid)
			}
		}
	case js.ClassLit:
	case js.CallExpr, js.New:
		for _, kid := range n.Kids {
			if kid.Type != js.FuncLit {
				l.visit(kid)
			}
		}
		l.call(n)
		for _, kid := range n.Kids {
			if kid.Type == js.FuncLit {
				l.visit(kid)
			}
		}
	default:
		for _, kid := range n.Kids {
			l.visit(kid)
		}
	}
}

// runsInPlace reports whether a nested function belongs to the run of the one around it: a
// callback, or one that is called where it stands.
func runsInPlace(fn *js.Node) bool {
	p := fn.Parent
	return p.Type == js.CallExpr || p.Type == js.New && p.Kids[0] != fn
}

// call lists what a call does.
func (l *lister) call(n *js.Node) {
	if n.Type == js.CallExpr {
		if o, ok := l.c.fileOp(js.Expr{Module: l.m, Node: n}); ok {
			l.list = append(l.list, o)
			return
		}
		if lockName.match(js.CalleeName(n)) {
			l.list = append(l.list, op{kind: opLock, call: js.Expr{Module: l.m, Node: n}, site: n})
		}
	}
	for _, fn := range l.c.callees(l.m, n) {
		for _, o := range l.c.ops(fn) {
			if len(l.list) >= maxOps {
				return
			}
			o.path = l.c.substitute(o.path, l.m, n, fn)
			o.to = l.c.substitute(o.to, l.m, n, fn)
			o.site, o.deep = n, o.deep+1
			l.list = append(l.list, o)
		}
	}
}

// words matches names that hold one of a few words.
type words []string

func (w words) match(name string) bool {
	name = strings.ToLower(name)
	for _, word := range w {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

var lockName = words{"lock", "mutex", "semaphore", "queue", "exclusive", "serialize", "transaction"}

// fsOps is what functions of fs do to the file that their first argument names.
var fsOps = map[string]opKind{
	"readFile": opRead, "writeFile": opWrite, "appendFile": opAppend, "rename": opRename, "copyFile": opCopy, "cp": opCopy,
	"unlink": opRemove, "rm": opRemove, "rmdir": opRemove, "stat": opStat, "lstat": opStat, "mkdir": opCreate, "open": opWrite,
}

// fileOp tells what a call of the runtime does to a file.
func (c *checker) fileOp(call js.Expr) (op, bool) {
	n := call.Node
	api := c.builtin(call.Module, n)
	o := op{call: call, site: n}
	arg := func(i int) js.Expr {
		if i+1 >= len(n.Kids) {
			return js.Expr{}
		}
		return js.Expr{Module: call.Module, Node: n.Kids[i+1]}
	}
	switch {
	case api == "process.kill":
		o.kind = opProbe
		return o, true
	case api == "Bun.write":
		o.kind, o.path, o.data = opWrite, c.spell(unwrapBunFile(c, arg(0))), arg(1)
		return o, len(n.Kids) > 2
	case api == "" && n.Kids[0].Type == js.Member && len(n.Kids) == 1:
		return c.bunRead(o)
	case !strings.HasPrefix(api, "fs.") || len(n.Kids) < 2:
		return op{}, false
	}
	name, sync := strings.CutSuffix(strings.TrimPrefix(api, "fs."), "Sync")
	kind, ok := fsOps[name]
	if !ok {
		return op{}, false
	}
	o.kind, o.sync, o.path = kind, sync, c.spell(arg(0))
	switch name {
	case "rename", "copyFile", "cp":
		o.to = c.spell(arg(1))
	case "writeFile", "appendFile":
		o.data = arg(1)
		o.kind = flagKind(c.flagOf(arg(2)), kind)
	case "open":
		o.kind = flagKind(c.flagOf(arg(1)), opRead)
	case "mkdir":
		if c.flagOf(arg(1)) == recursive {
			return op{}, false
		}
	}
	return o, true
}

const recursive = "recursive"

// flagOf returns the flag of an options argument, or "recursive" for options that have that.
func (c *checker) flagOf(e js.Expr) string {
	if e.Node == nil {
		return ""
	}
	props, ok := e.Object()
	if !ok {
		if v, err := c.prog.Eval(e); err == nil && v.Kind == js.String {
			return v.Str
		}
		return ""
	}
	for _, p := range props {
		switch p.Key {
		case "flag", "flags":
			if v, err := c.prog.Eval(p.Value); err == nil && v.Kind == js.String {
				return v.Str
			}
		case "recursive":
			return recursive
		}
	}
	return ""
}

// flagKind is what a flag of open makes of an operation.
func flagKind(flag string, without opKind) opKind {
	switch {
	case flag == "utf8" || flag == "utf-8": // an encoding
		return without
	case strings.Contains(flag, "x"):
		return opCreate
	case strings.HasPrefix(flag, "a"):
		return opAppend
	case strings.HasPrefix(flag, "w"):
		return opWrite
	case strings.HasPrefix(flag, "r"):
		return opRead
	}
	return without
}

// bunRead tells of Bun.file(path).json() and the like.
func (c *checker) bunRead(o op) (op, bool) {
	callee := o.call.Node.Kids[0]
	file := unwrapBunFile(c, js.Expr{Module: o.call.Module, Node: callee.Kids[0]})
	if file.Node == callee.Kids[0] {
		return op{}, false
	}
	switch plugincode.MemberName(callee) {
	case "json", "text", "bytes", "arrayBuffer":
		o.kind, o.path = opRead, c.spell(file)
		return o, true
	}
	return op{}, false
}

// unwrapBunFile returns the path of a Bun.file, and what it is given when that is none.
func unwrapBunFile(c *checker, e js.Expr) js.Expr {
	file := c.prog.Follow(e)
	if file.Node != nil && file.Node.Type == js.CallExpr && len(file.Node.Kids) > 1 && c.builtin(file.Module, file.Node) == "Bun.file" {
		return js.Expr{Module: file.Module, Node: file.Node.Kids[1]}
	}
	return e
}
