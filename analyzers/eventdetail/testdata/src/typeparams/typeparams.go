package typeparams

import "github.com/ngvet/ngvet/ngcore"

type box[T any] struct{ v T }

type alias[T any] = box[T]

func (b box[T]) get() T { return b.v }

type number interface{ ~int | ~int64 }

func count[T number](n T) ngcore.Event {
	return ngcore.Event{Detail: map[string]any{"n": n}}
}

func anything[T any](v T) ngcore.Event {
	return ngcore.Event{Detail: map[string]any{"v": v}} // want `a value of type T is no id, count or code`
}

func build[T any](v T) map[string]any {
	return map[string]any{"text": 1} // want `"text" names free text`
}

func calls(b alias[int]) ngcore.Event {
	for i := range 3 {
		_ = min(i, 2)
	}
	ev := ngcore.Event{Detail: build[int](1)}
	ev.Detail["n"] = b.get()
	return ev
}
