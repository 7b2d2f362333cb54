package fixed

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func read(r io.Reader) (v any) {
	s := bufio.NewScanner(r) // want `the scanner stops for good`
	for s.Scan() {
		_ = json.Unmarshal(s.Bytes(), &v)
	}
	return v
}

func inside(root, path string) bool {
	clean := filepath.Clean(path)
	return !strings.HasPrefix(clean, root) // want `a prefix is no containment`
}

func save(target string, data []byte) error {
	f, err := os.CreateTemp("", "x")
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return os.Rename(f.Name(), target) // want `the temporary file is in the system's directory`
}
