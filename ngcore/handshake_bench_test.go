package ngcore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

func benchRun(b *testing.B) ngcore.HandshakeConfig {
	b.Helper()
	dir := b.TempDir()
	entry, err := ngcore.Write(filepath.Join(dir, "tree"))
	if err != nil {
		b.Fatal(err)
	}
	r := run{cfg: ngcore.HandshakeConfig{
		Nonce: strings.Repeat("a", 32), SentinelPath: filepath.Join(dir, "s.json"), PluginPath: entry,
	}}
	if err := os.WriteFile(r.cfg.SentinelPath, []byte(r.sentinel()), 0o600); err != nil {
		b.Fatal(err)
	}
	return r.cfg
}

// The baseline of reading: what a check by content costs without any of the guards.
func BenchmarkReadFileBaseline(b *testing.B) {
	cfg := benchRun(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := os.ReadFile(cfg.SentinelPath); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerifyLoaded(b *testing.B) {
	cfg := benchRun(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := ngcore.VerifyLoaded(cfg); err != nil {
			b.Fatal(err)
		}
	}
}

// The worst sentinel that is read whole.
func BenchmarkVerifyLoadedLargest(b *testing.B) {
	cfg := benchRun(b)
	if err := os.WriteFile(cfg.SentinelPath, []byte(`{"v":1,"x":`+strings.Repeat("[", 64<<10-11)), 0o600); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := ngcore.VerifyLoaded(cfg); err == nil {
			b.Fatal("accepted")
		}
	}
}

func BenchmarkVerifyNotLate(b *testing.B) {
	cfg := benchRun(b)
	use := time.Now().Add(time.Hour)
	b.ReportAllocs()
	for b.Loop() {
		if err := ngcore.VerifyNotLate(cfg, use); err != nil {
			b.Fatal(err)
		}
	}
}

// The baseline of writing: os.CopyFS, neither atomic nor private.
func BenchmarkCopyFSBaseline(b *testing.B) {
	tree, err := ngcore.Files()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		if err := os.RemoveAll(dir); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := os.CopyFS(dir, tree); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "tree")
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		if err := os.RemoveAll(dir); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := ngcore.Write(dir); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerifyTree(b *testing.B) {
	cfg := benchRun(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := ngcore.VerifyTree(cfg.PluginPath); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteDependencies(b *testing.B) {
	dir := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		if err := ngcore.WriteDependencies(dir); err != nil {
			b.Fatal(err)
		}
	}
}

// A long run: a thousand calls.
func BenchmarkCheckReceipts(b *testing.B) {
	path := filepath.Join(b.TempDir(), "r.jsonl")
	var uses []ngcore.ToolUse
	var lines strings.Builder
	for i := range 1000 {
		call := "call_" + strings.Repeat("x", i%7) + string(rune('a'+i%26))
		uses = append(uses, completed("s", call, "bash"))
		lines.WriteString(strings.Replace(goodReceipt, `"call_id":"c"`, `"call_id":"`+call+`"`, 1) + "\n")
	}
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		receipts, err := ngcore.ReadReceipts(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := ngcore.CheckReceipts(uses, receipts).Err(); err != nil {
			b.Fatal(err)
		}
	}
}
