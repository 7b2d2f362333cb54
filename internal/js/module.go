package js

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sort"
	"sync"
)

// Program is a cache of modules. It is safe for concurrent use.
type Program struct {
	read ReadFunc

	mu      sync.Mutex
	modules map[string]*loading
}

// loading is a module that one caller reads while others wait for it.
type loading struct {
	once   sync.Once
	module *Module
	err    error
}

// NewProgram returns an empty program that reads files with read.
func NewProgram(read ReadFunc) *Program {
	return &Program{read: read, modules: make(map[string]*loading)}
}

func (p *Program) entry(path string) *loading {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.modules[path]
	if l == nil {
		l = new(loading)
		p.modules[path] = l
	}
	return l
}

// Load reads and parses the module at path, once. The error is an *Error.
func (p *Program) Load(path string) (*Module, error) {
	path = filepath.Clean(path)
	l := p.entry(path)
	l.once.Do(func() {
		src, err := p.read(path)
		if err != nil {
			msg := err.Error()
			if errors.Is(err, fs.ErrNotExist) {
				msg = "file does not exist"
			}
			l.err = &Error{Path: path, Msg: msg, Err: err}
			return
		}
		l.module, l.err = parse(path, src)
	})
	return l.module, l.err
}

// LoadSource parses src as the module at path, which need not exist. Imports of path then
// lead to it. A path that was loaded before keeps its first content. The error is an *Error.
func (p *Program) LoadSource(path string, src []byte) (*Module, error) {
	path = filepath.Clean(path)
	l := p.entry(path)
	l.once.Do(func() { l.module, l.err = parse(path, src) })
	return l.module, l.err
}

// Module is one parsed file. It is immutable and safe for concurrent use.
type Module struct {
	path  string
	data  []byte
	src   string // data
	lines []int  // offset of the start of each line
	toks  *tokens
	root  *Node
	top   *scope
}

// Path returns the absolute path of the file.
func (m *Module) Path() string { return m.path }

// Source returns the bytes of the file. The caller must not change them.
func (m *Module) Source() []byte { return m.data }

// Root returns the tree of the module.
func (m *Module) Root() *Node { return m.root }

// Text returns the source of a span; "" for one outside the file.
func (m *Module) Text(s Span) string {
	if s.Start < 0 || s.End > len(m.src) || s.Start > s.End {
		return ""
	}
	return m.src[s.Start:s.End]
}

// Position returns the 1-based line, and column in bytes, of a byte offset, as go/token
// counts them: only a line feed ends a line.
func (m *Module) Position(off int) (line, col int) {
	off = max(0, min(off, len(m.src)))
	i := sort.SearchInts(m.lines, off+1) - 1
	return i + 1, off - m.lines[i] + 1
}

// errorAt returns an *Error at span.
func (m *Module) errorAt(span Span, msg string) error {
	e := &Error{Path: m.path, Span: span, Msg: msg}
	if span != (Span{}) {
		e.Line, e.Col = m.Position(span.Start)
	}
	return e
}
