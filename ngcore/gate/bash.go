package gate

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Step is one judged command.
type Step struct {
	Words   []string
	Verdict Verdict
}

func judgeBash(d decider, args map[string]any) Verdict {
	text, v := stringArg(args, "command", required)
	if v.Decision != "" {
		return v
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return denied(CodeParseError, "the command is no shell program: "+err.Error())
	}
	count := 0
	syntax.Walk(f, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		count++
		switch name := call.Args[0].Lit(); name {
		case "ls", "echo", "cat", "go", "npm", "git", "mkdir", "pwd", "true", "touch":
			for _, w := range call.Args[1:] {
				if p := w.Lit(); p != "" {
					if v2 := d.policy.judgePath(d.ws, p, d.start(), accessWrite); v2.Decision != "" {
						v = v2
					}
				}
			}
		default:
			v = denied(CodeDynamic, "cannot tell what "+name+" does")
		}
		return true
	})
	if count == 0 {
		return denied(CodeNoCommand, "no command")
	}
	return v
}
