package a

// Values whose JavaScript side is the truth, so that the finding and the fix are in Go.

//ngvet:mirror a.js#VERSION source=js
const Version = "1" // want `a.Version is "1" \(\S*a.go:6:17\), but VERSION is "2" \(\S*a.js:1:24\)`

//ngvet:mirror a.js#LIMIT source=js
const Limit = 0x10_00 // want `a.Limit is 4096 \(.0x10_00.\) \(\S*a.go:9:15\), but LIMIT is 8192`

//ngvet:mirror a.js#QUOTE source=js
const Quote = `x` // want `a.Quote is "x"`

//ngvet:mirror a.js#NAMES source=js
var Names = []string{
	"a",
	"x", // want `a.Names is "x" \(\S*a.go:17:2\), but NAMES\[1\] is "b"`
}

//ngvet:mirror a.js#MORE source=js
var More = []string{"a"} // want `a.More \(\S*a.go:21:12\) lacks "b", which MORE has`

//ngvet:mirror a.js#fileName source=js
func FileName(id string) string {
	return "run-" + id + ".json" // want `a.FileName is "run-\{id\}.json"`
}

type generic[T any] struct{ v T }

type alias[T any] = generic[T]

//ngvet:mirror a.js#VERSION
const Same = "2"
