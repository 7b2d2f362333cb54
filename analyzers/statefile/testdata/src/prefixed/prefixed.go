package prefixed

import (
	"os"
	"path/filepath"
	str "strings"
)

type guard struct{ root string }

func (g *guard) inside(path string) bool {
	abs, err := filepath.Abs(path)
	return err == nil && str.HasPrefix(abs, g.root) // want `a prefix is no containment`
}

func joined(root, name string) bool {
	return str.HasPrefix(filepath.Join(root, name), filepath.Clean(root)) // want `a prefix is no containment`
}

func resolved(path, workDir string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = filepath.Clean(path)
	}
	return str.HasPrefix(real, workDir) // want `a prefix is no containment`
}

func home(path string) bool {
	h, _ := os.UserHomeDir()
	return str.HasPrefix(filepath.Clean(path), h) // want `a prefix is no containment`
}

func separated(root, path string) bool {
	p := filepath.Clean(path)
	return p == root || str.HasPrefix(p, root+string(filepath.Separator)) // OK
}

func next(root, path string) bool {
	p := filepath.Clean(path)
	return str.HasPrefix(p, root) && (len(p) == len(root) || p[len(root)] == '/') // OK
}

func constant(path string) bool {
	return str.HasPrefix(filepath.Clean(path), "..") // OK: a constant
}

func name(path, prefix string) bool {
	return str.HasPrefix(filepath.Base(path), prefix) // OK: no path
}

func text(s, dir string) bool {
	return str.HasPrefix(s, dir) // OK: not known to be a path
}

func completed(root, path string) bool {
	root = filepath.Clean(root)
	if !str.HasSuffix(root, "/") {
		root += "/"
	}
	return str.HasPrefix(filepath.Clean(path), root) // OK: it ends with a separator
}

func chosen(root, path string, clean bool) bool {
	dir := filepath.Dir(root)
	if clean {
		dir = filepath.Clean(root)
	}
	return str.HasPrefix(filepath.Clean(path), dir) // want `a prefix is no containment`
}
