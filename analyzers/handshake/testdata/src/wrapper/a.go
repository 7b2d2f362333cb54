package wrapper

import "github.com/ngvet/ngvet/ngcore"

// Loaded is called by other packages, which may well check the rest.
func Loaded(cfg ngcore.HandshakeConfig) error { return ngcore.VerifyLoaded(cfg) } // want Loaded:"returns the verdict on loading"
