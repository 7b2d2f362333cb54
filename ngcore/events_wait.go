package ngcore

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"
)

// WaitForRunEvent waits until the events file at path holds an event of the kind, and
// returns all events up to then. It returns what there is, without an error, when the bound
// has passed, and at once when the file is full ([EventsTruncatedKind]): the kind may be
// what it had no room for.
//
// The file need not exist yet. A failure to read is tried again until the bound, and is an
// error only if it lasts; an [*UnsafeFileError] is an error at once. Events read before are
// returned with the error.
func WaitForRunEvent(path, kind string, bound time.Duration) ([]Event, error) {
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	events, err := WaitForRunEventContext(ctx, path, kind)
	if err == context.DeadlineExceeded {
		return events, nil
	}
	return events, err
}

// WaitForRunEventContext is [WaitForRunEvent] until ctx is done. It then returns what there
// is, with ctx.Err() or the read failure that lasts.
func WaitForRunEventContext(ctx context.Context, path, kind string) ([]Event, error) {
	var events []Event
	err := followEvents(ctx, path, func(ev Event) bool {
		events = append(events, ev)
		return ev.Kind != kind && ev.Kind != EventsTruncatedKind
	})
	return events, err
}

// Tail yields the events of the file at path, those that are there and those that come,
// until ctx is done or the loop ends. It reads as [WaitForRunEvent] does: a lasting failure
// to read is the last thing it yields. Unlike WaitForRunEvent it goes on past
// [EventsTruncatedKind], because a stop_verify may follow.
func Tail(ctx context.Context, path string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		stopped := false
		err := followEvents(ctx, path, func(ev Event) bool {
			stopped = !yield(ev, nil)
			return !stopped
		})
		if err != nil && err != ctx.Err() && !stopped {
			yield(Event{}, err)
		}
	}
}

// followEvents hands over events until yield returns false or ctx is done, which is
// ctx.Err() unless the last attempt to read failed.
func followEvents(ctx context.Context, path string, yield func(Event) bool) error {
	reader := newEventReader(path, true)
	defer reader.close()
	stopped := false
	until := func(ev Event) bool {
		stopped = !yield(ev)
		return !stopped
	}
	var watch *fileWatch
	defer func() { watch.close() }()
	for {
		err := reader.poll(until)
		if unsafe := (*UnsafeFileError)(nil); stopped || errors.As(err, &unsafe) {
			return err
		}
		if ctx.Err() != nil {
			return cmp.Or(err, ctx.Err())
		}
		if watch == nil {
			// Only now: what is there already needs no watch. What comes while it is
			// set up is found by the next poll.
			watch = watchFile(path)
			continue
		}
		watch.wait(ctx)
	}
}
