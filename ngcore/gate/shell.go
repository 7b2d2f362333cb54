package gate

import (
	"errors"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Limits of one judged command. No honest command comes near them; they bound the work.
const (
	commandMaxBytes = 128 << 10 // Linux passes no longer single argument (MAX_ARG_STRLEN)
	maxOpenBrackets = 200       // the parser recurses per bracket
	maxNesting      = 12        // programs within programs: bash -c, eval, substitutions
	maxSteps        = 20000     // simple commands judged, counting repetitions
	maxWork         = 1 << 20   // units of work, see work.spend
	maxPathBytes    = 4096      // PATH_MAX of Linux
	maxCases        = 32        // values of one command line
	maxFields       = 2048      // words of one command line
)

// work counts what judging one call has cost so far.
type work int

// The units that the dearer things cost; copying one value or reading one byte is one.
const (
	stepWork = 20
	pathWork = 100
)

func (w *work) spend(units int) { *w += work(units) }

// over reports whether the call has to be denied as too complex.
func (w *work) over() bool { return *w > maxWork }

// pathKey identifies one judged access.
type pathKey struct {
	word  string
	where place
	a     access
}

// shell judges one shell program and the programs nested in it. The first denial stands.
type shell struct {
	decider
	verdict Verdict
	steps   int
	work    *work
	paths   map[pathKey]Verdict // what was judged before
	nesting int
	calls   []functionCall // being judged, outermost first
	fresh   bool           // judging what runs in a new container, which holds nothing to lose
	away    bool           // judging what runs in a container or on another machine

	// files maps what this program wrote to the text it wrote there, so that a script
	// that is written and run in one command is judged like the command that it is.
	files map[string]string
}

// judgeBash judges the argument "command" in the directory "workdir".
func judgeBash(d decider, args map[string]any) Verdict {
	text, v := stringArg(args, "command", required)
	if v.Decision != "" {
		return v
	}
	workdir, v := stringArg(args, "workdir", optional)
	if v.Decision != "" {
		return v
	}
	start := d.start()
	if workdir != "" {
		if v := d.policy.judgePath(d.ws, literalPath(workdir), start, accessRead); v.Decision != "" {
			return v
		}
		start = start.enter(d.ws, literalPath(workdir))
	}
	e := newEnv(start)
	s := &shell{decider: d, files: map[string]string{}, work: e.work, paths: map[pathKey]Verdict{}}
	s.program(text, e, input{})
	if s.work.over() {
		s.deny(CodeTooComplex, tooMuch)
	}
	if v := s.verdict; v.Decision != "" {
		return v
	}
	if s.steps == 0 {
		return denied(CodeNoCommand, "there is no command in the text. Send the command to run.")
	}
	return Verdict{}
}

const tooMuch = "the command has too many cases to judge. Split it, or write a script file."

// done reports whether nothing that follows can change the verdict. A call that is
// explained is judged to its end.
func (s *shell) done() bool {
	return s.work.over() || s.verdict.Decision == Deny && s.trace == nil
}

// deny records a denial. The first one is the verdict.
func (s *shell) deny(code Code, reason string) {
	s.take(denied(code, reason))
}

// take records v when it is a denial and none is recorded yet.
func (s *shell) take(v Verdict) {
	if v.Decision == Deny && s.verdict.Decision == "" {
		s.verdict = v
	}
}

// program parses and judges a text that a shell runs. Text that bash reads in one way and
// a POSIX shell in another is judged in both.
func (s *shell) program(text string, e *env, in input) result {
	if isDynamic(text) {
		s.deny(CodeDynamic, "a shell would run text that is known only when the command runs. Write the commands out.")
		return result{ok: e, bad: e, out: anyText}
	}
	if s.nesting++; s.nesting > maxNesting {
		s.deny(CodeTooComplex, "programs are nested too deeply. Run the inner command directly.")
		return result{ok: e, bad: e, out: anyText}
	}
	defer func() { s.nesting-- }()
	if s.work.spend(len(text)); s.done() {
		return result{ok: e, bad: e, out: anyText}
	}
	f, err := parseShell(text, syntax.LangBash)
	if err != nil {
		code := CodeParseError
		if _, tooComplex := err.(limitError); tooComplex {
			code = CodeTooComplex
		}
		s.deny(code, "the command cannot be parsed ("+err.Error()+"). Check the quotes, or write a script file with the write tool.")
		return result{ok: e, bad: e, out: anyText}
	}
	if strings.Contains(text, "&>") || strings.Contains(text, "$'") || strings.Contains(text, `$"`) {
		if f, err := parseShell(text, syntax.LangPOSIX); err == nil {
			s.block(f.Stmts, e.clone(), in)
		}
	}
	return s.whole(f.Stmts, e, in)
}

// limitError says that a program is larger than the gate parses.
type limitError string

func (e limitError) Error() string { return string(e) }

// parseShell parses text after checks that keep the parser's recursion bounded.
func parseShell(text string, lang syntax.LangVariant) (*syntax.File, error) {
	if len(text) > commandMaxBytes {
		return nil, limitError("it is longer than 128 KiB")
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not valid UTF-8")
	}
	if openBrackets(text) > maxOpenBrackets {
		return nil, limitError("its brackets are nested too deeply")
	}
	return syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
}

// openBrackets returns the largest number of brackets and block words that are open at
// once, not counting how they are quoted.
func openBrackets(text string) int {
	open, most := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[', '`':
			open++
		case ')', '}', ']':
			open = max(open-1, 0)
		case '\n':
			open -= strings.Count(lineBefore(text, i), "`")
			open = max(open, 0)
		}
		most = max(most, open)
	}
	return max(most, blockWords(text))
}

func lineBefore(text string, i int) string {
	return text[strings.LastIndexByte(text[:i], '\n')+1 : i]
}

// blockWords counts how deep the compound commands of text could nest at most.
func blockWords(text string) int {
	open, most := 0, 0
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c <= ' ' || c == ';' || c == '(' || c == '&' || c == '|' }) {
		switch word {
		case "if", "while", "until", "for", "case", "select", "!", "time", "coproc", "function":
			open++
		case "fi", "done", "esac":
			open = max(open-1, 0)
		}
		most = max(most, open)
	}
	return most
}
