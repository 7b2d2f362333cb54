package ngcore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/ngvet/ngvet/plugin"
)

// ReadReceipts reads a run's receipts, in the order in which they were written. A file
// that is not there, and the path "", have none: nil and no error.
//
// A line that is no receipt, or has no newline, is left out; the call that it was for is
// then found ungated. A file that cannot be read, is not a regular file reached without a
// link (*UnsafeFileError), or passes 16 MiB is an error. Reading never blocks.
func ReadReceipts(path string) ([]Receipt, error) {
	if path == "" {
		return nil, nil
	}
	content, err := readReceiptBytes(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read receipts: %w", err)
	}
	var receipts []Receipt
	for line := range bytes.Lines(content) {
		if r, err := decodeReceipt(line); err == nil {
			receipts = append(receipts, r)
		}
	}
	return receipts, nil
}

func readReceiptBytes(path string) ([]byte, error) {
	f, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, plugin.ReceiptsMaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(content) > plugin.ReceiptsMaxBytes {
		return nil, fmt.Errorf("%s: expected at most %d bytes, found more", path, plugin.ReceiptsMaxBytes)
	}
	return content, nil
}

// decodeReceipt is as strict as decodeSentinel, and holds every value to its alphabet.
func decodeReceipt(line []byte) (Receipt, error) {
	var r Receipt
	line, whole := bytes.CutSuffix(line, []byte{'\n'})
	if !whole || len(line) >= plugin.ReceiptLineMaxBytes {
		return r, fmt.Errorf("expected a line of at most %d bytes, found %d", plugin.ReceiptLineMaxBytes, len(line))
	}
	if err := json.Unmarshal(line, &r, json.RejectUnknownMembers(true)); err != nil {
		return r, err
	}
	switch {
	case r.V != plugin.ReceiptFormat:
		return r, fmt.Errorf("v: expected %d, found %d", plugin.ReceiptFormat, r.V)
	case r.Decision != plugin.DecisionAllow && r.Decision != plugin.DecisionDeny:
		return r, fmt.Errorf("decision: expected %q or %q, found %q", plugin.DecisionAllow, plugin.DecisionDeny, r.Decision)
	case !plugin.IsReceiptCode(r.Code):
		return r, fmt.Errorf("code: expected snake case, found %q", r.Code)
	}
	for _, id := range []string{r.SessionID, r.CallID, r.Tool} {
		if !isOpaqueID(id) {
			return r, fmt.Errorf("expected an opaque id, found %q", id)
		}
	}
	if _, err := time.Parse(time.RFC3339, r.TS); err != nil {
		return r, err
	}
	return r, nil
}
