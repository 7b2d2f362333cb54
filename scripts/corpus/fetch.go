package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxUnpacked bounds a package on disk, in bytes: the largest of the corpus has about 20 MB.
const maxUnpacked = 256 << 20

// fetch returns the directory of a package, name@version, in the cache. What is not there
// yet comes from npm, unpacked aside and then renamed, so that a directory in the cache is
// always a whole package.
func fetch(ctx context.Context, cache, name string) (string, error) {
	dir := filepath.Join(cache, strings.ReplaceAll(name, "/", "+"))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return "", fmt.Errorf("fetch %s: %w", name, err)
	}
	aside, err := os.MkdirTemp(cache, ".fetch-")
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", name, err)
	}
	defer os.RemoveAll(aside)
	if _, err := output(ctx, aside, "npm", "pack", "--silent", "--ignore-scripts", name); err != nil {
		return "", fmt.Errorf("fetch %s: %w", name, err)
	}
	archives, err := filepath.Glob(filepath.Join(aside, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return "", fmt.Errorf("fetch %s: npm pack left %d archives, want 1", name, len(archives))
	}
	unpacked := filepath.Join(aside, "unpacked")
	if err := unpack(archives[0], unpacked); err != nil {
		return "", fmt.Errorf("fetch %s: %w", name, err)
	}
	if err := os.Rename(unpacked, dir); err != nil {
		return "", fmt.Errorf("fetch %s: %w", name, err)
	}
	return dir, nil
}

// unpack writes the regular files of a package archive below dir, without the one
// directory that npm wraps them in. Links and devices are left out: npm leaves them out
// as well. A path that would leave dir is an error.
func unpack(archive, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", archive, err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return unpackTo(root, tar.NewReader(io.LimitReader(zr, maxUnpacked)))
}

func unpackTo(root *os.Root, tr *tar.Reader) error {
	for files := 0; ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			if files == 0 {
				return errors.New("unpack: the archive holds no file")
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		_, name, ok := strings.Cut(h.Name, "/")
		if !ok || !fs.ValidPath(name) {
			return fmt.Errorf("unpack: path %q, want one below a directory", h.Name)
		}
		if err := writeFile(root, name, tr); err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		files++
	}
}

func writeFile(root *os.Root, name string, content io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
