// Package fsutil looks names up for other packages.
package fsutil

import (
	"embed"
	"io/fs"
	"path"
	"path/filepath"
)

//go:embed *.go
var Files embed.FS

func Read(name string) ([]byte, error) { return Files.ReadFile(path.Join("assets", name)) } // want Read:"looks up argument 0"

func Stat[F fs.FS](fsys F, name string) (fs.FileInfo, error) { return fs.Stat(fsys, name) } // want Stat:"looks up argument 1"

func Any(name string) ([]byte, error) { return Files.ReadFile(filepath.ToSlash(name)) }

func Deep(flag bool, name string) ([]byte, error) { return inner(name) } // want Deep:"looks up argument 1"

func inner(name string) ([]byte, error) { return Read(name) }

type Loader struct{ fsys fs.FS }

func (l *Loader) Load(name string) (fs.File, error) { return l.fsys.Open(name) } // want Load:"looks up argument 1"
