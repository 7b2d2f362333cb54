package ngvet_test

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"github.com/ngvet/ngvet/internal/ngvet"
)

// BenchmarkThisRepository is one whole run of ngvet ./... on this module.
func BenchmarkThisRepository(b *testing.B) {
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var stderr bytes.Buffer
		inv := ngvet.Invocation{Args: []string{"./..."}, Dir: dir, Stdout: io.Discard, Stderr: &stderr}
		if ngvet.Main(b.Context(), inv) == ngvet.ExitUsage {
			b.Fatal(stderr.String())
		}
	}
}
