//go:build !unix

package ngcore

// writable is always true: on Windows OpenCode's check says so of every directory.
func writable(string) bool { return true }
