package pathguard_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/analyzers/pathguard"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
	"github.com/ngvet/ngvet/internal/js"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := pathguard.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, pathguard.Check, "testdata/*")
}

func TestPrefixFix(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, imports, test, wantImports, want string }{
		{"the whole module of paths", `import path from "node:path";`, `!file.startsWith(root)`, "", `!(file === root || file.startsWith(root + path.sep))`},
		{"under another name", `import * as p from "path";`, `!file.startsWith(root)`, "", `!(file === root || file.startsWith(root + p.sep))`},
		{"the separator itself", `import { sep as slash } from "node:path";`, `!file.startsWith(root)`, "", `!(file === root || file.startsWith(root + slash))`},
		{"names of it", `import { join } from "node:path";`, `!file.startsWith(root)`, `import { sep, join } from "node:path";`, `!(file === root || file.startsWith(root + sep))`},
		{"renamed names", `import { join as j } from "node:path";`, `!file.startsWith(root)`, `import { sep, join as j } from "node:path";`, `!(file === root || file.startsWith(root + sep))`},
		{"beside an equality", `import path from "node:path";`, `!(file === root || file.startsWith(root))`, "", `!(file === root || file.startsWith(root + path.sep))`},
		{"the equality the other way round", `import path from "node:path";`, `!(file.startsWith(root) || root === file)`, "", `!(file.startsWith(root + path.sep) || root === file)`},
		{"nothing of paths", ``, `!file.startsWith(root)`, "", `!file.startsWith(root)`},
		{"a path that is computed", `import path from "node:path";`, `!next(file).path.startsWith(root)`, "", `!next(file).path.startsWith(root)`},
		{"an optional call", `import path from "node:path";`, `!file?.startsWith(root)`, "", `!file?.startsWith(root)`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			const format = `%s
import { realpathSync } from "node:fs";
export default async ({ directory: root }) => ({ "tool.execute.before": async (input, output) => {
  const file = realpathSync(output.args.filePath);
  if (%s) throw new Error("outside");
} });
`
			src := fmt.Sprintf(format, row.imports, row.test)
			if row.wantImports == "" {
				row.wantImports = row.imports
			}
			findings := findingtest.Check(t, pathguard.Check, src, finding.Options{})
			if len(findings) != 1 || findings[0].Rule != "prefix" {
				t.Fatalf("found %v, want one prefix", findings)
			}
			if diff := gocmp.Diff(fmt.Sprintf(format, row.wantImports, row.want), findingtest.Fixed(src, findings)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// hookname reports a version without tables: this check has nothing to say then.
func TestUnknownHost(t *testing.T) {
	t.Parallel()
	const src = `export default async () => ({ "chat.params": async () => { await fetch("x") } })`
	if found := findingtest.Check(t, pathguard.Check, src, finding.Options{Host: "9.0.0"}); len(found) > 0 {
		t.Errorf("found %v, want nothing", found)
	}
}

func FuzzCheck(f *testing.F) { findingtest.Fuzz(f, pathguard.Check, "testdata/*/*") }

// The cost of the check on a bundle of about 2.4 MB, beside that of reading it.
func BenchmarkCheck(b *testing.B) {
	var src strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&src, "function f%d(a) { if (a.debug) log(a); const x = a.map((v) => { if (v.path.startsWith(a.root)) throw a; return v }); return x.length > 2 ? f%d(x) : f%d(x) }\n", i, 2*i, 2*i+1)
	}
	src.WriteString("export default async ({ directory }) => ({ \"tool.execute.before\": async (input, output) => { f1(output.args) } })\n")
	path := filepath.Join(b.TempDir(), "bundle.js")
	read := func() (*js.Program, *js.Module) {
		prog := js.NewProgram(func(string) ([]byte, error) { return nil, fs.ErrNotExist })
		entry, err := prog.LoadSource(path, []byte(src.String()))
		if err != nil {
			b.Fatal(err)
		}
		return prog, entry
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(src.Len()))
		for b.Loop() {
			read()
		}
	})
	b.Run("check", func(b *testing.B) {
		prog, entry := read()
		b.ReportAllocs()
		b.SetBytes(int64(src.Len()))
		for b.Loop() {
			if n := len(pathguard.Check.JS(prog, entry, finding.Options{})); n != 255 {
				b.Fatalf("%d findings, want 255", n)
			}
		}
	})
}
