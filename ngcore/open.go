package ngcore

import (
	"fmt"
	"io/fs"
	"os"
)

// UnsafeFileError reports a path that is not a regular file reached without a link: the
// agent that shares the run's directory may have put something else there. It is final;
// trying again cannot help.
type UnsafeFileError struct {
	Path  string // the path as the caller gave it
	Found string // what is there, such as "a symbolic link"
}

func (e *UnsafeFileError) Error() string {
	return fmt.Sprintf("open %s: expected a regular file, found %s", e.Path, e.Found)
}

// ownerOnly is the mode of every file that the run leaves.
const ownerOnly fs.FileMode = 0o600

// openRegular opens a regular file. It follows no link at path itself, follows none at the
// directory that holds it, and does not block on a FIFO or a device. What else it finds is
// an *UnsafeFileError; a file that is not there is fs.ErrNotExist.
//
// With os.O_CREATE a new file gets mode 0600. A file opened for writing that has another
// mode gets 0600 as well: the mode of an open call binds only the file that it creates
// (BUGS.md B43).
//
// Links further up in the path are followed, because systems have them there of their own
// (/tmp on macOS).
func openRegular(path string, flag int) (*os.File, error) {
	f, _, err := openRegularInfo(path, flag)
	return f, err
}

// openRegularInfo is openRegular with what is known about the file once it is open.
func openRegularInfo(path string, flag int) (*os.File, fs.FileInfo, error) {
	f, err := openNoFollow(path, flag)
	if err != nil {
		return nil, nil, err
	}
	info, err := checkRegular(f, path, flag)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func checkRegular(f *os.File, path string, flag int) (fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &UnsafeFileError{Path: path, Found: describeType(info.Mode())}
	}
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 && modeDiffers(info.Mode()) {
		return info, f.Chmod(ownerOnly)
	}
	return info, nil
}

func describeType(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	default:
		return "a file of mode " + mode.String()
	}
}
