package fix

import (
	"embed"
	"path"
	"path/filepath"
)

var files embed.FS

func read(dir, name string) {
	files.ReadFile(filepath.Join("a", name)) // want `use path.Join`
	files.ReadFile(path.Join("a", filepath.ToSlash(name)))
	{
		path := "shadowed"
		files.ReadFile(filepath.Join(path, name)) // want `use path.Join`
	}
	filepath.Join(dir, name)
}
