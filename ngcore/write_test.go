package ngcore_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore"
)

func embedded(t *testing.T) fs.FS {
	t.Helper()
	tree, err := ngcore.Files()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// contents returns every regular file of a tree.
func contents(t *testing.T, tree fs.FS) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func writeTree(t *testing.T, dir string) string {
	t.Helper()
	entry, err := ngcore.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func TestFilesIsATreeOfModules(t *testing.T) {
	t.Parallel()
	files := contents(t, embedded(t))
	if files[ngcore.EntryFile] == "" {
		t.Errorf("no %s in %v", ngcore.EntryFile, slices.Sorted(maps.Keys(files)))
	}
	for name, content := range files {
		// Write replaces and removes nothing else.
		if name != ngcore.EntryFile && !strings.HasPrefix(name, "nightgauge/") {
			t.Errorf("%s lies outside of the entry and nightgauge/", name)
		}
		if filepath.Ext(name) != ".js" {
			t.Errorf("%s is not a .js file: Write would not remove it once it is stale", name)
		}
		if strings.Contains(content, "\r") {
			t.Errorf("%s has carriage returns: the embedded bytes depend on the checkout", name)
		}
	}
}

func TestWriteIntoAwkwardPlaces(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain", "a b", "a%20b", "100%", "a#b", "ü", "a'b", "日本", "plugin-tree", "plugins/inside"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), name)
			entry := writeTree(t, dir)
			if want := filepath.Join(dir, ngcore.EntryFile); entry != want {
				t.Errorf("entry = %q, want %q", entry, want)
			}
			if diff := cmp.Diff(contents(t, embedded(t)), contents(t, os.DirFS(dir))); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
			if err := ngcore.VerifyTree(entry); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWriteReturnsAnAbsolutePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if entry := writeTree(t, "./x/../tree"); !filepath.IsAbs(entry) || filepath.Base(filepath.Dir(entry)) != "tree" {
		t.Errorf("entry = %q, want an absolute path below tree", entry)
	}
}

func TestWriteEnforcesModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := filepath.Join(t.TempDir(), "tree")
	writeTree(t, dir)
	// A read-only leftover must not stop the second Write, nor an open one stay open.
	for name, mode := range map[string]fs.FileMode{
		ngcore.EntryFile:      0o444,
		"nightgauge/env.js":   0o666,
		"nightgauge/gates.js": 0,
		"nightgauge":          0o555,
		".":                   0o755,
	} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	writeTree(t, dir)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWriteRemovesOlderVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant := map[string]string{
		ngcore.EntryFile:                       "// old entry\n",
		"nightgauge/env.js":                    "// old module\n",
		"nightgauge/gone.js":                   "// module of an older version\n",
		"nightgauge/old/deep/gone.js":          "// another\n",
		"nightgauge/.nightgauge-ABCDEF234.tmp": "left by a Write that was killed",
		"keep.txt":                             "not the plugin's",
		"other/keep.js":                        "not the plugin's",
	}
	for name, content := range plant {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	entry := writeTree(t, dir)
	want := contents(t, embedded(t))
	want["keep.txt"], want["other/keep.js"] = plant["keep.txt"], plant["other/keep.js"]
	if diff := cmp.Diff(want, contents(t, os.DirFS(dir))); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "nightgauge", "old")); !os.IsNotExist(err) {
		t.Errorf("the stale directory is still there: %v", err)
	}
	if err := ngcore.VerifyTree(entry); err != nil {
		t.Error(err)
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	mkdir := func(t *testing.T, path string) {
		t.Helper()
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	symlink := func(t *testing.T, target, link string) {
		t.Helper()
		mkdir(t, filepath.Dir(link))
		if err := os.Symlink(target, link); err != nil {
			t.Skip("this system has no symbolic links: ", err)
		}
	}
	file := func(t *testing.T, path string) {
		t.Helper()
		mkdir(t, filepath.Dir(path))
		if err := os.WriteFile(path, []byte("victim"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name  string
		dir   string // below the test's own directory
		plant func(t *testing.T, base, dir string)
		text  string
	}{
		{"plugin", "plugin", nil, "load the plugin twice"},
		{"plugins", "opencode/plugins", nil, "load the plugin twice"},
		{"plugins on a case-insensitive system", ".opencode/Plugins", nil, "load the plugin twice"},
		{"plugins with a slash at the end", ".opencode/plugins/", nil, "load the plugin twice"},
		{"a question mark", "a?b", nil, "without a question mark"},
		{"a question mark further up", "a?b/tree", nil, "without a question mark"},
		{"a file in place of the directory", "tree", func(t *testing.T, _, dir string) { file(t, dir) }, "not a directory"},
		{"a link in place of the directory", "tree", func(t *testing.T, base, dir string) {
			mkdir(t, filepath.Join(base, "real"))
			symlink(t, filepath.Join(base, "real"), dir)
		}, "a symbolic link"},
		{"a link in place of the entry", "tree", func(t *testing.T, base, dir string) {
			symlink(t, filepath.Join(base, "victim"), filepath.Join(dir, ngcore.EntryFile))
		}, "a symbolic link"},
		{"a link in place of the modules", "tree", func(t *testing.T, base, dir string) {
			mkdir(t, filepath.Join(base, "real"))
			symlink(t, filepath.Join(base, "real"), filepath.Join(dir, "nightgauge"))
		}, "a symbolic link"},
		{"a link in place of a module", "tree", func(t *testing.T, base, dir string) {
			symlink(t, filepath.Join(base, "victim"), filepath.Join(dir, "nightgauge", "env.js"))
		}, "a symbolic link"},
		{"a link that looks stale", "tree", func(t *testing.T, base, dir string) {
			symlink(t, filepath.Join(base, "victim"), filepath.Join(dir, "nightgauge", "old.js"))
		}, "a symbolic link"},
		{"a directory in place of the entry", "tree", func(t *testing.T, _, dir string) {
			mkdir(t, filepath.Join(dir, ngcore.EntryFile))
		}, "a directory"},
		{"a directory in place of a module", "tree", func(t *testing.T, _, dir string) {
			mkdir(t, filepath.Join(dir, "nightgauge", "env.js"))
		}, "a directory"},
		{"a file in place of the modules", "tree", func(t *testing.T, _, dir string) {
			file(t, filepath.Join(dir, "nightgauge"))
		}, "expected a directory"},
		{"somebody else's file among the modules", "tree", func(t *testing.T, _, dir string) {
			file(t, filepath.Join(dir, "nightgauge", "main.go"))
		}, "main.go is not a file of the plugin"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			dir := filepath.Join(base, filepath.FromSlash(tc.dir))
			file(t, filepath.Join(base, "victim"))
			if tc.plant != nil {
				tc.plant(t, base, dir)
			}
			before := contents(t, os.DirFS(base))
			entry, err := ngcore.Write(dir)
			if err == nil || !strings.Contains(err.Error(), tc.text) || entry != "" {
				t.Errorf("Write = %q, %v; want an error with %q", entry, err, tc.text)
			}
			if diff := cmp.Diff(before, contents(t, os.DirFS(base))); diff != "" {
				t.Errorf("a refused Write changed files (-before +after):\n%s", diff)
			}
		})
	}
	if _, err := ngcore.Write(""); err == nil {
		t.Error("Write(\"\") did not refuse")
	}
}

func TestTreeDigestTellsTreesApart(t *testing.T) {
	t.Parallel()
	digest := func(tree fs.FS) string {
		t.Helper()
		d, err := ngcore.TreeDigest(tree)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	dir := t.TempDir()
	writeTree(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := digest(os.DirFS(dir)), digest(embedded(t)); got != want {
		t.Errorf("digest of the written tree %s, want that of the embedded one %s", got, want)
	}
	module := func(name, content string) fs.FS {
		return fstest.MapFS{ngcore.EntryFile: {Data: []byte("x")}, "nightgauge/" + name: {Data: []byte(content)}}
	}
	seen := map[string]string{}
	for name, tree := range map[string]fs.FS{
		"empty":          fstest.MapFS{},
		"module":         module("a.js", "1"),
		"other content":  module("a.js", "2"),
		"other name":     module("b.js", "1"),
		"newline inside": module("a.js\n", "1"),
	} {
		d := digest(tree)
		if seen[d] != "" {
			t.Errorf("%s and %s have one digest", name, seen[d])
		}
		seen[d] = name
	}
}

func TestVerifyTreeFindsEveryChange(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		change func(dir string) error
		text   string
	}{
		{"module edited", func(dir string) error { return appendTo(filepath.Join(dir, "nightgauge", "gates.js"), "//") }, "nightgauge/gates.js"},
		{"entry edited", func(dir string) error { return appendTo(filepath.Join(dir, ngcore.EntryFile), "//") }, ngcore.EntryFile},
		{"module removed", func(dir string) error { return os.Remove(filepath.Join(dir, "nightgauge", "env.js")) }, "no file"},
		{"entry removed", func(dir string) error { return os.Remove(filepath.Join(dir, ngcore.EntryFile)) }, "no file"},
		{"tree removed", os.RemoveAll, "cannot be opened"},
		{"module added", func(dir string) error { return appendTo(filepath.Join(dir, "nightgauge", "x.js"), "//") }, "nightgauge/x.js"},
		{"module made huge", func(dir string) error {
			return os.Truncate(filepath.Join(dir, "nightgauge", "env.js"), 1<<20+1)
		}, "at most 1048576 bytes"},
		{"thousands of files added", func(dir string) error {
			for i := range 1001 {
				if err := os.WriteFile(filepath.Join(dir, "nightgauge", fmt.Sprint(i)), nil, 0o600); err != nil {
					return err
				}
			}
			return nil
		}, "at most 1000 files"},
		{"two modules swapped", func(dir string) error {
			a, b := filepath.Join(dir, "nightgauge", "env.js"), filepath.Join(dir, "nightgauge", "gates.js")
			return swap(a, b)
		}, "nightgauge/env.js"},
		{"module replaced by a link to its copy", func(dir string) error {
			module := filepath.Join(dir, "nightgauge", "env.js")
			if err := os.Rename(module, filepath.Join(dir, "copy.js")); err != nil {
				return err
			}
			return os.Symlink("../copy.js", module)
		}, "a symbolic link"},
		{"entry replaced by a link to its copy", func(dir string) error {
			entry := filepath.Join(dir, ngcore.EntryFile)
			if err := os.Rename(entry, filepath.Join(dir, "copy.js")); err != nil {
				return err
			}
			return os.Symlink("copy.js", entry)
		}, "a symbolic link"},
		{"modules replaced by a link to their copy", func(dir string) error {
			modules := filepath.Join(dir, "nightgauge")
			if err := os.Rename(modules, filepath.Join(dir, "copy")); err != nil {
				return err
			}
			return os.Symlink("copy", modules)
		}, "a symbolic link"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "tree")
			entry := writeTree(t, dir)
			if err := tc.change(dir); err != nil {
				t.Fatal(err)
			}
			err := ngcore.VerifyTree(entry)
			wantCode(t, err, ngcore.TreeChanged)
			if err != nil && !strings.Contains(err.Error(), tc.text) {
				t.Errorf("error %q does not contain %q", err, tc.text)
			}
		})
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

func swap(a, b string) error {
	if err := os.Rename(a, a+".swap"); err != nil {
		return err
	}
	if err := os.Rename(b, a); err != nil {
		return err
	}
	return os.Rename(a+".swap", b)
}
