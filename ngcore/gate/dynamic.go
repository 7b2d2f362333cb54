package gate

import "strings"

// judgeDynamicPath judges a path of which a part is known only at run time.
func (p *Policy) judgeDynamicPath(word, target string, a access) Verdict {
	if strings.Contains(target, anyText) && a > accessMeta {
		return denied(CodeDynamic, a.verb()+" "+readable(word)+": the path is known only when the command runs. Write it out.")
	}
	return Verdict{}
}
