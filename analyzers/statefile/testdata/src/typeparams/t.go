package typeparams

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
)

func update[T any](path string, f func(T) T) error {
	var v T
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	data, err = json.Marshal(f(v))
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600) // want `without a lock`
}

func load[T any](path string) (v T, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(data, &v)
}

func save[T any](path string, v T) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

func add(path string) error {
	v, err := load[[]int](path)
	if err != nil {
		return err
	}
	return save(path, append(v, 1)) // want `without a lock`
}

type scan = bufio.Scanner

func lines[T any](r io.Reader) (out []T) {
	var s *scan = bufio.NewScanner(r) // want `the scanner stops for good`
	for s.Scan() {
		var v T
		if json.Unmarshal(s.Bytes(), &v) == nil {
			out = append(out, v)
		}
	}
	return out
}
