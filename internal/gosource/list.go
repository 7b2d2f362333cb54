// Package gosource lists Go packages and type-checks them from source, no deeper than a
// check needs: the bodies of dependencies are never checked, and imports that no
// declaration mentions are never loaded. It needs no build cache and no export data, so
// that a first run on a fresh machine costs what every run costs.
//
// It does not promise a complete types.Package of a dependency. A package that needs cgo
// or has errors is loaded by go/packages instead, whose word is final.
package gosource

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"go/version"
	"io"
	"os/exec"
	"runtime"
	"strings"
)

// Package is what the go command says about one package.
type Package struct {
	Dir          string
	ImportPath   string
	Name         string
	Standard     bool
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string

	IgnoredGoFiles []string          // of other builds
	ImportMap      map[string]string // of vendored and replaced imports of the standard library
	Module         *Module
	Error          *PackageError
}

// Module is the module of a package.
type Module struct {
	Path      string
	Version   string
	Dir       string
	GoMod     string
	GoVersion string
	Main      bool    // of the workspace
	Replace   *Module // what is used in its place
}

// local reports whether the user works on a package: it belongs to a module of the
// workspace or to one that is replaced by a directory.
func (p *Package) local() bool {
	m := p.Module
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// PackageError tells why a package cannot be listed.
type PackageError struct {
	Pos string
	Err string
}

// text is the error with its place, where the go command tells one.
func (e *PackageError) text() string {
	text := strings.TrimSpace(e.Err)
	if e.Pos == "" || strings.HasPrefix(text, e.Pos) {
		return text
	}
	return e.Pos + ": " + text
}

// ErrNoMatch says that no package matches the patterns.
var ErrNoMatch = errors.New("no package matches")

// LoadError says that a package cannot be checked.
type LoadError struct {
	ImportPath string
	Msg        string
}

func (e *LoadError) Error() string {
	return fmt.Sprintf("package %s does not load: %s", e.ImportPath, e.Msg)
}

// List returns the packages that match patterns, seen from dir, without resolving what
// they import. The error wraps ErrNoMatch when there are none.
func List(ctx context.Context, dir string, patterns []string) ([]*Package, error) {
	pkgs, err := goList(ctx, dir, append([]string{"-find", "--"}, patterns...))
	if err != nil {
		return nil, err
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("%w %s", ErrNoMatch, strings.Join(patterns, " "))
	}
	for _, p := range pkgs {
		if p.Error != nil && strings.HasPrefix(p.Error.Err, "pattern ") {
			if strings.Contains(p.Error.Err, ": open ") { // a directory that could not be searched
				return nil, fmt.Errorf("go list: %s", p.Error.text())
			}
			return nil, fmt.Errorf("%w %s", ErrNoMatch, p.ImportPath)
		}
		if p.Error != nil {
			return nil, &LoadError{p.ImportPath, p.Error.text()}
		}
		if err := supported(p); err != nil {
			return nil, err
		}
	}
	return pkgs, nil
}

// listDeps returns the packages that match patterns and all that they import.
func listDeps(ctx context.Context, dir string, patterns []string) ([]*Package, error) {
	return goList(ctx, dir, append([]string{"-deps", "--"}, patterns...))
}

func goList(ctx context.Context, dir string, args []string) ([]*Package, error) {
	const fields = "Dir,ImportPath,Name,Standard,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles,Imports,ImportMap,Module,Error"
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-json=" + fields}, args...)...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if msg := strings.TrimSpace(stderr.String()); msg != "" {
			return nil, fmt.Errorf("go list: %s", msg)
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	var out []*Package
	for dec := json.NewDecoder(&stdout); ; {
		p := new(Package)
		if err := dec.Decode(p); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		out = append(out, p)
	}
}

// supported refuses a module of a newer language than the type checker of this binary
// knows.
func supported(p *Package) error {
	if p.Module == nil || p.Module.GoVersion == "" {
		return nil
	}
	have, want := runtime.Version(), "go"+p.Module.GoVersion
	if version.Compare(version.Lang(have), version.Lang(want)) < 0 {
		return fmt.Errorf("module %s requires %s, but this ngvet was built with %s: build it with the newer Go", p.Module.Path, want, have)
	}
	return nil
}

// goarch is the architecture whose sizes apply.
func goarch() string { return build.Default.GOARCH }
