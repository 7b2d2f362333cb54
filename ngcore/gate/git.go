package gate

import (
	"path/filepath"
	"slices"
	"strings"
)

// gitGlobalValues are options before git's subcommand that take the next word.
var gitGlobalValues = []string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--exec-path", "--attr-source"}

// gitValues are options of subcommands that take the next word.
var gitValues = []string{
	"-m", "--message", "-F", "--file", "-b", "-B", "--orphan", "--author", "--date", "-C", "-c", "--reuse-message", "-t", "--template",
	"-u", "--set-upstream-to", "-o", "--push-option", "--output", "--format", "--pretty", "-L", "-S", "-G", "--since", "--until", "-s", "--strategy",
	"-X", "--strategy-option", "--onto", "-x", "--exec", "--depth", "--branch", "--reference", "--origin", "--config", "--upload-pack",
	"--receive-pack", "-n", "--max-count", "--grep", "--source", "--pathspec-from-file", "-e", "-A", "--fixup", "--squash", "--trailer", "--cleanup",
}

// gitKnown are the subcommands that the gate knows. Any other one could be an alias.
var gitKnown = []string{
	"add", "am", "annotate", "apply", "archive", "bisect", "blame", "branch", "bundle", "cat-file", "check-attr", "check-ignore", "check-ref-format",
	"checkout", "checkout-index", "cherry", "cherry-pick", "clean", "clone", "column", "commit", "commit-tree", "config", "count-objects", "describe",
	"diff", "diff-files", "diff-index", "diff-tree", "difftool", "fetch", "fmt-merge-msg", "for-each-ref", "format-patch", "fsck", "gc", "grep",
	"hash-object", "help", "index-pack", "init", "interpret-trailers", "lfs", "log", "ls-files", "ls-remote", "ls-tree", "mailinfo", "maintenance",
	"merge", "merge-base", "merge-file", "merge-tree", "mergetool", "mv", "name-rev", "notes", "pack-objects", "patch-id", "pull", "push", "range-diff", "read-tree",
	"rebase", "reflog", "remote", "repack", "replace", "rerere", "reset", "restore", "rev-list", "rev-parse", "revert", "rm", "shortlog", "show",
	"show-branch", "show-ref", "sparse-checkout", "stash", "status", "stripspace", "submodule", "switch", "symbolic-ref", "tag", "unpack-objects", "update-index", "var", "verify-commit",
	"verify-tag", "version", "whatchanged", "worktree", "write-tree",
}

// judgeGit judges a git command: its global options, the policy's table, and what the
// subcommand does to files, history and configuration.
func judgeGit(c *command) {
	inner := c.gitGlobals()
	if inner == nil || len(inner.args) == 0 {
		return
	}
	sub := inner.args[0]
	if isDynamic(sub) {
		c.deny(CodeDynamic, "which git command runs is known only when it runs. Write it out.")
		return
	}
	if inner.policyRule() {
		return
	}
	if !slices.Contains(gitKnown, sub) {
		c.deny(CodeDynamic, "git "+sub+" is not a command of git that the gate knows; it could be an alias. Write the git command out.")
		return
	}
	options, operands := splitOptions(inner.args[1:], valuesOf(sub))
	inner.gitPrograms(sub, options, operands)
	inner.gitMentions(sub, operands)
	if judge := gitJudge(sub); judge != nil {
		judge(inner, options, operands)
	}
	if !slices.Contains(gitReaders, sub) && (sub != "init" || len(operands) == 0) {
		inner.worksHere()
	}
}

// valuesOf returns the options of a subcommand that take a value; -n and others differ.
func valuesOf(sub string) []string {
	drop := map[string][]string{
		"commit": {"-n", "-b", "-o", "-u", "-s", "-x", "-e", "-A", "-G", "-L", "-B"},
		"push":   {"-n", "-u", "-f", "-b"},
		"clean":  {"-n", "-x", "-X", "-d"},
		"branch": {"-c", "-C", "-m", "-t"},
		"add":    {"-n", "-u", "-A", "-e"},
		"rm":     {"-n"},
		"mv":     {"-n"},
		"pull":   {"-n", "-u"}, "fetch": {"-n", "-u", "-t"}, "merge": {"-n", "-e"}, "rebase": {"-m", "-n"},
		"checkout": {"-m", "-t"}, "switch": {"-t", "-m"}, "restore": {"-S", "-m"}, "stash": {"-S", "-u"}, "tag": {"-n", "-s", "-e", "-C"},
		"grep": {"-n", "-c", "-L", "-o", "-F", "-G"}, "log": {"-m", "-c", "-s", "-u", "-t", "-e"}, "show": {"-m", "-c", "-s", "-t"}, "diff": {"-c", "-t", "-u", "-s"},
		"reset": {"-m"}, "cherry-pick": {"-n", "-e", "-x"}, "revert": {"-n", "-e"}, "am": {"-s", "-u"}, "ls-files": {"-m", "-t", "-u", "-s", "-c", "-o", "-x"}, "worktree": {"-f"},
	}
	return slices.DeleteFunc(slices.Clone(gitValues), func(o string) bool { return slices.Contains(drop[sub], o) })
}

// gitReaders change nothing, so that they may run anywhere.
var gitReaders = []string{"status", "log", "diff", "show", "blame", "ls-files", "ls-tree", "ls-remote", "rev-parse", "rev-list", "describe", "cat-file", "grep", "shortlog", "help", "version", "config", "for-each-ref", "show-ref", "name-rev", "merge-base", "check-ignore", "count-objects", "var", "clone"}

// gitGlobals judges the options before the subcommand and returns the command without
// them, in the directory that they name.
func (c *command) gitGlobals() *command {
	inner := *c
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		if arg == "" || arg[0] != '-' {
			if strings.HasPrefix(arg, anyText) {
				c.deny(CodeDynamic, "which git command runs is known only when it runs. Write it out.")
				return nil
			}
			inner.args = c.args[i:]
			return &inner
		}
		name, value, attached := strings.Cut(arg, "=")
		if !attached && slices.Contains(gitGlobalValues, arg) && i+1 < len(c.args) {
			i++
			value = c.args[i]
		}
		switch name {
		case "-C":
			inner = *inner.enterDirectory(value)
		case "--git-dir", "--work-tree":
			c.gitDirectory(value)
		case "-c":
			key, text, _ := strings.Cut(value, "=")
			c.gitKey(key, text)
		case "--config-env":
			key, _, _ := strings.Cut(value, "=")
			c.gitKey(key, anyText)
		case "--exec-path":
			if value != "" {
				c.deny(CodeUnseenCode, "git --exec-path makes git run other programs. Run git without it.")
			}
		}
	}
	inner.args = nil
	return &inner
}

// gitDirectory judges a repository or work tree that is named explicitly.
func (c *command) gitDirectory(dir string) {
	for _, where := range c.env.cwd {
		target, absolute := absolutePath(c.ws, dir, where)
		if isOpen(target) {
			c.deny(CodeDynamic, "which repository git works on is known only when it runs. Write its path out.")
			continue
		}
		c.take(c.policy.judgeReach(c.ws, filepath.Clean(placeholders(target)), c.ws.resolve(placeholders(target)), absolute || where.scratch, dir, accessWrite))
	}
}

// gitCommandKeys are configuration keys whose value git runs.
var gitCommandKeys = []string{"core.pager", "core.editor", "core.sshcommand", "core.askpass", "sequence.editor", "diff.external", "interactive.difffilter", "core.gitproxy", "core.fsmonitor", "gpg.program", "gpg.ssh.program", "credential.helper", "uploadpack.packobjectshook", "core.alternaterefscommand"}

// gitKey judges one configuration key with its value: a value that git runs is judged as
// a command, and what changes which code runs is denied.
func (c *command) gitKey(key, value string) {
	lower := changeCase(key, 'A', 'a')
	section, _, _ := strings.Cut(lower, ".")
	last := lower[strings.LastIndexByte(lower, '.')+1:]
	switch {
	case isDynamic(key):
		c.deny(CodeDynamic, "which configuration key git gets is known only when it runs. Write it out.")
	case section == "alias":
		c.deny(CodeUnseenCode, "a git alias hides what runs. Run the command itself.")
	case lower == "core.hookspath", lower == "init.templatedir":
		c.deny(CodeSkipsHooks, "changing "+readable(key)+" switches the repository's hooks off. Leave it as it is and fix what they report.")
	case lower == "credential.helper" && value != "" && value != "cache" && !strings.HasPrefix(value, "!"):
		c.deny(CodeUserConfig, "changing "+key+" changes where credentials are kept. Leave git's configuration as it is.")
	case (lower == "credential.helper" || lower == "core.fsmonitor") && (value == "" || value == "false" || value == "true"):
	case section == "include", section == "includeif", section == "url", section == "http" && (last == "proxy" || last == "sslverify" || last == "extraheader" || last == "cookiefile"), lower == "core.worktree", lower == "protocol.ext.allow", lower == "core.attributesfile":
		c.deny(CodeUserConfig, "changing "+readable(key)+" redirects what git reads or where it connects. Leave git's configuration as it is.")
	case slices.Contains(gitCommandKeys, lower), section == "pager", slices.Contains([]string{"textconv", "cmd", "command", "driver", "clean", "smudge", "process", "path", "uploadpack", "receivepack", "vcs", "program"}, last) && section != "submodule" && section != "user":
		if value != "" && value != "true" && value != "false" {
			c.program(strings.TrimPrefix(value, "!"), c.env.child(), input{})
		}
	}
}

// gitVariable judges environment variables that change what git or an editor's caller
// runs.
func (s *shell) gitVariable(name, text string, e *env) {
	c := &command{shell: s, env: e, name: "git"}
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR":
		c.gitDirectory(text)
	case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM":
		if text != "/dev/null" && text != "" {
			s.deny(CodeUserConfig, name+" gives git another configuration. Run git without it.")
		}
	case "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT":
		s.deny(CodeUserConfig, name+" gives git another configuration. Use git's own options.")
	case "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "PAGER", "EDITOR", "VISUAL", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "MANPAGER", "LESSOPEN", "BROWSER":
		if text != "" && !s.away {
			s.program(text, e.child(), input{})
		}
	case "HUSKY", "LEFTHOOK":
		if text == "0" || text == "false" {
			s.deny(CodeSkipsHooks, name+"="+text+" switches the repository's hooks off. Fix what they report instead.")
		}
	case "HUSKY_SKIP_HOOKS", "OVERCOMMIT_DISABLE":
		s.deny(CodeSkipsHooks, name+" switches the repository's hooks off. Fix what they report instead.")
	}
	if strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_") {
		s.deny(CodeUserConfig, name+" gives git another configuration. Use git's own options.")
	}
}

// gitPrograms judges programs and places that options of any subcommand can name.
func (c *command) gitPrograms(sub string, options, operands []string) {
	for i, arg := range c.args {
		name, value, attached := strings.Cut(arg, "=")
		if !attached && i+1 < len(c.args) {
			value = c.args[i+1]
		}
		switch name {
		case "--upload-pack", "--receive-pack", "--extcmd", "--open-files-in-pager", "--exec":
			if name != "--exec" || sub == "rebase" || sub == "archive" || sub == "push" {
				c.program(value, c.env.child(), input{})
			}
		case "-u":
			if sub == "clone" {
				c.program(value, c.env.child(), input{})
			}
		case "--template":
			if sub == "clone" || sub == "init" {
				c.deny(CodeUnseenCode, c.line()+" installs hooks that nobody has judged. Run it without --template.")
			}
		case "-x":
			if sub == "rebase" || sub == "difftool" {
				c.program(value, c.env.child(), input{})
			}
		case "--output":
			c.access(value, accessWrite)
		case "-o":
			if sub == "archive" || sub == "format-patch" {
				c.access(value, accessWrite)
			}
		}
		if sub == "grep" && strings.HasPrefix(arg, "-O") && len(arg) > 2 {
			c.program(arg[2:], c.env.child(), input{})
		}
		if strings.HasPrefix(changeCase(arg, 'A', 'a'), "ext::") {
			c.deny(CodeUnseenCode, "an ext:: address makes git run a program. Use an https or ssh address.")
		}
	}
	if has(options, "--no-verify") || sub == "commit" && has(options, "-n") {
		c.deny(CodeSkipsHooks, c.line()+" skips the repository's own checks. Run them and fix what they report.")
	}
	if i := slices.Index(c.args, "run"); sub == "bisect" && i > 0 {
		c.again(c.args[i+1:], input{})
	}
	if i := slices.Index(c.args, "foreach"); sub == "submodule" && i > 0 {
		words := c.args[i+1:]
		for len(words) > 0 && strings.HasPrefix(words[0], "-") {
			words = words[1:]
		}
		c.program(strings.Join(words, " "), c.env.child(), input{})
	}
}

// gitMentions denies reading a secret out of the repository, and publishing one.
func (c *command) gitMentions(sub string, operands []string) {
	switch sub {
	case "check-ignore", "rm", "ls-files", "status", "config", "branch", "push", "fetch", "remote", "tag", "clone", "check-attr", "update-index":
		return
	}
	for _, o := range operands {
		name := o[strings.LastIndexByte(o, ':')+1:]
		if name != "" && c.policy.isSecret(strings.Split(fold(name), "/")) {
			c.deny(CodeSecret, c.line()+" reads or publishes credentials. Leave that file out.")
		}
	}
}

// gitJudge returns how a subcommand is judged that needs more than the policy's rules, or nil.
func gitJudge(sub string) func(c *command, options, operands []string) {
	switch sub {
	case "push":
		return gitPush
	case "clean":
		return gitClean
	case "checkout":
		return gitCheckout
	case "restore":
		return gitRestore
	case "rm":
		return gitRemove
	case "mv", "init":
		return func(c *command, _, operands []string) { c.gitPaths(operands, accessWrite) }
	case "config":
		return gitConfig
	case "clone":
		return gitClone
	case "worktree":
		return gitWorktree
	case "diff":
		return gitDiff
	case "commit":
		return gitCommit
	case "reset", "branch", "stash", "tag", "switch":
		return gitArguments
	}
	return nil
}

// gitArguments denies words that could turn a harmless form of a command into another.
func gitArguments(c *command, _, operands []string) {
	for _, word := range c.args {
		if strings.HasPrefix(word, anyText) {
			c.deny(CodeDynamic, c.line()+": its words are known only when it runs. Write them out.")
		}
	}
}

func gitPush(c *command, options, operands []string) {
	gitArguments(c, options, operands)
	for _, o := range operands {
		if strings.HasPrefix(o, "+") {
			c.deny(CodeLosesWork, c.line()+" overwrites published history. Push without force, or push to a new branch.")
		}
		if strings.HasPrefix(o, ":") && len(o) > 1 {
			c.deny(CodeLosesWork, c.line()+" deletes a published branch. Leave that to the operator.")
		}
	}
}

func gitClean(c *command, options, _ []string) {
	if !has(options, "-n", "--dry-run") {
		c.deny(CodeLosesWork, c.line()+" deletes files that git does not know and cannot bring back. Delete build output by name.")
	}
}

func gitCheckout(c *command, options, operands []string) {
	gitArguments(c, options, operands)
	if has(options, "--ours", "--theirs") {
		return
	}
	explicit := slices.Contains(c.args, "--")
	creates := has(options, "-b", "-B", "--orphan", "--track", "-t", "--detach")
	for i, o := range operands {
		path := explicit && i == len(operands)-1 || !creates && (i > 0 || c.isPath(o))
		if path && !(explicit && c.args[len(c.args)-1] == "--") {
			c.deny(CodeLosesWork, c.line()+" overwrites uncommitted changes. Undo your own edits with the edit tool, or git stash them.")
		}
	}
	if has(options, "--pathspec-from-file", "-p", "--patch") {
		c.deny(CodeLosesWork, c.line()+" overwrites uncommitted changes. Undo your own edits with the edit tool, or git stash them.")
	}
}

// isPath reports whether git checkout would take the word for a file.
func (c *command) isPath(word string) bool {
	if word == "." || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") || strings.HasPrefix(word, ":") || hasAnyByte(word, starText+queryText+listText) {
		return true
	}
	for _, where := range c.env.cwd {
		target, _ := absolutePath(c.ws, word, where)
		if exists(target) {
			return true
		}
	}
	return false
}

func gitRestore(c *command, options, _ []string) {
	if !has(options, "--staged", "-S") || has(options, "--worktree", "-W") {
		c.deny(CodeLosesWork, c.line()+" overwrites uncommitted changes. Undo your own edits with the edit tool, or git stash them.")
	}
}

func gitRemove(c *command, options, operands []string) {
	if has(options, "--cached", "-n", "--dry-run") {
		return
	}
	c.gitPaths(operands, accessDelete)
	for _, o := range operands {
		if o == "." || o == starText || o == "*" {
			c.deny(CodeLosesWork, c.line()+" deletes the whole work tree. Name the files.")
		}
	}
}

func (c *command) gitPaths(operands []string, a access) {
	for _, o := range operands {
		c.access(o, a)
	}
}

func gitCommit(c *command, _, _ []string) {
	if c.env.vars["SKIP"].exported { // read by pre-commit
		c.deny(CodeSkipsHooks, "SKIP switches the repository's own checks off. Run them and fix what they report.")
	}
	c.optionFiles([]string{"-F", "--file", "-t", "--template"}, accessRead)
}

func gitClone(c *command, _, operands []string) {
	for i, arg := range c.args {
		if (arg == "-c" || arg == "--config") && i+1 < len(c.args) {
			key, text, _ := strings.Cut(c.args[i+1], "=")
			c.gitKey(key, text)
		}
	}
	if len(operands) > 1 {
		c.access(operands[1], accessWrite)
		return
	}
	c.worksHere()
}

func gitWorktree(c *command, options, operands []string) {
	if len(operands) > 1 && (operands[0] == "add" || operands[0] == "move") {
		c.access(operands[1], accessWrite)
	}
	if len(operands) > 1 && operands[0] == "remove" {
		c.access(operands[1], accessTree)
	}
}

func gitDiff(c *command, options, operands []string) {
	if has(options, "--no-index") {
		c.gitPaths(operands, accessRead)
	}
}

// gitConfig allows reading, and setting keys of this repository that change no code.
func gitConfig(c *command, options, operands []string) {
	verbs := []string{"get", "list", "set", "unset", "get-all", "edit", "rename-section", "remove-section"}
	verb := ""
	if len(operands) > 0 && slices.Contains(verbs, operands[0]) {
		verb, operands = operands[0], operands[1:]
	}
	reads := verb == "get" || verb == "list" || verb == "get-all" || has(options, "--get", "--get-all", "--get-regexp", "--list", "-l", "--show-origin", "--get-urlmatch") ||
		verb == "" && len(operands) <= 1 && !has(options, "--unset", "--unset-all", "--edit", "-e", "--remove-section", "--rename-section")
	if reads {
		return
	}
	if has(options, "--global", "--system", "--worktree") {
		c.deny(CodeUserConfig, c.line()+" changes the user's own configuration. Set the key for this repository only, or pass it with git -c.")
		return
	}
	if has(options, "-f", "--file") {
		c.optionFiles([]string{"-f", "--file"}, accessWrite)
	}
	if len(operands) > 0 {
		c.gitKey(operands[0], strings.Join(operands[1:], " "))
	}
}
