package stage

import (
	"encoding/json"
	"testing"
)

func TestPlainJSON(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"line comment", "{ // c\n\"a\":1}", "{     \n\"a\":1}"},
		{"line comment at the end", "{} // c", "{}     "},
		{"block comment", "{/* , \n */\"a\":1}", "{     \n   \"a\":1}"},
		{"trailing commas", `{"a":[1,2,],}`, `{"a":[1,2 ] }`},
		{"comma, comment, end", "[1, // c\n]", "[1      \n]"},
		{"marks within strings", `{"a//":"/* , */",}`, `{"a//":"/* , */" }`},
		{"escaped quote", `{"a":"\",}"}`, `{"a":"\",}"}`},
		{"comment without an end stays broken", `{} /* c`, `{} /* c`},
		{"string without an end stays broken", `{"a`, `{"a`},
		{"two commas stay broken", `[1,,]`, `[1, ]`},
		{"a lone comma stays broken", `[/**/,1]`, `[    ,1]`},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := string(plainJSON([]byte(tt.in))); got != tt.want {
				t.Errorf("plainJSON(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

// FuzzPlainJSON: JSON stays as it is, and offsets never move.
func FuzzPlainJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x//",{}], "b":"\\"}`))
	f.Add([]byte("[1, /* , */ // x\n]"))
	f.Fuzz(func(t *testing.T, in []byte) {
		out := plainJSON(in)
		if len(out) != len(in) {
			t.Fatalf("length %d became %d", len(in), len(out))
		}
		if json.Valid(in) && string(out) != string(in) {
			t.Fatalf("%q became %q", in, out)
		}
	})
}

func TestHasFirstRequest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		log  string
		want bool
	}{
		{"empty", "", false},
		{"1.18", "x\ntimestamp=t level=INFO run=1 message=loop session.id=ses_1 step=0\n", true},
		{"before 1.18", "INFO 2026-01-01T00:00:00 +1ms service=session.prompt step=0 sessionID=ses_1 loop\n", true},
		{"a later step", "level=INFO message=loop session.id=ses_1 step=1\n", false},
		{"other lines", "level=INFO message=\"event connected\"\nlevel=INFO message=init step=0\n", false},
		{"a step of two digits", "message=loop session.id=ses_1 step=01\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := hasFirstRequest([]byte(tt.log)); got != tt.want {
				t.Errorf("hasFirstRequest(%q) = %v, want %v", tt.log, got, tt.want)
			}
		})
	}
}
