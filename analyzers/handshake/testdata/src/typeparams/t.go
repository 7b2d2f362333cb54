package typeparams

import (
	"time"

	"github.com/ngvet/ngvet/ngcore"
)

type verifier = ngcore.HandshakeConfig

func each[T any](xs []T, cfg func(T) verifier) {
	for _, x := range xs {
		ngcore.VerifyLoaded(cfg(x)) // want `the verdict of the handshake is dropped`
	}
}

func must[T ~string](nonce T, cfg verifier) error {
	return ngcore.VerifyNotLate(cfg, time.Now())
}

func use(cfg verifier) {
	must("x", cfg) // want `the verdict of the handshake is dropped`
}
