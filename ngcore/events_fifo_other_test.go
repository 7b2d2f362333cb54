//go:build !unix

package ngcore_test

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
