package pluginload_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/analyzers/pluginload"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
	"github.com/ngvet/ngvet/internal/js"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := pluginload.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, pluginload.Check, "testdata/entries/*")
}

func TestDirectories(t *testing.T) {
	t.Parallel()
	findingtest.RunDirs(t, pluginload.Check, "testdata/directories/*")
}

func TestUnexportFix(t *testing.T) {
	t.Parallel()
	const plugin = "\nexport default async () => ({ event: async () => {} })\n"
	for _, row := range []struct{ name, src, want string }{
		{"constant", `export const A = 1`, `const A = 1`},
		{"class", `/* 日本語 */ export class A {}`, `/* 日本語 */ class A {}`},
		{"function", `export function a() {}`, `function a() {}`},
		{"enum", `export enum A { B }`, `enum A { B }`},
		{"one of several", `export const a = () => 1, P = async () => ({ event: async () => {} })`, ``},
		{"list", `const A = 1; export { A }`, ``},
		{"pattern", `export const { A } = { A: 1 }`, ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			src := row.src + plugin
			want := src
			if row.want != "" {
				want = row.want + plugin
			}
			findings := findingtest.Check(t, pluginload.Check, src, finding.Options{})
			if len(findings) != 1 {
				t.Fatalf("found %v, want one finding", findings)
			}
			if diff := gocmp.Diff(want, findingtest.Fixed(src, findings)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// An export that a module of the plugin needs is reported, and left to the author.
func TestNoUnexportFixForWhatIsImported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"plugin.js": `import { gate } from "./gate.js"; export const A = 1; export const B = 2; export default async () => ({ event: gate })`,
		"gate.js":   `import { A } from "./plugin.js"; export const gate = async () => console.error(A)`,
	}
	prog := js.NewProgram(func(name string) ([]byte, error) {
		if src, ok := files[filepath.Base(name)]; ok && filepath.Dir(name) == dir {
			return []byte(src), nil
		}
		return nil, fs.ErrNotExist
	})
	entry, err := prog.Load(filepath.Join(dir, "plugin.js"))
	if err != nil {
		t.Fatal(err)
	}
	var fixes []int
	for _, f := range pluginload.Check.JS(prog, entry, finding.Options{}) {
		fixes = append(fixes, len(f.Fixes))
	}
	if diff := gocmp.Diff([]int{0, 1}, fixes); diff != "" {
		t.Errorf("fixes of A and B (-want +got)\n%s", diff)
	}
}

// engines.opencode is read as npm reads ranges; what is in another form is left alone.
func TestEngines(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text     string
		excludes bool
	}{
		{"*", false}, {"", false}, {"1", false}, {"1.x", false}, {">=1.18.30", false}, {">= 1.0.0 < 2", false}, {"^1.2.3", false}, {"~1.18", false},
		{"1.18.30", false}, {"=1.18.30", false}, {"1.0.0 - 1.18.30", false}, {"^0.9 || >1", true}, {"<=1.18", false}, {"<=1", false}, {">1.18.29", false}, {"^0.9 || ^1.4", false}, {"v1.18.x", false},
		{"^0.9", true}, {">=2", true}, {"<1.18.30", true}, {"~1.17.0", true}, {"1.18.29", true}, {">1", true}, {"1.0.0 - 1.17.0", true}, {"^2.0.0 || ~1.17", true}, {">1.18.30", true}, {"^0.0.3", true}, {"<=1.17", true},
		{"latest", false}, {"^1.2.3-beta.1", false}, {"1.2.3.4", false}, {"!1", false}, {">", false},
	} {
		t.Run(row.text, func(t *testing.T) {
			t.Parallel()
			prog := js.NewProgram(finding.ReadFile)
			dir := t.TempDir()
			if _, err := prog.LoadSource(filepath.Join(dir, "package.json"), []byte(`{"main": "package.json", "engines": {"opencode": "`+row.text+`"}}`)); err != nil {
				t.Fatal(err)
			}
			found := pluginload.Check.Dir(prog, dir, finding.Options{})
			if excludes := len(found) > 0; excludes != row.excludes {
				t.Errorf("excludes %t, want %t", excludes, row.excludes)
			}
		})
	}
}

func FuzzCheck(f *testing.F) { findingtest.Fuzz(f, pluginload.Check, "testdata/entries/*/*") }
