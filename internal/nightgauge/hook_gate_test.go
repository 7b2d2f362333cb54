package nightgauge_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ngvet/ngvet/plugin"
)

// BenchmarkHookGate measures a judged call from start to exit of its process, beside a Go
// program that does nothing.
func BenchmarkHookGate(b *testing.B) {
	dir := b.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty+".go", []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	gate := filepath.Join(dir, "nightgauge")
	for program, source := range map[string]string{empty: empty + ".go", gate: "github.com/ngvet/ngvet/cmd/nightgauge"} {
		if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
			b.Fatalf("go build %s: %v\n%s", source, err, out)
		}
	}
	call := func(command string) []byte {
		data, err := json.Marshal(plugin.GateCall{
			V: plugin.GateFormat, Tool: "bash", Args: map[string]any{"command": command},
			SessionID: "ses_1", CallID: "call_1", Directory: dir, Worktree: dir, Protected: []string{},
		})
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	for _, bc := range []struct {
		name  string
		argv  []string
		input []byte
	}{
		{"empty process", []string{empty}, nil},
		{"simple", []string{gate, "hook", "gate"}, call("git status --short")},
		{"pipeline", []string{gate, "hook", "gate"}, call("cd . && go test ./... 2>&1 | tail -50")},
		{"python", []string{gate, "hook", "gate"}, call("python3 - <<'EOF'\nopen('a.txt','w').write('a')\nEOF")},
	} {
		b.Run(bc.name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(bc.argv[0], bc.argv[1:]...)
				cmd.Stdin = bytes.NewReader(bc.input)
				if out, err := cmd.Output(); err != nil || (bc.input != nil && !bytes.Contains(out, []byte(`"decision":"allow"`))) {
					b.Fatalf("%s: %v", out, err)
				}
			}
		})
	}
}
