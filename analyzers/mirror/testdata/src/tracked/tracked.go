package tracked

import _ "embed"

//go:embed embedded.js
var source string

//ngvet:mirror embedded.js#A
const Embedded = 1

/* want `does not see a change of other.js` */ //ngvet:mirror other.js#A
const Other = 1
