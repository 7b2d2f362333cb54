package ngcore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

func allowed(session, call, tool string) ngcore.Receipt {
	return ngcore.Receipt{V: 1, TS: "2026-11-30T12:00:00.000Z", SessionID: session, CallID: call, Tool: tool, Decision: "allow", Code: "policy_allow"}
}

func denied(session, call, tool string) ngcore.Receipt {
	r := allowed(session, call, tool)
	r.Decision, r.Code = "deny", "destructive"
	return r
}

func completed(session, call, tool string) ngcore.ToolUse {
	return ngcore.ToolUse{SessionID: session, CallID: call, Tool: tool, Completed: true}
}

func failed(session, call, tool string) ngcore.ToolUse {
	return ngcore.ToolUse{SessionID: session, CallID: call, Tool: tool}
}

func TestCheckReceipts(t *testing.T) {
	t.Parallel()
	type (
		uses     = []ngcore.ToolUse
		receipts = []ngcore.Receipt
		report   = ngcore.ReceiptReport
	)
	odd := "call of\nanother kind|1"
	for _, tc := range []struct {
		name     string
		uses     uses
		receipts receipts
		want     report
	}{
		{name: "no calls", want: report{}},
		{"one call allowed", uses{completed("s", "c", "bash")}, receipts{allowed("s", "c", "bash")}, report{Gated: 1}},
		{"one call denied", uses{failed("s", "c", "bash")}, receipts{denied("s", "c", "bash")}, report{Gated: 1}},
		{"allowed and failed by itself", uses{failed("s", "c", "bash")}, receipts{allowed("s", "c", "bash")}, report{Gated: 1}},
		{"host that calls no hook", uses{completed("s", "a", "bash"), failed("s", "b", "read")}, nil,
			report{Ungated: uses{completed("s", "a", "bash"), failed("s", "b", "read")}}},
		{"host that calls the hook once", uses{completed("s", "a", "bash"), completed("s", "b", "bash")}, receipts{allowed("s", "a", "bash")},
			report{Gated: 1, Ungated: uses{completed("s", "b", "bash")}}},
		{"denied and completed", uses{completed("s", "c", "bash")}, receipts{denied("s", "c", "bash")},
			report{Mismatched: []ngcore.ReceiptMismatch{{Use: completed("s", "c", "bash"), Receipt: denied("s", "c", "bash")}}}},
		{"another tool ran than was judged", uses{completed("s", "c", "bash")}, receipts{allowed("s", "c", "read")},
			report{Mismatched: []ngcore.ReceiptMismatch{{Use: completed("s", "c", "bash"), Receipt: allowed("s", "c", "read")}}}},
		{"receipt of another session", uses{completed("s", "c", "bash")}, receipts{allowed("child", "c", "bash")},
			report{Ungated: uses{completed("s", "c", "bash")}, Unseen: 1}},
		{"receipt of another call", uses{completed("s", "c", "bash")}, receipts{allowed("s", "C", "bash")},
			report{Ungated: uses{completed("s", "c", "bash")}, Unexecuted: receipts{allowed("s", "C", "bash")}}},
		{"parallel calls, ended in another order", uses{completed("s", "b", "read"), failed("s", "a", "bash")},
			receipts{denied("s", "a", "bash"), allowed("s", "b", "read")}, report{Gated: 2}},
		{"sub-agent's calls are not in the stream", uses{completed("s", "t", "task")},
			receipts{allowed("s", "t", "task"), allowed("child", "x", "bash"), denied("child", "y", "bash")}, report{Gated: 1, Unseen: 2}},
		{"tool that does not exist", uses{completed("s", "c", "invalid")}, receipts{allowed("s", "c", "invalid")}, report{Gated: 1}},
		{"stopped in the middle of a call", uses{completed("s", "a", "bash")}, receipts{allowed("s", "a", "bash"), allowed("s", "b", "bash")},
			report{Gated: 1, Unexecuted: receipts{allowed("s", "b", "bash")}}},
		{"one call id twice", uses{completed("s", "call_0", "bash"), completed("s", "call_0", "bash")},
			receipts{allowed("s", "call_0", "bash"), allowed("s", "call_0", "bash")}, report{Gated: 2}},
		{"one call id twice, one of them ungated", uses{completed("s", "call_0", "bash"), completed("s", "call_0", "bash")},
			receipts{allowed("s", "call_0", "bash")}, report{Gated: 1, Ungated: uses{completed("s", "call_0", "bash")}}},
		{"one call id twice, the denied one ended first", uses{failed("s", "call_0", "bash"), completed("s", "call_0", "bash")},
			receipts{allowed("s", "call_0", "bash"), denied("s", "call_0", "bash")}, report{Gated: 2}},
		{"one call id for two tools", uses{completed("s", "call_0", "read"), completed("s", "call_0", "bash")},
			receipts{allowed("s", "call_0", "bash"), allowed("s", "call_0", "read")}, report{Gated: 2}},
		{"plugin loaded twice", uses{completed("s", "c", "bash")}, receipts{allowed("s", "c", "bash"), allowed("s", "c", "bash")},
			report{Gated: 1, Unexecuted: receipts{allowed("s", "c", "bash")}}},
		{"names that are no ids", uses{completed("s", odd, "tool with a space")},
			receipts{allowed("s", plugin.ReceiptID(odd), plugin.ReceiptID("tool with a space"))}, report{Gated: 1}},
		{"call without an id", uses{completed("s", "", "bash")}, receipts{allowed("s", "c", "bash")},
			report{Ungated: uses{completed("s", "", "bash")}, Unexecuted: receipts{allowed("s", "c", "bash")}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := ngcore.CheckReceipts(tc.uses, tc.receipts)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			err := got.Err()
			if bad := len(tc.want.Ungated)+len(tc.want.Mismatched) > 0; (err != nil) != bad {
				t.Errorf("Err() = %v", err)
			}
			var ungated *ngcore.UngatedError
			if err != nil && (!errors.As(err, &ungated) || !strings.Contains(err.Error(), "loaded but not gating")) {
				t.Errorf("Err() = %v, want an *UngatedError that says so", err)
			}
		})
	}
}

func TestUngatedErrorNamesTheFirstCall(t *testing.T) {
	t.Parallel()
	err := ngcore.CheckReceipts(
		[]ngcore.ToolUse{completed("ses_1", "call_1", "bash"), completed("ses_1", "call_2", "edit")},
		[]ngcore.Receipt{denied("ses_1", "call_2", "edit")},
	).Err()
	want := `plugin loaded but not gating: expected a fitting receipt for each of 2 tool calls, found 0` +
		`; no receipt for "bash" call "call_1" of session "ses_1", which completed` +
		`; "edit" call "call_2" of session "ses_1", which completed has a receipt deny (destructive) for tool "edit"`
	if err == nil || err.Error() != want {
		t.Errorf("error:\n%v\nwant:\n%s", err, want)
	}
}

func TestReceiptsPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "out.json")
	for _, tc := range []struct {
		name, outputFile, runID, want string
	}{
		{"beside the output file", out, "r1", filepath.Join(dir, "opencode-gate-r1.jsonl")},
		{"no output file", "", "r1", ""},
		{"no run id", out, "", ""},
		{"relative", "out.json", "r1", ""},
		{"dots", dir + "/../out.json", "r1", ""},
		{"run id that leaves the directory", out, "../r1", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, ok := ngcore.ReceiptsPath(tc.outputFile, tc.runID)
			if got != tc.want || ok != (tc.want != "") {
				t.Errorf("= %q, %t; want %q", got, ok, tc.want)
			}
		})
	}
}

const goodReceipt = `{"v":1,"ts":"2026-11-30T12:00:00.000Z","session_id":"s","call_id":"c","tool":"bash","decision":"allow","code":"policy_allow"}`

func TestReadReceiptsKeepsOnlyReceipts(t *testing.T) {
	t.Parallel()
	edit := func(old, new string) string { return strings.Replace(goodReceipt, old, new, 1) + "\n" }
	good := allowed("s", "c", "bash")
	other := allowed("s", "d", "bash")
	line, otherLine := goodReceipt+"\n", edit(`"call_id":"c"`, `"call_id":"d"`)
	for _, tc := range []struct {
		name    string
		content string
		want    []ngcore.Receipt
	}{
		{"empty", "", nil},
		{"one", line, []ngcore.Receipt{good}},
		{"two in order", line + otherLine, []ngcore.Receipt{good, other}},
		{"keys in another order", `{"code":"policy_allow","decision":"allow","tool":"bash","call_id":"c","session_id":"s","ts":"2026-11-30T12:00:00Z","v":1}` + "\n",
			[]ngcore.Receipt{func() ngcore.Receipt { r := good; r.TS = "2026-11-30T12:00:00Z"; return r }()}},
		{"no newline", goodReceipt, nil},
		{"torn, then whole", goodReceipt[:40] + "\n" + otherLine, []ngcore.Receipt{other}},
		{"two welded", goodReceipt + line + otherLine, []ngcore.Receipt{other}},
		{"blank lines", "\n\n" + line + "\n", []ngcore.Receipt{good}},
		{"NUL bytes between", line + strings.Repeat("\x00", 100) + "\n" + otherLine, []ngcore.Receipt{good, other}},
		{"a long line between", line + strings.Repeat("x", 1<<20) + "\n" + otherLine, []ngcore.Receipt{good, other}},
		{"a receipt made too long", edit(`{"v"`, `{`+strings.Repeat(" ", 1024)+`"v"`), nil},
		{"another format", edit(`"v":1`, `"v":2`), nil},
		{"no v", edit(`"v":1,`, ``), nil},
		{"unknown key", edit(`{"v"`, `{"text":"x","v"`), nil},
		{"key twice", edit(`{"v"`, `{"decision":"deny","v"`), nil},
		{"key twice, once escaped", edit(`{"v"`, `{"\u0064ecision":"deny","v"`), nil},
		{"key in another case", edit(`"decision"`, `"Decision"`), nil},
		{"no decision", edit(`"decision":"allow",`, ``), nil},
		{"another decision", edit(`"allow"`, `"ask"`), nil},
		{"decision in another case", edit(`"allow"`, `"ALLOW"`), nil},
		{"no code", edit(`,"code":"policy_allow"`, ``), nil},
		{"free text as code", edit(`policy_allow`, `allowed by policy`), nil},
		{"free text as call", edit(`"call_id":"c"`, `"call_id":"rm -rf /"`), nil},
		{"empty session", edit(`"session_id":"s"`, `"session_id":""`), nil},
		{"call as a number", edit(`"call_id":"c"`, `"call_id":1`), nil},
		{"tool null", edit(`"bash"`, `null`), nil},
		{"time that is none", edit(`2026-11-30T12:00:00.000Z`, `noon`), nil},
		{"invalid UTF-8", edit(`"bash"`, "\"bash\xff\""), nil},
		{"byte order mark", "\ufeff" + line + otherLine, []ngcore.Receipt{other}},
		{"array", "[" + goodReceipt + "]\n", nil},
		{"deep nesting", strings.Repeat("[", 1000) + "\n" + line, []ngcore.Receipt{good}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "r.jsonl")
			if err := os.WriteFile(path, []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := ngcore.ReadReceipts(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("receipts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadReceiptsOfNothing(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"no path": "", "missing": filepath.Join(t.TempDir(), "r.jsonl")} {
		if got, err := ngcore.ReadReceipts(path); got != nil || err != nil {
			t.Errorf("%s: %v, %v; want nil, nil", name, got, err)
		}
	}
}

func TestReadReceiptsRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		plant func(path string) error
		text  string
	}{
		{"directory", func(path string) error { return os.Mkdir(path, 0o700) }, "expected a regular file"},
		{"link", func(path string) error {
			if err := os.WriteFile(path+".real", []byte(goodReceipt+"\n"), 0o600); err != nil {
				return err
			}
			return os.Symlink(path+".real", path)
		}, "expected a regular file"},
		{"past the bound", func(path string) error {
			if err := os.WriteFile(path, []byte(goodReceipt+"\n"), 0o600); err != nil {
				return err
			}
			return os.Truncate(path, plugin.ReceiptsMaxBytes+1)
		}, "at most " + strconv.Itoa(plugin.ReceiptsMaxBytes)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "r.jsonl")
			if err := tc.plant(path); err != nil {
				t.Fatal(err)
			}
			if got, err := ngcore.ReadReceipts(path); err == nil || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("= %v, %v; want an error with %q", got, err, tc.text)
			}
		})
	}
}
