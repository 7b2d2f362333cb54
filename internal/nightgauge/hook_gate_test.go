package nightgauge_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ngvet/ngvet/plugin"
)

// BenchmarkHookGate measures a judged call from start to exit of its process, in pairs with a
// Go program that does nothing: a busy machine slows both, so the medians compare.
func BenchmarkHookGate(b *testing.B) {
	dir := b.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty+".go", []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	judge := filepath.Join(dir, "nightgauge")
	for program, source := range map[string]string{empty: empty + ".go", judge: "github.com/ngvet/ngvet/cmd/nightgauge"} {
		if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
			b.Fatalf("go build %s: %v\n%s", source, err, out)
		}
	}
	for _, bc := range []struct{ name, command string }{
		{"simple", "git status --short"},
		{"pipeline", "cd . && go test ./... 2>&1 | tail -50"},
		{"python", "python3 - <<'EOF'\nopen('a.txt','w').write('a')\nEOF"},
	} {
		b.Run(bc.name, func(b *testing.B) {
			input := gateCall(b, dir, bc.command)
			var without, with []time.Duration
			for b.Loop() {
				took, _ := runTimed(b, nil, empty)
				without = append(without, took)
				took, out := runTimed(b, input, judge, "hook", "gate")
				with = append(with, took)
				if !bytes.Contains(out, []byte(`"decision":"allow"`)) {
					b.Fatalf("verdict %s, want allow", out)
				}
			}
			e, j := median(without), median(with)
			b.ReportMetric(float64(e.Microseconds())/1000, "empty-ms")
			b.ReportMetric(float64(j.Microseconds())/1000, "judged-ms")
			b.ReportMetric(float64((j-e).Microseconds())/1000, "more-ms")
			b.ReportMetric(float64(j)/float64(e), "ratio")
		})
	}
}

func gateCall(b *testing.B, dir, command string) []byte {
	b.Helper()
	data, err := json.Marshal(plugin.GateCall{
		V: plugin.GateFormat, Tool: "bash", Args: map[string]any{"command": command},
		SessionID: "ses_1", CallID: "call_1", Directory: dir, Worktree: dir, Protected: []string{},
	})
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// runTimed runs a program to its end with input on standard input.
func runTimed(b *testing.B, input []byte, program string, args ...string) (time.Duration, []byte) {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin = bytes.NewReader(input)
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s: %v", program, err)
	}
	return time.Since(start), out
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
