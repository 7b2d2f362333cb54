package ngcore

import (
	"fmt"
	"io/fs"

	"github.com/ngvet/ngvet/plugin"
)

// EntryFile is the module that OpenCode is told to load, relative to the root of Files.
const EntryFile = plugin.EntryFile

// Files returns the plugin tree that this binary carries: EntryFile at the root and its
// modules in one directory beside it. The tree is read-only and safe for concurrent use.
// An error means that the binary was built without the entry.
func Files() (fs.FS, error) {
	if _, err := fs.Stat(plugin.Files, EntryFile); err != nil {
		return nil, fmt.Errorf("embedded plugin: %w", err)
	}
	return plugin.Files, nil
}
