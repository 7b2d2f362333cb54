package ngcore

import "strconv"

// IncompatibleCode says which part of the handshake failed. Codes are stable.
type IncompatibleCode string

// The reasons why a run cannot be shown to have been gated by this binary's plugin.
const (
	// NotConfigured: a part of HandshakeConfig is empty or unusable.
	NotConfigured IncompatibleCode = "not_configured"
	// SentinelAbsent: there is no sentinel; the plugin did not load, or not whole.
	SentinelAbsent IncompatibleCode = "sentinel_absent"
	// SentinelUnreadable: what is at the path is no regular file, too large or barred.
	SentinelUnreadable IncompatibleCode = "sentinel_unreadable"
	// SentinelMalformed: the file is not a sentinel of the format that this binary reads.
	SentinelMalformed IncompatibleCode = "sentinel_malformed"
	// NonceDiffers: the sentinel answers another run.
	NonceDiffers IncompatibleCode = "nonce_differs"
	// VersionDiffers: a plugin of another version answered.
	VersionDiffers IncompatibleCode = "plugin_version_differs"
	// HooksDiffer: the plugin registered other hooks, or in another order.
	HooksDiffer IncompatibleCode = "hooks_differ"
	// SentinelReplaced: the sentinel is not the file that was verified before.
	SentinelReplaced IncompatibleCode = "sentinel_replaced"
	// SentinelLate: the sentinel was written after a tool had been used.
	SentinelLate IncompatibleCode = "sentinel_late"
	// TreeChanged: the plugin's files are no longer those of this binary.
	TreeChanged IncompatibleCode = "tree_changed"
)

// IncompatibleError reports that a run cannot be shown to have been gated. The run must
// not count, whatever the exit status of OpenCode says.
type IncompatibleError struct {
	Code       IncompatibleCode // for decisions
	Reason     string           // for people: one sentence, with Expected and Found
	Expected   string           // what a good run shows, or ""
	Found      string           // what was there instead, cut to a bounded length, or ""
	PluginPath string           // the entry that OpenCode was told to load, or ""
	Err        error            // the cause, or nil
}

// differs is the error for a value that is not the expected one.
func differs(code IncompatibleCode, pluginPath, what, expected, found string) *IncompatibleError {
	return &IncompatibleError{
		Code:       code,
		Reason:     what + ": expected " + expected + ", found " + found,
		Expected:   expected,
		Found:      found,
		PluginPath: pluginPath,
	}
}

// unproven is the error for a proof that cannot be read.
func unproven(code IncompatibleCode, pluginPath, reason string, cause error) *IncompatibleError {
	return &IncompatibleError{Code: code, Reason: reason, PluginPath: pluginPath, Err: cause}
}

// Kind returns "adapter_incompatible", the class under which a stage reports every
// IncompatibleError.
func (e *IncompatibleError) Kind() string { return "adapter_incompatible" }

// Unwrap returns the cause, such as an error that is fs.ErrNotExist, or nil.
func (e *IncompatibleError) Unwrap() error { return e.Err }

// Error returns the reason, the cause and the plugin's path.
func (e *IncompatibleError) Error() string {
	text := "plugin handshake: " + e.Reason
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.PluginPath != "" {
		text += " (plugin " + e.PluginPath + ")"
	}
	return text
}

// quote shows a value that came from a file: escaped, and cut so that a hostile file
// cannot flood a log.
func quote(s string) string {
	const shown = 64
	if len(s) <= shown {
		return strconv.Quote(s)
	}
	return strconv.Quote(s[:shown]) + "... (" + strconv.Itoa(len(s)) + " bytes)"
}
