package stage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// cappedFile keeps the first bytes of what is written. Writing never fails, because a full
// disk must not keep the stream from being followed. It is safe for concurrent use: what
// copies OpenCode's output may outlast the wait for it.
type cappedFile struct {
	mu     sync.Mutex
	file   *os.File // nil once closed
	room   int
	broken bool // something is missing
}

// createCapped makes a new file at path, in place of one that an earlier run left.
func createCapped(path string, room int) (*cappedFile, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("replace the output of an earlier run: %w", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep the output: %w", err)
	}
	return &cappedFile{file: file, room: room}, nil
}

func (c *cappedFile) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(p), c.room)
	c.room -= n
	if c.file == nil || n < len(p) {
		c.broken = true
	}
	if c.file != nil && n > 0 {
		if _, err := c.file.Write(p[:n]); err != nil {
			c.broken, c.room = true, 0
		}
	}
	return len(p), nil
}

// close reports whether everything is on disk. It may be called again.
func (c *cappedFile) close() (whole bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file != nil {
		if c.file.Close() != nil {
			c.broken = true
		}
		c.file = nil
	}
	return !c.broken
}
