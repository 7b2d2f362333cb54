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
	// List returns the names of the files in a directory, for Entries. Nil reads the
	// directory from disk. It must be set before the first use of the program.
	List func(dir string) ([]string, error)

	read ReadFunc

	mu      sync.Mutex
	files   map[string]*content
	modules map[string]*loading
}

// content is what reading a file gave.
type content struct {
	once sync.Once
	data []byte
	err  error
}

// loading is a module that one caller parses while others wait for it.
type loading struct {
	once   sync.Once
	module *Module
	err    error
}

// NewProgram returns an empty program that reads files with read. A nil read finds no file.
func NewProgram(read ReadFunc) *Program {
	return &Program{read: read, files: make(map[string]*content), modules: make(map[string]*loading)}
}

// entryOf returns the entry of key in one of the maps of a program.
func entryOf[T any](mu *sync.Mutex, entries map[string]*T, key string) *T {
	mu.Lock()
	defer mu.Unlock()
	e := entries[key]
	if e == nil {
		e = new(T)
		entries[key] = e
	}
	return e
}

// readFile reads a file once.
func (p *Program) readFile(path string) ([]byte, error) {
	c := entryOf(&p.mu, p.files, path)
	c.once.Do(func() {
		if p.read == nil {
			c.err = fs.ErrNotExist
			return
		}
		c.data, c.err = p.read(path)
	})
	return c.data, c.err
}

// Load reads and parses the module at path, once. The error is an *Error.
func (p *Program) Load(path string) (*Module, error) {
	path = filepath.Clean(path)
	l := entryOf(&p.mu, p.modules, path)
	l.once.Do(func() {
		src, err := p.readFile(path)
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
// lead to it. A path that was read before keeps its first content. The error is an *Error.
func (p *Program) LoadSource(path string, src []byte) (*Module, error) {
	path = filepath.Clean(path)
	c := entryOf(&p.mu, p.files, path)
	c.once.Do(func() { c.data = src })
	return p.Load(path)
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

	exports []Export
	imports []Import
	env     []envRead
	parts   []bundlePart
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
