//go:build other

package tagged

// Not in this build: nothing is reported.
func detail(msg string) map[string]any { return map[string]any{"text": msg} }
