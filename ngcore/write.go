package ngcore

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/plugin"
)

// modulesDir holds every file of the tree but the entry. It belongs to Write.
const modulesDir = "nightgauge"

// privateDir is the mode of every directory that a run leaves.
const privateDir fs.FileMode = 0o700

// Write puts the plugin tree into dir, which it creates when missing, and returns the
// absolute path of the entry.
//
//   - Directories become 0700 and files 0600, also when they existed with other modes.
//   - Every file is replaced atomically. The entry is removed first and written last, so
//     that a Write which is killed leaves no tree that loads with older modules.
//   - JavaScript of older versions below dir/nightgauge is removed. Anything else there
//     that is not the tree's own is refused, before a file is touched, and so is every
//     symbolic link in the way. Other files of dir are left alone.
//   - A dir named plugin or plugins is refused: under a configuration directory OpenCode
//     scans it by itself, and would load the entry twice (HOST.md section 1). Any
//     directory can become one through OPENCODE_CONFIG_DIR, so the name alone decides.
//   - A path with a question mark is refused: OpenCode 1.18.30 drops such a plugin without
//     a word, also when its URL has the mark escaped. Any other character may be used.
//
// Two calls must not write the same dir at one time.
func Write(dir string) (entry string, err error) {
	abs, err := treeDir(dir)
	if err != nil {
		return "", fmt.Errorf("write plugin: %w", err)
	}
	root, err := openDir(abs)
	if err != nil {
		return "", fmt.Errorf("write plugin: %w", err)
	}
	defer root.Close()
	if err := writeTree(root); err != nil {
		return "", fmt.Errorf("write plugin %s: %w", abs, err)
	}
	return filepath.Join(abs, filepath.FromSlash(EntryFile)), nil
}

// treeDir returns dir as an absolute path, or why no tree may lie there.
func treeDir(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no directory given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if strings.Contains(abs, "?") {
		return "", fmt.Errorf("%s: expected a path without a question mark: OpenCode does not load a plugin from this one, and does not say so", abs)
	}
	// Case-insensitive file systems let OpenCode find "Plugins" as well.
	switch strings.ToLower(filepath.Base(abs)) {
	case "plugin", "plugins":
		return "", fmt.Errorf("%s: OpenCode loads every module of a directory with this name by itself and would load the plugin twice; use another name", abs)
	}
	return abs, nil
}

// openDir opens dir, which it makes private when it makes it. The parents of dir may be
// links, as /tmp is on some systems; dir itself may not.
func openDir(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, privateDir); err != nil {
		return nil, err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: expected a directory, found %s", dir, describeType(info.Mode()))
	}
	return os.OpenRoot(dir)
}

func writeTree(root *os.Root) error {
	files, err := readTree(plugin.Files)
	if err != nil {
		return err
	}
	found, err := surveyTree(root, files)
	if err != nil {
		return err
	}
	if err := root.Chmod(".", privateDir); err != nil {
		return err
	}
	if err := root.Remove(EntryFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range found.stale {
		if err := root.Remove(name); err != nil {
			return err
		}
	}
	names := slices.Sorted(maps.Keys(files))
	names = slices.DeleteFunc(names, func(name string) bool { return name == EntryFile })
	for _, name := range append(names, EntryFile) {
		if err := replaceFile(root, name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// readTree returns every file of an embedded tree by its slash path.
func readTree(tree fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(tree, name)
		return err
	})
	return files, err
}

// survey is what lies where a tree is to be written.
type survey struct {
	root  *os.Root
	files map[string][]byte // the new tree
	dirs  map[string]bool   // its directories
	stale []string          // left by older versions, in an order in which it can be removed
}

// surveyTree finds what older versions left and refuses what is not the plugin's.
func surveyTree(root *os.Root, files map[string][]byte) (*survey, error) {
	s := &survey{root: root, files: files, dirs: map[string]bool{}}
	for name := range files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			s.dirs[dir] = true
		}
	}
	for _, name := range []string{EntryFile, modulesDir} {
		if err := s.visit(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return s, nil
}

func (s *survey) visit(name string) error {
	info, err := s.root.Lstat(name)
	if err != nil {
		return err
	}
	isFile := s.files[name] != nil
	switch {
	case info.IsDir() && !isFile:
		return s.visitDir(name)
	case !info.Mode().IsRegular() || s.dirs[name]:
		want := "a directory"
		if isFile {
			want = "a regular file"
		}
		return fmt.Errorf("%s: expected %s, found %s", name, want, describeType(info.Mode()))
	case isFile:
		return nil
	case path.Ext(name) == ".js", isTempName(path.Base(name)):
		s.stale = append(s.stale, name)
		return nil
	default:
		return fmt.Errorf("%s is not a file of the plugin; move it away or choose another directory", name)
	}
}

func (s *survey) visitDir(name string) error {
	// The mode first: a directory that was left unreadable cannot be listed.
	if err := s.root.Chmod(name, privateDir); err != nil {
		return err
	}
	entries, err := fs.ReadDir(s.root.FS(), name)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := s.visit(path.Join(name, entry.Name())); err != nil {
			return err
		}
	}
	if !s.dirs[name] {
		s.stale = append(s.stale, name)
	}
	return nil
}

// replaceFile writes name, and the directories above it, so that it is seen whole or not
// at all. name must be local to root.
func replaceFile(root *os.Root, name string, data []byte) (err error) {
	dir := path.Dir(name)
	if err := root.MkdirAll(dir, privateDir); err != nil {
		return err
	}
	temp := path.Join(dir, tempName())
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, ownerOnly)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, root.Remove(temp))
		}
	}()
	// The mode given to OpenFile is subject to the umask; this one is not.
	err = f.Chmod(ownerOnly)
	if err == nil {
		_, err = f.Write(data)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return root.Rename(temp, name)
}

// Random, so that nobody can plant it (BUGS.md B44), and recognisable, so that the next
// Write removes what a killed one left.
func tempName() string { return ".nightgauge-" + rand.Text() + ".tmp" }

func isTempName(base string) bool {
	return strings.HasPrefix(base, ".nightgauge-") && strings.HasSuffix(base, ".tmp")
}
