package outside

import (
	"archive/tar"
	"archive/zip"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

func serve(root string, r *http.Request) ([]byte, error) {
	return os.ReadFile(filepath.Join(root, r.URL.Path)) // want `the name comes from outside`
}

func value(root string, r *http.Request) (*os.File, error) {
	name := r.PathValue("name")
	return os.Open(filepath.Join(root, name+".json")) // want `the name comes from outside`
}

func concatenated(root string, r *http.Request) (*os.File, error) {
	return os.Open(root + "/" + r.FormValue("name")) // want `the name comes from outside`
}

func unpack(root string, h *tar.Header) (*os.File, error) {
	return os.Create(filepath.Join(root, h.Name)) // want `the name comes from outside`
}

func unzip(root string, f *zip.File) (*os.File, error) {
	return os.Create(filepath.Join(root, f.Name)) // want `the name comes from outside`
}

func local(root string, h *tar.Header) (*os.File, error) {
	if !filepath.IsLocal(h.Name) {
		return nil, os.ErrInvalid
	}
	return os.Create(filepath.Join(root, h.Name)) // OK
}

func prefixed(root string, f *zip.File) (*os.File, error) {
	p := filepath.Join(root, f.Name)
	if !strings.HasPrefix(p, root+"/") {
		return nil, os.ErrInvalid
	}
	return os.Create(p) // OK
}

func base(root string, r *http.Request) ([]byte, error) {
	return os.ReadFile(filepath.Join(root, filepath.Base(r.URL.Path))) // OK
}

func rooted(root string, r *http.Request) ([]byte, error) {
	return os.ReadFile(filepath.Join(root, path.Clean("/"+r.URL.Path))) // OK
}

func helped(root string, h *tar.Header) (*os.File, error) {
	p := filepath.Join(root, h.Name)
	if err := check(root, p); err != nil {
		return nil, err
	}
	return os.Create(p) // OK: check looks at it
}

func check(root, p string) error { return nil }

func rootedFS(root *os.Root, h *tar.Header) (*os.File, error) {
	return root.Create(h.Name) // OK
}

func plain(root, name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(root, name)) // OK: not known to be foreign
}

func sliced(root string, u *url.URL) (*os.File, error) {
	if u.Path == "" || u.Path[0] != '/' || !filepath.IsLocal(u.Path[1:]) {
		return nil, os.ErrInvalid
	}
	return os.Create(filepath.Join(root, u.Path[1:])) // OK
}

func validated(file string) (*zip.ReadCloser, error) { return zip.OpenReader(file) }

func handed(root, file string) error {
	z, err := validated(file)
	if err != nil {
		return err
	}
	for _, f := range z.File {
		os.Create(filepath.Join(root, f.Name)) // OK: validated may have looked
	}
	return nil
}

func opened(root, file string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	for _, f := range z.File {
		os.Create(filepath.Join(root, f.Name)) // want `the name comes from outside`
	}
	return nil
}

func own(root, address string) (*os.File, error) {
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		return nil, err
	}
	return os.Create(filepath.Join(root, r.URL.Path)) // OK: a request of our own
}
