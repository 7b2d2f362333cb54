package js

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/parser"
)

// loaders gives for every file name extension that can be read how esbuild reads it. As in
// Bun, JavaScript files may hold JSX.
var loaders = map[string]api.Loader{
	".js": api.LoaderJSX, ".mjs": api.LoaderJSX, ".cjs": api.LoaderJSX, ".jsx": api.LoaderJSX,
	".ts": api.LoaderTS, ".mts": api.LoaderTS, ".cts": api.LoaderTS, ".tsx": api.LoaderTSX,
	".json": api.LoaderJSON, ".jsonc": api.LoaderJSON,
}

// Supported reports whether Load can read files with the name of path.
func Supported(path string) bool {
	_, ok := loaders[strings.ToLower(filepath.Ext(path))]
	return ok
}

// parse builds the module of src. It never panics.
func parse(path string, src []byte) (m *Module, err error) {
	m = &Module{path: path, data: src, src: string(src), lines: []int{0}}
	for i, c := range src {
		if c == '\n' {
			m.lines = append(m.lines, i+1)
		}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unsupported:
			m, err = nil, m.errorAt(r.span, "unsupported syntax: "+r.what)
		default: // a fault of a parser; the module is refused, the process goes on
			m, err = nil, m.errorAt(Span{}, fmt.Sprintf("parser fault: %v", r))
		}
	}()
	loader, ok := loaders[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return nil, m.errorAt(Span{}, fmt.Sprintf("file name extension %q, want a JavaScript, TypeScript or JSON one", filepath.Ext(path)))
	}
	if len(src) > maxSize {
		return nil, m.errorAt(Span{}, fmt.Sprintf("%d bytes long, the limit is %d", len(src), maxSize))
	}
	if off := invalidUTF8(src); off >= 0 {
		return nil, m.errorAt(Span{off, off + 1}, "not UTF-8")
	}
	text := blankPrelude(m.src)
	m.toks = scan(text)
	if span, err := m.toks.checkNesting(); err != nil {
		return nil, m.errorAt(span, err.Error())
	}
	if loader == api.LoaderJSON {
		return m, m.parseJSON(text)
	}
	c, program, err := m.read(text, loader)
	if err != nil {
		return nil, err
	}
	m.root = c.make(Root, 0, len(m.toks.list)-1, "", slices.DeleteFunc(c.stmts(program.Body), isHelper)...)
	m.index()
	return m, nil
}

// isHelper reports whether a statement declares a helper of the translation.
func isHelper(s *Node) bool {
	return s.Type == VarDecl && s.Kids[0].Kids[0].Flags&Synthetic != 0
}

func invalidUTF8(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}

// blankPrelude replaces a byte order mark and a #! line by spaces: offsets stay.
func blankPrelude(src string) string {
	n := 0
	if strings.HasPrefix(src, "\uFEFF") {
		n = len("\uFEFF")
	}
	if strings.HasPrefix(src[n:], "#!") {
		if n = strings.IndexAny(src, "\n\r"); n < 0 {
			n = len(src)
		}
	}
	return strings.Repeat(" ", n) + src[n:]
}

// read parses text as it stands where it can, else a translation of it to JavaScript that
// the parser knows.
func (m *Module) read(text string, loader api.Loader) (*converter, *ast.Program, error) {
	if loader == api.LoaderJSX {
		if program, err := parseProgram(m.toks.withoutSugar()); err == nil {
			return &converter{gen: m.toks, orig: m.toks}, program, nil
		}
	}
	c, program, err := m.translate(text, loader, true)
	if err != nil && c != nil { // translated, and still not understood
		c, program, err = m.translate(text, loader, false)
	}
	return c, program, err
}

// translate parses a translation of text. The parser knows async generators except as
// methods of object literals; without them more of the code is made up by the translation.
func (m *Module) translate(text string, loader api.Loader, generators bool) (*converter, *ast.Program, error) {
	result := api.Transform(text, api.TransformOptions{
		Loader:      loader,
		Target:      api.ESNext,
		Charset:     api.CharsetUTF8,
		Sourcemap:   api.SourceMapExternal,
		TreeShaking: api.TreeShakingFalse,
		TsconfigRaw: `{"compilerOptions":{"verbatimModuleSyntax":true}}`,
		Supported: map[string]bool{
			"using": false, "decorators": false, "async-generator": generators, "for-await": generators, "import-attributes": generators,
		},
	})
	if len(result.Errors) > 0 {
		return nil, nil, m.translationError(result.Errors[0])
	}
	gen := scan(string(result.Code))
	if _, err := gen.checkNesting(); err != nil {
		return nil, nil, m.errorAt(Span{}, err.Error())
	}
	anchors, err := readSourceMap(result.Map, gen.src, text)
	if err != nil {
		return nil, nil, m.errorAt(Span{}, err.Error())
	}
	c := &converter{gen: gen, orig: m.toks}
	c.m, c.near = align(gen, m.toks, anchors)
	program, err := parseProgram(gen.withoutSugar())
	if err != nil {
		return c, nil, m.parserError(c, err)
	}
	return c, program, nil
}

// parseProgram parses text as a module or, where that does not do, as a script.
func parseProgram(text string) (*ast.Program, error) {
	program, err := parser.ParseFile(nil, "", text, 0, parser.WithDisableSourceMaps, parser.IsModule)
	if err == nil {
		return program, nil
	}
	if script, scriptErr := parser.ParseFile(nil, "", text, 0, parser.WithDisableSourceMaps); scriptErr == nil {
		return script, nil
	}
	return nil, err
}

// withoutSugar returns the text with spaces in place of what the parser does not know and
// the tree can do without: the await of for await, which the converter reads from the
// tokens, and the attributes of imports. Class fields named get, set and async, which the
// parser takes for the beginning of a method, are spelled otherwise; the converter reads
// names from the tokens.
func (t *tokens) withoutSugar() string {
	buf := []byte(t.src)
	blank := func(from, to int32) {
		for i := from; i < to; i++ {
			buf[i] = ' '
		}
	}
	for i := range t.list {
		switch {
		case t.is(i, "await") && t.is(i-1, "for") && t.is(i+1, "("):
			blank(t.list[i].start, t.list[i].end)
		case t.is(i+1, "=") && (t.is(i, "get") || t.is(i, "set") || t.is(i, "async")):
			buf[t.list[i].start] -= 'a' - 'A'
		case t.attributes(i):
			blank(t.list[i].start, t.list[t.list[i+1].match].end)
		}
	}
	return string(buf)
}

// attributes reports whether the token at i is the "with" of import attributes.
func (t *tokens) attributes(i int) bool {
	return (t.is(i, "with") || t.is(i, "assert")) && t.kindOf(i-1) == tokString && t.is(i+1, "{") && t.list[i+1].match >= 0 &&
		(t.is(i-2, "from") || t.is(i-2, "import"))
}

func (m *Module) translationError(msg api.Message) error {
	span := Span{}
	lines := lineStarts(m.src)
	if l := msg.Location; l != nil && l.Line > 0 && l.Line <= len(lines) {
		start := min(lines[l.Line-1]+l.Column, len(m.src))
		span = Span{start, min(start+l.Length, len(m.src))}
	}
	return m.errorAt(span, strings.ToLower(msg.Text[:1])+msg.Text[1:])
}

// parserError places an error about the translation in the original.
func (m *Module) parserError(c *converter, err error) error {
	var list parser.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return m.errorAt(Span{}, err.Error())
	}
	span := Span{}
	if off, ok := newColumns(c.gen.src).offset(list[0].Position.Line-1, list[0].Position.Column-1); ok {
		o, _ := c.toOrig(c.gen.at(off))
		if o < len(m.toks.list) {
			span = Span{int(m.toks.list[o].start), int(m.toks.list[o].end)}
		}
	}
	return m.errorAt(span, "unsupported syntax: "+list[0].Message)
}

// parseJSON reads a JSON file as a module that exports its value by default.
func (m *Module) parseJSON(text string) error {
	plain := bytes.TrimSpace([]byte(text))
	if strings.EqualFold(filepath.Ext(m.path), ".json") && !json.Valid(plain) {
		var v any
		err := json.Unmarshal(plain, &v)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			off := min(int(syntax.Offset)+strings.Index(text, string(plain)), len(m.src))
			return m.errorAt(Span{max(off-1, 0), off}, syntax.Error())
		}
		return m.errorAt(Span{}, fmt.Sprintf("not JSON: %v", err))
	}
	program, err := parser.ParseFile(nil, "", "("+text+"\n)", 0, parser.WithDisableSourceMaps)
	if err != nil {
		return m.errorAt(Span{}, err.Error())
	}
	c := &converter{gen: m.toks, orig: m.toks, shift: 1}
	statement, ok := program.Body[0].(*ast.ExpressionStatement)
	if !ok || len(program.Body) != 1 {
		return m.errorAt(Span{}, "not JSON")
	}
	value := c.expr(statement.Expression)
	first, last := int(value.first), int(value.last)
	m.root = c.make(Root, first, last, "", c.make(ExportDefault, first, last, "", value))
	m.index()
	return nil
}
