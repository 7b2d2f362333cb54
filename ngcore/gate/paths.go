package gate

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// access is what a call does to a path, from harmless to final.
type access int

const (
	accessMeta   access = iota // learns names, sizes, times
	accessRead                 // learns the content
	accessWrite                // creates, changes
	accessDelete               // deletes, moves away
	accessTree                 // deletes a directory with all that is in it
)

// verb is how a reason names the access.
func (a access) verb() string {
	return [...]string{"listing", "reading", "writing", "deleting", "deleting"}[a]
}

// place is where a relative path starts.
type place struct {
	path    string // absolute, clean as the shell's own $PWD; may be dynamic
	scratch bool   // entered by naming a scratch directory
}

// judgePath decides one access to the path that word names, seen from where. It returns
// the zero Verdict when nothing speaks against it.
func (p *Policy) judgePath(ws Workspace, word string, where place, a access) Verdict {
	target, absolute := absolutePath(ws, word, where)
	if len(target) > maxPathBytes {
		return denied(CodeTooComplex, "a path is longer than "+strconv.Itoa(maxPathBytes)+" bytes. Use a shorter one.")
	}
	if v := judgeOpenPath(word, target, a); v.Decision != "" {
		return v
	}
	if isDevice(target, a) {
		return Verdict{}
	}
	if strings.Contains(target, hostText) {
		return p.judgeNames(ws, filepath.Clean(target), word, a)
	}
	lexical := filepath.Clean(target)
	real := ws.resolve(placeholders(target))
	for _, spelling := range []string{lexical, real} {
		if v := p.judgeNames(ws, spelling, word, a); v.Decision != "" {
			return v
		}
	}
	if v := judgeSweep(ws, lexical, word, a); v.Decision != "" {
		return v
	}
	if v := p.judgeReach(ws, placeholders(lexical), real, absolute || where.scratch, word, a); v.Decision != "" {
		return v
	}
	if p.readOnly && a >= accessWrite && within(ws.realRoot, real) {
		return denied(CodeReadOnly, "this stage may not change files: "+readable(word))
	}
	return Verdict{}
}

// judgeOpenPath judges a path of which a part could be anything. What the host's own
// environment holds may be read, because the agent cannot choose it.
func judgeOpenPath(word, target string, a access) Verdict {
	unknown := strings.Contains(target, anyText) && a > accessMeta
	hosts := strings.Contains(target, hostText) && a >= accessWrite
	listed := strings.Contains(target, listText) && a == accessTree
	if !unknown && !hosts && !listed {
		return Verdict{}
	}
	return denied(CodeDynamic, a.verb()+" "+readable(word)+": the path is known only when the command runs. Write it out.")
}

// placeholders puts an ordinary name where a part of one is unknown.
func placeholders(target string) string {
	return strings.NewReplacer(starText, "_", queryText, "_", atomText, "_", listText, "_").Replace(target)
}

// judgeSweep denies deleting everything in the workspace, or in a scratch directory that
// others use, by a pattern.
func judgeSweep(ws Workspace, lexical, word string, a access) Verdict {
	dir, name := filepath.Split(lexical)
	if a < accessDelete || !hasAnyByte(name, starText) || strings.Trim(globOf(name), "*?.") != "" {
		return Verdict{}
	}
	dir = filepath.Clean(dir)
	if dir == ws.root || dir == ws.realRoot || contains(ws.temps, dir) {
		return denied(CodeDestroysFiles, a.verb()+" "+readable(word)+" would take everything in "+dir+". Name the files or the build directory to delete.")
	}
	return Verdict{}
}

// absolutePath joins word to where it starts; absolute says that word did not need it.
func absolutePath(ws Workspace, word string, where place) (target string, absolute bool) {
	switch {
	case word == "~" || strings.HasPrefix(word, "~/"):
		return ws.homeText() + word[1:], true
	case filepath.IsAbs(word) || strings.HasPrefix(word, hostText):
		return word, true
	}
	return where.path + string(filepath.Separator) + word, false
}

// isDevice covers the character devices that hold nothing, and the process's own streams.
func isDevice(target string, a access) bool {
	switch path.Clean(target) {
	case "/dev/null", "/dev/tty", "/dev/full":
		return a < accessDelete
	case "/dev/stdout", "/dev/stderr":
		return a == accessWrite || a == accessMeta
	case "/dev/stdin", "/dev/zero", "/dev/random", "/dev/urandom":
		return a <= accessRead
	}
	return strings.HasPrefix(target, "/dev/fd/") && a < accessDelete
}

// judgeNames judges the names on the way to target, whatever they resolve to. Names are
// compared without case, because file systems differ and a variant must not slip through.
func (p *Policy) judgeNames(ws Workspace, target, word string, a access) Verdict {
	names := strings.Split(fold(filepath.ToSlash(target)), "/")
	if a != accessMeta && p.isSecret(names) {
		return denied(CodeSecret, a.verb()+" "+readable(word)+" touches credentials. Work with an example file such as .env.example, or ask for the value to be provided.")
	}
	if a < accessWrite {
		return Verdict{}
	}
	for i, name := range names {
		last := i == len(names)-1
		if matchesName([]string{".git/", "git~*/"}, name, last) {
			return denied(CodeGitInternals, a.verb()+" "+readable(word)+" changes files of git itself. Use git commands.")
		}
		if matchesName(p.paths.Protect, name, last) {
			return denied(CodeSelfProtection, a.verb()+" "+readable(word)+" changes the agent's own wiring or records, which is the operator's business.")
		}
	}
	return p.judgeProtected(ws, target, word, a)
}

// judgeProtected covers the run's own files: they, what lies in them and, for a deletion,
// the directories that hold them.
func (p *Policy) judgeProtected(ws Workspace, target, word string, a access) Verdict {
	if a >= accessDelete && (within(target, ws.root) || within(target, ws.realRoot)) {
		return denied(CodeDestroysFiles, a.verb()+" "+readable(word)+" would take the whole workspace with it. Name the files or the build directory to delete.")
	}
	folded := fold(target)
	for _, protected := range ws.protected {
		protected = fold(protected)
		if within(protected, folded) || (a >= accessDelete && within(folded, protected)) {
			return denied(CodeSelfProtection, a.verb()+" "+readable(word)+" would change a file of the run that judges this call. Leave it alone.")
		}
	}
	return Verdict{}
}

func (p *Policy) isSecret(names []string) bool {
	for i, name := range names {
		last := i == len(names)-1
		if matchesName(p.paths.Secret, name, last) && !(last && !isDynamic(name) && matchesName(p.paths.NotSecret, name, true)) {
			return true
		}
	}
	return false
}

// matchesName matches one folded name of a path. A pattern with a final slash names a
// directory, which covers itself and all below it; the others name the last element. A
// name with unknown parts matches when it was written to reach the pattern's names.
func matchesName(patterns []string, name string, last bool) bool {
	for _, pattern := range patterns {
		dir, isDir := strings.CutSuffix(pattern, "/")
		if !isDir && !last {
			continue
		}
		if isDynamic(name) && aimsAt(globOf(name), dir) {
			return true
		}
		if ok, _ := path.Match(dir, name); ok {
			return true
		}
	}
	return false
}

// aimsAt reports whether a glob reaches a name that pattern covers and says more than
// "everything": it has two letters in common with it, or its leading dot.
func aimsAt(glob, pattern string) bool {
	if ext := path.Ext(pattern); len(ext) > 1 && ext != pattern && pattern[0] != '*' && !strings.Contains(ext, "*") { // *.json aims at all JSON files
		stem, same := strings.CutSuffix(glob, ext)
		if same && strings.Trim(stem, "*?") == "" {
			return false
		}
	}
	letters := len(glob) - strings.Count(glob, "*") - strings.Count(glob, "?") - strings.Count(glob, ".")
	if letters < 2 && !strings.HasPrefix(glob, ".") {
		return false
	}
	sample := strings.ReplaceAll(pattern, "*", "~~")
	ok, _ := path.Match(glob, sample)
	return ok && (glob[0] == sample[0] || sample[0] != '.')
}

// judgeReach judges where target lies. free says that the path was not written relative
// to the workspace: only such a path may name a scratch directory.
func (p *Policy) judgeReach(ws Workspace, lexical, real string, free bool, word string, a access) Verdict {
	if within(ws.realRoot, real) {
		return Verdict{}
	}
	spelledInside := within(ws.root, lexical) || within(ws.realRoot, lexical)
	if !spelledInside && free && ws.isScratch(lexical, real, a) {
		return Verdict{}
	}
	if a == accessMeta {
		return Verdict{}
	}
	if a == accessRead && inRoots(ws, p.paths.Read, lexical, real) || inRoots(ws, p.paths.Write, lexical, real) {
		return Verdict{}
	}
	code := CodeOutsideWorkspace
	if a >= accessDelete {
		code = CodeDestroysFiles
	}
	if spelledInside {
		return denied(code, a.verb()+" "+readable(word)+" leaves the workspace through a symbolic link. Stay inside "+ws.root+".")
	}
	return denied(code, a.verb()+" "+readable(word)+" leaves the workspace. Stay inside "+ws.root+" or use a new directory from mktemp -d.")
}

// isScratch reports whether a path lies in a scratch directory. The scratch directory
// itself is nobody's to delete.
func (ws Workspace) isScratch(lexical, real string, a access) bool {
	return ws.inTemp(lexical, a) && ws.inTemp(real, a)
}

// inTemp is isScratch for one spelling. When the workspace itself lies in a scratch
// directory, the directory that holds the workspace is not scratch, nor is a home.
func (ws Workspace) inTemp(p string, a access) bool {
	for _, t := range ws.temps {
		if !within(t, p) || p == t && a >= accessDelete {
			continue
		}
		if !ws.beside(t, ws.root, p) && !ws.beside(t, ws.realRoot, p) && !ws.inHome(t, p, a) {
			return true
		}
	}
	return false
}

// beside reports whether p lies in the directory that holds root, when that one lies in
// the scratch directory t.
func (ws Workspace) beside(t, root, p string) bool {
	holder := filepath.Dir(root)
	return within(t, root) && holder != t && within(holder, p)
}

// inHome reports whether p lies in the home, or takes it along when deleted, when the home
// lies in the scratch directory t.
func (ws Workspace) inHome(t, p string, a access) bool {
	home := ws.homeText()
	return within(t, home) && home != t && (within(home, p) || a >= accessDelete && within(p, home))
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// inRoots reports whether both spellings lie in one of the policy's extra roots.
func inRoots(ws Workspace, roots []string, lexical, real string) bool {
	in := func(p string) bool {
		for _, root := range roots {
			root, _ = absolutePath(ws, root, place{})
			if within(root, p) || within(ws.resolve(root), p) {
				return true
			}
		}
		return false
	}
	return in(lexical) && in(real)
}

// fold maps the names that one file can have on file systems without case to one of them:
// lower case, no final dots, spaces or stream names, no invisible characters. It keeps
// the markers of unknown parts.
func fold(p string) string {
	if isLowerName(p) {
		return p
	}
	var b strings.Builder
	for len(p) > 0 {
		r, n := utf8.DecodeRuneInString(p)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteByte(p[0])
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		p = p[n:]
	}
	names := strings.Split(b.String(), "/")
	for i, name := range names {
		name, _, _ = strings.Cut(name, "::$")
		if trimmed := strings.TrimRight(name, ". "); trimmed != "" {
			name = trimmed
		}
		names[i] = name
	}
	return strings.Join(names, "/")
}

// isLowerName reports whether fold would change nothing.
func isLowerName(p string) bool {
	for i := range len(p) {
		c := p[i]
		if c >= 0x80 || c >= 'A' && c <= 'Z' || c == ' ' || c == ':' || c == '.' && (i+1 == len(p) || p[i+1] == '/') {
			return false
		}
	}
	return true
}
