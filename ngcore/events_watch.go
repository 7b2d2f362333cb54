package ngcore

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Intervals at which a waiting reader looks at the file by itself. The system wakes it long
// before that, but not for writers on other hosts of a network file system, and not at all
// where watching fails.
const (
	pollWatched   = 500 * time.Millisecond
	pollUnwatched = 25 * time.Millisecond
)

// fileWatch wakes a reader when a file may have changed. It watches the directory, because
// the file may not exist yet and may be exchanged. A nil *fileWatch may be closed.
type fileWatch struct {
	dir, name string
	watcher   *fsnotify.Watcher // nil when the system gives none
	watching  bool
	timer     *time.Timer
}

func watchFile(path string) *fileWatch {
	w := &fileWatch{dir: filepath.Dir(path), name: filepath.Base(path), timer: time.NewTimer(0)}
	w.watcher, _ = fsnotify.NewWatcher() // no watcher: the timer alone wakes
	w.begin()
	return w
}

// begin starts to watch, once the directory is there; it reports whether it just did.
func (w *fileWatch) begin() bool {
	if w.watcher == nil || w.watching {
		return false
	}
	w.watching = w.watcher.Add(w.dir) == nil
	return w.watching
}

func (w *fileWatch) close() {
	if w == nil {
		return
	}
	w.timer.Stop()
	if w.watcher != nil {
		// Linux takes about 10 ms to close a watch; whoever waited has waited enough.
		go w.watcher.Close()
	}
}

// wait returns when the file may have changed, when it is time to look, or when ctx is
// done.
func (w *fileWatch) wait(ctx context.Context) {
	if w.begin() {
		return // for what came before
	}
	w.timer.Reset(pollUnwatched)
	var events <-chan fsnotify.Event
	var errors <-chan error
	if w.watching {
		w.timer.Reset(pollWatched)
		events, errors = w.watcher.Events, w.watcher.Errors
	}
	for {
		select {
		case ev, ok := <-events:
			if !ok {
				events = nil
			} else if filepath.Base(ev.Name) == w.name {
				return
			}
		case <-errors: // such as a queue that ran over
			return
		case <-w.timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
