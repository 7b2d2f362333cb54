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
type embedded struct {
	T // want `an embedded field is not supported`
}

type T struct{}

//ngvet:mirror forms.js#A
type number int // want `type number is no struct`
