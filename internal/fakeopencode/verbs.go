package fakeopencode

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ngvet/ngvet/ngcore"
	"github.com/ngvet/ngvet/plugin"
)

// The sessions of every scenario.
const (
	rootSession  = "ses_root"
	childSession = "ses_child"
)

// fakeHost is one process of the fake.
type fakeHost struct {
	prompt  string
	plugin  loadedPlugin // nil: the run is ungated, as with a plugin that does not load
	calls   int
	earlier time.Duration // by which tools start before they are printed
}

// perform does what a line says.
func (h *fakeHost) perform(line scenarioLine) error {
	verb, ok := verbs[line.verb]
	if !ok {
		return errors.New("no such verb")
	}
	return verb(h, line.rest)
}

// leave ends the plugin together with the host, as a process does.
func (h *fakeHost) leave() {
	if h.plugin != nil {
		h.plugin.kill()
	}
}

var verbs = map[string]func(h *fakeHost, rest string) error{
	"version": func(*fakeHost, string) error { return nil }, // --version prints it

	// What the host does with the plugin.
	"plugin":     (*fakeHost).load,
	"damage":     (*fakeHost).damage,     // TEXT: replaces the plugin's entry
	"request":    (*fakeHost).request,    // logs that the model is about to be asked
	"tool":       (*fakeHost).tool,       // NAME ARGS: a call that the plugin is asked about
	"child-tool": (*fakeHost).childTool,  // NAME ARGS: the same by a sub-agent, which the stream does not show
	"silent":     (*fakeHost).silentTool, // NAME ARGS: a call that it is not asked about
	"earlier":    (*fakeHost).setEarlier, // DURATION: tools have started so long before
	"created":    (*fakeHost).created,    // SESSION [PARENT]
	"busy":       (*fakeHost).busy,       // SESSION: goes on after a stop
	"idle":       (*fakeHost).idle,       // SESSION
	"permission": (*fakeHost).permission, // NAME: is asked for
	"compact":    (*fakeHost).compact,    // compacts, and loops unless the plugin prevents it

	// What the host prints.
	"step":         (*fakeHost).step,
	"text":         (*fakeHost).text,   // TEXT
	"finish":       (*fakeHost).finish, // ends a step: 100 tokens in, 10 out, 0.01 dollars
	"error":        (*fakeHost).hostError,
	"print":        func(_ *fakeHost, rest string) error { _, err := fmt.Println(rest); return err },
	"stderr":       func(_ *fakeHost, rest string) error { _, err := fmt.Fprintln(os.Stderr, rest); return err },
	"close-stdout": func(*fakeHost, string) error { return os.Stdout.Close() },

	// What happens around it.
	"exec":          func(_ *fakeHost, rest string) error { return shell(rest) },
	"setenv":        setenv,           // NAME VALUE
	"sentinel":      forgeSentinel,    // NONCE: writes a sentinel with it
	"fill-events":   fillEvents,       // until the events file is full
	"limit-files":   limitFiles,       // BYTES: no file can grow past them
	"hold-output":   holdOutput,       // DESCRIPTOR: a process keeps stdout open as this one
	"signal-parent": signalParent,     // NAME
	"lock":          lockFile,         // FILE: for as long as this process lives
	"dump":          (*fakeHost).dump, // FILE: what this process was given
	"sleep":         sleep,            // DURATION
	"kill-self":     killSelf,
	"hang":          hang,
	"exit":          (*fakeHost).exit, // STATUS, at once
}

// load loads the last plugin of the configuration. Like OpenCode it says nothing when that
// fails.
func (h *fakeHost) load(string) error {
	entry, err := configuredEntry()
	if err != nil {
		return err
	}
	if h.plugin, err = loadPlugin(entry); err != nil || h.plugin == nil {
		return err
	}
	return h.created(rootSession)
}

func (h *fakeHost) damage(rest string) error {
	entry, err := configuredEntry()
	if err != nil {
		return err
	}
	return os.WriteFile(entry, []byte(rest), 0o600)
}

func (h *fakeHost) request(string) error {
	dir := filepath.Join(os.Getenv("XDG_DATA_HOME"), "opencode", "log")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	line := "timestamp=2026-11-30T20:46:29.565Z level=INFO run=1 message=loop session.id=" + rootSession + " step=0\n"
	return os.WriteFile(filepath.Join(dir, "opencode.log"), []byte(line), 0o600)
}

func (h *fakeHost) tool(rest string) error       { return h.call(rest, rootSession, true) }
func (h *fakeHost) silentTool(rest string) error { return h.call(rest, rootSession, false) }
func (h *fakeHost) childTool(rest string) error  { return h.call(rest, childSession, true) }

func (h *fakeHost) call(rest, session string, gated bool) error {
	name, text, _ := strings.Cut(rest, " ")
	var args map[string]any
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	h.calls++
	call := toolCall{tool: name, session: session, id: "call_" + strconv.Itoa(h.calls), args: args}
	start := time.Now().Add(-h.earlier)
	denial := ""
	if gated && h.plugin != nil {
		var err error
		if denial, err = h.plugin.before(call); err != nil {
			return err
		}
	}
	if denial == "" {
		if err := runTool(call); err != nil {
			return err
		}
		if gated && h.plugin != nil {
			if err := h.plugin.after(call); err != nil {
				return err
			}
		}
	}
	if session != rootSession {
		return nil
	}
	return printCall(call, start, denial)
}

// runTool does what shows that a tool ran.
func runTool(call toolCall) error {
	switch call.tool {
	case "bash":
		return shell(call.args["command"].(string))
	case "write":
		return os.WriteFile(call.args["filePath"].(string), []byte(call.args["content"].(string)), 0o600)
	}
	return nil
}

func shell(command string) error {
	cmd := exec.Command("sh", "-c", command)
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

func (h *fakeHost) setEarlier(rest string) (err error) {
	h.earlier, err = time.ParseDuration(rest)
	return err
}

func (h *fakeHost) publish(kind string, properties map[string]any) error {
	if h.plugin == nil {
		return nil
	}
	return h.plugin.publish(kind, properties)
}

func (h *fakeHost) created(rest string) error {
	session, parent, _ := strings.Cut(rest, " ")
	info := map[string]any{"id": session}
	if parent != "" {
		info["parentID"] = parent
	}
	return h.publish("session.created", map[string]any{"info": info})
}

func (h *fakeHost) busy(rest string) error {
	return h.publish("session.status", map[string]any{"sessionID": rest, "status": map[string]any{"type": "busy"}})
}

func (h *fakeHost) idle(rest string) error {
	return h.publish("session.idle", map[string]any{"sessionID": rest})
}

func (h *fakeHost) permission(rest string) error {
	return h.publish("permission.asked", map[string]any{
		"id": "per_1", "sessionID": rootSession, "permission": rest, "patterns": []string{"*"},
	})
}

// compact goes on with a turn of its own, which compacts again, unless the plugin says no
// (BUGS.md B20).
func (h *fakeHost) compact(string) error {
	for range 20 {
		goesOn := true
		if h.plugin != nil {
			var err error
			if goesOn, err = h.plugin.compact(rootSession); err != nil {
				return err
			}
		}
		if err := h.publish("session.compacted", map[string]any{"sessionID": rootSession}); err != nil || !goesOn {
			return err
		}
		if err := h.step(""); err != nil {
			return err
		}
	}
	return errors.New("the loop of compactions did not end")
}

func (h *fakeHost) exit(rest string) error {
	status, err := strconv.Atoi(rest)
	if err != nil {
		return err
	}
	h.leave()
	return exitStatus(status)
}

func setenv(_ *fakeHost, rest string) error {
	name, value, _ := strings.Cut(rest, " ")
	return os.Setenv(name, value)
}

func killSelf(h *fakeHost, _ string) error {
	h.leave()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	return self.Kill()
}

func sleep(_ *fakeHost, rest string) error {
	d, err := time.ParseDuration(rest)
	time.Sleep(d)
	return err
}

func forgeSentinel(_ *fakeHost, rest string) error {
	return writeJSON(os.Getenv(plugin.EnvSentinel), newSentinel(rest))
}

func fillEvents(*fakeHost, string) error {
	path, ok := ngcore.RunEventsPathFromEnv()
	if !ok {
		return errors.New("no events file in the environment")
	}
	for {
		err := ngcore.AppendRunEvent(path, ngcore.Event{Kind: "idle", SessionID: strings.Repeat("s", 128)})
		if errors.Is(err, ngcore.ErrEventsTruncated) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// dump writes the variables that the run decided, and the prompt.
func (h *fakeHost) dump(rest string) error {
	text := "PROMPT=" + h.prompt + "\n"
	for _, entry := range os.Environ() {
		text += entry + "\n"
	}
	return os.WriteFile(rest, []byte(text), 0o600)
}

// hang never returns. Blocking alone would not do: the runtime ends a program in which every
// goroutine does.
func hang(*fakeHost, string) error {
	for {
		time.Sleep(time.Hour)
	}
}
