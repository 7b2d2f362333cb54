package onlylate

import (
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

func finish(cfg ngcore.HandshakeConfig) bool {
	return ngcore.VerifyNotLate(cfg, time.Now()) == nil // want `never proves that the plugin loaded`
}
