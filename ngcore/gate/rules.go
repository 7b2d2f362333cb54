package gate

import (
	"cmp"
	"path"
	"strings"
)

// commandRule is one command of a rule. Its words are split when the command is met: of
// hundreds of rules, a call needs the few for its own commands.
type commandRule struct {
	run  string // the command and patterns of its operands; "..." stands for any number
	rule *ruleFile
}

// code is the code of the rule's denials.
func (r commandRule) code() Code { return cmp.Or(r.rule.Code, CodeCommandDenied) }

// reason is the sentence of the rule's denials.
func (r commandRule) reason() string {
	return cmp.Or(r.rule.Instead, "the policy denies it. Find another way, or leave it to the operator.")
}

// addCommandRules puts rules into the index by command name.
func addCommandRules(index map[string][]commandRule, rules []ruleFile) {
	for i := range rules {
		for _, run := range rules[i].Run {
			name, _, _ := strings.Cut(strings.TrimSpace(run), " ")
			if strings.ContainsAny(name, "*?[") {
				name = ""
			}
			index[name] = append(index[name], commandRule{run, &rules[i]})
		}
	}
}

// matchRule returns the first rule of the index that covers the command.
func matchRule(index map[string][]commandRule, name string, args []string, valueOptions []string) *commandRule {
	options, operands := splitOptions(args, valueOptions)
	for _, key := range []string{name, ""} {
		for i, rule := range index[key] {
			if rule.matches(name, options, operands) {
				return &index[key][i]
			}
		}
	}
	return nil
}

func (r commandRule) matches(name string, options, operands []string) bool {
	words := strings.Fields(r.run)
	if ok, _ := path.Match(words[0], name); !ok || !matchWords(words[1:], operands) {
		return false
	}
	return len(r.rule.With) == 0 || has(options, r.rule.With...)
}

// matchWords reports whether the patterns match the operands from the first one on. An
// operand that is not known before the command runs matches every pattern.
func matchWords(patterns, operands []string) bool {
	if len(patterns) == 0 {
		return true
	}
	if patterns[0] == "..." {
		for i := range operands {
			if matchWords(patterns[1:], operands[i:]) {
				return true
			}
		}
		return false
	}
	if len(operands) == 0 {
		return false
	}
	ok := matchWord(patterns[0], operands[0])
	return (ok || isDynamic(operands[0])) && matchWords(patterns[1:], operands[1:])
}

// matchWord is path.Match for words, in which a slash is a letter like any other.
func matchWord(pattern, word string) bool {
	ok, _ := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(word, "/", "\x00"))
	return ok
}

// splitOptions separates options from operands; "--" ends the options. The value of an
// option named in valueOptions is neither. Of a cluster of short options that ends in a
// value, such as -mnote, the options are kept: -m.
func splitOptions(args, valueOptions []string) (options, operands []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return options, append(operands, args[i+1:]...)
		}
		if len(arg) < 2 || arg[0] != '-' {
			operands = append(operands, arg)
			continue
		}
		option, needs := cutCluster(arg, valueOptions)
		options = append(options, option)
		if needs {
			i++
		}
	}
	return options, operands
}

// cutCluster returns the options in one word, without the value of the last one, and
// whether that value is the next word.
func cutCluster(arg string, valueOptions []string) (option string, needs bool) {
	if contains(valueOptions, arg) {
		return arg, true
	}
	if strings.HasPrefix(arg, "--") {
		return arg, false
	}
	for i := 1; i < len(arg); i++ {
		if contains(valueOptions, "-"+arg[i:i+1]) {
			return arg[:i+1], i+1 == len(arg)
		}
	}
	return arg, false
}

// takesValue reports whether the next word belongs to option.
func takesValue(option string, list []string) bool {
	if len(option) < 2 || option[0] != '-' {
		return false
	}
	_, needs := cutCluster(option, list)
	return needs
}

func isLetters(s string) bool {
	for _, c := range s {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// optionIs reports whether a word of a command line sets the option want: spelled out,
// with a value, abbreviated as getopt_long allows, or inside a cluster of short options.
func optionIs(word, want string) bool {
	if word == want || strings.HasPrefix(word, want+"=") {
		return true
	}
	if strings.HasPrefix(want, "--") {
		name, _, _ := strings.Cut(word, "=")
		return len(name) > 3 && strings.HasPrefix(want, name)
	}
	if len(want) != 2 || strings.HasPrefix(word, "--") {
		return false
	}
	cluster, _, _ := strings.Cut(word[1:], "=")
	return isLetters(cluster) && strings.IndexByte(cluster, want[1]) >= 0
}
