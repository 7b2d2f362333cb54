package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/js"
)

// archiveExt marks a FILE that is an archive: ARCHIVE.txtar!MEMBER.
const archiveExt = ".txtar"

// target is where the FILE of a directive leads.
type target struct {
	path   string // absolute
	member string // of an archive
}

// Targets returns the absolute paths of the files that the mirror directives of a Go file
// name, for a driver that must know what a package depends on. The files need not exist;
// what cannot be resolved is left to the check.
func Targets(goFile string, src []byte) []string {
	var out []string
	for line := range strings.Lines(string(src)) {
		d, err := parseDirective(&ast.Comment{Slash: 1, Text: strings.TrimSpace(line)})
		if d == nil || err != nil {
			continue
		}
		if t, err := locate(goFile, d.file); err == nil {
			out = append(out, t.path)
		}
	}
	return out
}

// Module returns the directory of the go.mod above dir.
func Module(dir string) string {
	module, _ := roots(dir)
	return module
}

// Repository returns the directory that no contract of the package in dir leaves.
func Repository(dir string) string {
	_, repository := roots(dir)
	return repository
}

// locate resolves FILE: relative to the Go file, from the module root with a leading
// slash, or of a package of the same module as IMPORT/PATH!FILE.
func locate(goFile, file string) (target, error) {
	module, repository := roots(filepath.Dir(goFile))
	var t target
	head, tail, bang := strings.Cut(file, "!")
	switch {
	case bang && strings.HasSuffix(head, archiveExt):
		file, t.member = head, tail
	case bang:
		dir, err := packageDir(module, head)
		if err != nil {
			return target{}, err
		}
		t.path = filepath.Join(dir, filepath.FromSlash(tail))
	}
	switch {
	case t.path != "":
	case strings.HasPrefix(file, "/"):
		t.path = filepath.Join(module, filepath.FromSlash(file))
	default:
		t.path = filepath.Join(filepath.Dir(goFile), filepath.FromSlash(file))
	}
	return t, within(repository, t.path, file)
}

// roots returns the directory of the go.mod above dir, and the repository around it: the
// nearest directory with a .git, or else the module.
func roots(dir string) (module, repository string) {
	for at := dir; ; at = filepath.Dir(at) {
		if module == "" && exists(filepath.Join(at, "go.mod")) {
			module = at
		}
		if module != "" && exists(filepath.Join(at, ".git")) {
			return module, at
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	if module == "" {
		// A package without a module, such as under GOPATH, has no root but itself.
		return dir, dir
	}
	return module, module
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// packageDir returns the directory of a package of the module.
func packageDir(module, importPath string) (string, error) {
	data, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("import path %s cannot be resolved: %w", importPath, err)
	}
	name := modfile.ModulePath(data)
	rest, ok := strings.CutPrefix(importPath+"/", name+"/")
	if !ok {
		return "", fmt.Errorf("import path %s is not in module %s", importPath, name)
	}
	return filepath.Join(module, filepath.FromSlash(rest)), nil
}

// within refuses a path outside the repository, also one that leaves it by a link.
func within(repository, path, written string) error {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = path, nil // reading it will tell
	}
	if err != nil {
		return err
	}
	root, err := filepath.EvalSymlinks(repository)
	if err != nil {
		return err
	}
	for _, base := range []string{root, repository} {
		if rel, err := filepath.Rel(base, real); err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return fmt.Errorf("file %s lies outside the repository", written)
}

// load reads the module of a target. For a member of an archive, the offset is that of
// the member's text in the archive and archive is the archive's text.
func load(prog *js.Program, t target) (m *js.Module, archive []byte, offset int, err error) {
	if t.member == "" {
		m, err = prog.Load(t.path)
		return m, nil, 0, err
	}
	archive, err = finding.ReadFile(t.path)
	if err != nil {
		return nil, nil, 0, err
	}
	start, end, ok := findMember(archive, t.member)
	if !ok {
		return nil, nil, 0, fmt.Errorf("archive %s has no member %q", t.path, t.member)
	}
	m, err = prog.LoadSource(t.path+"!"+t.member, archive[start:end])
	return m, archive, start, err
}

// findMember returns the range of a member's text in a txtar archive. The parser of
// x/tools gives the text without its place.
func findMember(archive []byte, name string) (start, end int, ok bool) {
	marker := []byte("-- " + name + " --")
	for at := 0; at < len(archive); {
		line, next := archive[at:], len(archive)
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], at+i+1
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		isMarker := bytes.HasPrefix(line, []byte("-- ")) && bytes.HasSuffix(line, []byte(" --")) && len(line) > len("--  --")
		switch {
		case ok && isMarker:
			return start, at, true
		case !ok && bytes.Equal(line, marker):
			start, ok = next, true
		}
		at = next
	}
	return start, len(archive), ok
}
