package forms

import "fmt"

//ngvet:mirror forms.js#A // want `option "//" is none of`
const A = 1

var (
	//ngvet:mirror forms.js#A
	inGroup = 1

	//ngvet:mirror forms.js#A
	call = f() // want `the Go side of the contract is not a constant: f\(\) is known only at run time`
)

func f() int { return 1 }

//ngvet:mirror forms.js#A
var indexed = []int{0: 1} // want `an element with an index is not supported`

//ngvet:mirror forms.js#A
func verbs(x int) string { return fmt.Sprintf("%x", x) } // want `only the verbs %s, %d and %% have a counterpart`

//ngvet:mirror forms.js#A
func plain(x string) string { return x } // want `the result of plain has no constant part`

//ngvet:mirror forms.js#A
type embedded struct { // want `type embedded writes its JSON itself, in method MarshalJSON`
	T
}

type T struct{}

func (T) MarshalJSON() ([]byte, error) { return nil, nil }

//ngvet:mirror forms.js#A
type number int // want `type number is no struct`

//ngvet:mirror forms.js#A
func twice(x string) {
	switch x {
	case "a":
	}
	switch x { // want `function twice has more than one switch`
	case "b":
	}
}

//ngvet:mirror forms.js#A
func conditions(x string) {
	switch { // want `a switch without a value has conditions, not cases`
	case x == "a":
	}
}

//ngvet:mirror forms.js#A
func variable(x, y string) {
	switch x {
	case y: // want `y is known only at run time`
	}
}
