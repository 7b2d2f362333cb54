// Package fakeopencode plays the command line "opencode" for tests of what supervises it.
// It follows a scenario file, prints the stream that OpenCode 1.18.30 prints, and calls the
// plugin as OpenCode does (HOST.md). The plugin is the real one, in Node, or a stand-in in
// Go that keeps the same contracts of files and child processes.
//
// It is a test double: it knows no model, has no sessions but ses_root and ses_child, and
// runs the tools bash and write only.
package fakeopencode

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// EnvScenario names the variable with the path of the scenario: a verb and its arguments
// per line, "#" starts a comment line, $NAME is a variable of the environment. The verbs
// are the keys of the table in verbs.go. The end of the file is "exit 0".
const EnvScenario = "FAKEOPENCODE_SCENARIO"

// EnvPlugin names the variable that chooses what plays the plugin: "node", which is the
// default where Node is on PATH, or "go".
const EnvPlugin = "FAKEOPENCODE_PLUGIN"

// defaultVersion is what --version prints unless the scenario says otherwise.
const defaultVersion = "1.18.30"

// Main plays one call of opencode with the arguments args and returns its exit status. A
// fault of the scenario is status 70, which OpenCode never has.
func Main(args []string) int {
	lines, err := readScenario(os.Getenv(EnvScenario))
	if err != nil {
		return fault(err)
	}
	if len(args) == 1 && args[0] == "--version" {
		fmt.Println(versionOf(lines))
		return 0
	}
	if err := checkArgs(args); err != nil {
		return fault(err)
	}
	// The directory to work in is that of PWD, as OpenCode has it.
	if err := os.Chdir(os.Getenv("PWD")); err != nil {
		return fault(err)
	}
	h := &fakeHost{prompt: args[len(args)-1]}
	for _, line := range lines {
		err := h.perform(line)
		if status := exitStatus(0); errors.As(err, &status) {
			return int(status)
		}
		if err != nil {
			h.leave()
			return fault(fmt.Errorf("line %d: %s: %w", line.number, line.verb, err))
		}
	}
	h.leave()
	return 0
}

func fault(err error) int {
	fmt.Fprintln(os.Stderr, "fakeopencode:", err)
	return 70
}

// checkArgs holds the caller to the form that was verified with the real program.
func checkArgs(args []string) error {
	line := strings.Join(args, " ")
	if len(args) < 6 || !strings.HasPrefix(line, "run --format json --title ") || args[len(args)-2] != "--" {
		return fmt.Errorf("expected run --format json --title ID [--model ID] -- PROMPT, found %q", args)
	}
	return nil
}

type scenarioLine struct {
	number int
	verb   string
	rest   string // what follows the verb, variables replaced
}

func readScenario(path string) ([]scenarioLine, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the scenario of %s: %w", EnvScenario, err)
	}
	defer file.Close()
	var lines []scenarioLine
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		verb, rest, _ := strings.Cut(os.Expand(text, os.Getenv), " ")
		lines = append(lines, scenarioLine{number: n, verb: verb, rest: strings.TrimSpace(rest)})
	}
	return lines, in.Err()
}

func versionOf(lines []scenarioLine) string {
	for _, line := range lines {
		if line.verb == "version" {
			return line.rest
		}
	}
	return defaultVersion
}

// exitStatus ends the scenario.
type exitStatus int

func (s exitStatus) Error() string { return "exit status " + strconv.Itoa(int(s)) }
