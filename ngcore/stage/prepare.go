package stage

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

// Files are the places of a run's evidence, absolute.
type Files struct {
	Root     string `json:"root"`
	Output   string `json:"output"` // the stream as OpenCode printed it, at most 64 MiB
	Stderr   string `json:"stderr"` // at most 1 MiB
	Events   string `json:"events"`
	Receipts string `json:"receipts"`
	Sentinel string `json:"sentinel"`
	Plugin   string `json:"plugin"` // the entry that OpenCode was told to load
}

// prepared is a run that can be started.
type prepared struct {
	cfg       Config
	id        string
	files     Files
	dirs      privateDirs
	env       []string
	handshake ngcore.HandshakeConfig
	notes     []string
}

// prepare checks cfg and writes everything that the run needs. Nothing has been started
// when it fails, and a directory of its own making is gone.
func prepare(cfg Config) (*prepared, error) {
	p, err := accept(cfg)
	if err != nil {
		return nil, err
	}
	root, err := makeRoot(cfg.RunRoot, p.cfg.WorkDir)
	if err != nil {
		return nil, fmt.Errorf("make the run's directory: %w", err)
	}
	if err := p.furnish(root); err != nil {
		p.discard()
		return nil, err
	}
	return p, nil
}

// accept refuses what cannot be run, and fills in what cfg leaves open.
func accept(cfg Config) (*prepared, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	// OpenCode and its plugin see the work tree without links.
	workDir, err := filepath.EvalSymlinks(cfg.WorkDir)
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	if isPercentEncoded(workDir) {
		return nil, fmt.Errorf("working directory %s: expected a name without percent escapes, which OpenCode decodes to work in another directory", workDir)
	}
	if err := findForeignCode(workDir); err != nil {
		return nil, err
	}
	cfg.WorkDir = workDir
	if cfg.Env == nil {
		cfg.Env = os.Environ()
	}
	if cfg.IdleTimeout == 0 {
		cfg.IdleTimeout = DefaultIdleTimeout
	}
	p := &prepared{cfg: cfg, id: cfg.RunID}
	if p.id == "" {
		p.id = newRunID()
	}
	return p, nil
}

// furnish writes the run's files below root.
func (p *prepared) furnish(root string) error {
	if err := p.nameFiles(root); err != nil {
		return err
	}
	if err := p.writeFiles(); err != nil {
		return err
	}
	config, err := hostConfig(p.cfg.HostConfig, p.files.Plugin)
	if err != nil {
		return err
	}
	installRisk := hasInstallRisk(p.cfg.WorkDir)
	if installRisk {
		p.notes = append(p.notes, "OpenCode may run npm install in the .opencode directory of the work tree and wait for it")
	}
	p.env = p.environment(config, installRisk)
	return nil
}

// discard removes the run's directory when it was made for a run that is not started.
func (p *prepared) discard() {
	if p.cfg.RunRoot == "" {
		os.RemoveAll(p.files.Root)
	}
}

// newRunID starts with the time, so that a directory of runs reads in their order.
func newRunID() string {
	var b [6]byte
	rand.Read(b[:]) // never fails, says crypto/rand
	return time.Now().UTC().Format("20060102-150405") + "-" + hex.EncodeToString(b[:])
}

// makeRoot returns a private directory, named without links, that the agent does not get
// as its work tree.
func makeRoot(dir, workDir string) (root string, err error) {
	parent := dir
	if dir == "" {
		parent = os.TempDir()
	}
	if err := checkRoot(parent, workDir); err != nil {
		return "", err
	}
	if dir == "" {
		dir, err = os.MkdirTemp(parent, "nightgauge-run-")
	} else if err = os.MkdirAll(dir, 0o700); err == nil {
		err = os.Chmod(dir, 0o700)
	}
	if err != nil {
		return "", err
	}
	if root, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	return root, checkRoot(root, workDir)
}

func checkRoot(dir, workDir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("expected an absolute path, found %q", dir)
	}
	if strings.Contains(dir, "?") {
		return fmt.Errorf("expected a path without a question mark, from which OpenCode would not load the plugin, found %s", dir)
	}
	if rel, err := filepath.Rel(workDir, dir); err == nil && filepath.IsLocal(rel) {
		return fmt.Errorf("expected a directory outside of the work tree %s, found %s", workDir, dir)
	}
	return nil
}

func (p *prepared) nameFiles(root string) error {
	p.dirs = newPrivateDirs(root)
	p.files = Files{
		Root:   root,
		Output: filepath.Join(root, "output.jsonl"),
		Stderr: filepath.Join(root, "stderr.txt"),
	}
	var ok bool
	if p.files.Events, ok = ngcore.EventsPath(p.files.Output, p.id); !ok {
		return fmt.Errorf("run id: expected one plain path element, found %q", p.id)
	}
	p.files.Receipts, _ = ngcore.ReceiptsPath(p.files.Output, p.id)
	p.files.Sentinel = ngcore.SentinelPath(p.files.Output, root, p.id)
	// What an earlier run has left would count for this one.
	for _, path := range []string{p.files.Events, p.files.Receipts} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("run id %s: expected an unused one, found %s", p.id, path)
		}
	}
	return nil
}

func (p *prepared) writeFiles() error {
	for _, dir := range p.dirs.all() {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make the run's directories: %w", err)
		}
	}
	entry, err := ngcore.Write(filepath.Join(p.files.Root, "gate"))
	if err != nil {
		return err
	}
	p.files.Plugin = entry
	if err := ngcore.WriteDependencies(filepath.Join(p.dirs.config, "opencode")); err != nil {
		return err
	}
	nonce, err := ngcore.NewNonce()
	if err != nil {
		return err
	}
	p.handshake = ngcore.HandshakeConfig{Nonce: nonce, SentinelPath: p.files.Sentinel, PluginPath: entry}
	return ngcore.DeleteStaleSentinel(p.files.Sentinel)
}

// removeScratch removes what is no evidence: OpenCode leaves some 6 MB per run in TMPDIR
// (HOST.md section 6).
func (p *prepared) removeScratch() {
	os.RemoveAll(p.dirs.temp)
	os.RemoveAll(p.dirs.cache)
}
