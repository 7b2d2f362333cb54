package ngcore

import "time"

type Event struct{ Kind string }

func ReadRunEvents(path string) ([]Event, error) { return nil, nil }

func WaitForRunEvent(path, kind string, bound time.Duration) ([]Event, error) { return nil, nil }
