package ngcore

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/ngvet/ngvet/plugin"
)

// What is accepted is a receipt that, written again, is accepted as the same one.
func FuzzDecodeReceipt(f *testing.F) {
	f.Add([]byte(`{"v":1,"ts":"2026-11-30T12:00:00.000Z","session_id":"s","call_id":"c","tool":"bash","decision":"allow","code":"ok"}` + "\n"))
	f.Add([]byte(`{"v":1,"V":1}` + "\n"))
	f.Add([]byte("[[[[\n"))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := decodeReceipt(line)
		if err != nil {
			return
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodeReceipt(append(again, '\n')); err != nil || got != r {
			t.Fatalf("%s: decoded again as %+v, %v; want %+v", again, got, err, r)
		}
	})
}

func FuzzDecodeSentinel(f *testing.F) {
	f.Add([]byte(`{"v":1,"nonce":"n","plugin_version":"1","hooks":["event"],"pid":1,"ts":"2026-11-30T12:00:00.000Z"}`))
	f.Add([]byte(`{"v":1,"nonce":"n","Nonce":"m"}`))
	f.Add([]byte("\xff{"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := decodeSentinel(content)
		if err != nil {
			return
		}
		if s.V != plugin.SentinelFormat || s.Nonce == "" || s.Hooks == nil || s.PID <= 0 {
			t.Fatalf("accepted %+v", s)
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeSentinel(again); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
	})
}
