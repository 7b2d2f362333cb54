package tagged

import "path/filepath"

func linux(name string) { files.ReadFile(filepath.Join("a", name)) }
