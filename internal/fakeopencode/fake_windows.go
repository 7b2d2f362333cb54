package fakeopencode

import (
	"errors"
	"os/exec"
)

var errNoUnix = errors.New("not possible on Windows")

func detach(*exec.Cmd) {}

func limitFiles(*fakeHost, string) error   { return errNoUnix }
func holdOutput(*fakeHost, string) error   { return errNoUnix }
func signalParent(*fakeHost, string) error { return errNoUnix }
func lockFile(*fakeHost, string) error     { return errNoUnix }
