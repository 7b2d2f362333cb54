package ngcore

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/ngvet/ngvet/plugin"
)

// EnvOperatorInstallRisk is set to "1" for a run in which OpenCode would install packages
// into a directory of the operator's; see [OperatorInstallSatisfied].
const EnvOperatorInstallRisk = plugin.EnvOperatorInstallRisk

// DepsPackage is the npm package that OpenCode installs into its configuration directories.
const DepsPackage = "@opencode-ai/plugin"

// DepsVersion is the version of DepsPackage for which WriteDependencies stands in, and of
// the OpenCode release that asks for it.
//
//ngvet:mirror deps/opencode-plugin-1.18.30.txtar!nightgauge-deps.json#default.version
const DepsVersion = "1.18.30"

// depsArchive is made by go run ./scripts/deps VERSION.
//
//go:embed deps/opencode-plugin-1.18.30.txtar
var depsArchive []byte

// depsMarker is the member that tells the version, and on disk the sign that a directory
// holds the archive's files and not the operator's.
const depsMarker = "nightgauge-deps.json"

// Bounds of an archive, far above what the embedded one has: the checks of a path take time
// that grows with the square of its depth.
const (
	depsMembersMax   = 64
	depsNameMaxBytes = 128
)

// WriteDependencies puts into dir, a configuration directory of the run's own, what
// OpenCode takes for an installed @opencode-ai/plugin: node_modules, package.json and
// package-lock.json. Without them it runs an npm install at every start and waits for it
// (HOST.md section 1).
//
// dir is created when missing, with mode 0700; the files have mode 0600. Files that
// WriteDependencies wrote before are replaced, each atomically. A dir that holds a file of
// the same name from somebody else, or a link in the way, is refused and left as it is.
// Two calls must not write the same dir at one time.
func WriteDependencies(dir string) error {
	if err := extractDeps(dir, depsArchive); err != nil {
		return fmt.Errorf("write dependencies: %w", err)
	}
	return nil
}

// DepsPackageVersion returns the version that the embedded archive itself tells. It is
// DepsVersion unless the binary was put together wrongly.
func DepsPackageVersion() (string, error) {
	version, err := archiveVersion(depsArchive)
	if err != nil {
		return "", fmt.Errorf("dependencies archive: %w", err)
	}
	return version, nil
}

func archiveVersion(archive []byte) (string, error) {
	for _, member := range txtar.Parse(archive).Files {
		if member.Name != depsMarker {
			continue
		}
		var marker struct {
			Version string `json:"version"`
		}
		if err := json.Unmarshal(member.Data, &marker); err != nil {
			return "", fmt.Errorf("%s: %w", depsMarker, err)
		}
		if marker.Version == "" {
			return "", fmt.Errorf("%s: expected a version, found none", depsMarker)
		}
		return marker.Version, nil
	}
	return "", fmt.Errorf("expected a member %s, found none", depsMarker)
}

// extractDeps writes every member of archive into dir, or nothing when a member or dir is
// not as it must be.
func extractDeps(dir string, archive []byte) error {
	members, err := checkMembers(txtar.Parse(archive).Files)
	if err != nil {
		return err
	}
	if dir == "" {
		return errors.New("no directory given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	root, err := openDir(abs)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := checkOwned(root, members); err != nil {
		return fmt.Errorf("%s: %w", abs, err)
	}
	for _, member := range members {
		if err := replaceFile(root, member.Name, member.Data); err != nil {
			return err
		}
	}
	return nil
}

// checkMembers returns the members with the marker first: an extraction that is killed
// then leaves a directory that the next one recognises as its own.
func checkMembers(members []txtar.File) ([]txtar.File, error) {
	if len(members) > depsMembersMax {
		return nil, fmt.Errorf("expected at most %d members, found %d", depsMembersMax, len(members))
	}
	seen := map[string]bool{}
	var marker, others []txtar.File
	for _, member := range members {
		name := member.Name
		switch {
		case len(name) > depsNameMaxBytes:
			return nil, fmt.Errorf("member %s: expected a path of at most %d bytes", quote(name), depsNameMaxBytes)
		case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `\:`) || !filepath.IsLocal(filepath.FromSlash(name)):
			return nil, fmt.Errorf("member %s: expected a path inside the directory", quote(name))
		case seen[strings.ToLower(name)]:
			return nil, fmt.Errorf("member %s: expected once, found again", quote(name))
		}
		seen[strings.ToLower(name)] = true
		if name == depsMarker {
			marker = append(marker, member)
		} else {
			others = append(others, member)
		}
	}
	if len(marker) == 0 {
		return nil, fmt.Errorf("expected a member %s, found none", depsMarker)
	}
	for _, member := range members {
		for dir := path.Dir(member.Name); dir != "."; dir = path.Dir(dir) {
			if seen[strings.ToLower(dir)] {
				return nil, fmt.Errorf("member %s: expected a directory at %s, found a member", quote(member.Name), quote(dir))
			}
		}
	}
	return append(marker, others...), nil
}

// checkOwned refuses a directory in which a member would replace what is not ours.
func checkOwned(root *os.Root, members []txtar.File) error {
	_, err := root.Lstat(depsMarker)
	owned := err == nil
	for _, member := range members {
		for dir := path.Dir(member.Name); dir != "."; dir = path.Dir(dir) {
			if info, err := root.Lstat(dir); err == nil && !info.IsDir() {
				return fmt.Errorf("%s: expected a directory, found %s", dir, describeType(info.Mode()))
			}
		}
		info, err := root.Lstat(member.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s: expected a regular file, found %s", member.Name, describeType(info.Mode()))
		case !owned:
			return fmt.Errorf("%s exists and was not written by WriteDependencies; give the run a configuration directory of its own", member.Name)
		}
	}
	return nil
}
