package statefile

import (
	"go/ast"
	"go/constant"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

// splitRecord reports a record and its newline that go into a file in two writes.
func (c *checker) splitRecord(fn *ssa.Function) {
	for end := range goflow.Calls(fn) {
		if !isFileWrite(end) || !endsLine(end) || c.isLocked(fn) {
			continue
		}
		file := goflow.Arg(end, 0)
		if !isAppended(file) {
			continue
		}
		for record := range goflow.Calls(fn) {
			if record == end || !isFileWrite(record) || !c.pkg.Same(goflow.Arg(record, 0), file) {
				continue
			}
			if goflow.Always(record, end) && goflow.After(record, end, nil) {
				c.report(ruleSplitRecord, end, "the record and its newline are two writes: a writer in another process, or the end of this one, comes in between and two records become one bad line; write both at once")
				break
			}
		}
	}
}

func isFileWrite(call ssa.CallInstruction) bool {
	switch goflow.Name(call) {
	case "(*os.File).Write", "(*os.File).WriteString":
		return true
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString":
		return true
	}
	return false
}

// endsLine reports whether a write is of a newline alone.
func endsLine(write ssa.CallInstruction) bool {
	if k, ok := goflow.Arg(write, 1).(*ssa.Const); ok && k.IsNil() {
		return goflow.Name(write) == "fmt.Fprintln"
	}
	return isNewline(goflow.Arg(write, 1))
}

// isNewline reports whether an argument of a write is a newline alone.
func isNewline(v ssa.Value) bool {
	if parts := goflow.Elements(v); len(parts) == 1 && parts[0] != nil {
		if n, ok := goflow.Int(parts[0]); ok {
			return n == '\n'
		}
		return isNewline(parts[0])
	}
	if conv, ok := v.(*ssa.Convert); ok {
		return isNewline(conv.X)
	}
	text, ok := goflow.Text(v)
	return ok && (text == "\n" || text == "\r\n")
}

// isAppended reports whether a value is a file that the function opened to append to.
func isAppended(file ssa.Value) bool {
	e, ok := goflow.Bare(file).(*ssa.Extract)
	if !ok {
		return false
	}
	open, ok := e.Tuple.(*ssa.Call)
	if !ok || goflow.Name(open) != "os.OpenFile" {
		return false
	}
	flags, ok := goflow.Int(goflow.Arg(open, 1))
	return ok && flags&flagAppend != 0
}

// scanner reports scanners of JSON lines that stop at 64 KiB.
func (c *checker) scanner(fn *ssa.Function) {
	for made := range goflow.Calls(fn) {
		if goflow.Name(made) != "bufio.NewScanner" || made.Value() == nil || isInMemory(goflow.Arg(made, 0)) {
			continue
		}
		if c.isSized(fn, made.Value()) || !c.decodesLines(fn, made.Value()) {
			continue
		}
		c.reportFix(ruleScanner, made, c.buffer(made), "the scanner stops for good at the first line of more than 64 KiB, and the records after it are never seen: give it a larger buffer with Buffer, or read with a bufio.Reader")
	}
}

// isInMemory reports whether a reader is over bytes that are there already.
func isInMemory(v ssa.Value) bool {
	call, ok := goflow.Bare(v).(*ssa.Call)
	return ok && goflow.Name(call) == "strings.NewReader" && func() bool {
		_, isConst := goflow.Text(goflow.Arg(call, 0))
		return isConst
	}()
}

// isSized reports whether a scanner gets a buffer, another split function, or goes where
// it may get one.
func (c *checker) isSized(fn *ssa.Function, made ssa.Value) bool {
	for _, f := range append([]*ssa.Function{fn}, fn.AnonFuncs...) {
		for instr := range goflow.Instrs(f) {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				switch name := goflow.Name(instr); {
				case name == "(*bufio.Scanner).Buffer", name == "(*bufio.Scanner).Split":
					if c.pkg.Same(goflow.Arg(instr, 0), made) {
						return true
					}
				case strings.HasPrefix(name, "(*bufio.Scanner)."):
				default:
					for _, a := range goflow.Args(instr) {
						if c.pkg.Same(a, made) {
							return true
						}
					}
				}
			case *ssa.Return:
				for _, v := range instr.Results {
					if c.pkg.Same(v, made) {
						return true
					}
				}
			case *ssa.Store:
				if _, local := instr.Addr.(*ssa.Alloc); !local && c.pkg.Same(instr.Val, made) {
					return true
				}
			}
		}
	}
	return false
}

// decodesLines reports whether the lines of a scanner are decoded as JSON.
func (c *checker) decodesLines(fn *ssa.Function, made ssa.Value) bool {
	for line := range goflow.Calls(fn) {
		switch goflow.Name(line) {
		case "(*bufio.Scanner).Bytes", "(*bufio.Scanner).Text":
		default:
			continue
		}
		if line.Value() == nil || !c.pkg.Same(goflow.Arg(line, 0), made) {
			continue
		}
		content := goflow.Reaches(line.Value())
		for call := range goflow.Calls(fn) {
			if from := c.pkg.Used(call, decoding); from != nil && content[from] && !isMatch(fn, content, from) {
				return true
			}
		}
	}
	return false
}

// isMatch reports whether a value is made of what a regular expression found in a line: then
// the line is no record.
func isMatch(fn *ssa.Function, content map[ssa.Value]bool, v ssa.Value) bool {
	for call := range goflow.Calls(fn) {
		if !strings.HasPrefix(goflow.Name(call), "(*regexp.Regexp).Find") || call.Value() == nil || !content[call.Value()] {
			continue
		}
		if goflow.Reaches(call.Value())[v] {
			return true
		}
	}
	return false
}

// decodes returns what a call decodes JSON from, its first argument or its receiver, with
// encoding/json or a package of another module that names itself after it.
func decodes(call ssa.CallInstruction) ssa.Value {
	fn := goflow.Func(call)
	if fn == nil || fn.Pkg() == nil || !strings.Contains(fn.Pkg().Path(), "json") {
		return nil
	}
	if fn.Name() != "Unmarshal" && fn.FullName() != "(*encoding/json.Decoder).Decode" {
		return nil
	}
	return goflow.Arg(call, 0)
}

// buffer is the fix: a line after the one that makes the scanner.
func (c *checker) buffer(made ssa.CallInstruction) *analysis.SuggestedFix {
	node := goflow.Node(c.pass, made)
	if node == nil {
		return nil
	}
	path := goflow.Enclosing(c.pass, node)
	if len(path) < 3 {
		return nil
	}
	assign, ok := path[1].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil
	}
	if _, inBlock := path[2].(*ast.BlockStmt); !inBlock {
		return nil
	}
	indent := strings.Repeat("\t", c.pass.Fset.Position(assign.Pos()).Column-1)
	text := "\n" + indent + id.Name + ".Buffer(nil, 16<<20)"
	return &analysis.SuggestedFix{Message: "allow lines of 16 MiB", TextEdits: []analysis.TextEdit{{Pos: assign.End(), End: assign.End(), NewText: []byte(text)}}}
}

// database reports opencode.db opened in a way that harms it or reads nonsense.
func (c *checker) database(fn *ssa.Function) {
	for open := range goflow.Calls(fn) {
		switch goflow.Name(open) {
		case "database/sql.Open", "github.com/jmoiron/sqlx.Open", "github.com/jmoiron/sqlx.Connect":
		default:
			continue
		}
		text := fragments(goflow.Arg(open, 1))
		switch {
		case !strings.Contains(text, "opencode.db"):
		case strings.Contains(text, "immutable=1") || strings.Contains(text, "immutable=true"):
			c.report(ruleDatabase, open, "opencode.db is written while OpenCode runs: with immutable=1 SQLite ignores its locks and its write-ahead log, so that rows are missing or wrong; use mode=ro")
		case !strings.Contains(text, "mode=ro") && !strings.Contains(text, "query_only"):
			c.report(ruleDatabase, open, "this opens the database of OpenCode for writing, which blocks OpenCode or migrates its schema under it: open file:...?mode=ro")
		}
	}
}

// fragments returns the constant parts of a string, in some order.
func fragments(v ssa.Value) string {
	var out strings.Builder
	goflow.Sources(v, func(v ssa.Value) bool {
		if k, ok := v.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String {
			out.WriteString(constant.StringVal(k.Value) + "\n")
		}
		return true
	})
	return out.String()
}
