package gate

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/ngvet/ngvet/plugin"
)

// PolicyVersion is the value of the key version of a policy file.
const PolicyVersion = 1

// PolicyMaxBytes bounds a policy file.
const PolicyMaxBytes = 1 << 20

//go:generate go test -run TestCarefulSource -update

// Policy is a compiled policy: the embedded default with what an operator added. It is
// read-only once made and safe for concurrent use.
type Policy struct {
	tools        toolRules
	paths        pathRules
	readOnly     bool
	denyCommands map[string][]commandRule // by command name; "" holds those with a pattern
	allow        map[string][]commandRule // the operator's exceptions to denyCommands
	valueOptions map[string][]string      // options that take the next word, by command
}

type toolRules struct {
	Allow []string `json:"allow"`
	Deny  []string `json:"deny"`
}

type pathRules struct {
	Read      []string `json:"read"`
	Write     []string `json:"write"`
	Protect   []string `json:"protect"`
	Secret    []string `json:"secret"`
	NotSecret []string `json:"not_secret"`
}

// policyRules is what a policy file may say, at its top level and in each stage.
type policyRules struct {
	Tools    toolRules `json:"tools"`
	Commands struct {
		Allow []ruleFile `json:"allow"`
		Deny  []ruleFile `json:"deny"`
	} `json:"commands"`
	Paths        pathRules           `json:"paths"`
	ValueOptions map[string][]string `json:"value_options"`
	ReadOnly     bool                `json:"read_only"`
}

type policyFile struct {
	policyRules
	Version int                    `json:"version"`
	Stages  map[string]policyRules `json:"stages"`
}

// ruleFile is a list of commands that are judged alike, as a policy file spells it.
type ruleFile struct {
	Run     []string `json:"run"`
	With    []string `json:"with"`
	Code    Code     `json:"code"`
	Instead string   `json:"instead"`
}

// Careful returns the default policy, careful.json. It is compiled in as Go, because a
// judged call is a process of its own, which decoding would make a millisecond longer.
func Careful() *Policy {
	p := &Policy{
		denyCommands: make(map[string][]commandRule, len(carefulDenials)),
		allow:        map[string][]commandRule{},
		valueOptions: map[string][]string{},
	}
	p.add(carefulRules())
	return p
}

func carefulRules() policyRules {
	r := policyRules{Tools: carefulTools, Paths: carefulPaths, ReadOnly: carefulReadOnly}
	r.Commands.Deny, r.Commands.Allow = carefulDenials, carefulExceptions
	r.ValueOptions = make(map[string][]string, len(carefulValueOptions))
	for _, row := range carefulValueOptions {
		r.ValueOptions[row.name] = row.value
	}
	return r
}

// ParsePolicy returns the embedded policy with the rules of an operator's file on top:
// those of its top level and those of the named stage. The file is decoded strictly:
// unknown and duplicate keys, a rule that could never match and a stage that the file
// does not know are errors. A stage is not looked up in a file without stages.
func ParsePolicy(data []byte, stage string) (*Policy, error) {
	p := Careful()
	f, err := decodePolicy(data)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(f.Stages)) {
		if err := f.Stages[name].check(); err != nil {
			return nil, fmt.Errorf("stage %q: %w", name, err)
		}
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	p.add(f.policyRules)
	if stage == "" || len(f.Stages) == 0 {
		return p, nil
	}
	rules, ok := f.Stages[stage]
	if !ok {
		return nil, fmt.Errorf("stage %q: expected one of %s", stage, strings.Join(slices.Sorted(maps.Keys(f.Stages)), ", "))
	}
	p.add(rules)
	return p, nil
}

func decodePolicy(data []byte) (policyFile, error) {
	var f policyFile
	if len(data) > PolicyMaxBytes {
		return f, fmt.Errorf("policy has %d bytes: expected at most %d", len(data), PolicyMaxBytes)
	}
	if err := json.Unmarshal(data, &f, json.RejectUnknownMembers(true)); err != nil {
		return f, fmt.Errorf("policy: %w", err)
	}
	if f.Version != PolicyVersion {
		return f, fmt.Errorf("policy version is %d: expected %d", f.Version, PolicyVersion)
	}
	return f, nil
}

// add puts rules on top of those that p has. Nothing is taken away: an added denial
// stands beside an older permission and wins.
func (p *Policy) add(r policyRules) {
	p.tools.Allow = append(p.tools.Allow, r.Tools.Allow...)
	p.tools.Deny = append(p.tools.Deny, r.Tools.Deny...)
	p.paths.Read = append(p.paths.Read, r.Paths.Read...)
	p.paths.Write = append(p.paths.Write, r.Paths.Write...)
	p.paths.Protect = appendFolded(p.paths.Protect, r.Paths.Protect)
	p.paths.Secret = appendFolded(p.paths.Secret, r.Paths.Secret)
	p.paths.NotSecret = appendFolded(p.paths.NotSecret, r.Paths.NotSecret)
	p.readOnly = p.readOnly || r.ReadOnly
	for name, options := range r.ValueOptions {
		p.valueOptions[name] = append(p.valueOptions[name], options...)
	}
	addCommandRules(p.denyCommands, r.Commands.Deny)
	addCommandRules(p.allow, r.Commands.Allow)
}

// appendFolded appends patterns of names in the case that names are compared in.
func appendFolded(list, patterns []string) []string {
	for _, p := range patterns {
		list = append(list, strings.ToLower(p))
	}
	return list
}

// check reports the first rule that is malformed or could never take effect.
func (r policyRules) check() error {
	for _, name := range append(r.Tools.Allow, r.Tools.Deny...) {
		if stem := strings.TrimSuffix(name, "*"); stem == "" || strings.ContainsAny(stem, "* ") {
			return fmt.Errorf("tool %q: expected a name, or a name's beginning and *", name)
		}
	}
	for _, name := range plugin.HarmlessTools {
		if matchesTool(r.Tools.Deny, name) {
			return fmt.Errorf("tool %q: the plugin allows it without asking, so it cannot be denied", name)
		}
	}
	for _, rule := range append(r.Commands.Allow, r.Commands.Deny...) {
		if err := rule.check(); err != nil {
			return err
		}
	}
	for _, root := range append(r.Paths.Read, r.Paths.Write...) {
		if root == "" || path.Clean(root) != root || root == "/" || root == "~" || (root[0] != '/' && !strings.HasPrefix(root, "~/")) {
			return fmt.Errorf("path %q: expected a clean path that starts with / or ~/ and is not the root or the home", root)
		}
	}
	for _, pattern := range slices.Concat(r.Paths.Protect, r.Paths.Secret, r.Paths.NotSecret) {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" || strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
			return fmt.Errorf("path pattern %q: expected the pattern of one name, with a final / for a directory", pattern)
		}
	}
	return nil
}

func (r ruleFile) check() error {
	if len(r.Run) == 0 {
		return errors.New("command rule without run: expected commands with their first words")
	}
	for _, run := range r.Run {
		if strings.TrimSpace(run) == "" {
			return errors.New("command rule with an empty run: expected a command and its first words")
		}
		if _, err := path.Match(run, ""); err != nil {
			return fmt.Errorf("command rule %q: %w", run, err)
		}
	}
	if r.Code != "" && !slices.Contains(ruleCodes, r.Code) {
		return fmt.Errorf("command rule %q: code %q: expected one of %q", r.Run, r.Code, ruleCodes)
	}
	for _, option := range r.With {
		if !strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "+") {
			return fmt.Errorf("command rule %q: with %q: expected an option", r.Run, option)
		}
	}
	return nil
}

// matchesTool reports whether a name or a name's beginning in patterns covers tool.
func matchesTool(patterns []string, tool string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		stem, prefix := strings.CutSuffix(pattern, "*")
		return tool == pattern || (prefix && strings.HasPrefix(tool, stem))
	})
}
