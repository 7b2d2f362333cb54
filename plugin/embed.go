// Package plugin holds the OpenCode plugin, a tree of plain JavaScript modules, and the
// Go side of every contract that the tree has with Go: version, hook names, event kinds,
// file names, limits and environment names. Each such fact is declared once in Go and once
// in JavaScript, and a //ngvet:mirror directive holds the two together.
//
// The package is a leaf: it imports nothing of this module, so that every package that
// depends on the contracts also depends on the embedded files that they mirror.
package plugin

import "embed"

// EntryFile is the module that OpenCode loads, relative to the root of Files. Its one
// export is the V1 plugin object {id, server} (HOST.md section 1).
//
//ngvet:mirror nightgauge/env.js#ENTRY_FILE
const EntryFile = "nightgauge.js"

// Files is the tree as the binary carries it: EntryFile beside the directory nightgauge.
//
//go:embed nightgauge.js all:nightgauge
var Files embed.FS
