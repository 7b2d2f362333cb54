package gate_test

import (
	"testing"

	"github.com/ngvet/ngvet/ngcore/gate"
)

func BenchmarkDecide(b *testing.B) {
	policy := gate.Careful()
	ws := newWorkspace(b)
	for _, bc := range []struct {
		name string
		call gate.Call
	}{
		{"edit", gate.Call{Tool: "edit", Args: map[string]any{"filePath": "src/a.go"}}},
		{"simple", bash("git status --short")},
		{"pipeline", bash("cd src && go test ./... 2>&1 | tail -50")},
		{"here-document", bash("cat > src/n.go <<'EOF'\npackage n\n\nfunc F() int { return 1 }\nEOF\ngofmt -l src")},
		{"loop", bash(`for f in $(git ls-files '*.go'); do if ! gofmt -l "$f"; then echo "$f"; fi; done`)},
		{"denied", bash("bash -c \"bash -c 'rm -rf ~'\"")},
		{"python", bash("python3 - <<'EOF'\np='src/a.go'\ns=open(p).read()\nopen(p,'w').write(s.replace('a','b'))\nEOF")},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				gate.Decide(policy, bc.call, ws)
			}
		})
	}
}

func BenchmarkCareful(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		gate.Careful()
	}
}

func bash(command string) gate.Call {
	return gate.Call{Tool: "bash", Args: map[string]any{"command": command}}
}
