package a

import _ "embed"

//go:embed a.js
var source string
