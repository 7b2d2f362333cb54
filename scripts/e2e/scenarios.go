//go:build unix

package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/ngvet/ngvet/internal/modelserver"
	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

// scenario is one run and what it has to show.
type scenario struct {
	name    string
	shows   string
	args    []string // of "opencode run", the prompt last
	model   func(*run) func(modelserver.Request) modelserver.Reply
	prepare func(*run) error // after the run's directories exist
	check   func(*checks, *run)
}

func scenarios() []scenario {
	prompt := []string{"please do the thing"}
	return []scenario{
		{"gate", "allowed calls run, denied ones do not", prompt, gateModel, nil, checkGate},
		{"compaction", "one event, denials remembered, no turn of the host's own", prompt, compactionModel, smallContext, checkCompaction},
		{"subagent", "a sub-agent is gated, and its end is not the run's", prompt, subagentModel, allowAll, checkSubagent},
		{"kinds", "a slash command, a skill and a permission request are reported by id", []string{"--command", "hello", "world"}, kindsModel, offerKinds, checkKinds},
		{"twice", "a tree that is loaded from two paths reports once", prompt, gateModel, loadTwice, checkGate},
		{"broken", "a gate that fails in any way lets nothing through", prompt, brokenModel, brokenHook, checkBroken},
		{"damaged", "a plugin that does not load is found at the first step", prompt, gateModel, damageTree, checkDamaged},
	}
}

// checkRun checks what every gated run shows.
func checkRun(c *checks, r *run) {
	c.that(r.status == 0 && !r.timedOut, "opencode exits 0 (status %d, timed out %v)", r.status, r.timedOut)
	c.that(len(r.noise) == 0, "nothing but JSON on its standard output (%q)", r.noise)
}

// checkProof checks the handshake, the receipts and the verdict of a run that went well.
func checkProof(c *checks, r *run) {
	c.that(r.loadErr == nil, "the sentinel is there at the first step (%v)", r.loadErr)
	c.that(r.exitErr == nil, "and still is at exit, with an unchanged tree (%v)", r.exitErr)
	var uses []ngcore.ToolUse
	for _, use := range r.toolUses() {
		uses = append(uses, ngcore.ToolUse{
			SessionID: use.SessionID,
			CallID:    use.Part.CallID,
			Tool:      use.Part.Tool,
			Completed: use.Part.State.Status == "completed",
		})
	}
	err := ngcore.CheckReceipts(uses, r.receipts).Err()
	c.that(err == nil, "each of %d tool calls has its receipt (%v)", len(uses), err)
	root := r.count(func(e ngcore.Event) bool { return e.Kind == "idle" && !e.Child })
	c.that(root == 1, "the root went idle once (%d times)", root)
	verdicts := r.count(func(e ngcore.Event) bool {
		return e.Kind == "stop_verify" && e.Detail["verdict"] == string(plugin.VerdictComplete)
	})
	c.that(verdicts == 1, "the verdict arrived although the host had left (%d verdicts)", verdicts)
}

func (r *run) toolUses() []streamLine {
	var uses []streamLine
	for _, line := range r.stream {
		if line.Type == "tool_use" {
			uses = append(uses, line)
		}
	}
	return uses
}

func (r *run) count(fits func(ngcore.Event) bool) int {
	n := 0
	for _, event := range r.events {
		if fits(event) {
			n++
		}
	}
	return n
}

// denied returns the calls of the stream that failed with the gate's code.
func (r *run) denied(code string) int {
	n := 0
	for _, use := range r.toolUses() {
		if use.Part.State.Status == "error" && strings.Contains(use.Part.State.Error, "("+code+")") {
			n++
		}
	}
	return n
}

func (r *run) has(name string) bool {
	_, err := os.Stat(filepath.Join(r.project, name))
	return err == nil
}

func bash(command string) modelserver.Call {
	return modelserver.Call{Tool: "bash", Args: map[string]any{"command": command, "description": "one step"}}
}

// gateModel makes allowed and denied calls, also side by side, of several tools and of one
// that does not exist.
func gateModel(r *run) func(modelserver.Request) modelserver.Reply {
	return modelserver.Script(
		modelserver.Reply{Text: "First.", Calls: []modelserver.Call{bash("echo one > one.txt")}},
		modelserver.Reply{Calls: []modelserver.Call{bash("rm -rf .git")}},
		modelserver.Reply{Calls: []modelserver.Call{
			bash("echo two > two.txt"),
			bash("rm -rf .git"),
			{Tool: "read", Args: map[string]any{"filePath": filepath.Join(r.project, "a.txt")}},
			{Tool: "write", Args: map[string]any{"filePath": filepath.Join(r.project, "three.txt"), "content": "three\n"}},
			{Tool: "write", Args: map[string]any{"filePath": r.eventsPath(), "content": "forged\n"}},
			{Tool: "no_such_tool", Args: map[string]any{}},
		}},
		modelserver.Reply{Text: "Done."},
	)
}

func checkGate(c *checks, r *run) {
	checkProof(c, r)
	c.that(r.has("one.txt") && r.has("two.txt") && r.has("three.txt"), "what was allowed has happened")
	c.that(r.has(".git"), "what was denied has not")
	c.that(len(r.toolUses()) == 8, "the stream shows all calls (%d)", len(r.toolUses()))
	data, err := os.ReadFile(r.eventsPath())
	c.that(err == nil && !strings.Contains(string(data), "forged"), "the events file is out of the agent's reach")
	denials := 0
	for _, receipt := range r.receipts {
		if receipt.Decision == plugin.DecisionDeny {
			denials++
		}
	}
	c.that(denials == 3, "three calls have a deny receipt (%d)", denials)
	c.that(len(r.receipts) == 8, "no call has two receipts (%d in all)", len(r.receipts))
}

// loadTwice has OpenCode load a second copy of the tree, from a path of its own.
func loadTwice(r *run) error {
	entry, err := ngcore.Write(filepath.Join(r.root, "run", "copy"))
	if err != nil {
		return err
	}
	r.config["plugin"] = []string{fileURL(entry), fileURL(r.entry)}
	return nil
}

// smallContext makes a context that the usage of the first turn overflows.
func smallContext(r *run) error {
	models := r.config["provider"].(map[string]any)["fake"].(map[string]any)["models"].(map[string]any)
	models[modelserver.Model].(map[string]any)["limit"] = map[string]any{"context": 20_000, "output": 1000}
	return nil
}

const summary = "SUMMARY of things so far."

func compactionModel(*run) func(modelserver.Request) modelserver.Reply {
	return modelserver.Script(
		modelserver.Reply{Calls: []modelserver.Call{bash("rm -rf .git")}},
		modelserver.Reply{Text: "Much to say.", Calls: []modelserver.Call{bash("echo one > one.txt")}, PromptTokens: 19_900},
		modelserver.Reply{Text: summary},
	)
}

func checkCompaction(c *checks, r *run) {
	checkProof(c, r)
	compactions, err := ngcore.CompactionCount(r.eventsPath())
	c.that(err == nil && compactions == 1, "the compaction is one event (%d, %v)", compactions, err)
	reminded, continued := 0, 0
	for _, request := range r.model.Requests() {
		if strings.Contains(request.Last(), "Calls denied so far") {
			reminded++
		}
		if request.Contains(summary) {
			continued++
		}
	}
	c.that(reminded == 1, "the model is reminded of denials when it sums up (%d times)", reminded)
	c.that(continued == 0, "the host adds no turn of its own afterwards: the run ends there (%d)", continued)
}

// allowAll replaces the policy by one that allows, so that the task tool can be used. The
// verdict still comes from the real binary.
func allowAll(r *run) error {
	return r.hookScript(`cat >/dev/null; echo '{"v":1,"decision":"allow","code":"e2e","reason":""}'`)
}

// hookScript puts a shell script between the plugin and the gate.
func (r *run) hookScript(gate string) error {
	real := r.hookBin()
	path := filepath.Join(r.root, "run", "hook")
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$2\" != gate ]; then exec '%s' \"$@\"; fi\n%s\n", real, gate)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		return err
	}
	r.env = append(r.env, plugin.EnvHookBin+"="+path)
	return nil
}

func (r *run) hookBin() string {
	for _, entry := range r.env {
		if value, ok := strings.CutPrefix(entry, plugin.EnvHookBin+"="); ok {
			return value
		}
	}
	return ""
}

func subagentModel(*run) func(modelserver.Request) modelserver.Reply {
	child := modelserver.Script(
		modelserver.Reply{Calls: []modelserver.Call{bash("echo child > child.txt")}},
		modelserver.Reply{Text: "The sub-agent is done."},
	)
	root := modelserver.Script(
		modelserver.Reply{Calls: []modelserver.Call{{Tool: "task", Args: map[string]any{
			"description": "delegate", "prompt": "SUBAGENT work", "subagent_type": "general",
		}}}},
		modelserver.Reply{Text: "Done."},
	)
	return func(request modelserver.Request) modelserver.Reply {
		for _, message := range request.Messages {
			if message.Role == "user" && strings.HasPrefix(message.Text, "SUBAGENT") {
				return child(request)
			}
		}
		return root(request)
	}
}

func checkSubagent(c *checks, r *run) {
	checkProof(c, r)
	c.that(r.has("child.txt"), "the sub-agent has worked")
	sessions := map[string]bool{}
	for _, receipt := range r.receipts {
		sessions[receipt.SessionID] = true
	}
	c.that(len(r.receipts) == 2 && len(sessions) == 2, "its call has a receipt of its session (%d receipts, %d sessions)", len(r.receipts), len(sessions))
	children := r.count(func(e ngcore.Event) bool { return e.Kind == "idle" && e.Child })
	c.that(children == 1, "its idle is a child's (%d)", children)
	verdicts := r.count(func(e ngcore.Event) bool { return e.Kind == "stop_verify" })
	c.that(verdicts == 1, "and starts no verification (%d in all)", verdicts)
}

// offerKinds configures a slash command, a skill, and a command that needs permission.
func offerKinds(r *run) error {
	r.config["command"] = map[string]any{"hello": map[string]any{"template": "Say hello to $ARGUMENTS."}}
	r.config["permission"] = map[string]any{"bash": map[string]any{"*": "allow", "touch *": "ask"}}
	skill := filepath.Join(r.home, ".config", "opencode", "skill", "demo", "SKILL.md")
	if err := os.MkdirAll(filepath.Dir(skill), 0o700); err != nil {
		return err
	}
	return os.WriteFile(skill, []byte("---\nname: demo\ndescription: Shows a skill.\n---\nSay demo.\n"), 0o600)
}

func kindsModel(*run) func(modelserver.Request) modelserver.Reply {
	return modelserver.Script(
		modelserver.Reply{Calls: []modelserver.Call{{Tool: "skill", Args: map[string]any{"name": "demo"}}}},
		modelserver.Reply{Calls: []modelserver.Call{bash("touch asked.txt")}},
		modelserver.Reply{Text: "Done."},
	)
}

func checkKinds(c *checks, r *run) {
	checkProof(c, r)
	for source, name := range map[string]string{"command": "hello", "tool": "demo"} {
		n := r.count(func(e ngcore.Event) bool {
			return e.Kind == "skill" && e.Detail["source"] == source && e.Detail["skill"] == name
		})
		c.that(n == 1, "%s %s is one event (%d)", source, name, n)
	}
	asked := r.count(func(e ngcore.Event) bool { return e.Kind == "permission_ask" && e.Detail["permission"] == "bash" })
	c.that(asked == 1 && !r.has("asked.txt"), "the permission request is one event, and was rejected (%d)", asked)
	data, err := os.ReadFile(r.eventsPath())
	c.that(err == nil && !strings.Contains(string(data), "asked.txt"), "what it was about is not in the events")
}

// brokenHook fails in another way for each call: the payload tells which.
func brokenHook(r *run) error {
	return r.hookScript(`case $(head -c 100000) in
*silent*) exit 1 ;;
*garbage*) echo allow ;;
*refuted*) echo '{"v":1,"decision":"allow","code":"e2e","reason":""}'; exit 1 ;;
*killed*) kill -9 $$ ;;
*hangs*) echo $$ >"$0.pid"; trap '' TERM; sleep 600 & sleep 600 ;;
esac`)
}

func brokenModel(r *run) func(modelserver.Request) modelserver.Reply {
	var calls []modelserver.Call
	for _, how := range []string{"silent", "garbage", "refuted", "killed", "hangs"} {
		calls = append(calls, bash("echo x > "+how+".txt"))
	}
	// More than a pipe holds: the script ends without having read it.
	calls = append(calls, modelserver.Call{Tool: "write", Args: map[string]any{
		"filePath": filepath.Join(r.project, "large.txt"), "content": strings.Repeat("x", 1<<20),
	}})
	return modelserver.Script(modelserver.Reply{Calls: calls}, modelserver.Reply{Text: "Done."})
}

func checkBroken(c *checks, r *run) {
	checkProof(c, r)
	for code, want := range map[string]int{"exit_status": 3, "garbage": 2, "timeout": 1} {
		c.that(r.denied(code) == want, "%d calls are denied with %s (%d)", want, code, r.denied(code))
	}
	pid, err := os.ReadFile(filepath.Join(r.root, "run", "hook.pid"))
	c.that(err == nil && !groupAlive(strings.TrimSpace(string(pid))), "nothing is left of the gate that hung (%v)", err)
	files, err := filepath.Glob(filepath.Join(r.project, "*.txt"))
	c.that(err == nil && len(files) == 1, "no call has run (%d files, expected the first one)", len(files))
}

// groupAlive reports whether the process group of this id has a member, or cannot be told.
func groupAlive(id string) bool {
	pid, err := strconv.Atoi(id)
	return err != nil || pid <= 1 || !errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH)
}

// damageTree removes a module after the tree was written.
func damageTree(r *run) error {
	return os.Remove(filepath.Join(filepath.Dir(r.entry), "nightgauge", "gates.js"))
}

func checkDamaged(c *checks, r *run) {
	c.that(r.loadErr != nil, "the first step finds no sentinel (%v)", r.loadErr)
	c.that(r.exitErr != nil, "and exit finds it again")
	c.that(len(r.receipts) == 0 && len(r.events) == 0, "nothing was reported (%d receipts, %d events)", len(r.receipts), len(r.events))
	c.that(r.has("one.txt"), "the host itself went on as if nothing were wrong")
}

func fileURL(path string) string {
	return (&url.URL{Scheme: "file", Path: path}).String()
}
