package gate

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirected is what a statement's redirections do to its streams.
type redirected struct {
	in     input
	files  []string // where standard output goes, one per case; nil: it is not redirected
	add    bool     // >>
	hidden bool     // standard output goes to another descriptor or nowhere
}

// redirects judges the redirections of a statement.
func (s *shell) redirects(list []*syntax.Redirect, e *env, in input) redirected {
	r := redirected{in: in}
	for _, redir := range list {
		switch redir.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			r.in = input{piped: true, text: s.document(redir, e)}
		case syntax.DplIn, syntax.DplOut:
			s.duplicate(redir, e, &r)
		default:
			s.redirectFile(redir, e, &r)
		}
	}
	return r
}

// document returns the text of a here-document or a here-string.
func (s *shell) document(redir *syntax.Redirect, e *env) string {
	word := redir.Hdoc
	raw := isQuotedWord(redir.Word)
	if redir.Op == syntax.WordHdoc {
		word, raw = redir.Word, false
	}
	if word == nil {
		return ""
	}
	if raw {
		return literalDocument(word)
	}
	texts := s.expandQuoted(word.Parts, e, redir.Op == syntax.WordHdoc)
	if len(texts) != 1 {
		return anyText
	}
	return texts[0] + "\n"
}

// isQuotedWord reports whether a here-document's delimiter is quoted, which makes its
// text literal.
func isQuotedWord(word *syntax.Word) bool {
	for _, part := range word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

func literalDocument(word *syntax.Word) string {
	var b strings.Builder
	for _, part := range word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			return anyText
		}
		b.WriteString(lit.Value)
	}
	return b.String()
}

// duplicate judges N>&M. A word that is no descriptor is a file, as in bash.
func (s *shell) duplicate(redir *syntax.Redirect, e *env, r *redirected) {
	for _, text := range s.text(redir.Word, e) {
		descriptor := strings.TrimSuffix(text, "-")
		if descriptor == "" || consistsOf(descriptor, "0123456789"+atomText) {
			r.hidden = r.hidden || redir.Op == syntax.DplOut && isStdout(redir) && descriptor != "1"
			continue
		}
		s.redirectFile(redir, e, r)
		return
	}
}

// redirectFile judges a redirection from or to a file.
func (s *shell) redirectFile(redir *syntax.Redirect, e *env, r *redirected) {
	reads := redir.Op == syntax.RdrIn || redir.Op == syntax.DplIn
	if source, ok := processSource(redir); ok && reads {
		r.in = input{piped: true, text: s.subshell(source.Stmts, e, input{})}
		return
	}
	for _, fields := range s.expand(redir.Word, e) {
		if len(fields) != 1 {
			s.deny(CodeDynamic, "a redirection needs exactly one file name. Write it out.")
			return
		}
		if reads {
			s.path(e, fields[0], accessRead)
			r.in = input{file: fields[0]}
			if text := s.files[fileKey(fields[0])]; text != "" && !isOpen(text) {
				r.in.piped, r.in.text = true, text
			}
			continue
		}
		s.path(e, fields[0], accessWrite)
		if isStdout(redir) {
			r.files, r.add = append(r.files, fields[0]), redir.Op == syntax.AppOut || redir.Op == syntax.AppAll
		}
	}
}

// processSource returns the program of < <(program), which is a pipe in other letters.
func processSource(redir *syntax.Redirect) (*syntax.ProcSubst, bool) {
	if len(redir.Word.Parts) != 1 || redir.N != nil && redir.N.Value != "0" {
		return nil, false
	}
	source, ok := redir.Word.Parts[0].(*syntax.ProcSubst)
	return source, ok && source.Op == syntax.CmdIn
}

// isStdout reports whether an output redirection concerns standard output.
func isStdout(redir *syntax.Redirect) bool { return redir.N == nil || redir.N.Value == "1" }

// capture takes note of what goes to a file and returns what is left on standard output.
func (s *shell) capture(r redirected, out string) string {
	for _, file := range r.files {
		s.wrote(file, out, r.add)
	}
	if r.hidden || r.files != nil {
		return ""
	}
	return out
}

// wrote remembers the text that the program wrote to a file, by its name in the path.
func (s *shell) wrote(file, text string, add bool) {
	key := fileKey(file)
	if add {
		text = joinOutput(s.files[key], text)
	}
	s.files[key] = text
}

// fileKey identifies a file within one program, by name alone: two files of one name are
// rarer than two spellings of one file.
func fileKey(file string) string {
	return file[strings.LastIndexByte(file, '/')+1:]
}

// path judges one access from every place where the shell may be. In a container or on
// another machine only a deletion matters: what lies there is nobody's to lose.
func (s *shell) path(e *env, word string, a access) {
	if s.away {
		if a >= accessDelete && !s.fresh {
			s.deny(CodeDestroysData, "deleting "+readable(word)+" in a container or on another machine is not undone. Leave it to the operator.")
		}
		return
	}
	for _, where := range e.cwd {
		if s.done() {
			return
		}
		key := pathKey{word, where, a}
		v, known := s.paths[key]
		if !known {
			s.work.spend(pathWork + len(word) + len(where.path))
			v = s.policy.judgePath(s.ws, word, where, a)
			s.paths[key] = v
		}
		s.take(v)
	}
}
