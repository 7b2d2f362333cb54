package gate

import (
	"fmt"
	"strings"
)

// The lines of a patch that name a file (the format of OpenCode's apply_patch tool).
const (
	patchBegin  = "*** Begin Patch"
	patchEnd    = "*** End Patch"
	patchAdd    = "*** Add File:"
	patchUpdate = "*** Update File:"
	patchDelete = "*** Delete File:"
	patchMove   = "*** Move to:"
)

// pathAccess is one file that a patch touches.
type pathAccess struct {
	path   string
	access access
}

// patchPaths lists the files that a patch touches, in order. A line that starts with ***
// and is none of the format's own is an error: the host might read it as a file.
func patchPaths(text string) ([]pathAccess, error) {
	var list []pathAccess
	begun := false
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "***") {
			continue
		}
		switch {
		case line == patchBegin:
			begun = true
			continue
		case line == patchEnd, line == "*** End of File":
			continue
		}
		found, ok := patchHeader(line)
		if !ok {
			return nil, fmt.Errorf("line %d: %q is no header of a patch", n+1, line)
		}
		list = append(list, found)
	}
	if !begun {
		return nil, fmt.Errorf("expected a first line %q", patchBegin)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the patch names no file")
	}
	return list, nil
}

func patchHeader(line string) (pathAccess, bool) {
	for _, h := range []struct {
		prefix string
		access access
	}{{patchAdd, accessWrite}, {patchUpdate, accessWrite}, {patchMove, accessWrite}, {patchDelete, accessDelete}} {
		if name, ok := strings.CutPrefix(line, h.prefix); ok && strings.TrimSpace(name) != "" {
			return pathAccess{strings.TrimSpace(name), h.access}, true
		}
	}
	return pathAccess{}, false
}
