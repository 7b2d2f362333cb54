package ngcore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// crafted returns an archive with the marker and one member.
func crafted(names ...string) []byte {
	a := &txtar.Archive{Files: []txtar.File{{Name: depsMarker, Data: []byte(`{"version":"1.18.30"}` + "\n")}}}
	for _, name := range names {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte("crafted\n")})
	}
	return txtar.Format(a)
}

func TestExtractRefusesWhatLeavesTheDirectory(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		archive []byte
		text    string
	}{
		{"parent", crafted("../evil"), "inside the directory"},
		{"parent further in", crafted("node_modules/../../evil"), "inside the directory"},
		{"parent that comes back", crafted("a/../b"), "inside the directory"},
		{"absolute", crafted("/tmp/evil"), "inside the directory"},
		{"the directory itself", crafted("."), "inside the directory"},
		{"dot inside", crafted("a/./b"), "inside the directory"},
		{"empty element", crafted("a//b"), "inside the directory"},
		{"slash at the end", crafted("a/"), "inside the directory"},
		{"backslash", crafted(`..\evil`), "inside the directory"},
		{"backslash further in", crafted(`a\..\..\evil`), "inside the directory"},
		{"drive", crafted("C:/evil"), "inside the directory"},
		{"stream of another file", crafted("package.json:evil"), "inside the directory"},
		{"invalid UTF-8", crafted("a\xff"), "inside the directory"},
		{"twice", crafted("a", "a"), "found again"},
		{"twice on a case-insensitive system", crafted("a", "A"), "found again"},
		{"file and directory", crafted("a", "a/b"), "found a member"},
		{"directory and file", crafted("a/b/c", "A"), "found a member"},
		{"deep enough to take minutes", crafted(strings.Repeat("a/", 50_000) + "b"), "at most 128 bytes"},
		{"many members", crafted(strings.Split(strings.Repeat("x ", 64), " ")...), "at most 64 members"},
		{"no marker", []byte("-- package.json --\n{}\n"), "expected a member nightgauge-deps.json"},
		{"empty", nil, "expected a member nightgauge-deps.json"},
		{"no archive", []byte("PK\x03\x04"), "expected a member nightgauge-deps.json"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			dir := filepath.Join(base, "a", "b")
			err := extractDeps(dir, tc.archive)
			if err == nil || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("extract = %v, want an error with %q", err, tc.text)
			}
			if entries, err := os.ReadDir(base); err != nil || len(entries) != 0 {
				t.Errorf("a refused archive wrote %v (%v)", entries, err)
			}
		})
	}
}

func TestArchiveVersion(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, archive, want, text string
	}{
		{"whole", "-- nightgauge-deps.json --\n{\"version\":\"1.2.3\"}\n", "1.2.3", ""},
		{"no marker", "-- package.json --\n{}\n", "", "found none"},
		{"no version", "-- nightgauge-deps.json --\n{}\n", "", "expected a version"},
		{"no JSON", "-- nightgauge-deps.json --\n1.2.3\n", "", "nightgauge-deps.json: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := archiveVersion([]byte(tc.archive))
			if got != tc.want || (err == nil) != (tc.text == "") || err != nil && !strings.Contains(err.Error(), tc.text) {
				t.Errorf("= %q, %v; want %q, error with %q", got, err, tc.want, tc.text)
			}
		})
	}
}

func FuzzExtractDeps(f *testing.F) {
	f.Add(depsArchive)
	f.Add(crafted("../evil", "a/b"))
	f.Add(crafted("a", "a/b"))
	f.Add(crafted("node_modules", "node_modules/x"))
	f.Add(crafted(strings.Repeat("a/", 8) + "b"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		base := t.TempDir()
		dir := filepath.Join(base, "in")
		err := extractDeps(dir, archive)
		outside, rerr := os.ReadDir(base)
		if rerr != nil || len(outside) > 1 || len(outside) == 1 && outside[0].Name() != "in" {
			t.Fatalf("outside of the directory: %v, %v", outside, rerr)
		}
		if err != nil {
			return
		}
		for _, member := range txtar.Parse(archive).Files {
			got, err := os.ReadFile(filepath.Join(dir, member.Name))
			if err != nil || string(got) != string(member.Data) {
				t.Fatalf("member %q = %q, %v; want %q", member.Name, got, err, member.Data)
			}
		}
		if err := extractDeps(dir, archive); err != nil {
			t.Fatalf("a second time: %v", err)
		}
	})
}
