package ngcore

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"unicode/utf16"
)

// OperatorInstallSatisfied reports whether OpenCode would leave dir, a configuration
// directory of the operator's, as it is. Otherwise it runs an npm install there and waits
// for it, 73 seconds without a registry (HOST.md section 1). It only reads.
//
// It mirrors OpenCode's own check: a directory that cannot be written is satisfied; one
// without node_modules is not; else every dependency that package.json names in its four
// blocks, and @opencode-ai/plugin, must be named in the root entry of package-lock.json.
// Versions are not compared. A file that is missing or no JSON names nothing. A directory
// that is missing is not satisfied: OpenCode creates it first.
//
// A file that cannot be judged (a pipe, more than 16 MiB, a byte order mark) makes dir not
// satisfied.
func OperatorInstallSatisfied(dir string) bool {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false
	}
	if !writable(dir) {
		return true
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		return false
	}
	manifest, ok := readManifest(filepath.Join(dir, "package.json"))
	if !ok {
		return false
	}
	lock, ok := readManifest(filepath.Join(dir, "package-lock.json"))
	if !ok {
		return false
	}
	locked := dependencyNames(field(field(lock, "packages"), ""))
	wanted := dependencyNames(manifest)
	wanted[DepsPackage] = true
	for name := range wanted {
		if !locked[name] {
			return false
		}
	}
	return true
}

// readManifest returns the JSON value in a file, nil when it holds none. ok is false when
// the file is not safe to read.
func readManifest(path string) (value any, ok bool) {
	const maxBytes = 16 << 20
	info, err := os.Stat(path)
	switch {
	case err != nil, info.IsDir(): // OpenCode cannot read it either
		return nil, true
	case !info.Mode().IsRegular(), info.Size() > maxBytes:
		return nil, false
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxBytes))
	if err != nil || bytes.HasPrefix(content, []byte("\ufeff")) {
		return nil, false // readers disagree about a byte order mark
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber() // a number past float64 is a number to JavaScript
	if err := decoder.Decode(&value); err != nil {
		return nil, true
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, true // something follows the value
	}
	return value, true
}

// dependencyNames collects the names of a manifest's four blocks as Object.keys does,
// which lists the indexes of an array or a string and nothing of other values.
func dependencyNames(manifest any) map[string]bool {
	names := map[string]bool{}
	for _, block := range []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} {
		indexes := 0
		switch value := field(manifest, block).(type) {
		case map[string]any:
			for name := range value {
				names[name] = true
			}
		case []any:
			indexes = len(value)
		case string:
			indexes = len(utf16.Encode([]rune(value)))
		}
		for i := range indexes {
			names[strconv.Itoa(i)] = true
		}
	}
	return names
}

func field(value any, key string) any {
	object, _ := value.(map[string]any)
	return object[key]
}
