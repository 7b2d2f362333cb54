package gate

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/ngvet/ngvet/plugin"
)

// judgeTool is how one tool's arguments are judged. It returns the zero Verdict when
// nothing speaks against the call.
type judgeTool func(d decider, args map[string]any) Verdict

// toolTable holds the judged tools of OpenCode (HOST.md section 2). A tool that is not in
// it is denied unless the operator's policy names it.
var toolTable = map[string]judgeTool{
	"bash":        judgeBash,
	"read":        pathTool("filePath", accessRead, required),
	"edit":        pathTool("filePath", accessWrite, required),
	"multiedit":   pathTool("filePath", accessWrite, required),
	"write":       pathTool("filePath", accessWrite, required),
	"list":        pathTool("path", accessRead, optional),
	"grep":        judgeGrep,
	"glob":        judgeGlob,
	"lsp":         pathTool("filePath", accessRead, required),
	"apply_patch": judgePatch,
	"webfetch":    judgeWebfetch,
	"websearch":   func(decider, map[string]any) Verdict { return Verdict{} },
	"task":        refuse(CodeDelegates, "delegation is off: a sub-agent's work could not be told from yours. Do the work in this session."),
	"question":    refuse(CodeNoOperator, "nobody is there to answer. Decide yourself and say in your final message what you assumed."),
}

// unlockable names the tools of the table that an operator may allow by name: they have
// no arguments to judge.
var unlockable = []string{"task", "question"}

// Call is one tool call. Args is nil when the host gave none.
type Call struct {
	Tool string
	Args map[string]any
}

// decider holds what stays the same while one call is judged.
type decider struct {
	policy *Policy
	ws     Workspace
	trace  func(Step) // nil unless the call is explained
}

// Decide judges one call: a harmless tool is allowed, a tool that the policy denies or
// does not know is denied, a call without the arguments that its tool needs is denied,
// and the arguments of the others decide. It never panics and always returns a decision
// with a code and a reason.
func Decide(p *Policy, call Call, ws Workspace) Verdict {
	return decider{policy: p, ws: ws}.decide(call)
}

func (d decider) decide(call Call) Verdict {
	if slices.Contains(plugin.HarmlessTools, call.Tool) {
		return Verdict{Allow, CodeHarmless, call.Tool + " changes nothing outside the session"}
	}
	if matchesTool(d.policy.tools.Deny, call.Tool) {
		return denied(CodeToolDenied, fmt.Sprintf("the policy denies the tool %q. Use another one.", call.Tool))
	}
	judge, known := toolTable[call.Tool]
	if (!known || slices.Contains(unlockable, call.Tool)) && matchesTool(d.policy.tools.Allow, call.Tool) {
		return Verdict{Allow, CodeOperatorRule, "the operator's policy allows " + call.Tool}
	}
	if !known {
		return denied(CodeUnknownTool, fmt.Sprintf("the policy does not know the tool %q. Use a built-in tool, or ask the operator to allow it by name.", call.Tool))
	}
	if call.Args == nil {
		return denied(CodeNoArgs, fmt.Sprintf("the call of %q has no arguments to judge. Call it again with all of them.", call.Tool))
	}
	if v := judge(d, call.Args); v.Decision != "" {
		return v
	}
	return Verdict{Allow, CodeAllowed, "no rule speaks against it"}
}

func refuse(code Code, reason string) judgeTool {
	return func(decider, map[string]any) Verdict { return denied(code, reason) }
}

type presence bool

const (
	required presence = true
	optional presence = false
)

// stringArg returns a string argument; its verdict is a denial when the argument has
// another type, or is empty or missing although required.
func stringArg(args map[string]any, key string, need presence) (string, Verdict) {
	value, ok := args[key]
	if !ok && need == optional {
		return "", Verdict{}
	}
	text, isString := value.(string)
	if !isString || (text == "" && need == required) || strings.ContainsRune(text, 0) {
		return "", denied(CodeBadArgs, fmt.Sprintf("argument %q: expected a string without NUL bytes, found %s", key, describe(value, ok)))
	}
	return text, Verdict{}
}

func describe(value any, there bool) string {
	switch value.(type) {
	case string:
		return "an unusable one"
	case nil:
		if !there {
			return "none"
		}
		return "null"
	}
	return fmt.Sprintf("a %T", value)
}

func (d decider) start() place { return place{path: d.ws.dir} }

// pathTool judges the path in one argument; without it the tool works on the workspace.
func pathTool(key string, a access, need presence) judgeTool {
	return func(d decider, args map[string]any) Verdict {
		name, v := stringArg(args, key, need)
		if v.Decision != "" || name == "" {
			return v
		}
		return d.policy.judgePath(d.ws, literalPath(name), d.start(), a)
	}
}

// literalPath maps the spellings of the home directory to one. The tools do not expand
// them, so such a name is a mistake that judging it as the home makes visible.
func literalPath(name string) string {
	for _, prefix := range []string{"$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (rest == "" || rest[0] == '/') {
			return "~" + rest
		}
	}
	return name
}

func judgeGrep(d decider, args map[string]any) Verdict {
	if v := pathTool("path", accessRead, optional)(d, args); v.Decision != "" {
		return v
	}
	if _, v := stringArg(args, "pattern", required); v.Decision != "" {
		return v
	}
	include, v := stringArg(args, "include", optional)
	if v.Decision != "" || include == "" {
		return v
	}
	if d.policy.aimsAtSecret(include) {
		return denied(CodeSecret, "searching "+include+" reads credentials. Search the sources instead.")
	}
	return d.judgePattern(include)
}

func judgeGlob(d decider, args map[string]any) Verdict {
	if v := pathTool("path", accessRead, optional)(d, args); v.Decision != "" {
		return v
	}
	pattern, v := stringArg(args, "pattern", required)
	if v.Decision != "" {
		return v
	}
	return d.judgePattern(pattern)
}

// judgePattern judges the directory that a glob pattern starts from.
func (d decider) judgePattern(pattern string) Verdict {
	fixed := pattern
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		fixed = pattern[:strings.LastIndexByte(pattern[:i], '/')+1]
	}
	if strings.Contains(pattern, "../") || strings.HasSuffix(pattern, "..") {
		return denied(CodeOutsideWorkspace, "the pattern "+pattern+" climbs out of its directory. Use a pattern below the workspace.")
	}
	if fixed == "" {
		return Verdict{}
	}
	return d.policy.judgePath(d.ws, fixed, d.start(), accessRead)
}

func judgePatch(d decider, args map[string]any) Verdict {
	text, v := stringArg(args, "patchText", required)
	if v.Decision != "" {
		return v
	}
	list, err := patchPaths(text)
	if err != nil {
		return denied(CodeBadArgs, "argument \"patchText\": "+err.Error()+". Send one complete patch.")
	}
	for _, f := range list {
		if v := d.policy.judgePath(d.ws, f.path, d.start(), f.access); v.Decision != "" {
			return v
		}
	}
	return Verdict{}
}

func judgeWebfetch(_ decider, args map[string]any) Verdict {
	text, v := stringArg(args, "url", required)
	if v.Decision != "" {
		return v
	}
	return judgeURL(text)
}

// judgeURL allows http and https, except for the addresses at which clouds hand out a
// machine's credentials (link-local, RFC 3927 and RFC 4291).
func judgeURL(text string) Verdict {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return denied(CodeURL, "expected an http or https URL. Read local files with the read tool.")
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	addr, err := netip.ParseAddr(host)
	if err == nil && addr.Unmap().IsLinkLocalUnicast() || slices.Contains(metadataHosts, host) || isOddAddress(host) {
		return denied(CodeSecret, "the host "+host+" hands out the machine's credentials, or hides which host it is.")
	}
	return Verdict{}
}

// metadataHosts are the names of cloud metadata services.
var metadataHosts = []string{"metadata.google.internal", "metadata", "instance-data", "fd00:ec2::254", "100.100.100.200"}

// isOddAddress reports an IPv4 address in a form other than dotted decimal, which some
// clients accept and no honest URL needs.
func isOddAddress(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	return strings.Trim(host, "0123456789.") == "" || strings.HasPrefix(host, "0x")
}
