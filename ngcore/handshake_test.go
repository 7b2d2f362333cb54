package ngcore_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore"
)

func TestNewNonce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 100 {
		nonce, err := ngcore.NewNonce()
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(nonce) {
			t.Errorf("nonce %q is not 128 bits in hex", nonce)
		}
		if seen[nonce] {
			t.Errorf("nonce %q came twice", nonce)
		}
		seen[nonce] = true
	}
}

func TestSentinelPath(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "a b%20ü")
	out := filepath.Join(base, "out", "result.json")
	for _, tc := range []struct {
		name                      string
		outputFile, runDir, runID string
		want                      string
	}{
		{"beside the output file", out, base, "r1", filepath.Join(base, "out", ".opencode-plugin-r1.json")},
		{"in the run directory", "", base, "r1", filepath.Join(base, ".opencode-plugin-r1.json")},
		{"no place", "", "", "r1", ""},
		{"relative output file", "result.json", base, "r1", ""},
		{"relative run directory", "", "run", "r1", ""},
		{"output file with dots", base + "/x/../result.json", base, "r1", ""},
		{"run directory with dots", "", base + "/../x", "r1", ""},
		{"no run id", out, base, "", ""},
		{"run id that leaves the directory", out, base, "../r1", ""},
		{"run id with a backslash", out, base, `..\r1`, ""},
		{"run id that is dots", out, base, "..", ""},
		{"run id with NUL", out, base, "r\x00", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := ngcore.SentinelPath(tc.outputFile, tc.runDir, tc.runID); got != tc.want {
				t.Errorf("SentinelPath = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestDeleteStaleSentinel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s.json")
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ngcore.DeleteStaleSentinel(path); err != nil {
		t.Errorf("missing: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := ngcore.DeleteStaleSentinel(path); err != nil {
		t.Errorf("read-only file: %v", err)
	}
	if err := os.Symlink(victim, path); err != nil {
		t.Skip("this system has no symbolic links: ", err)
	}
	if err := ngcore.DeleteStaleSentinel(path); err != nil {
		t.Errorf("link: %v", err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the sentinel is still there: %v", err)
	}
	if got, err := os.ReadFile(victim); err != nil || string(got) != "keep" {
		t.Errorf("the link's target = %q, %v", got, err)
	}
}

func TestDeleteStaleSentinelRefuses(t *testing.T) {
	t.Parallel()
	if err := ngcore.DeleteStaleSentinel(""); err == nil {
		t.Error("empty path: no error")
	}
	dir := filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	err := ngcore.DeleteStaleSentinel(dir)
	if err == nil || !strings.Contains(err.Error(), "found a directory") {
		t.Errorf("directory: %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the directory is gone: %v", err)
	}
}

func TestHandshakeConfigFromEnv(t *testing.T) {
	t.Parallel()
	full := ngcore.HandshakeConfig{Nonce: "n", SentinelPath: "/s", PluginPath: "/p"}
	for _, tc := range []struct {
		name string
		env  map[string]string
		want ngcore.HandshakeConfig
		ok   bool
	}{
		{"nil", nil, ngcore.HandshakeConfig{}, false},
		{"other variables", map[string]string{"HOME": "/root"}, ngcore.HandshakeConfig{}, false},
		{"empty variables", map[string]string{ngcore.EnvNonce: "", ngcore.EnvSentinel: "", ngcore.EnvPluginPath: ""}, ngcore.HandshakeConfig{}, false},
		{"full", map[string]string{ngcore.EnvNonce: "n", ngcore.EnvSentinel: "/s", ngcore.EnvPluginPath: "/p"}, full, true},
		{"nonce only", map[string]string{ngcore.EnvNonce: "n"}, ngcore.HandshakeConfig{Nonce: "n"}, true},
		{"sentinel only", map[string]string{ngcore.EnvSentinel: "/s"}, ngcore.HandshakeConfig{SentinelPath: "/s"}, true},
		{"plugin only", map[string]string{ngcore.EnvPluginPath: "/p"}, ngcore.HandshakeConfig{PluginPath: "/p"}, true},
		{"no nonce", map[string]string{ngcore.EnvSentinel: "/s", ngcore.EnvPluginPath: "/p"}, ngcore.HandshakeConfig{SentinelPath: "/s", PluginPath: "/p"}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			cfg, ok := ngcore.HandshakeConfigFromEnv(tc.env)
			if cfg != tc.want || ok != tc.ok {
				t.Errorf("= %+v, %t; want %+v, %t", cfg, ok, tc.want, tc.ok)
			}
			if err := ngcore.VerifyLoaded(cfg); err == nil {
				t.Error("VerifyLoaded passed without a sentinel")
			}
		})
	}
}

func TestChildEnv(t *testing.T) {
	t.Parallel()
	outer := []string{
		"PATH=/bin", ngcore.EnvNonce + "=outer", "EMPTY=", ngcore.EnvSentinel + "=/outer", "ODD",
		ngcore.EnvPluginPath + "=/outer.js", ngcore.EnvNonce + "X=other variable",
	}
	kept := []string{"PATH=/bin", "EMPTY=", "ODD", ngcore.EnvNonce + "X=other variable"}
	inner := ngcore.HandshakeConfig{Nonce: "inner", SentinelPath: "/inner", PluginPath: "/inner.js"}
	want := append(kept[:len(kept):len(kept)],
		ngcore.EnvNonce+"=inner", ngcore.EnvSentinel+"=/inner", ngcore.EnvPluginPath+"=/inner.js")
	if diff := cmp.Diff(want, inner.ChildEnv(outer)); diff != "" {
		t.Errorf("ChildEnv (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(kept, ngcore.HandshakeConfig{}.ChildEnv(outer)); diff != "" {
		t.Errorf("ChildEnv of no handshake (-want +got):\n%s", diff)
	}
}
