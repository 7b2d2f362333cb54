package plugin

// Version is the version of the plugin's contract with Go. It changes when an older Go
// side could misread what a newer plugin writes, or the other way round.
//
//ngvet:mirror nightgauge/handshake.js#PLUGIN_VERSION
const Version = "1"

// HookNames lists the hooks that the plugin registers, in registration order. Treat it
// as read-only.
//
// permission.ask has no call site in OpenCode 1.18.30 (HOST.md section 2). It stays
// registered so that a host which calls it again is answered.
//
//ngvet:mirror nightgauge/handshake.js#HOOK_NAMES
var HookNames = []string{
	"tool.execute.before",
	"tool.execute.after",
	"command.execute.before",
	"permission.ask",
	"event",
	"experimental.session.compacting",
	"experimental.compaction.autocontinue",
}

// SentinelFormat is the value of a sentinel's key v.
//
//ngvet:mirror nightgauge/handshake.js#SENTINEL_FORMAT
const SentinelFormat = 1

// SentinelMaxBytes bounds a sentinel. One that the plugin writes is about 350 bytes.
//
//ngvet:mirror nightgauge/handshake.js#SENTINEL_MAX_BYTES
const SentinelMaxBytes = 64 << 10

// Sentinel is the plugin's proof that it loaded: one JSON object, written once per run,
// after everything else in the plugin's start has succeeded. All keys are always present.
//
//ngvet:mirror nightgauge/handshake.js#returned(sentinel)
type Sentinel struct {
	V             int      `json:"v"`              // SentinelFormat
	Nonce         string   `json:"nonce"`          // the value of EnvNonce
	PluginVersion string   `json:"plugin_version"` // Version
	Hooks         []string `json:"hooks"`          // keys of the returned hooks object, in order
	PID           int      `json:"pid"`            // the OpenCode process; information, never identity
	TS            string   `json:"ts"`             // RFC 3339, UTC, milliseconds
}

// SentinelFileName is the name of a run's sentinel. The plugin is told the whole path
// (EnvSentinel), so JavaScript has no copy of this formula.
func SentinelFileName(runID string) string {
	return ".opencode-plugin-" + runID + ".json"
}
