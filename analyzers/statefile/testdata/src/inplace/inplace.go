package inplace

import "os"

type store struct{ path, other string }

func (s *store) save(data []byte) error {
	return os.WriteFile(s.path, data, 0o600) // want `another function reads this file while it is written in place`
}

func (s *store) load() ([]byte, error) { return os.ReadFile(s.path) }

func (s *store) saveOther(data []byte) error {
	return os.WriteFile(s.other, data, 0o600) // OK: nothing here reads it
}

const pid = "/run/x.pid"

func writePID() error {
	f, err := os.Create(pid) // want `another function reads this file`
	if err != nil {
		return err
	}
	return f.Close()
}

func readPID() ([]byte, error) { return os.ReadFile("/run/x.pid") }

func local(path string) error { return os.WriteFile(path, nil, 0o600) } // OK

func localRead(path string) ([]byte, error) { return os.ReadFile(path) }
