// Command jsfacts compares what internal/js reads from real files with what an independent
// extractor reads, extract.mjs on @babel/parser. See ../jsfacts.sh.
//
// Standard input holds the facts of the extractor, one JSON line per file. Every fact is
// compared by kind, place in bytes and name, and constants by value where the extractor
// computed one. The exit status is 1 when fewer than 99.5 % of the facts of any kind agree.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
)

// wanted is the share of facts of every kind that must agree.
const wanted = 0.995

// kinds in the order of the report.
var kinds = []string{"const", "export", "returned", "argument", "env", "call", "await", "comment"}

func main() {
	verbose := flag.Bool("v", false, "print every difference")
	flag.Parse()
	ok, err := run(os.Stdin, os.Stdout, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "jsfacts:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// fact is one thing that both sides must see alike.
type fact struct {
	kind       string
	start, end int
	name       string
}

// tally counts the facts of one kind.
type tally struct {
	same, missing, extra, value int
}

func (t tally) rate() float64 {
	all := t.same + t.missing + t.extra + t.value
	if all == 0 {
		return 1
	}
	return float64(t.same) / float64(all)
}

// file is one line of the extractor.
type file struct {
	Path  string               `json:"path"`
	Error string               `json:"error"`
	Facts [][5]json.RawMessage `json:"facts"`
}

func run(in io.Reader, out io.Writer, verbose bool) (bool, error) {
	tallies := make(map[string]*tally)
	for _, k := range kinds {
		tallies[k] = new(tally)
	}
	c := &comparison{program: js.NewProgram(os.ReadFile), tallies: tallies, out: out, verbose: verbose}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return false, fmt.Errorf("read facts: %w", err)
		}
		var f file
		if err := json.Unmarshal(line, &f); err != nil {
			return false, fmt.Errorf("read facts: %w", err)
		}
		if err := c.compare(f); err != nil {
			return false, err
		}
	}
	if c.files == 0 {
		return false, errors.New("no facts on standard input")
	}
	return c.report(), nil
}

type comparison struct {
	program *js.Program
	tallies map[string]*tally
	out     io.Writer
	verbose bool

	files    int
	refused  int // files that both sides cannot parse
	disagree int // files that one side cannot parse
}

// compare judges one file.
func (c *comparison) compare(f file) error {
	c.files++
	m, err := c.program.Load(f.Path)
	switch {
	case err != nil && f.Error != "":
		c.refused++
		return nil
	case err != nil || f.Error != "":
		c.disagree++
		fmt.Fprintf(c.out, "parse: %s: ours %v, theirs %q\n", f.Path, err, f.Error)
		return nil
	}
	ours := extract(m)
	for _, raw := range f.Facts {
		theirs, value, err := decode(raw)
		if err != nil {
			return fmt.Errorf("read facts of %s: %w", f.Path, err)
		}
		t := c.tallies[theirs.kind]
		if t == nil {
			return fmt.Errorf("read facts of %s: unknown kind %q", f.Path, theirs.kind)
		}
		if ours[theirs] == 0 {
			t.missing++
			c.say("missing", f.Path, theirs, m)
			continue
		}
		ours[theirs]--
		if got := c.value(m, theirs, value); got != value {
			t.value++
			c.say(fmt.Sprintf("value %.200s, theirs %.200s", got, value), f.Path, theirs, m)
			continue
		}
		t.same++
	}
	for extra, n := range ours {
		for range n {
			c.tallies[extra.kind].extra++
			c.say("extra", f.Path, extra, m)
		}
	}
	return nil
}

func decode(raw [5]json.RawMessage) (f fact, value string, err error) {
	for i, to := range []any{&f.kind, &f.start, &f.end, &f.name, &value} {
		if err := json.Unmarshal(raw[i], to); err != nil {
			return f, "", err
		}
	}
	return f, value, nil
}

func (c *comparison) say(what, path string, f fact, m *js.Module) {
	if !c.verbose {
		return
	}
	line, col := m.Position(f.start)
	fmt.Fprintf(c.out, "%s: %s:%d:%d: %s %q %.60q\n", what, path, line, col, f.kind, f.name, m.Text(js.Span{Start: f.start, End: f.end}))
}

// value returns the constant at f as the extractor writes values, where it wrote one.
func (c *comparison) value(m *js.Module, f fact, want string) string {
	if f.kind != "const" || want == "" {
		return ""
	}
	v, err := c.program.Lookup(m, f.name)
	if err != nil {
		return err.Error()
	}
	return render(v)
}

// render writes a value as JSON.stringify does, numbers that JSON lacks by name.
func render(v js.Value) string {
	var parts []string
	switch v.Kind {
	case js.Null:
		return "null"
	case js.Bool:
		return strconv.FormatBool(v.Bool)
	case js.String:
		return quote(v.Str)
	case js.Number:
		return renderNumber(v.Num)
	case js.Array:
		for _, e := range v.Elems {
			parts = append(parts, render(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case js.Object:
		for _, e := range v.Entries {
			parts = append(parts, quote(e.Key.Str)+":"+render(e.Value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return fmt.Sprintf("kind %d", v.Kind)
}

func renderNumber(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return `"Infinity"`
	case math.IsInf(f, -1):
		return `"-Infinity"`
	case f == 0:
		return "0"
	}
	text, err := json.Marshal(f) // encoding/json formats numbers as JavaScript does
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// quote writes a string as JSON.stringify does.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return err.Error()
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029", `\u007f`, "\u007f").Replace(text)
}

// report prints the rates and tells whether all are good enough.
func (c *comparison) report() bool {
	fmt.Fprintf(c.out, "%d files; %d that neither side parses, %d that one side does not\n", c.files, c.refused, c.disagree)
	fmt.Fprintf(c.out, "%-10s %8s %8s %8s %8s %9s\n", "fact", "same", "missing", "extra", "value", "agree")
	good := c.disagree == 0
	for _, kind := range kinds {
		t := c.tallies[kind]
		fmt.Fprintf(c.out, "%-10s %8d %8d %8d %8d %8.3f%%\n", kind, t.same, t.missing, t.extra, t.value, 100*t.rate())
		good = good && t.rate() >= wanted
	}
	return good
}

// extract lists the facts of a module.
func extract(m *js.Module) map[fact]int {
	facts := make(map[fact]int)
	add := func(kind string, span js.Span, name string) { facts[fact{kind, span.Start, span.End, name}]++ }
	for _, c := range m.Comments() {
		add("comment", c, "")
	}
	for _, e := range m.Exports() {
		stmt := m.Text(e.Stmt)
		if !strings.HasPrefix(stmt, "export") || strings.HasPrefix(stmt, "exports.") || strings.HasPrefix(stmt, "export namespace") {
			continue // CommonJS and namespaces, which the extractor leaves out
		}
		if e.Kind != js.ExportStar || e.Name != "*" {
			add("export", e.Span, e.Name)
		}
	}
	for _, s := range m.Root().Kids {
		if s.Type == js.ExportDecl {
			s = s.Kids[0]
		}
		if s.Type == js.VarDecl && s.Text == "const" {
			for _, d := range s.Kids {
				if d.Kids[0].Type == js.Ident && d.Kids[1] != nil {
					add("const", d.Kids[0].Span, d.Kids[0].Text)
				}
			}
		}
	}
	keys := func(kind string, n *js.Node) {
		if n == nil || n.Type != js.ObjectLit {
			return
		}
		for _, p := range n.Kids {
			if p.Type != js.Property || p.Flags&js.Computed != 0 && p.Kids[0].Type != js.StringLit {
				continue
			}
			name := p.Kids[0].Text
			if f, err := strconv.ParseFloat(name, 64); err == nil && p.Kids[0].Type == js.NumberLit {
				name = strconv.FormatFloat(f, 'f', -1, 64)
			}
			add(kind, p.Kids[0].Span, name)
		}
	}
	js.Walk(m.Root(), func(n *js.Node) bool {
		if n.Flags&js.Synthetic != 0 {
			return true
		}
		switch n.Type {
		case js.Return:
			keys("returned", n.Kids[0])
		case js.FuncLit:
			if n.Flags&js.Arrow != 0 {
				keys("returned", n.Kids[1])
			}
		case js.CallExpr:
			add("call", n.Span, js.CalleeName(n))
			for _, arg := range n.Kids[1:] {
				keys("argument", arg)
			}
		case js.Await:
			add("await", n.Span, "")
		case js.Member:
			object := n.Kids[0]
			if object.Type == js.Member && object.Flags&js.Computed == 0 && object.Kids[1].Text == "env" && object.Kids[0].Type == js.Ident && object.Kids[0].Text == "process" {
				env(n, add)
			}
		}
		return true
	})
	return facts
}

// env adds a read of process.env.
func env(n *js.Node, add func(kind string, span js.Span, name string)) {
	p := n.Parent
	if p.Type == js.Assign && p.Text == "=" && p.Kids[0] == n || p.Type == js.Unary && p.Text == "delete" {
		return
	}
	if key := n.Kids[1]; n.Flags&js.Computed == 0 || key.Type == js.StringLit {
		add("env", key.Span, key.Text)
	}
}
