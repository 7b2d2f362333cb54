package stage_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/ngcore/stage"
)

// BenchmarkStream compares the reader with the usual way, a line of any length decoded as a
// whole, on streams whose tools print little and much.
func BenchmarkStream(b *testing.B) {
	for _, size := range []int{100, 10_000, 1_000_000} {
		stream := benchStream(size)
		b.Run(fmt.Sprintf("output=%d/ours", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				if events, _, err := readStream(bytes.NewReader(stream)); err != nil || len(events) != 30 {
					b.Fatal(len(events), err)
				}
			}
		})
		b.Run(fmt.Sprintf("output=%d/whole lines", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				if n := countWholeLines(b, stream); n != 30 {
					b.Fatal(n)
				}
			}
		})
	}
}

// benchStream is ten steps with one call each.
func benchStream(outputBytes int) []byte {
	output := strings.Repeat(`line of output\n`, outputBytes/16+1)
	var stream bytes.Buffer
	for i := range 10 {
		fmt.Fprintln(&stream, `{"type":"step_start","timestamp":1796070696875,"sessionID":"ses_1","part":{"type":"step-start"}}`)
		fmt.Fprintf(&stream, `{"type":"tool_use","timestamp":1796070697467,"sessionID":"ses_1","part":{"type":"tool","tool":"bash","callID":"call_%d","state":{"status":"completed","input":{"command":"x"},"output":"%s","metadata":{"exit":0},"time":{"start":1796070696847,"end":1796070697327}}}}`+"\n", i, output)
		fmt.Fprintln(&stream, `{"type":"step_finish","timestamp":1796070697663,"sessionID":"ses_1","part":{"type":"step-finish","tokens":{"input":100,"output":10,"cache":{"write":0,"read":0}},"cost":0}}`)
	}
	return stream.Bytes()
}

func countWholeLines(b *testing.B, stream []byte) (n int) {
	lines := bufio.NewReader(bytes.NewReader(stream))
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return n
		}
		var ev struct {
			Type, SessionID string
			Timestamp       int64
			Part            struct {
				CallID, Tool string
				State        struct {
					Status string
					Time   struct{ Start int64 }
				}
				Tokens stage.Tokens
			}
		}
		if err := json.Unmarshal(line, &ev); err != nil {
			b.Fatal(err)
		}
		n++
	}
}
