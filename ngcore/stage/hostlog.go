package stage

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Bounds of the watch for the first request to the model.
const (
	logPoll     = 15 * time.Millisecond
	logMaxBytes = 1 << 20 // read of one log; the first request comes within some 10 KiB
)

// watchFirstRequest verifies the sentinel when OpenCode's own log says that it is about to
// ask the model for the first time.
//
// The stream's first step_start is too late to keep an ungated tool from running: with a
// model that answers at once, a write was on disk before the line was printed (3 of 3 runs
// of 1.18.30). By the log there are 0.2 s and more left. A version that logs otherwise is
// still found out at step_start.
func (s *supervisor) watchFirstRequest(ctx context.Context) {
	ticker := time.NewTicker(logPoll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if logsFirstRequest(filepath.Join(s.dirs.data, "opencode", "log")) {
			if err := s.handshake.StepStart(); err != nil {
				s.cancel(err)
			}
			return
		}
	}
}

func logsFirstRequest(dir string) bool {
	logs, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	for _, path := range logs {
		if text := readLog(path); hasFirstRequest(text) {
			return true
		}
	}
	return false
}

func readLog(path string) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, logMaxBytes))
	return text
}

// hasFirstRequest knows two forms: "... message=loop session.id=ses_1 step=0" (1.18) and
// "... step=0 sessionID=ses_1 loop" (before).
func hasFirstRequest(log []byte) bool {
	for line := range bytes.Lines(log) {
		line = append(bytes.TrimSpace(line), ' ')
		if bytes.Contains(line, []byte(" step=0 ")) &&
			(bytes.Contains(line, []byte(" message=loop ")) || bytes.HasSuffix(line, []byte(" loop "))) {
			return true
		}
	}
	return false
}
