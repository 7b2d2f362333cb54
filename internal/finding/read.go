package finding

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxFile is the size in bytes up to which a file is read; the largest public plugin
// bundle known has 2.4 MB.
const maxFile = 64 << 20

// ReadFile reads a file that a user's directive or import names. It refuses what is not a
// regular file, because reading a pipe would never end, and files above 64 MiB.
func ReadFile(name string) ([]byte, error) {
	// Without O_NONBLOCK opening a pipe waits for a writer.
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: not a regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("read %s: more than the limit of %d bytes", name, maxFile)
	}
	return data, nil
}
