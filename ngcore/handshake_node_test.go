package ngcore_test

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

// playHost loads the plugin the way OpenCode does, calls a tool that needs no judge, and
// starts a second host inside the first one's environment.
const playHost = `
import { execFileSync } from "node:child_process";
const { default: plugin } = await import(process.argv[1]);
const hooks = await plugin.server({ directory: process.cwd(), worktree: process.cwd() });
const before = hooks["tool.execute.before"];
await before({ tool: "todowrite", sessionID: "ses_1", callID: "call_1|fc_1" }, { args: {} });
await before({ tool: "bash", sessionID: "ses_1", callID: "call_2" }, { args: { command: "true" } }).catch(() => {});
if (!process.env.NESTED) {
  process.env.NESTED = "1";
  execFileSync(process.execPath, process.execArgv.concat(process.argv[1]), { stdio: "inherit" });
}
`

func nodeBinary(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("needs Node to run the plugin: ", err)
	}
	return node
}

// The whole way: the written tree answers under Node, from places whose names need
// escaping in a URL, and Go finds the run gated.
func TestThePluginAnswersGo(t *testing.T) {
	t.Parallel()
	node := nodeBinary(t)
	for _, name := range []string{"plain", "a b", "a%20b", "a#b", "a'b", "ü"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			entry, err := ngcore.Write(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			nonce, err := ngcore.NewNonce()
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(dir, "out.json")
			cfg := ngcore.HandshakeConfig{Nonce: nonce, SentinelPath: ngcore.SentinelPath(out, "", "r1"), PluginPath: entry}
			handshake, err := ngcore.NewHandshake(cfg)
			if err != nil {
				t.Fatal(err)
			}
			before, err := ngcore.TreeDigest(os.DirFS(filepath.Dir(entry)))
			if err != nil {
				t.Fatal(err)
			}

			fileURL := url.URL{Scheme: "file", Path: filepath.ToSlash(entry)}
			cmd := exec.CommandContext(t.Context(), node, "--input-type=module", "--eval", playHost, fileURL.String())
			cmd.Dir = dir
			cmd.Env = append(cfg.ChildEnv(os.Environ()), ngcore.RunOutputFileEnvVar+"="+out, ngcore.RunIDEnvVar+"=r1")
			if output, err := cmd.CombinedOutput(); err != nil || len(output) > 0 {
				t.Fatalf("host: %v, output %q, want none", err, output)
			}

			if err := ngcore.VerifyLoaded(cfg); err != nil {
				t.Error(err)
			}
			if err := ngcore.VerifyNotLate(cfg, time.Now()); err != nil {
				t.Error(err)
			}
			if err := handshake.Exit(); err != nil {
				t.Error(err)
			}
			after, err := ngcore.TreeDigest(os.DirFS(filepath.Dir(entry)))
			if err != nil || after != before {
				t.Errorf("digest after the run = %s, %v; want %s", after, err, before)
			}
			checkPlayedReceipts(t, out)
		})
	}
}

func checkPlayedReceipts(t *testing.T, out string) {
	t.Helper()
	path, ok := ngcore.ReceiptsPath(out, "r1")
	if !ok {
		t.Fatal("no receipts path")
	}
	receipts, err := ngcore.ReadReceipts(path)
	if err != nil {
		t.Fatal(err)
	}
	// Both hosts are gated, the inner one without a handshake. There is no hook binary, so
	// that bash is denied.
	calls := []ngcore.ToolUse{
		completed("ses_1", "call_1|fc_1", "todowrite"), failed("ses_1", "call_2", "bash"),
		completed("ses_1", "call_1|fc_1", "todowrite"), failed("ses_1", "call_2", "bash"),
	}
	report := ngcore.CheckReceipts(calls, receipts)
	if err := report.Err(); err != nil || report.Gated != 4 || len(report.Unexecuted) != 0 {
		t.Errorf("report = %+v, %v; want 4 gated calls", report, err)
	}
	if err := ngcore.CheckReceipts([]ngcore.ToolUse{completed("ses_1", "call_2", "bash")}, receipts).Err(); err == nil {
		t.Error("a bash call that completed passed although it was denied")
	}
}
