package embedtree

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
)

// reference is one place where a module names another file or module.
type reference struct {
	span js.Span
	text string // as the module has it; "" when only run time knows
	kind kind
}

type kind int

const (
	imports  kind = iota // import and export from, import(), require(): extensions are tried
	location             // new URL(text, import.meta.url): exactly this file or directory
)

// nodeModules are the modules of Node that need no prefix.
var nodeModules = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram
	diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process
	punycode querystring readline repl stream string_decoder sys timers tls tty url util v8 vm wasi
	worker_threads zlib`)

// isBuiltin reports whether a specifier names a module of the runtime.
func isBuiltin(specifier string) bool {
	name, _, _ := strings.Cut(specifier, "/")
	return strings.HasPrefix(specifier, "node:") || strings.HasPrefix(specifier, "bun:") || specifier == "bun" || slices.Contains(nodeModules, name)
}

// usesNode reports whether a module imports one of Node's, so that no browser runs it.
func usesNode(m *js.Module) bool {
	return slices.ContainsFunc(finding.Specifiers(m), func(s string) bool {
		return strings.HasPrefix(s, "node:") || s == "fs" || s == "path" || s == "child_process"
	})
}

// references returns what a module refers to, in order of place, each place once.
func (t *tree) references(m *js.Module) []reference {
	var out []reference
	for _, imp := range m.Imports() {
		if !isErased(m, imp) {
			out = append(out, reference{imp.Span, imp.Specifier, imports})
		}
	}
	js.Walk(m.Root(), func(n *js.Node) bool {
		switch n.Type {
		case js.ExportList, js.ExportAll:
			if n.Kids[0] != nil && n.Kids[0].Type == js.StringLit {
				out = append(out, reference{n.Kids[0].Span, n.Kids[0].Text, imports})
			}
		case js.ImportCall:
			if r, ok := t.computed(m, n.Kids[0]); ok {
				out = append(out, r)
			}
		case js.New:
			if r, ok := t.url(m, n); ok {
				out = append(out, r)
			}
		case js.CallExpr:
			if r, ok := t.readsBeside(m, n); ok {
				out = append(out, r)
			}
		}
		return true
	})
	slices.SortStableFunc(out, func(a, b reference) int { return a.span.Start - b.span.Start })
	return slices.CompactFunc(out, func(a, b reference) bool { return a.span == b.span })
}

// isErased reports whether an import of TypeScript is of types alone: nothing uses its name.
func isErased(m *js.Module, imp js.Import) bool {
	if imp.Dynamic || imp.Local == "" || !isTypeScript(m.Path()) {
		return false
	}
	used := false
	js.Walk(m.Root(), func(n *js.Node) bool {
		used = used || n.Type == js.Ident && n.Text == imp.Local && n.Span != imp.LocalSpan
		return n.Type != js.ImportDecl
	})
	return !used
}

// computed returns what import(x) names when x is no literal.
func (t *tree) computed(m *js.Module, specifier *js.Node) (reference, bool) {
	if specifier == nil || specifier.Type == js.StringLit || specifier.Type == js.Template && len(specifier.Kids) == 1 {
		return reference{}, false // among Imports
	}
	at := t.prog.Follow(js.Expr{Module: m, Node: specifier})
	if t.holdsURL(at) {
		return reference{}, false // looked at where it is made
	}
	v, err := t.prog.Eval(js.Expr{Module: m, Node: specifier})
	if err != nil || v.Kind == js.Formula {
		if len(v.Parts) > 0 && strings.HasPrefix(v.Parts[0].Text, ".") {
			return reference{}, false // somewhere in the tree
		}
		return reference{specifier.Span, "", imports}, true
	}
	if v.Kind != js.String {
		return reference{}, false
	}
	return reference{specifier.Span, v.Str, imports}, true
}

// holdsURL reports whether an expression is made of new URL(x, import.meta.url).
func (t *tree) holdsURL(e js.Expr) bool {
	if e.Node == nil {
		return false
	}
	found := false
	js.Walk(e.Node, func(n *js.Node) bool {
		found = found || t.isURL(e.Module, n)
		return !found
	})
	return found
}

// isURL reports whether an expression is new URL(x, import.meta.url).
func (t *tree) isURL(m *js.Module, n *js.Node) bool {
	if n.Type != js.New || len(n.Kids) < 3 || n.Kids[0].Type != js.Ident || n.Kids[0].Text != "URL" {
		return false
	}
	base := t.prog.Follow(js.Expr{Module: m, Node: n.Kids[2]})
	return base.Node != nil && strings.Join(strings.Fields(base.Module.Text(base.Node.Span)), "") == "import.meta.url"
}

// url returns what new URL("x", import.meta.url) names, unless the module may make the file
// or asks first whether it is there.
func (t *tree) url(m *js.Module, n *js.Node) (reference, bool) {
	if !t.isURL(m, n) {
		return reference{}, false
	}
	v, err := t.prog.Eval(js.Expr{Module: m, Node: n.Kids[1]})
	if err != nil || v.Kind != js.String || !isRelativeURL(v.Str) || t.mayBeMade(m, n) {
		return reference{}, false
	}
	text, _, _ := strings.Cut(v.Str, "?")
	text, _, _ = strings.Cut(text, "#")
	return reference{n.Kids[1].Span, text, location}, true
}

// isRelativeURL reports whether a URL stands for a file beside the module.
func isRelativeURL(text string) bool {
	return text != "" && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, `\`) && !strings.Contains(text, ":") && text[0] != '#' && text[0] != '?'
}

// makers are the functions that make a file or ask whether it is there.
var makers = []string{
	"fs.writeFile", "fs.writeFileSync", "fs.appendFile", "fs.appendFileSync", "fs.createWriteStream", "fs.mkdir", "fs.mkdirSync",
	"fs.existsSync", "fs.exists", "fs.access", "fs.accessSync", "fs.stat", "fs.statSync", "fs.lstat", "fs.lstatSync", "fs.rename",
	"fs.renameSync", "fs.rm", "fs.rmSync", "fs.unlink", "fs.unlinkSync", "Bun.write", "Bun.file",
}

// mayBeMade reports whether what an expression names need not be there: it, or the variable
// that holds it, goes to a function that makes files or asks for them, or a failure is caught.
func (t *tree) mayBeMade(m *js.Module, n *js.Node) bool {
	if isTried(n) {
		return true
	}
	for at := n; at.Parent != nil; at = at.Parent {
		switch p := at.Parent; p.Type {
		case js.CallExpr:
			if slices.Contains(makers, plugincode.API(t.prog, m, p.Kids[0])) {
				return true
			}
		case js.Declarator:
			return p.Kids[0].Type == js.Ident && t.variableMade(m, p.Kids[0])
		case js.New, js.Member, js.Await, js.Binary, js.Template:
		default:
			return false
		}
	}
	return false
}

// variableMade reports whether a variable goes to one of the makers.
func (t *tree) variableMade(m *js.Module, name *js.Node) bool {
	made := false
	js.Walk(m.Root(), func(n *js.Node) bool {
		if n.Type == js.CallExpr && slices.Contains(makers, plugincode.API(t.prog, m, n.Kids[0])) {
			for _, arg := range n.Kids[1:] {
				js.Walk(arg, func(a *js.Node) bool {
					made = made || a.Type == js.Ident && a.Text == name.Text && m.BindingOf(a) == m.BindingOf(name)
					return true
				})
			}
		}
		return !made
	})
	return made
}

// isTried reports whether a node lies in the block of a try statement with a catch clause,
// in the same function.
func isTried(n *js.Node) bool {
	for at := n; at.Parent != nil && at.Type != js.FuncLit; at = at.Parent {
		if p := at.Parent; p.Type == js.Try && p.Kids[0] == at && p.Kids[1] != nil {
			return true
		}
	}
	return false
}

// reference judges one reference.
func (t *tree) reference(m *js.Module, r reference) {
	isPath := r.kind == location || strings.HasPrefix(r.text, "./") || strings.HasPrefix(r.text, "../") || r.text == "." || r.text == ".."
	switch {
	case isPath:
		t.relative(m, r)
	case !t.plugin[m.Path()] || r.text == "" && m.Vendored(r.span.Start):
	case r.text == "":
		t.report(ruleOutside, m, r.span, "what this imports is known only at run time: it can be a file or package that is not embedded, and then the import fails where the plugin is written; import a fixed file of the tree")
	case !isBuiltin(r.text) && !isHosts(r.text) && !strings.HasPrefix(r.text, "data:"):
		t.report(ruleOutside, m, r.span, fmt.Sprintf("%q is not embedded: where the plugin is written there is no node_modules with it, the import fails and OpenCode loads nothing; embed the file and import it by a relative path, or bundle it", r.text))
	}
}

// isHosts reports whether OpenCode installs a package beside the plugins of a user.
func isHosts(specifier string) bool {
	return specifier == "@opencode-ai/plugin" || strings.HasPrefix(specifier, "@opencode-ai/plugin/")
}

// relative judges a reference to a file beside the module.
func (t *tree) relative(m *js.Module, r reference) {
	path := filepath.Join(filepath.Dir(m.Path()), filepath.FromSlash(r.text))
	if r.kind == imports {
		found, err := t.prog.Resolve(m, r.text)
		if err == nil {
			path = found
		}
	}
	if t.has(path) {
		return
	}
	if i, ok := t.drops(path); ok && (t.server[m.Path()] || !isTypeScript(m.Path())) { // no browser runs TypeScript
		t.hidden[i] = append(t.hidden[i], hiddenTarget{path, m, r})
		return
	}
	if !t.server[m.Path()] {
		return // a server may have it at that address
	}
	name := filepath.Base(path)
	if _, err := os.Lstat(path); err == nil {
		t.report(ruleMissing, m, r.span, fmt.Sprintf("%q is here but no //go:embed pattern of the package selects it: where the binary writes the tree it is missing, and this fails; add it to the pattern", name))
		return
	}
	t.report(ruleMissing, m, r.span, fmt.Sprintf("there is no %q for this in the embedded tree: it fails where the binary writes the tree, and a plugin that does not load leaves no trace; embed the file or remove this", r.text))
}

func isTypeScript(path string) bool {
	return slices.Contains([]string{".ts", ".mts", ".cts", ".tsx"}, filepath.Ext(path))
}

// has reports whether a file, or a directory with files in it, is embedded.
func (t *tree) has(path string) bool {
	if t.files[path] {
		return true
	}
	prefix := path + string(filepath.Separator)
	for file := range t.files {
		if strings.HasPrefix(file, prefix) {
			return true
		}
	}
	return false
}

// drops returns the first pattern that would embed a file or directory but for its name.
func (t *tree) drops(path string) (int, bool) {
	prefix := path + string(filepath.Separator)
	first, found := len(t.patterns), false
	for file, i := range t.dropped {
		if file == path || strings.HasPrefix(file, prefix) {
			first, found = min(first, i), true
		}
	}
	return first, found
}

// reportHidden reports the patterns that drop what their tree needs, once each.
func (t *tree) reportHidden() {
	for i, p := range t.patterns {
		missed := t.hidden[i]
		if len(missed) == 0 {
			continue
		}
		d := analysis.Diagnostic{
			Category: ruleHidden, Pos: p.Pos, End: p.End,
			Message: fmt.Sprintf("the directory pattern %s leaves out names that begin with _ or a dot, and with them %s, which the tree needs: the tree that the binary writes does not load; use all:%s", p.Arg, names(missed), p.Arg),
			SuggestedFixes: []analysis.SuggestedFix{{
				Message:   "embed all files",
				TextEdits: []analysis.TextEdit{{Pos: inside(p), End: inside(p), NewText: []byte("all:")}},
			}},
		}
		for _, miss := range missed {
			pos, end := t.positions.Range(finding.Place{Module: miss.by, Span: miss.ref.span})
			d.Related = append(d.Related, analysis.RelatedInformation{Pos: pos, End: end, Message: "needs " + filepath.Base(miss.path)})
		}
		t.pass.Report(d)
	}
}

// names lists the files that are missed, the first and how many more.
func names(missed []hiddenTarget) string {
	var paths []string
	for _, miss := range missed {
		if !slices.Contains(paths, miss.path) {
			paths = append(paths, miss.path)
		}
	}
	if len(paths) == 1 {
		return filepath.Base(paths[0])
	}
	return fmt.Sprintf("%s and %d more", filepath.Base(paths[0]), len(paths)-1)
}

// inside returns the position of the pattern's first character, behind a quote.
func inside(p embedtree.Pattern) token.Pos {
	if int(p.End-p.Pos) != len(p.Arg) {
		return p.Pos + 1
	}
	return p.Pos
}
