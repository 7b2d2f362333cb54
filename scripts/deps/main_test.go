package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore"
)

func TestTheCommittedArchiveIsTheOneThatIsMade(t *testing.T) {
	t.Parallel()
	want, err := archive(ngcore.DepsVersion)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "ngcore", "deps", "opencode-plugin-"+ngcore.DepsVersion+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("committed archive (-made +committed); run go run ./scripts/deps %s:\n%s", ngcore.DepsVersion, diff)
	}
	if packageName != ngcore.DepsPackage {
		t.Errorf("the archive stands in for %s, ngcore for %s", packageName, ngcore.DepsPackage)
	}
}

func TestRunWritesTheArchive(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("ngcore/deps", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"1.2.3"}); err != nil {
		t.Fatal(err)
	}
	want, err := archive("1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("ngcore/deps/opencode-plugin-1.2.3.txtar"); err != nil || string(got) != string(want) {
		t.Errorf("written archive = %q, %v", got, err)
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"1.18.30", "x"}, {""}, {"latest"}, {"../1.2.3"}, {"1.2.3\n"}} {
		if err := run(args); err == nil {
			t.Errorf("run(%q) did not refuse", args)
		}
	}
}
