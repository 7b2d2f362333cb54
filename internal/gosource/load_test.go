package gosource_test

import (
	"go/token"
	"testing"

	"github.com/ngvet/ngvet/internal/gosource"
)

func BenchmarkLoad(b *testing.B) {
	for _, tc := range []struct {
		name  string
		depth gosource.Depth
	}{{"declarations", gosource.Declarations}, {"bodies", gosource.Bodies}} {
		b.Run(tc.name, func(b *testing.B) {
			for b.Loop() {
				pkgs, err := gosource.List(b.Context(), ".", []string{"golang.org/x/tools/go/packages", "golang.org/x/tools/go/analysis/unitchecker"})
				if err != nil {
					b.Fatal(err)
				}
				var units []gosource.Unit
				for _, p := range pkgs {
					units = append(units, gosource.Unit{Package: p, Depth: tc.depth})
				}
				l := gosource.NewLoader(token.NewFileSet(), ".")
				if _, err := l.Load(b.Context(), units); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
