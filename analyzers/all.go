// Package analyzers lists the checks of ngvet. Each folder beside this file is one of
// them, and its package comment documents its rules.
package analyzers

import (
	"github.com/ngvet/ngvet/analyzers/embedtree"
	"github.com/ngvet/ngvet/analyzers/eventdetail"
	"github.com/ngvet/ngvet/analyzers/handshake"
	"github.com/ngvet/ngvet/analyzers/hookasync"
	"github.com/ngvet/ngvet/analyzers/hookio"
	"github.com/ngvet/ngvet/analyzers/hookname"
	"github.com/ngvet/ngvet/analyzers/mirror"
	"github.com/ngvet/ngvet/analyzers/pathguard"
	"github.com/ngvet/ngvet/analyzers/pluginhost"
	"github.com/ngvet/ngvet/analyzers/pluginload"
	"github.com/ngvet/ngvet/analyzers/pluginstate"
	"github.com/ngvet/ngvet/analyzers/runexit"
	"github.com/ngvet/ngvet/analyzers/statefile"
	"github.com/ngvet/ngvet/internal/finding"
)

// All returns every check, by name, with checks of plugins under opts.
func All(opts finding.Options) []*finding.Check {
	checks := []*finding.Check{
		embedtree.Check,
		eventdetail.Check,
		handshake.Check,
		hookasync.Check,
		hookio.Check,
		hookname.Check,
		mirror.Check,
		pathguard.Check,
		pluginhost.Check,
		pluginload.Check,
		pluginstate.Check,
		runexit.Check,
		statefile.Check,
	}
	for i, c := range checks {
		checks[i] = c.With(opts)
	}
	return checks
}
