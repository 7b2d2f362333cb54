package ngvet

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"go/build"
	"go/token"
	"hash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/ngvet/ngvet/analyzers"
	"github.com/ngvet/ngvet/analyzers/mirror"
	"github.com/ngvet/ngvet/internal/embedtree"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/suppress"
)

// IsVetTool reports whether the arguments are those with which go vet calls a tool.
func IsVetTool(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-V=") || a == "-flags" || strings.HasSuffix(a, ".cfg")
	})
}

// VetTool serves one call of go vet and exits. Go vet caches by the Go files of a package
// and what it embeds; the version that this tool reports therefore covers every other
// file that a contract in the repository or the workspace names.
func VetTool() {
	flag.Var(versionFlag{}, "V", "print version and exit")
	path, text, unit, err := readUnit(os.Args)
	if err == nil {
		err = asRequested(os.Args, path, text, unit)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "ngvet: %v\n", err)
		os.Exit(ExitUsage)
	}
	opts := new(scope)
	opts.register(flag.CommandLine)
	unitchecker.Main(vetAnalyzer(opts, unit))
}

// vetAnalyzer is all checks as one analyzer, so that suppressions apply to them together.
// The options are read when it runs: the flags are parsed after it is made.
func vetAnalyzer(opts *scope, unit vetUnit) *analysis.Analyzer {
	checks := analyzers.All(finding.Options{})
	foreign := unit.VetxOnly && !unit.local() // facts are about packages that the user works on
	a := &analysis.Analyzer{
		Name: "ngvet",
		Doc:  "all checks of ngvet on one package",
		URL:  finding.URL(""),
	}
	for _, c := range checks {
		a.FactTypes = append(a.FactTypes, c.Analyzer.FactTypes...)
		if foreign {
			continue
		}
		for _, req := range c.Analyzer.Requires {
			if !slices.Contains(a.Requires, req) {
				a.Requires = append(a.Requires, req)
			}
		}
	}
	a.Run = func(pass *analysis.Pass) (any, error) {
		if foreign {
			return nil, nil
		}
		return nil, vet(pass, opts, unit)
	}
	return a
}

// vet runs the checks on one package and reports what is not suppressed. It ends with the
// errors of all checks that did not finish.
func vet(pass *analysis.Pass, opts *scope, unit vetUnit) error {
	plugins := finding.Options{Enable: opts.enable}
	if unit.module().Path == "" { // toolID goes by modules
		plugins.Enable = append(slices.Clip(plugins.Enable), mirror.Check.Name()+"/"+mirror.RuleUntracked)
	}
	checks := analyzers.All(plugins)
	scanned := scanPass(pass)
	var found []problem
	var errs []error
	for _, c := range checks {
		// The others look for their own directives and types, and for them in imports too.
		selected := !c.Scope.Everywhere || newSelector(pass.Fset, c.Scope, nil, opts.everywhere).selects(scanned)
		if !selected && len(c.Analyzer.FactTypes) == 0 {
			continue
		}
		sub := *pass
		sub.Analyzer = c.Analyzer
		sub.Report = func(d analysis.Diagnostic) {
			if selected && c.Reports(d.Category, plugins) {
				found = append(found, problem{rule: c.Name() + "/" + d.Category, diag: d})
			}
		}
		if _, err := guarded(c.Analyzer).Run(&sub); err != nil {
			errs = append(errs, fmt.Errorf("check %s: %w", c.Name(), err))
		}
	}
	ignores := suppress.NewSet(func(rule string) bool { return ruleOf(checks, rule) != nil })
	for _, f := range pass.Files {
		ignores.AddGo(pass.Fset, f)
	}
	positions := finding.NewPositions(pass.Fset)
	prog := finding.ProgramOf(pass)
	for _, p := range found {
		at := finding.Position(pass.Fset, p.diag.Pos)
		if embedtree.IsModule(at.Filename) {
			if m, err := prog.Load(at.Filename); err == nil {
				ignores.AddJS(positions, m)
			}
		}
	}
	for _, p := range found {
		if !ignores.Match(p.rule, finding.Position(pass.Fset, p.diag.Pos)) {
			reportVet(pass, p.rule, p.diag)
		}
	}
	// Of a directive in JavaScript other packages may make use: it is never called unused.
	for _, d := range ignores.Problems(func(string) bool { return true }) {
		reportVet(pass, suppress.Check.Name()+"/"+d.Category, d)
	}
	return errors.Join(errs...)
}

// scanPass is what scan would say about the package of a pass.
func scanPass(pass *analysis.Pass) *scanned {
	s := &scanned{verbs: make(map[string]bool), embedders: pass.Files}
	for _, file := range pass.Files {
		addVerbs(file, s.verbs)
		if text, err := os.ReadFile(pass.Fset.PositionFor(file.FileStart, false).Filename); err == nil {
			s.text = append(s.text, text)
		}
	}
	return s
}

// reportVet puts the rule into the message: go vet prints nothing else.
func reportVet(pass *analysis.Pass, rule string, d analysis.Diagnostic) {
	d.Message += " (" + rule + ")"
	d.Category, d.URL = rule, ""
	pass.Report(d)
}

// versionFlag prints what go vet takes for the identity of the tool.
type versionFlag struct{}

func (versionFlag) IsBoolFlag() bool { return true }
func (versionFlag) String() string   { return "" }

// Set implements [flag.Value]; it exits, as go vet expects.
func (versionFlag) Set(mode string) error {
	if mode != "full" {
		return fmt.Errorf("-V=%s is not -V=full", mode)
	}
	id, err := toolID()
	if err != nil {
		fmt.Fprintf(os.Stderr, "ngvet: %v\n", err)
		os.Exit(ExitUsage)
	}
	fmt.Printf("ngvet version devel mirrored-files buildID=%x\n", id)
	os.Exit(ExitClean)
	return nil
}

// toolID hashes this binary and the files that contracts name.
func toolID() ([]byte, error) {
	h := sha256.New()
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(exe)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for _, root := range workspace(dir) {
		if err := hashContracts(h, root); err != nil {
			return nil, err
		}
	}
	return h.Sum(nil), nil
}

// workspace returns the repositories whose files a contract may name in a run of go vet
// in dir: that around dir, those of the modules of its go.work, and those of modules that
// one of them replaces by a directory.
func workspace(dir string) []string {
	var roots []string
	for _, module := range append(workModules(), dir) {
		roots = append(roots, mirror.Repository(module))
		for _, replaced := range replacements(module) {
			roots = append(roots, mirror.Repository(replaced))
		}
	}
	slices.Sort(roots)
	return slices.Compact(roots)
}

// workModules returns the directories of the modules of the go.work in use. What is wrong
// with the file the go command says itself.
func workModules() []string {
	out, err := exec.Command("go", "env", "GOWORK").Output()
	work := strings.TrimSpace(string(out))
	if err != nil || work == "" || work == "off" {
		return nil
	}
	data, err := os.ReadFile(work)
	if err != nil {
		return nil
	}
	file, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return nil
	}
	var dirs []string
	for _, use := range file.Use {
		dirs = append(dirs, resolve(filepath.Dir(work), use.Path))
	}
	return dirs
}

// replacements returns the directories that the module around dir uses in place of others.
func replacements(dir string) []string {
	root := mirror.Module(dir)
	name := filepath.Join(root, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	file, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil
	}
	var dirs []string
	for _, r := range file.Replace {
		if modfile.IsDirectoryPath(r.New.Path) {
			dirs = append(dirs, resolve(root, r.New.Path))
		}
	}
	return dirs
}

func resolve(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// hashContracts adds every file under root that a mirror directive names, what those
// modules import, and the Go files of other builds that stand beside a directive.
func hashContracts(h hash.Hash, root string) error {
	var named, others []string
	contracts := make(map[string]bool) // directories with a directive
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		case isGitFile(d.Name()): // embedtree/eol reads them
			hashFile(h, path)
			return nil
		case filepath.Ext(path) != ".go":
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(data, []byte("//ngvet:mirror ")) {
			named = append(named, mirror.Targets(path, data)...)
			contracts[filepath.Dir(path)] = true
		}
		if isConstrained(path, data) {
			others = append(others, path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, path := range others {
		if contracts[filepath.Dir(path)] {
			hashFile(h, path)
		}
	}
	slices.Sort(named)
	r := &run{fset: token.NewFileSet(), prog: js.NewProgram(finding.ReadFile), modules: make(map[string]*js.Module)}
	for _, path := range slices.Compact(named) {
		if m, err := r.prog.Load(path); err == nil {
			r.follow(m)
		}
		hashFile(h, path)
	}
	paths := make([]string, 0, len(r.modules))
	for path := range r.modules {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		hashFile(h, path)
	}
	return nil
}

// isConstrained reports whether there are builds without a Go file. Go vet does not cache by
// the files that a build leaves out.
func isConstrained(path string, data []byte) bool {
	if bytes.Contains(data, []byte("//go:build ")) {
		return true
	}
	dir, name := filepath.Split(path)
	if !strings.Contains(name, "_") {
		return false
	}
	match, err := build.Default.MatchFile(dir, name)
	return err != nil || !match
}

func isGitFile(name string) bool {
	return name == ".gitattributes" || name == ".gitignore"
}

// hashFile adds a file, or the fact that it cannot be read.
func hashFile(h hash.Hash, path string) {
	data, err := finding.ReadFile(path)
	fmt.Fprintf(h, "%q %v %d\n", path, err == nil, len(data))
	h.Write(data)
}
