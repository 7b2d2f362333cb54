package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Workspace says where a call runs. It is read-only once made.
type Workspace struct {
	root      string   // as the caller spelled it, clean
	realRoot  string   // with symbolic links resolved
	dir       string   // where relative paths start
	home      string   // "" when unknown
	temp      string   // the agent's TMPDIR, "" when unknown
	temps     []string // scratch directories, as spelled and resolved
	protected []string // files and directories that no call may change, as spelled and resolved
}

// WorkspaceConfig describes a Workspace. All paths are absolute.
type WorkspaceConfig struct {
	Root      string   // the work tree. "" or "/" (no version control): Dir
	Dir       string   // where relative paths start
	Home      string   // the agent's HOME, or ""
	Temp      string   // the agent's TMPDIR, or ""; /tmp and /var/tmp are scratch as well
	Protected []string // files and directories that no call may change
}

// NewWorkspace checks cfg and resolves its links. Root has to exist, and Dir has to lie
// in it. An error names what was expected.
func NewWorkspace(cfg WorkspaceConfig) (Workspace, error) {
	root := cfg.Root
	if root == "" || root == string(filepath.Separator) {
		root = cfg.Dir
	}
	for _, p := range append([]string{root, cfg.Dir}, cfg.Protected...) {
		if !filepath.IsAbs(p) {
			return Workspace{}, fmt.Errorf("workspace: path %q: expected an absolute path", p)
		}
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return Workspace{}, fmt.Errorf("workspace: %w", err)
	}
	if realRoot == string(filepath.Separator) {
		return Workspace{}, fmt.Errorf("workspace: root %q: expected a directory below the file system's root", root)
	}
	ws := Workspace{root: filepath.Clean(root), realRoot: realRoot, dir: filepath.Clean(cfg.Dir), home: cfg.Home, temp: cfg.Temp}
	if !within(realRoot, resolve(ws.dir)) {
		return Workspace{}, fmt.Errorf("workspace: directory %q: expected one inside %q", cfg.Dir, root)
	}
	for _, t := range []string{cfg.Temp, "/tmp", "/var/tmp"} {
		if filepath.IsAbs(t) && filepath.Dir(t) != t {
			ws.temps = appendSpellings(ws.temps, t)
		}
	}
	for _, p := range cfg.Protected {
		ws.protected = appendSpellings(ws.protected, p)
	}
	return ws, nil
}

// appendSpellings appends path as spelled and, when it differs, as resolved.
func appendSpellings(list []string, path string) []string {
	path = filepath.Clean(path)
	list = append(list, path)
	if real := resolve(path); real != path {
		list = append(list, real)
	}
	return list
}

// within reports whether path is root or lies below it. Both are clean and absolute.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolve follows the symbolic links of an absolute path as the kernel would. From the
// first name that does not exist on, the rest is taken as it stands: a file yet to be
// created lies where its deepest existing ancestor lies.
func resolve(path string) string {
	return resolveBelow(splitVolume(path))
}

// resolveBelow resolves names below a resolved directory.
func resolveBelow(real, rest string) string {
	const maxLinks = 64
	for links := 0; rest != ""; {
		name, tail, _ := strings.Cut(rest, string(filepath.Separator))
		rest = tail
		switch name {
		case "", ".":
			continue
		case "..":
			real = filepath.Dir(real)
			continue
		}
		next := filepath.Join(real, name)
		target, err := os.Readlink(next)
		if err != nil || links == maxLinks {
			real = next
			continue
		}
		links++
		if filepath.IsAbs(target) {
			real, target = splitVolume(target)
		}
		rest = target + string(filepath.Separator) + rest
	}
	return real
}

// resolve is the function resolve with what is known about the workspace's root.
func (ws Workspace) resolve(path string) string {
	rest, ok := strings.CutPrefix(path, ws.root+string(filepath.Separator))
	if !ok {
		return resolve(path)
	}
	return resolveBelow(ws.realRoot, rest)
}

// splitVolume cuts an absolute path into the root of its volume and the names below it.
func splitVolume(path string) (root, rest string) {
	vol := len(filepath.VolumeName(path))
	return path[:vol] + string(filepath.Separator), strings.TrimLeft(path[vol:], string(filepath.Separator))
}

// exists reports whether a path names something.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
