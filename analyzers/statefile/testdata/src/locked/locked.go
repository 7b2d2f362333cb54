package locked

import (
	"os"

	"lockutil"
)

func update(path string) error {
	return lockutil.WithLock(path, func() error {
		data, _ := os.ReadFile(path)
		return os.WriteFile(path, append(data, 1), 0o600) // OK: another package locks
	})
}

func foreign(path string) error {
	data, _ := os.ReadFile(path)
	return lockutil.Save(path, append(data, 1)) // OK: Save writes nothing
}

func closure(path string) error {
	f := func() error {
		data, _ := os.ReadFile(path)
		return os.WriteFile(path, append(data, 1), 0o600) // want `without a lock`
	}
	return f()
}
