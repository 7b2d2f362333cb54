// Package codes holds what other packages mark.
package codes

type Code string

const Blocked Code = "blocked"

// Classify returns a code.
//
//ngvet:code
func Classify(err error) string { return "error" }

func Describe(err error) string { return err.Error() }

// Telemetry is sent.
//
//ngvet:retention
type Telemetry struct {
	Step  string
	Text  string
	Count int
}

// Labels are sent.
//
//ngvet:retention
type Labels map[string]string
