package fiximport

import (
	"embed"
	"path/filepath"
)

var files embed.FS

func read(name string) {
	files.ReadFile(filepath.Join("a", name)) // want `use path.Join`
}
