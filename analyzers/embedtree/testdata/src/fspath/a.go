package fspath

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	fp "path/filepath"
	"strings"
)

var files embed.FS

func direct(name string) {
	files.ReadFile(fp.Join("assets", name)) // want `names in an fs.FS have slashes everywhere, but filepath.Join makes backslashes on Windows: the file is not found there; use path.Join`
	files.Open(path.Join("assets", name))
	files.ReadDir(fp.ToSlash(fp.Join("assets", name)))
	files.ReadDir(fp.Dir(name)) // want `filepath.Dir makes backslashes`
	os.ReadFile(fp.Join("assets", name))
}

func functions(name string) {
	fs.ReadFile(files, fp.Join("assets", name))                   // want `use path.Join`
	fs.Sub(files, fp.Clean(name))                                 // want `use path.Clean`
	fs.WalkDir(files, fp.FromSlash(name), nil)                    // want `use filepath.ToSlash`
	fs.Stat(os.DirFS("/"), fp.Join("a", name))                    // want `use path.Join`
	template.ParseFS(files, "x.html", fp.Join("templates", name)) // want `use path.Join`
	template.New("x").ParseFS(files, fp.Join("templates", name))  // want `use path.Join`
	template.ParseFiles(fp.Join("templates", name))
}

func variables(name string, b bool) {
	p := fp.Join("assets", name) // want `use path.Join`
	if b {
		p = "x"
	}
	full := fmt.Sprintf("%s.js", p)
	files.ReadFile(full + ".map")
	q := fp.Join("a", name)
	files.ReadFile(strings.ReplaceAll(q, `\`, "/"))
}

// helper gets names from its callers.
func helper(fsys fs.FS, name string) { fs.ReadFile(fsys, path.Join("x", name)) }

func callers(name string) {
	helper(files, fp.Join("a", name)) // want `use path.Join`
	helper(files, path.Join("a", name))
	read := files.ReadFile
	read(fp.Join("a", name)) // want `use path.Join`
}

// own is no fs.FS.
type own struct{}

func (own) Open(name string) error { return nil }

func other(name string) { own{}.Open(fp.Join("a", name)) }

func relative(root string) {
	fp.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		rel, err := fp.Rel(root, p) // want `filepath.Rel makes backslashes`
		files.ReadFile(rel)
		return err
	})
}
