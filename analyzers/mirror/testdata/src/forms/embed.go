package forms

import _ "embed"

//go:embed forms.js
var source string
