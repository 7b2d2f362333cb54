package fiximport

import "path/filepath"

func both(name string) {
	files.ReadFile(filepath.Join("a", name))   // want `use path.Join`
	files.ReadFile(filepath.Clean("a" + name)) // want `use path.Clean`
}
