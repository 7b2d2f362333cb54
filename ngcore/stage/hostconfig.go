package stage

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// hostConfigMaxBytes bounds the configuration, which OpenCode gets in one environment
// variable: Linux allows 128 KiB for one.
const hostConfigMaxBytes = 96 << 10

// hostConfig returns the configuration for OPENCODE_CONFIG_CONTENT: the caller's, with the
// plugin at entry behind the caller's own plugins. Last in the list it judges the arguments
// that will really run: hooks run in the order of the list, and one in front may change
// them (HOST.md section 2). Keys that are unknown here stay.
//
// Automatic updates and sharing are off unless the caller says otherwise.
func hostConfig(caller []byte, entry string) (string, error) {
	config, err := decodeConfig(caller)
	if err != nil {
		return "", fmt.Errorf("read the OpenCode configuration: %w", err)
	}
	plugins, err := callerPlugins(config["plugin"])
	if err != nil {
		return "", fmt.Errorf("read the OpenCode configuration: plugin: %w", err)
	}
	own, err := json.Marshal(fileURL(entry))
	if err != nil {
		return "", fmt.Errorf("name the plugin: %w", err)
	}
	if config["plugin"], err = json.Marshal(append(plugins, own)); err != nil {
		return "", fmt.Errorf("list the plugins: %w", err)
	}
	setDefault(config, "autoupdate", "false")
	setDefault(config, "share", `"disabled"`)
	text, err := json.Marshal(config, json.Deterministic(true))
	if err != nil {
		return "", fmt.Errorf("write the OpenCode configuration: %w", err)
	}
	if len(text) > hostConfigMaxBytes {
		return "", fmt.Errorf("OpenCode configuration has %d bytes, expected at most %d", len(text), hostConfigMaxBytes)
	}
	return string(text), nil
}

// decodeConfig reads a configuration with or without comments; none at all is empty.
func decodeConfig(text []byte) (map[string]jsontext.Value, error) {
	config := map[string]jsontext.Value{}
	if len(bytes.TrimSpace(text)) == 0 {
		return config, nil
	}
	if err := json.Unmarshal(plainJSON(text), &config); err != nil {
		return nil, err
	}
	if config == nil {
		return nil, errors.New("expected an object, found null")
	}
	return config, nil
}

// callerPlugins returns the caller's list. An element is a specifier or [specifier,
// options]. A relative one would be looked up in another place than the file it stands in.
func callerPlugins(list jsontext.Value) ([]jsontext.Value, error) {
	if list == nil {
		return nil, nil
	}
	var plugins []jsontext.Value
	if err := json.Unmarshal(list, &plugins); err != nil {
		return nil, err
	}
	for _, element := range plugins {
		spec, err := pluginSpec(element)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(spec, ".") {
			return nil, fmt.Errorf("%q is relative: expected an absolute path, a file: URL or a package", spec)
		}
	}
	return plugins, nil
}

func pluginSpec(element jsontext.Value) (spec string, err error) {
	var pair []jsontext.Value
	if json.Unmarshal(element, &pair) == nil && len(pair) > 0 {
		element = pair[0]
	}
	if err := json.Unmarshal(element, &spec); err != nil || element.Kind() == 'n' {
		return "", fmt.Errorf("expected a specifier or [specifier, options], found %s", element)
	}
	return spec, nil
}

func setDefault(config map[string]jsontext.Value, key, value string) {
	if config[key] == nil {
		config[key] = jsontext.Value(value)
	}
}

// fileURL names a file so that spaces, "%" and "#" survive (BUGS.md B25).
func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
