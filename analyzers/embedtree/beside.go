package embedtree

import (
	"path"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// reads are the functions that fail when their file is not there.
var reads = []string{"fs.readFileSync", "fs.readFile", "fs.createReadStream", "fs.openSync", "fs.readdirSync", "fs.readdir", "fs.copyFileSync", "fs.cpSync"}

// bunReads are the methods of Bun.file that do.
var bunReads = []string{"text", "json", "bytes", "arrayBuffer", "stream"}

// readsBeside returns the file that a call reads at a place that it computes from that of
// the module, as in readFileSync(join(import.meta.dirname, "x")).
func (t *tree) readsBeside(m *js.Module, call *js.Node) (reference, bool) {
	name := t.readName(m, call)
	if name == nil || isTried(call) || t.holdsURL(t.prog.Follow(js.Expr{Module: m, Node: name})) {
		return reference{}, false
	}
	text, ok := t.beside(m, name)
	if !ok || text == "." || t.isMade(m, text) {
		return reference{}, false
	}
	return reference{name.Span, text, location}, true
}

// readName returns the argument that names what a call reads, or nil.
func (t *tree) readName(m *js.Module, call *js.Node) *js.Node {
	if len(call.Kids) > 1 && slices.Contains(reads, plugincode.API(t.prog, m, call.Kids[0])) {
		return call.Kids[1]
	}
	method := call.Kids[0]
	if method.Type != js.Member || !slices.Contains(bunReads, plugincode.MemberName(method)) {
		return nil
	}
	file := t.prog.Follow(js.Expr{Module: m, Node: method.Kids[0]})
	if file.Node == nil || file.Module != m || file.Node.Type != js.CallExpr || len(file.Node.Kids) < 2 || plugincode.API(t.prog, m, file.Node.Kids[0]) != "Bun.file" {
		return nil
	}
	return file.Node.Kids[1]
}

// isMade reports whether a module hands the path of a file beside itself to anything but a
// read: that may make the file, or ask whether it is there.
func (t *tree) isMade(m *js.Module, text string) bool {
	made := false
	js.Walk(m.Root(), func(n *js.Node) bool {
		if n.Type != js.CallExpr || made || t.onlyReads(m, n) {
			return !made
		}
		for _, arg := range n.Kids[1:] {
			place, ok := t.beside(m, arg)
			made = made || ok && place == text
		}
		return !made
	})
	return made
}

// onlyReads reports whether a call reads a file, or makes a path.
func (t *tree) onlyReads(m *js.Module, call *js.Node) bool {
	api := plugincode.API(t.prog, m, call.Kids[0])
	if strings.HasPrefix(api, "path.") || slices.Contains(reads, api) {
		return true
	}
	p := call.Parent // Bun.file(x).text()
	return api == "Bun.file" && p.Type == js.Member && slices.Contains(bunReads, plugincode.MemberName(p))
}

// beside returns the path that an expression makes of the module's own place, relative to its
// directory.
func (t *tree) beside(m *js.Module, n *js.Node) (string, bool) {
	e := t.prog.Follow(js.Expr{Module: m, Node: n})
	if e.Node == nil || e.Module != m {
		return "", false
	}
	if t.isOwnDir(m, e.Node) {
		return ".", true
	}
	n = e.Node
	switch {
	case n.Type == js.CallExpr && len(n.Kids) > 2 && slices.Contains([]string{"path.join", "path.resolve"}, plugincode.API(t.prog, m, n.Kids[0])):
		return t.below(m, n.Kids[1], n.Kids[2:], "/")
	case n.Type == js.Template && len(n.Kids) > 2 && n.Kids[0].Text == "":
		return t.below(m, n.Kids[1], n.Kids[2:], "")
	case n.Type == js.Binary && n.Text == "+":
		return t.below(m, n.Kids[0], n.Kids[1:], "")
	}
	if url := urlOf(n); url != nil && t.isURL(m, url) {
		v, err := t.prog.Eval(js.Expr{Module: m, Node: url.Kids[1]})
		return path.Clean(v.Str), err == nil && v.Kind == js.String && isRelativeURL(v.Str)
	}
	return "", false
}

// below adds constant parts to a path beside the module, with a separator between them or,
// where the parts have to bring it along, none.
func (t *tree) below(m *js.Module, base *js.Node, parts []*js.Node, separator string) (string, bool) {
	text, ok := t.beside(m, base)
	if !ok {
		return "", false
	}
	rest := ""
	for _, part := range parts {
		word := part.Text
		if part.Type != js.TemplateText {
			v, err := t.prog.Eval(js.Expr{Module: m, Node: part})
			if err != nil || v.Kind != js.String {
				return "", false
			}
			word = v.Str
		}
		if separator != "" && strings.HasPrefix(word, "/") {
			return "", false // resolve starts anew there
		}
		rest += separator + word
	}
	return path.Join(text, rest), strings.HasPrefix(rest, "/")
}

// urlOf returns the URL of which an expression is the path: new URL(x).pathname or
// fileURLToPath(new URL(x)); nil if it is neither.
func urlOf(n *js.Node) *js.Node {
	switch {
	case n.Type == js.Member && plugincode.MemberName(n) == "pathname":
		return n.Kids[0]
	case n.Type == js.CallExpr && len(n.Kids) == 2 && js.CalleeName(n) == "fileURLToPath":
		return n.Kids[1]
	}
	return nil
}

// isOwnDir reports whether an expression is the directory of the module.
func (t *tree) isOwnDir(m *js.Module, n *js.Node) bool {
	switch strings.Join(strings.Fields(m.Text(n.Span)), "") {
	case "import.meta.dirname", "import.meta.dir", "__dirname":
		return true
	}
	if n.Type != js.CallExpr || len(n.Kids) != 2 || plugincode.API(t.prog, m, n.Kids[0]) != "path.dirname" {
		return false
	}
	file := t.prog.Follow(js.Expr{Module: m, Node: n.Kids[1]})
	return file.Node != nil && file.Module == m && t.isOwnFile(m, file.Node)
}

// isOwnFile reports whether an expression is the path of the module.
func (t *tree) isOwnFile(m *js.Module, n *js.Node) bool {
	switch m.Text(n.Span) {
	case "import.meta.filename", "import.meta.path", "__filename":
		return true
	}
	url := urlOf(n)
	if url != nil && url.Type == js.New && len(url.Kids) == 2 && url.Kids[0].Text == "URL" {
		url = url.Kids[1] // new URL(import.meta.url)
	}
	if url == nil {
		return false
	}
	at := t.prog.Follow(js.Expr{Module: m, Node: url})
	return at.Node != nil && at.Module == m && m.Text(at.Node.Span) == "import.meta.url"
}
