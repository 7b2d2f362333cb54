package gatehalf

import (
	"gate"

	"github.com/ngvet/ngvet/ngcore"
)

func run(cfg ngcore.HandshakeConfig) error {
	if err := gate.Loaded(cfg); err != nil { // want `never that it was in time`
		return err
	}
	return nil
}
