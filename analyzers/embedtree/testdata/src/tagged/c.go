//go:build linux || windows

package tagged

import "path/filepath"

func both(name string) { files.ReadFile(filepath.Join("a", name)) } // want `use path.Join`
