package tagged

import "github.com/ngvet/ngvet/ngcore"

func config(path string) ngcore.HandshakeConfig {
	return ngcore.HandshakeConfig{Nonce: nonce, SentinelPath: path} // want `a constant nonce proves nothing`
}
