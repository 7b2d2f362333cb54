package prose

import "embed"

//go:embed prose.js tree
var files embed.FS

// Version is one.
//
//ngvet:mirror prose.js#VERSION
const Version = "1"

// Limit must match LIMIT in prose.js.
const Limit = 10 // want `the comment promises that Limit and prose.js agree, and nothing compares them: //ngvet:mirror prose.js#LIMIT would`

const (
	// Names: keep this list in sync with names, see tree/names.ts.
	Names = "a,b" // want `//ngvet:mirror tree/names.ts#names would`

	Suffix = ".json" // the same suffix as in names.ts // want `//ngvet:mirror tree/names.ts#PATH would`
)

// hooks mirrors what the plugin has (prose.js).
var hooks []string // want `//ngvet:mirror prose.js#PATH would`

// format has to stay in step with fileName of prose.js
func format(id string) string { return id } // want `//ngvet:mirror prose.js#fileName would`

// Held must match VERSION in prose.js.
//
//ngvet:mirror prose.js#VERSION
const Held = "1"

// Gone must match GONE in gone.js, which is not there.
const Gone = 1

// Apart is read by prose.js.
const Apart = 1

// Other must match the table in HOST.md.
const Other = 1

// Ignored must match LIMIT in prose.js.
const Ignored = 1 // want `//ngvet:mirror prose.js#LIMIT would`

func body() {
	// Inside of a function it must match prose.js.
}
