package fsuser

import (
	"path"
	"path/filepath"

	"fsutil"
)

func use(l *fsutil.Loader, name string) {
	fsutil.Files.Open(filepath.Join("a", name)) // want `use path.Join`
	fsutil.Read(filepath.Join("a", name))       // want `use path.Join`
	fsutil.Read(path.Join("a", name))
	fsutil.Stat(fsutil.Files, filepath.Join("a", name)) // want `use path.Join`
	fsutil.Any(filepath.Join("a", name))
	fsutil.Deep(true, filepath.Dir(name)) // want `use path.Dir`
	l.Load(filepath.Clean(name))          // want `use path.Clean`
}

// Through is exported again.
func Through(name string) { fsutil.Deep(false, name) } // want Through:"looks up argument 0"
