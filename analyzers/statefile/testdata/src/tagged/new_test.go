package tagged

import "os"

func updateTest(path string) error {
	data, _ := os.ReadFile(path)
	return os.WriteFile(path, append(data, 1), 0o600) // OK: in a test
}
