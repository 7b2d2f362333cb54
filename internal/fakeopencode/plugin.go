package fakeopencode

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
)

// loadedPlugin is the plugin in the host's process. An error of a method is a fault of the
// fake, never an answer of the plugin.
type loadedPlugin interface {
	// before asks tool.execute.before; a denial is the message that it threw.
	before(call toolCall) (denial string, err error)
	after(call toolCall) error
	publish(kind string, properties map[string]any) error
	// compact calls the two hooks of a compaction and reports whether the host goes on
	// with a turn of its own.
	compact(session string) (goesOn bool, err error)
	// kill ends the plugin at once, whatever it is doing.
	kill()
}

type toolCall struct {
	tool, session, id string
	args              map[string]any
}

// configuredEntry returns the file that the configuration names as its last plugin.
func configuredEntry() (string, error) {
	var config struct {
		Plugin []string `json:"plugin"`
	}
	if err := json.Unmarshal([]byte(os.Getenv("OPENCODE_CONFIG_CONTENT")), &config); err != nil {
		return "", fmt.Errorf("OPENCODE_CONFIG_CONTENT: %w", err)
	}
	if len(config.Plugin) == 0 {
		return "", fmt.Errorf("OPENCODE_CONFIG_CONTENT: expected a plugin, found none")
	}
	u, err := url.Parse(config.Plugin[len(config.Plugin)-1])
	if err != nil || u.Scheme != "file" {
		return "", fmt.Errorf("plugin: expected a file: URL, found %q", config.Plugin)
	}
	return u.Path, nil
}

// loadPlugin returns nil when the plugin does not load.
func loadPlugin(entry string) (loadedPlugin, error) {
	kind := os.Getenv(EnvPlugin)
	if kind == "" {
		kind = "go"
		if _, err := exec.LookPath("node"); err == nil {
			kind = "node"
		}
	}
	switch kind {
	case "node":
		return loadInNode(entry)
	case "go":
		return loadStandIn(entry)
	}
	return nil, fmt.Errorf("%s: expected node or go, found %q", EnvPlugin, kind)
}
