// Package eventdetail x
//
// # eventdetail/freetext
//
// x
package eventdetail
