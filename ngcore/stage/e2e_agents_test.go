//go:build e2e && unix

package stage_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/internal/modelserver"
	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/ngcore/stage"
)

// A sub-agent's calls are not on the stream; the receipts have them.
func TestRealOpenCodeSubAgentIsGated(t *testing.T) {
	child := modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{bash("echo child > child.txt"), bash("rm -rf .git")}})
	root := modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{{Tool: "task", Args: map[string]any{
		"description": "delegate", "prompt": "SUBAGENT work", "subagent_type": "general",
	}}}})
	r := newRealRun(t, func(request modelserver.Request) modelserver.Reply {
		for _, message := range request.Messages {
			if message.Role == "user" && strings.HasPrefix(message.Text, "SUBAGENT") {
				return child(request)
			}
		}
		return root(request)
	})
	policy := writeFile(t, filepath.Join(t.TempDir(), "policy.json"), `{"version": 1, "tools": {"allow": ["task"]}}`)
	result := r.run(t, "--json", "--policy", policy)
	r.want(t, result, stage.OK, 0)
	if len(result.Calls) != 1 || result.Allowed != 2 || result.Denied != 1 {
		t.Errorf("%d calls on the stream, %d allowed, %d denied, want 1, 2, 1", len(result.Calls), result.Allowed, result.Denied)
	}
	if !r.has("child.txt") || !r.has(".git") {
		t.Error("expected child.txt, which was allowed, and .git, whose removal was not")
	}
	sessions := map[string]int{}
	receipts, err := ngcore.ReadReceipts(result.Files.Receipts)
	if err != nil {
		t.Fatal(err)
	}
	for _, receipt := range receipts {
		sessions[receipt.SessionID]++
	}
	if len(sessions) != 2 || sessions[result.SessionID] != 1 {
		t.Errorf("receipts by session %v, want 1 of the root %s and 2 of another", sessions, result.SessionID)
	}
	idles := r.events(t, result, func(e ngcore.Event) bool { return e.Kind == "idle" && e.Child })
	verdicts := r.events(t, result, func(e ngcore.Event) bool { return e.Kind == "stop_verify" })
	if idles != 1 || verdicts != 1 {
		t.Errorf("the sub-agent went idle %d times, %d verifications, want 1 and 1", idles, verdicts)
	}
}

// The command starts the run, which "nightgauge run" does not offer.
func TestRealOpenCodeReportsSkills(t *testing.T) {
	r := newRealRun(t, modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{{Tool: "skill", Args: map[string]any{"name": "demo"}}}}))
	r.more = `"command": {"hello": {"template": "Say hello to $ARGUMENTS."}}`
	if err := ngcore.WriteDependencies(filepath.Join(r.project, ".opencode")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(r.project, ".opencode", "skill", "demo", "SKILL.md"), "---\nname: demo\ndescription: Shows a skill.\n---\nSay demo.\n")
	r.inFrontOf(t, `if [ "$1" = run ]; then shift; set -- run --command hello "$@"; fi`)
	result := r.run(t, "--json")
	r.want(t, result, stage.OK, 0)
	for source, name := range map[string]string{"command": "hello", "tool": "demo"} {
		n := r.events(t, result, func(e ngcore.Event) bool {
			return e.Kind == "skill" && e.Detail["source"] == source && e.Detail["skill"] == name
		})
		if n != 1 {
			t.Errorf("%s %s is reported %d times, want once", source, name, n)
		}
	}
}

// The agent runs another stage: each answers for itself, whatever the other's variables.
func TestRealOpenCodeStartsAnotherRun(t *testing.T) {
	inner := newRealRun(t, modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{bash("echo inner > inner.txt"), bash("rm -rf .git")}}))
	outer := newRealRun(t, modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{
		{Tool: "bash", Args: map[string]any{"command": "sh ./inner.sh", "description": "one step", "timeout": 300_000}},
		bash("echo outer > outer.txt"),
	}}))
	requireEnv(t, envNightgauge)
	writeFile(t, filepath.Join(outer.project, "inner.sh"), shellLine(inner.command("--json").Args)+" > inner.json\n")
	result := outer.run(t, "--json")
	outer.want(t, result, stage.OK, 0)
	if len(result.Calls) != 2 || result.Allowed != 2 || !outer.has("outer.txt") {
		t.Errorf("outer run: %+v, want two allowed calls", result.Calls)
	}
	text, err := os.ReadFile(filepath.Join(outer.project, "inner.json"))
	if err != nil {
		t.Fatal(err)
	}
	var nested stage.Result
	if err := json.Unmarshal(text, &nested); err != nil {
		t.Fatalf("result of the inner run: %v: %s", err, text)
	}
	if nested.Class != stage.OK || nested.Allowed != 1 || nested.Denied != 1 || !inner.has("inner.txt") || !inner.has(".git") {
		t.Errorf("inner run: %s, %d allowed, %d denied, want ok, 1, 1: %s", nested.Class, nested.Allowed, nested.Denied, nested.Reason)
	}
	if nested.RunID == result.RunID || nested.Files.Root == result.Files.Root {
		t.Errorf("both runs are %s in %s", nested.RunID, nested.Files.Root)
	}
}

// Several tools side by side, one that does not exist, and the records of the run itself.
func TestRealOpenCodeKeepsRecordsOutOfReach(t *testing.T) {
	var project, events string
	asked := false
	r := newRealRun(t, func(modelserver.Request) modelserver.Reply {
		if asked {
			return modelserver.Reply{Text: "Done."}
		}
		asked = true
		return modelserver.Reply{Calls: []modelserver.Call{
			bash("echo two > two.txt"),
			{Tool: "read", Args: map[string]any{"filePath": filepath.Join(project, "a.txt")}},
			{Tool: "write", Args: map[string]any{"filePath": filepath.Join(project, "three.txt"), "content": "three\n"}},
			{Tool: "write", Args: map[string]any{"filePath": events, "content": "forged\n"}},
			{Tool: "no_such_tool", Args: map[string]any{}},
		}}
	})
	project, events = r.project, filepath.Join(r.root, ngcore.EventsFileName("e2e"))
	result := r.run(t, "--json", "--run-id", "e2e")
	r.want(t, result, stage.OK, 0)
	if result.Files.Events != events || len(result.Calls) != 5 || result.Allowed != 4 || result.Denied != 1 {
		t.Errorf("events in %s, %d calls, %d allowed, %d denied, want %s, 5, 4, 1", result.Files.Events, len(result.Calls), result.Allowed, result.Denied, events)
	}
	if !r.has("two.txt") || !r.has("three.txt") {
		t.Error("expected two.txt and three.txt, which were allowed")
	}
	if text, err := os.ReadFile(events); err != nil || strings.Contains(string(text), "forged") {
		t.Errorf("the events file was reached: %v, %s", err, text)
	}
}

// The same tree from a path of the caller's, and from the run's: every call has one receipt.
func TestRealOpenCodeLoadsTreeTwice(t *testing.T) {
	r := newRealRun(t, modelserver.Script(modelserver.Reply{Calls: []modelserver.Call{bash("echo one > one.txt"), bash("rm -rf .git")}}))
	entry, err := ngcore.Write(filepath.Join(t.TempDir(), "copy"))
	if err != nil {
		t.Fatal(err)
	}
	r.more = fmt.Sprintf(`"plugin": [%q]`, &url.URL{Scheme: "file", Path: entry})
	result := r.run(t, "--json")
	r.want(t, result, stage.OK, 0)
	receipts, err := ngcore.ReadReceipts(result.Files.Receipts)
	if err != nil || len(receipts) != 2 || result.Allowed != 1 || result.Denied != 1 {
		t.Errorf("%d receipts (%v), %d allowed, %d denied, want 2, 1, 1", len(receipts), err, result.Allowed, result.Denied)
	}
}

// A gate that fails in any way lets nothing through; the payload tells in which.
func TestRealOpenCodeWithBrokenGate(t *testing.T) {
	var calls []modelserver.Call
	for _, how := range []string{"silent", "garbage", "refuted", "killed", "hangs"} {
		calls = append(calls, bash("echo x > "+how+".made"))
	}
	// More than a pipe holds: the script ends without having read it.
	calls = append(calls, modelserver.Call{Tool: "write", Args: map[string]any{"filePath": "large.made", "content": strings.Repeat("x", 1<<20)}})
	r := newRealRun(t, modelserver.Script(modelserver.Reply{Calls: calls}))
	hook := filepath.Join(t.TempDir(), "hook")
	script := fmt.Sprintf(`#!/bin/sh
if [ "$2" != gate ]; then exec '%s' "$@"; fi
case $(head -c 100000) in
*silent*) exit 1 ;;
*garbage*) echo allow ;;
*refuted*) echo '{"v":1,"decision":"allow","code":"e2e","reason":""}'; exit 1 ;;
*killed*) kill -9 $$ ;;
*hangs*) trap '' TERM; sleep 600 & sleep 600 ;;
esac
`, requireEnv(t, envNightgauge))
	if err := os.WriteFile(hook, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	r.command() // writes the configuration
	config, err := os.ReadFile(r.config)
	if err != nil {
		t.Fatal(err)
	}
	result, err := stage.Run(t.Context(), stage.Config{
		OpenCode: r.opencode, HookBin: hook, WorkDir: r.project, Prompt: "do the work",
		HostConfig: config, RunRoot: r.root, Env: r.env,
	})
	if err != nil {
		t.Fatal(err)
	}
	r.want(t, result, stage.OK, 0)
	codes := map[string]int{}
	for _, call := range result.Calls {
		codes[call.Code]++
	}
	want := map[string]int{"exit_status": 3, "garbage": 2, "timeout": 1}
	if diff := cmp.Diff(want, codes); diff != "" || result.Denied != len(calls) {
		t.Errorf("%d of %d calls denied, codes (-want +got)\n%s", result.Denied, len(calls), diff)
	}
	if made, _ := filepath.Glob(filepath.Join(r.project, "*.made")); len(made) > 0 {
		t.Errorf("calls ran: %q", made)
	}
	if left := processesOf(t, result.Files.Plugin); len(left) > 0 {
		t.Errorf("processes of the run are left: %q", left)
	}
}

// shellLine quotes the words of a command for sh.
func shellLine(argv []string) string {
	var words []string
	for _, arg := range argv {
		words = append(words, "'"+strings.ReplaceAll(arg, "'", `'\''`)+"'")
	}
	return strings.Join(words, " ")
}

// events counts the events of a run.
func (r *realRun) events(t *testing.T, result stage.Result, fits func(ngcore.Event) bool) (n int) {
	t.Helper()
	events, err := ngcore.ReadRunEvents(result.Files.Events)
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		if fits(event) {
			n++
		}
	}
	return n
}
