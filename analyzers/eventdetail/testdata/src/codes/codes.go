// Package codes holds what other packages mark.
package codes

type Code string

const Blocked Code = "blocked"

// Classify returns a code.
//
//ngvet:code
func Classify(err error) string { return "error" } // want Classify:"code"

func Describe(err error) string { return err.Error() }

// Telemetry is sent.
//
//ngvet:retention
type Telemetry struct { // want Telemetry:"retention"
	Step  string
	Text  string
	Count int
}

// Labels are sent.
//
//ngvet:retention
type Labels map[string]string // want Labels:"retention"

// Kind has a method that is marked.
type Kind int

// Code tells a kind.
//
//ngvet:code
func (k *Kind) Code() string { return "kind" } // want Code:"code"
