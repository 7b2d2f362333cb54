package ngvet_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateInvariants = flag.Bool("update-invariants", false, "write the table of docs/invariants.md")

// TestInvariantsAreDocumented compares the table of docs/invariants.md with invariants.
func TestInvariantsAreDocumented(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "invariants.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	intro, table, ok := strings.Cut(string(text), "\n|")
	if !ok {
		t.Fatal("docs/invariants.md has no table")
	}
	want := invariantTable()
	if *updateInvariants {
		writeFile(t, path, intro+"\n"+want)
		return
	}
	if diff := cmp.Diff(want, "|"+table); diff != "" {
		t.Errorf("docs/invariants.md is not the table of invariants; go test ./internal/ngvet -run Documented -update-invariants writes it (-want +got):\n%s", diff)
	}
}

func invariantTable() string {
	var b strings.Builder
	b.WriteString("| invariant | held by | mutations |\n|---|---|---|\n")
	for _, i := range invariants {
		var names []string
		for _, m := range i.mutations {
			names = append(names, fmt.Sprintf("%s (%s)", m.name, m.rule))
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", i.what, i.holder, strings.Join(names, "; "))
	}
	return b.String()
}

// TestEveryDirectiveIsMutated finds directives that no invariant lists, mutations with one
// name, and fewer of them than promised.
func TestEveryDirectiveIsMutated(t *testing.T) {
	t.Parallel()
	const promised = 60
	holders, names := make(map[string]bool), make(map[string]bool)
	for _, i := range invariants {
		if len(i.mutations) == 0 {
			t.Errorf("invariant %q has no mutation", i.what)
		}
		holders[i.holder] = true
		for _, m := range i.mutations {
			if names[m.name] {
				t.Errorf("two mutations have the name %q", m.name)
			}
			names[m.name] = true
		}
	}
	if len(names) < promised {
		t.Errorf("%d mutations, want at least %d", len(names), promised)
	}
	directive := regexp.MustCompile(`(?m)^\s*//ngvet:mirror (\S+)`)
	for _, pattern := range []string{"plugin/*.go", "ngcore/*.go", "ngcore/*/*.go"} {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files match %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range directive.FindAllSubmatch(text, -1) {
				if !strings.HasSuffix(file, "_test.go") && !holders[string(m[1])] {
					t.Errorf("%s: no mutation of the contract %s", file, m[1])
				}
			}
		}
	}
}
