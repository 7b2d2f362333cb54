// Package mark has the functions that the test asks about.
package mark

var state string

func Act()             {}
func Value() string    { state += "x"; return state }
func Take(s string)    {}
func Drink(s string)   {}
func Compare(a, b any) {}
func First()           {}
func Then()            {}
func Stop()            {}
func Source() string   { state += "x"; return state }
func Fill(to *string)  {}
func Sink(s string)    {}
func Unknown() string  { state += "x"; return state }
