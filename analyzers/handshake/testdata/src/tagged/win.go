//go:build windows

package tagged

var nonce = ""
