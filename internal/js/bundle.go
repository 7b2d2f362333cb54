package js

import (
	"path"
	"slices"
	"sort"
	"strings"
)

// Vendored reports whether the code at an offset of a bundle came from another package: the
// comment by which the bundler names its source, // node_modules/x/index.js, tells. A bundle
// without such comments tells nothing; see [Module.Minified]. Where the file itself lies
// does not matter: a plugin may well be checked where npm has put it.
func (m *Module) Vendored(off int) bool {
	i := sort.Search(len(m.parts), func(i int) bool { return m.parts[i].start > off })
	return i > 0 && m.parts[i-1].vendored
}

// maxLine is the mean length of lines, in bytes, above which nobody wrote a module by hand.
const maxLine = 400

// Minified reports whether a module is written as no person does, so that its own code and
// that of other packages in it look alike.
func (m *Module) Minified() bool { return len(m.src) > maxLine*(1+strings.Count(m.src, "\n")) }

// bundlePart is where the code from one source of a bundle starts.
type bundlePart struct {
	start    int
	vendored bool
}

var sourceExts = []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json"}

// findParts finds the comments of a bundler: // src/a.ts, on lines of their own.
func (m *Module) findParts() []bundlePart {
	var list []bundlePart
	for _, c := range m.toks.comments {
		name, ok := strings.CutPrefix(m.src[c.Start:c.End], "// ")
		name = strings.TrimRight(name, "\r")
		if !ok || strings.ContainsAny(name, " \t") || !strings.Contains(name, "/") || !slices.Contains(sourceExts, path.Ext(name)) {
			continue
		}
		before := m.src[:c.Start]
		if strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == "" {
			list = append(list, bundlePart{c.Start, isVendored(name)})
		}
	}
	return list
}

func isVendored(name string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(name, `\`, "/"), "/"), "node_modules")
}
