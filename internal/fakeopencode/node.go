package fakeopencode

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// nodeHost loads the real plugin and does what it is told on standard input.
//
//go:embed node_host.mjs
var nodeHost string

// nodePlugin is the real plugin in a Node process, which stands for the host's own.
type nodePlugin struct {
	process *exec.Cmd
	to      io.Writer
	from    *json.Decoder
}

func loadInNode(entry string) (loadedPlugin, error) {
	cmd := exec.Command("node", "--input-type=module", "--eval", nodeHost, entry)
	cmd.Stderr = os.Stderr
	to, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &nodePlugin{process: cmd, to: to, from: json.NewDecoder(from)}
	loaded, err := p.read()
	if err != nil || loaded.Failed {
		p.kill()
		return nil, err
	}
	return p, nil
}

// nodeAnswer is a line of node_host.mjs.
type nodeAnswer struct {
	Failed bool   `json:"failed"` // the plugin did not load
	Denial string `json:"denial"`
	GoesOn bool   `json:"goes_on"`
}

func (p *nodePlugin) read() (a nodeAnswer, err error) {
	if err := p.from.Decode(&a); err != nil {
		return a, fmt.Errorf("the plugin's process: %w", err)
	}
	return a, nil
}

func (p *nodePlugin) ask(request map[string]any) (nodeAnswer, error) {
	if err := json.NewEncoder(p.to).Encode(request); err != nil {
		return nodeAnswer{}, fmt.Errorf("the plugin's process: %w", err)
	}
	return p.read()
}

func (p *nodePlugin) before(call toolCall) (string, error) {
	a, err := p.ask(map[string]any{"do": "before", "tool": call.tool, "sessionID": call.session, "callID": call.id, "args": call.args})
	return a.Denial, err
}

func (p *nodePlugin) after(call toolCall) error {
	_, err := p.ask(map[string]any{"do": "after", "tool": call.tool, "sessionID": call.session, "callID": call.id, "args": call.args})
	return err
}

func (p *nodePlugin) publish(kind string, properties map[string]any) error {
	_, err := p.ask(map[string]any{"do": "publish", "type": kind, "properties": properties})
	return err
}

func (p *nodePlugin) compact(session string) (bool, error) {
	a, err := p.ask(map[string]any{"do": "compact", "sessionID": session})
	return a.GoesOn, err
}

func (p *nodePlugin) kill() {
	p.process.Process.Kill()
	p.process.Wait()
}
