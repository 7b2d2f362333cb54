package mirror

import (
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

//go:embed doc.go
var doc string

// Check is the mirror analyzer with its rules.
var Check = &finding.Check{
	Analyzer: &analysis.Analyzer{
		Name:     "mirror",
		Doc:      finding.Doc(doc),
		URL:      finding.URL("mirror"),
		Requires: []*analysis.Analyzer{finding.Program},
		Run:      run,
	},
	Rules: []finding.Rule{
		{Name: ruleDiffers, Severity: finding.Error},
		{Name: ruleMissing, Severity: finding.Error},
		{Name: ruleNotConst, Severity: finding.Error},
		{Name: ruleUnreadable, Severity: finding.Error},
		{Name: ruleMalformed, Severity: finding.Error},
		{Name: RuleUntracked, Severity: finding.Info, Off: true},
		{Name: ruleUnmirrored, Severity: finding.Info},
	},
	Scope: finding.Scope{Directives: []string{"mirror"}, Tests: true},
}

const (
	ruleDiffers    = "differs"
	ruleMissing    = "missing"
	ruleNotConst   = "notconst"
	ruleUnreadable = "unreadable"
	ruleMalformed  = "malformed"
	ruleUnmirrored = "unmirrored"

	// RuleUntracked is for a driver that knows that it does not follow the files of contracts.
	RuleUntracked = "untracked"
)

func run(pass *analysis.Pass) (any, error) {
	c := &checker{
		pass:      pass,
		prog:      finding.ProgramOf(pass),
		positions: finding.NewPositions(pass.Fset),
		reader:    &goReader{pass: pass},
	}
	var built []subject
	for _, file := range pass.Files {
		built = append(built, subjects(file)...)
	}
	for _, file := range pass.Files {
		if len(built) > 0 { // a package that declares nothing hears nothing
			c.unmirrored(file)
		}
	}
	for _, s := range append(built, c.variants(built)...) {
		c.check(s)
	}
	return nil, nil
}

// subject is a declaration with one mirror directive. A directive in a comment that
// documents no declaration has no eval.
type subject struct {
	comment *ast.Comment
	name    string // as Go code of another package would write it, without the package
	decl    string // the one name that is declared at the top of the package, or ""
	other   bool   // of a file that this build leaves out
	eval    func(*goReader) (value, error)
}

// subjects returns the directives of a file in order.
func subjects(file *ast.File) []subject {
	owner := make(map[*ast.CommentGroup]subject)
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			s := subject{name: funcName(decl), eval: func(r *goReader) (value, error) { return r.function(decl) }}
			if decl.Recv == nil {
				s.decl = decl.Name.Name
			}
			owner[decl.Doc] = s
		case *ast.GenDecl:
			declSubjects(decl, owner)
		}
	}
	var out []subject
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if d, ok := ast.ParseDirective(comment.Pos(), comment.Text); ok && d.Tool == "ngvet" && d.Name == "mirror" {
				s := owner[group]
				s.comment = comment
				out = append(out, s)
			}
		}
	}
	return out
}

func declSubjects(decl *ast.GenDecl, owner map[*ast.CommentGroup]subject) {
	if decl.Tok == token.CONST && decl.Lparen.IsValid() {
		owner[decl.Doc] = subject{name: groupName(decl), eval: func(r *goReader) (value, error) { return r.group(decl) }}
	}
	for _, spec := range decl.Specs {
		var docs *ast.CommentGroup
		var s subject
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			if len(spec.Names) == 1 {
				docs = spec.Doc
				s = subject{name: spec.Names[0].Name, decl: spec.Names[0].Name, eval: func(r *goReader) (value, error) { return r.named(spec, 0) }}
			}
		case *ast.TypeSpec:
			docs = spec.Doc
			s = subject{name: spec.Name.Name, decl: spec.Name.Name, eval: func(r *goReader) (value, error) { return r.fields(spec) }}
		}
		if s.eval == nil {
			continue
		}
		if !decl.Lparen.IsValid() {
			docs = decl.Doc
		}
		owner[docs] = s
	}
}

func funcName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return decl.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(decl.Recv.List[0].Type), "*") + "." + decl.Name.Name
}

// groupName names a group by its first constant.
func groupName(decl *ast.GenDecl) string {
	for _, spec := range decl.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			return v.Names[0].Name + " and its group"
		}
	}
	return "the group"
}

// checker checks the directives of one package.
type checker struct {
	pass      *analysis.Pass
	prog      *js.Program
	positions *finding.Positions
	reader    *goReader
	root      string // the directory to which messages name files
}

// check checks one contract. Whatever cannot be decided is a finding.
func (c *checker) check(s subject) {
	d, err := parseDirective(s.comment)
	if err != nil {
		c.refuse(s.comment, err)
		return
	}
	if s.eval == nil {
		c.report(ruleMalformed, s.comment.Pos(), s.comment.End(), "a mirror directive belongs last in the doc comment of one constant, variable, function, struct or group of constants, and nothing is compared here")
		return
	}
	jsValue, ok := c.readJS(d, s)
	if !ok {
		return
	}
	goValue, err := s.eval(c.reader)
	if err != nil {
		c.refuse(s.comment, err)
		return
	}
	k := &contract{checker: c, d: d, other: s.other, goName: c.pass.Pkg.Name() + "." + s.name, jsName: describePath(d.path)}
	goValue, jsValue, err = project(goValue, jsValue, d)
	if err != nil {
		c.refuse(s.comment, err)
		return
	}
	if opaque := firstOpaque(jsValue); opaque != nil {
		c.lookupError(d, s, opaque)
		return
	}
	for _, diff := range compare(goValue, jsValue, d) {
		c.pass.Report(k.diagnostic(diff))
	}
}

// readJS evaluates the JS side, or reports why it cannot be.
func (c *checker) readJS(d *directive, s subject) (value, bool) {
	goFile := finding.Position(c.pass.Fset, s.comment.Pos()).Filename
	c.root, _ = roots(filepath.Dir(goFile))
	t, err := locate(goFile, d.file)
	if err != nil {
		c.report(ruleMalformed, d.filePos, d.pathPos-1, "%s", err)
		return value{}, false
	}
	if !c.isTracked(t.path) {
		c.report(RuleUntracked, d.filePos, d.pathPos-1, "a driver that caches by Go files and what they embed does not see a change of %s: embed it here or in a package that this one imports, or check with ngvet ./...", d.file)
	}
	m, archive, offset, err := load(c.prog, t)
	if err != nil {
		c.report(ruleUnreadable, d.filePos, d.pathPos-1, "the JavaScript side of %s cannot be read, so the contract is unchecked: %s", s.name, relativeError(err, c.root))
		return value{}, false
	}
	if archive != nil {
		c.positions.Embed(m, t.path, archive, offset)
	}
	v, err := c.prog.Lookup(m, d.path)
	if err != nil {
		c.lookupError(d, s, err)
		return value{}, false
	}
	out := (&jsReader{positions: c.positions, unit: d.unit}).value(v)
	if isSetPath(d.path) {
		out.kind = setKind
	}
	return out, true
}

func (c *checker) lookupError(d *directive, s subject, err error) {
	var notFound *js.NotFoundError
	var notConst *js.NotConstError
	var path *js.PathError
	switch {
	case errors.As(err, &notFound):
		span, looked := notFound.Span, "it was looked for here"
		if notFound.Erased != "" {
			span, looked = notFound.ErasedAt, "it is declared here"
		}
		pos, end := c.positions.Range(finding.Place{Module: notFound.Module, Span: span})
		msg := fmt.Sprintf("%s.%s has no counterpart: there is no %s in %s (%s)", c.pass.Pkg.Name(), s.name, notFound.Name, d.file, c.where(pos))
		switch {
		case notFound.Erased != "":
			msg = fmt.Sprintf("%s.%s has no counterpart: %s in %s (%s) is %s, of which nothing is left at run time; write a constant, and derive the type from it", c.pass.Pkg.Name(), s.name, notFound.Name, d.file, c.where(pos), notFound.Erased)
		case len(notFound.Nearest) > 0:
			msg += fmt.Sprintf(", nearest is %s", strings.Join(notFound.Nearest, ", "))
		}
		c.pass.Report(analysis.Diagnostic{
			Category: ruleMissing, Pos: d.pathPos, End: d.argEnd, Message: msg,
			Related: []analysis.RelatedInformation{{Pos: pos, End: end, Message: looked}},
		})
	case errors.As(err, &notConst):
		pos, end := c.positions.Range(finding.Place{Module: notConst.Module, Span: notConst.Span})
		c.pass.Report(analysis.Diagnostic{
			Category: ruleNotConst, Pos: pos, End: end,
			Message: fmt.Sprintf("%s, which mirrors %s.%s (%s), is not a constant expression: %s", describePath(d.path), c.pass.Pkg.Name(), s.name, c.where(s.comment.Pos()), notConst.Reason),
			Related: []analysis.RelatedInformation{{Pos: d.pathPos, End: d.argEnd, Message: "the directive is here"}},
		})
	case errors.As(err, &path):
		at := d.pathPos + token.Pos(min(path.Offset, len(d.path)))
		c.report(ruleMalformed, at, d.argEnd, "path %q: %s", d.path, path.Msg)
	default:
		c.report(ruleUnreadable, d.filePos, d.pathPos-1, "the JavaScript side of %s cannot be read, so the contract is unchecked: %s", s.name, err)
	}
}

// refuse reports an error of the Go side.
func (c *checker) refuse(at *ast.Comment, err error) {
	var bad *malformed
	var run *notConst
	switch {
	case errors.As(err, &bad):
		c.report(ruleMalformed, bad.pos, bad.end, "%s", bad.msg)
	case errors.As(err, &run):
		c.report(ruleNotConst, run.pos, run.end, "the Go side of the contract is not a constant: %s", run.reason)
	default:
		c.report(ruleMalformed, at.Pos(), at.End(), "%s", err)
	}
}

func (c *checker) report(rule string, pos, end token.Pos, format string, args ...any) {
	c.pass.Report(analysis.Diagnostic{Category: rule, Pos: pos, End: end, Message: fmt.Sprintf(format, args...)})
}

// where renders a position for a message: file:line:column from the module root.
func (c *checker) where(pos token.Pos) string {
	p := finding.Position(c.pass.Fset, pos)
	if rel, err := filepath.Rel(c.root, p.Filename); err == nil {
		p.Filename = filepath.ToSlash(rel)
	}
	return p.String()
}

// relativeError renders an error without the machine's path of the module.
func relativeError(err error, root string) string {
	return strings.ReplaceAll(err.Error(), root+string(filepath.Separator), "")
}
