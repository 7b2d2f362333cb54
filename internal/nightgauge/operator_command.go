package nightgauge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/ngvet/ngvet/internal/shellword"
)

// operatorArgv turns an operator's command into an argument vector. With shell set, sh -c
// gets it as it is. Otherwise it is a JSON array of strings, or one command whose words are
// split and unquoted as a shell does it; what only a shell can do (expansion, patterns,
// redirection, pipes, lists, assignments) is refused, never passed on literally.
func operatorArgv(command string, shell bool) ([]string, error) {
	if shell {
		return []string{"sh", "-c", command}, nil
	}
	if strings.HasPrefix(strings.TrimSpace(command), "[") {
		return jsonArgv(command)
	}
	return wordsArgv(command)
}

func jsonArgv(command string) ([]string, error) {
	var elements []*string // a pointer tells null from ""
	if err := json.Unmarshal([]byte(command), &elements); err != nil {
		return nil, fmt.Errorf("expected a JSON array of strings: %w", err)
	}
	argv := make([]string, len(elements))
	for i, element := range elements {
		if element == nil {
			return nil, fmt.Errorf("expected a JSON array of strings, found null")
		}
		argv[i] = *element
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, fmt.Errorf("expected a program as first element, found none")
	}
	return argv, nil
}

func wordsArgv(command string) ([]string, error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return nil, fmt.Errorf("expected the words of one command: %w", err)
	}
	call, err := plainCall(file)
	if err != nil {
		return nil, err
	}
	argv := make([]string, len(call.Args))
	for i, word := range call.Args {
		if err := checkPlain(word); err != nil {
			return nil, err
		}
		text, ok := shellword.Text(word)
		if !ok {
			return nil, errExpansion
		}
		argv[i] = text
	}
	return argv, nil
}

// plainCall returns the one command of file that a process can be started from directly.
func plainCall(file *syntax.File) (*syntax.CallExpr, error) {
	if len(file.Stmts) != 1 {
		return nil, fmt.Errorf("expected one command, found %d", len(file.Stmts))
	}
	stmt := file.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	switch {
	case !ok || stmt.Negated || stmt.Background || stmt.Coprocess:
		return nil, fmt.Errorf("expected one simple command, found a construct of the shell")
	case len(stmt.Redirs) > 0:
		return nil, fmt.Errorf("expected a command without redirection")
	case len(call.Assigns) > 0:
		return nil, fmt.Errorf("expected a command without assignments in front")
	}
	return call, nil
}

// checkPlain refuses a word that a shell would do more with than remove its quotes.
func checkPlain(word *syntax.Word) error {
	for i, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if i == 0 && strings.HasPrefix(part.Value, "~") || hasPattern(part.Value) {
				return fmt.Errorf("expected a plain word, found %s, which a shell would expand: quote it", part.Value)
			}
		case *syntax.SglQuoted:
			if part.Dollar {
				return errExpansion
			}
		case *syntax.DblQuoted:
			if part.Dollar || !isLiteral(part.Parts) {
				return errExpansion
			}
		default:
			return errExpansion
		}
	}
	return nil
}

var errExpansion = errors.New("expected plain words, found an expansion")

func isLiteral(parts []syntax.WordPart) bool {
	for _, part := range parts {
		if _, ok := part.(*syntax.Lit); !ok {
			return false
		}
	}
	return true
}

// hasPattern reports whether an unquoted literal has a character that starts a file name
// pattern or a brace expansion, other than after a backslash.
func hasPattern(literal string) bool {
	for i := 0; i < len(literal); i++ {
		switch literal[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		case '{':
			return literal != "{}"
		}
	}
	return false
}
