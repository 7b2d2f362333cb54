package gatewhole

import (
	"gate"

	"github.com/ngvet/ngvet/ngcore"
)

func run(cfg ngcore.HandshakeConfig) error {
	if err := ngcore.VerifyLoaded(cfg); err != nil { // OK: another package knows the other half
		return err
	}
	return gate.Late(cfg)
}
