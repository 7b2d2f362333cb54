package ngvet_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"sync"
)

// goEnv returns the settings of the go command outside the scripts. This binary is ngvet as
// well, and started often: nothing may be done before it is needed.
var goEnv = sync.OnceValue(func() map[string]string {
	env := make(map[string]string)
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	if err != nil {
		panic(err)
	}
	return env
})

// exitCode returns the exit status of a command that ran, or -1.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}
