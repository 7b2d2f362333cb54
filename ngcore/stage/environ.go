package stage

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/plugin"
)

// hostVariables are the OPENCODE_ variables that a run takes over: credentials, and where
// the list of models comes from. Any other could switch the plugin off (OPENCODE_PURE) or
// make OpenCode load other code (OPENCODE_CONFIG_DIR).
var hostVariables = []string{
	"OPENCODE_API_KEY",
	"OPENCODE_AUTH_CONTENT",
	"OPENCODE_DISABLE_CLAUDE_CODE",
	"OPENCODE_DISABLE_EXTERNAL_SKILLS",
	"OPENCODE_DISABLE_LSP_DOWNLOAD",
	"OPENCODE_DISABLE_MODELS_FETCH",
	"OPENCODE_MODELS_PATH",
	"OPENCODE_MODELS_URL",
}

// scrub returns base without the variables of an outer run (BUGS.md B23), without those
// that change what OpenCode or its runtime (BUN_*) loads, and without those of own.
func scrub(base []string, own map[string]string) []string {
	var env []string
	for _, entry := range base {
		name, _, _ := strings.Cut(entry, "=")
		_, replaced := own[name]
		switch {
		case replaced, strings.HasPrefix(name, "NIGHTGAUGE_"), strings.HasPrefix(name, "BUN_"):
		case strings.HasPrefix(name, "OPENCODE") && !slices.Contains(hostVariables, name):
		default:
			env = append(env, entry)
		}
	}
	return env
}

// environment is what the OpenCode process gets: the caller's after scrub, private
// directories, the configuration and the run's own variables.
func (p *prepared) environment(config string, installRisk bool) []string {
	dirs := p.dirs
	own := map[string]string{
		// OpenCode works in the directory that PWD names, not in its working directory
		// (measured on 1.18.30).
		"PWD": p.cfg.WorkDir,

		"HOME":            dirs.home,
		"XDG_CONFIG_HOME": dirs.config,
		"XDG_DATA_HOME":   dirs.data,
		"XDG_STATE_HOME":  dirs.state,
		"XDG_CACHE_HOME":  dirs.cache,
		"TMPDIR":          dirs.temp,

		"OPENCODE_CONFIG_CONTENT":          config,
		"OPENCODE_DISABLE_AUTOUPDATE":      "1",
		"OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
	}
	env := scrub(p.cfg.Env, own)
	for _, values := range []map[string]string{own, p.runVariables(installRisk)} {
		for name, value := range values {
			if value != "" {
				env = append(env, name+"="+value)
			}
		}
	}
	slices.Sort(env)
	return p.handshake.ChildEnv(env)
}

// runVariables are those of the plugin and its hook verbs, the handshake's apart.
func (p *prepared) runVariables(installRisk bool) map[string]string {
	cfg := p.cfg
	return map[string]string{
		plugin.EnvOutputFile:          p.files.Output,
		plugin.EnvRunID:               p.id,
		plugin.EnvHookBin:             cfg.HookBin,
		plugin.EnvGatePolicy:          cfg.GatePolicy,
		plugin.EnvStage:               cfg.StageName,
		plugin.EnvPlan:                cfg.Plan,
		plugin.EnvStopVerify:          cfg.StopVerify,
		plugin.EnvStopVerifyShell:     flag(cfg.StopVerifyShell),
		plugin.EnvOperatorInstallRisk: flag(installRisk),
	}
}

func flag(on bool) string {
	if on {
		return "1"
	}
	return ""
}

// privateDirs are where OpenCode and the agent's tools keep what is their own, so that
// neither the operator's configuration nor their credentials take part in a run.
type privateDirs struct {
	home, config, data, state, cache, temp string
}

func newPrivateDirs(root string) privateDirs {
	return privateDirs{
		home:   filepath.Join(root, "home"),
		config: filepath.Join(root, "config"),
		data:   filepath.Join(root, "data"),
		state:  filepath.Join(root, "state"),
		cache:  filepath.Join(root, "cache"),
		temp:   filepath.Join(root, "tmp"),
	}
}

func (d privateDirs) all() []string {
	return []string{d.home, d.config, d.data, d.state, d.cache, d.temp}
}
