package js_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/grafana/sobek/parser"

	"github.com/ngvet/ngvet/internal/js"
)

// bundle returns a module of about 2.4 MB in the manner of a bundler's output, or the file
// that NGVET_BENCH_BUNDLE names.
func bundle(b *testing.B) string {
	b.Helper()
	if name := os.Getenv("NGVET_BENCH_BUNDLE"); name != "" {
		src, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		return string(src)
	}
	var s strings.Builder
	for i := 0; s.Len() < 2400<<10; i++ {
		fmt.Fprintf(&s, `var init_%[1]d = __esm({
  async "src/module_%[1]d.ts"(exports, { options = {}, ...rest }) {
    const table = Object.freeze({ "key-%[1]d": [1, 2, { deep: /a[/]b+/g }], size: 64 * 1024 });
    for (const entry of Object.entries(table)) {
      if (entry[0].startsWith("key") && !rest.skip) await write(process.env.TARGET_%[1]d ?? `+"`out-${entry[0]}.json`"+`, JSON.stringify(entry));
      else if (options.verbose) { try { log?.(entry, (a, b) => a - b); } catch (err) { throw new Error("failed " + err.message, { cause: err }); } }
    }
    return { ok: true, count: table.size << 2, handler: async (input, output) => { output.args = { ...input, n: %[1]d }; } };
  }
});
`, i)
	}
	return s.String()
}

// BenchmarkLoad reads a bundle; as TypeScript it goes through the translation.
func BenchmarkLoad(b *testing.B) {
	src := bundle(b)
	for _, name := range []string{"a.js", "a.ts"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := js.NewProgram(nil).LoadSource(path(name), []byte(src)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("baseline: the parser alone", func(b *testing.B) {
		if _, err := parser.ParseFile(nil, "", src, 0, parser.WithDisableSourceMaps, parser.IsModule); err != nil {
			b.Skip("the parser alone cannot read this bundle")
		}
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parser.ParseFile(nil, "", src, 0, parser.WithDisableSourceMaps, parser.IsModule); err != nil {
				b.Fatal(err)
			}
		}
	})
}
