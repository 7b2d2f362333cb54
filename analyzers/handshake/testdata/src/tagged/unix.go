//go:build !windows

package tagged

const nonce = "unix" + "-1"
