package typeparams

import (
	"embed"
	"io/fs"
	"path/filepath"
)

type source = embed.FS

var files source

func read[F fs.FS](fsys F, name string) { fsys.Open(name) }

func open[F fs.ReadFileFS](fsys F, name string) {
	fsys.ReadFile(filepath.Join("a", name)) // want `use path.Join`
}

func use(name string) {
	read(files, filepath.Join("b", name)) // want `use path.Join`
	open(files, name)
	open[embed.FS](files, name)
}
