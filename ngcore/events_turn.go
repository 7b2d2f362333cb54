package ngcore

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ngvet/ngvet/plugin"
)

// turnDepthMax bounds how many owners may die in a row, each while it removed the lock of
// the one before.
const turnDepthMax = 5

// Pauses between two looks at a lock that somebody holds: it doubles from the first to the
// last.
const (
	firstPause = 200 * time.Microsecond
	lastPause  = 5 * time.Millisecond
)

// takeTurn waits until no other process is in its turn on the events file, and returns the
// function that ends this one.
//
// The lock is a name that only one process can make. It tells its owner, so that the next
// one can see at once that the owner was killed; a process id alone would not do, because
// ids are used again (BUGS.md B46).
func takeTurn(path string) (end func() error, err error) {
	return acquireTurn(plugin.EventsLockName(path), time.Now().Add(plugin.EventsTurnWait), 1)
}

func acquireTurn(lock string, deadline time.Time, depth int) (end func() error, err error) {
	if depth > turnDepthMax {
		return nil, fmt.Errorf("take turn: %d owners of %s died in a row", turnDepthMax, lock)
	}
	mine := newTurnOwner()
	seen, since := "", time.Now()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if err := createTurn(lock, mine); !errors.Is(err, fs.ErrExist) {
			return func() error { return releaseTurn(lock, mine) }, err
		}
		owner, err := readTurn(lock)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		now := time.Now()
		if owner != seen {
			seen, since = owner, now
		}
		switch {
		case now.After(deadline): // first: the agent can leave dead owners' locks for ever
			return nil, fmt.Errorf("take turn: waited %v for %s, now held by %q", plugin.EventsTurnWait, lock, owner)
		case err != nil: // the turn has just ended
		case isAbandoned(owner, now.Sub(since)):
			if err := removeTurn(lock, owner, deadline, depth); err != nil {
				return nil, err
			}
		default:
			time.Sleep(pause)
		}
	}
}

// removeTurn removes the lock of an owner that is gone. Of several that see the same dead
// owner only one may, or the second would remove the turn of the first: they take turns,
// with the same rules.
func removeTurn(lock, owner string, deadline time.Time, depth int) error {
	done, err := acquireTurn(lock+"~", deadline, depth+1)
	if err != nil {
		return err
	}
	return errors.Join(releaseTurn(lock, owner), done())
}

func releaseTurn(lock, owner string) error {
	current, err := readTurn(lock)
	if errors.Is(err, fs.ErrNotExist) || err == nil && current != owner {
		return nil
	}
	if err != nil {
		return err
	}
	return removeIfThere(lock)
}

// newTurnOwner returns PID:START:NAMESPACE:TOKEN. START and NAMESPACE tell two processes
// with one id apart and are empty where the system does not show them.
func newTurnOwner() string {
	self, _ := readProcessStat("self")
	return fmt.Sprintf("%d:%s:%s:%s", os.Getpid(), self.start, pidNamespace(), rand.Text())
}

// isAbandoned reports whether the owner of a lock is gone. age is how long this owner has
// been seen holding it.
func isAbandoned(owner string, age time.Duration) bool {
	life := lifeUnknown
	if f := strings.Split(owner, ":"); len(f) == 4 && f[2] == pidNamespace() {
		life = judgeOwner(f[0], f[1])
	}
	return life == lifeEnded || life == lifeUnknown && age > plugin.EventsTurnTakeover
}

type life int

const (
	lifeUnknown life = iota
	lifeGoesOn
	lifeEnded
)

func judgeOwner(pid, start string) life {
	id, err := strconv.Atoi(pid)
	if err != nil || id <= 0 {
		return lifeUnknown
	}
	if !processExists(id) {
		return lifeEnded
	}
	stat, ok := readProcessStat(pid)
	switch {
	case !ok || start == "":
		return lifeUnknown
	case stat.start != start || stat.ended:
		return lifeEnded
	default:
		return lifeGoesOn
	}
}

type processStat struct {
	ended bool   // with its last thread; its parent has not waited for it yet
	start string // clock ticks from boot
}

// readProcessStat reads fields 3, 20 and 22 of proc_pid_stat(5); ok is false where there is
// no such file. Field 2, the command, may hold anything but ends at the last parenthesis.
//
// The state is that of the first thread. Of a process that was killed, another one may still
// be in the system call that writes the line or removes the lock: that is no end.
func readProcessStat(pid string) (stat processStat, ok bool) {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return processStat{}, false
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return processStat{}, false
	}
	threads, err := strconv.Atoi(fields[17])
	ended := (fields[0] == "Z" || fields[0] == "X") && threads <= 1
	return processStat{ended: ended, start: fields[19]}, err == nil
}

func pidNamespace() string {
	link, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Trim(link, "pid:[]")
}
