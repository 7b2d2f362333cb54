package ngcore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/ngvet/ngvet/plugin"
)

// Bounds of a tree that is hashed, far above what the embedded one has: an agent that made
// its own tree huge must not make the check endless.
const (
	treeEntriesMax   = 1000
	treeFileMaxBytes = 1 << 20
)

// TreeDigest returns "sha256:" and the hex digest of a plugin tree: the names, in order,
// and the contents of EntryFile and of everything below the directory of its modules.
// Equal digests mean equal trees. Other files of tree do not count, so that the digest of
// Files and of a directory that Write filled are the same.
//
// A link, pipe or device inside the tree is an error, and so are a file of more than 1 MiB
// and more than 1000 files and directories.
func TreeDigest(tree fs.FS) (string, error) {
	sums, err := hashTree(tree)
	if err != nil {
		return "", fmt.Errorf("plugin digest: %w", err)
	}
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(all, "%x %q\n", sums[name], name)
	}
	return "sha256:" + hex.EncodeToString(all.Sum(nil)), nil
}

// VerifyTree proves that the tree whose entry Write returned is still the one that this
// binary carries, byte for byte, with nothing added. Call it when the run has ended: an
// agent that edits its own gate is found. Every failure is an *IncompatibleError with the
// code TreeChanged.
func VerifyTree(entry string) error {
	want, err := hashTree(plugin.Files)
	if err != nil {
		return unproven(TreeChanged, entry, "the embedded plugin cannot be read", err)
	}
	root, err := os.OpenRoot(filepath.Dir(entry))
	if err != nil {
		return unproven(TreeChanged, entry, "the plugin's directory cannot be opened", err)
	}
	defer root.Close()
	got, err := hashTree(root.FS())
	if err != nil {
		return unproven(TreeChanged, entry, "the plugin's tree cannot be read", err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			return differs(TreeChanged, entry, "the plugin's file "+name+" changed", hexSum(want[name]), hexSum(got[name]))
		}
		delete(got, name)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		return differs(TreeChanged, entry, "the plugin's tree grew", "no file", quote(name))
	}
	return nil
}

type sum [sha256.Size]byte

func hexSum(s sum) string {
	if s == (sum{}) {
		return "no file"
	}
	return "sha256:" + hex.EncodeToString(s[:])
}

// hashTree hashes each file of a plugin tree. A tree without an entry has no hash for it.
func hashTree(tree fs.FS) (map[string]sum, error) {
	sums := map[string]sum{}
	entries := 0
	visit := func(name string, entry fs.DirEntry, err error) error {
		entries++
		switch {
		case err != nil:
			return err
		case entries > treeEntriesMax:
			return fmt.Errorf("expected at most %d files and directories, found more", treeEntriesMax)
		case entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			// Never opened: reading a pipe could wait for ever.
			return fmt.Errorf("%s: expected a regular file, found %s", name, describeType(entry.Type()))
		}
		sums[name], err = hashFile(tree, name)
		return err
	}
	for _, name := range []string{EntryFile, modulesDir} {
		// WalkDir would follow a link at the name that it starts from.
		info, err := fs.Lstat(tree, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			err = fmt.Errorf("%s: expected no link, found %s", name, describeType(info.Mode()))
		}
		if err == nil {
			err = fs.WalkDir(tree, name, visit)
		}
		if err != nil {
			return nil, err
		}
	}
	return sums, nil
}

func hashFile(tree fs.FS, name string) (s sum, err error) {
	f, err := tree.Open(name)
	if err != nil {
		return s, err
	}
	defer f.Close()
	h := sha256.New()
	switch n, err := io.Copy(h, io.LimitReader(f, treeFileMaxBytes+1)); {
	case err != nil:
		return s, fmt.Errorf("read %s: %w", name, err)
	case n > treeFileMaxBytes:
		return s, fmt.Errorf("%s: expected at most %d bytes, found more", name, treeFileMaxBytes)
	}
	h.Sum(s[:0])
	return s, nil
}
