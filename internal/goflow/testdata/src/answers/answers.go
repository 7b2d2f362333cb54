package answers

import (
	"fmt"
	"path/filepath"
	"strings"

	"mark"
)

func Direct() { mark.Act() } // want Direct:"^acts$"

func Nested() { // want Nested:"^acts$"
	func() {
		func() { Direct() }()
	}()
}

func Deferred() { defer mark.Act() } // want Deferred:"^acts$"

func MethodValue() { // want MethodValue:"^acts$"
	act := T{}.act
	act()
}

type T struct{}

func (T) act() { mark.Act() }

// Method is exported on an exported type.
func (*T) Method() { T{}.act() } // want Method:"^acts$"

type Actor interface{ Act() }

func Through(a Actor) { a.Act() } // what runs is not known

func Ping(n int) { // want Ping:"^acts$"
	if n > 0 {
		Pong(n - 1)
	}
}

func Pong(n int) { // want Pong:"^acts$"
	Ping(n)
	mark.Act()
}

func Loop(n int) { Loop(n - 1) }

func Gives() string { return "v" + mark.Value() } // want Gives:"^gives$"

func GivesThrough() (string, error) { // want GivesThrough:"^gives$"
	v := strings.ToUpper(Gives())
	return v, nil
}

func Ignores() string { // holds the call and returns something else
	_ = mark.Value()
	return "constant"
}

func Takes(n int, s string) { mark.Take(s) } // want Takes:"^takes argument 1$"

func TakesThrough(s string) { Takes(1, s) } // want TakesThrough:"^takes argument 0$"

func TakesOther(s string) { mark.Take(s + ".tmp") } // another string

func Drinks(s string) { mark.Drink(s + ".tmp") } // want Drinks:"^drinks argument 0$"

func (*T) Takes(s string) { Takes(0, s) } // want Takes:"^takes argument 1$"

// Box is generic.
type Box[V any] struct{ V V }

func (b *Box[V]) Act() { mark.Act() } // want Act:"^acts$"

func Apply[V any](v V, s string) { mark.Take(s) } // want Apply:"^takes argument 1$"

func Pure(dir string, n int) string { return filepath.Join(dir, fmt.Sprint(n)) } // want Pure:"^is pure$"

var counter int

func Impure(dir string) string {
	counter++
	return filepath.Join(dir, fmt.Sprint(counter))
}

func PureThrough(dir string) string { // want PureThrough:"^is pure$"
	if dir == "" {
		return "x"
	}
	return Pure(dir, 1)
}
