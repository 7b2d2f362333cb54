package tagged

import "github.com/ngvet/ngvet/ngcore"

// Send takes its detail from a file of each build.
func Send(msg string) ngcore.Event { return ngcore.Event{Detail: detail(msg)} }
