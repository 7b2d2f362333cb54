package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

func split(path string, record []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(record); err != nil {
		return err
	}
	_, err = f.Write([]byte("\n")) // want `the record and its newline are two writes`
	return err
}

func splitString(path string, record []byte) {
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	f.Write(record)
	f.WriteString("\n") // want `the record and its newline are two writes`
}

func splitPrint(path string, record []byte) {
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	f.Write(record)
	fmt.Fprintln(f) // want `the record and its newline are two writes`
}

func splitBytes(path string, record []byte) {
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	f.Write(record)
	f.Write([]byte{'\n'}) // want `the record and its newline are two writes`
}

func whole(path string, record []byte) {
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	f.Write(append(record, '\n')) // OK
	f.Write(record)
}

func buffered(path string, record []byte) error {
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	w := bufio.NewWriter(f)
	w.Write(record)
	w.WriteString("\n") // OK: one write at Flush
	return w.Flush()
}

func report(path string, text []byte) {
	f, _ := os.Create(path)
	f.Write(text)
	f.WriteString("\n") // OK: nothing else appends to it
}

func heal(path string) {
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	f.WriteString("\n") // OK: a newline alone
}

type event struct{ Kind string }

func read(r io.Reader) (out []event) {
	s := bufio.NewScanner(r) // want `the scanner stops for good at the first line`
	for s.Scan() {
		var e event
		if json.Unmarshal(s.Bytes(), &e) == nil {
			out = append(out, e)
		}
	}
	return out
}

func readText(r io.Reader) (out []event) {
	s := bufio.NewScanner(r) // want `the scanner stops for good`
	for s.Scan() {
		line := strings.TrimSpace(s.Text())
		e, err := parse(line)
		if err == nil {
			out = append(out, e)
		}
	}
	return out
}

func parse(line string) (e event, err error) {
	err = json.Unmarshal([]byte(line), &e)
	return e, err
}

func sized(r io.Reader) (e event) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 1<<16), 1<<24)
	for s.Scan() {
		_ = json.Unmarshal(s.Bytes(), &e) // OK
	}
	return e
}

func words(r io.Reader) (n int) {
	s := bufio.NewScanner(r) // OK: no JSON
	for s.Scan() {
		n += len(s.Text())
	}
	return n
}

func prepared(r io.Reader) (e event) {
	s := bufio.NewScanner(r) // OK: prepare may size it
	prepare(s)
	for s.Scan() {
		_ = json.Unmarshal(s.Bytes(), &e)
	}
	return e
}

func prepare(s *bufio.Scanner) { s.Buffer(nil, 1<<20) }

func framed(r io.Reader, split bufio.SplitFunc) (e event) {
	s := bufio.NewScanner(r) // OK: no lines
	s.Split(split)
	for s.Scan() {
		_ = json.Unmarshal(bytes.TrimSpace(s.Bytes()), &e)
	}
	return e
}

func decoder(r io.Reader) (e event) {
	s := bufio.NewScanner(r) // want `the scanner stops for good`
	for s.Scan() {
		_ = json.NewDecoder(strings.NewReader(s.Text())).Decode(&e)
	}
	return e
}

var option = regexp.MustCompile(`option: (.*)`)

func matched(r io.Reader) (v map[string]any) {
	s := bufio.NewScanner(r) // OK: a match in a line, not the line
	for s.Scan() {
		if m := option.FindStringSubmatch(s.Text()); m != nil {
			json.Unmarshal([]byte(m[1]), &v)
		}
	}
	return v
}
