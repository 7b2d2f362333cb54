// Package mirror x
//
// # mirror/differs
//
// x
package mirror
