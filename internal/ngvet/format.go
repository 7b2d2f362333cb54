package ngvet

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ngvet/ngvet/internal/finding"
)

// place is a position as the outputs show it.
type place struct {
	File      string `json:"file"` // relative to the working directory where it lies below
	Line      int    `json:"line"`
	Column    int    `json:"column"` // in bytes, from 1
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

// place renders a range. An empty range ends where it starts.
func (r *report) place(dir string, pos, end token.Pos) place {
	p := finding.Position(r.fset, pos)
	out := place{File: relative(dir, p.Filename), Line: p.Line, Column: p.Column, EndLine: p.Line, EndColumn: p.Column}
	if end > pos {
		e := finding.Position(r.fset, end)
		out.EndLine, out.EndColumn = e.Line, e.Column
	}
	return out
}

// relative shortens a path that lies below dir.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// writeText writes "file:line:column: message (rule)" and, indented, the other places.
func (r *report) writeText(w io.Writer, dir string) error {
	out := bufio.NewWriter(w)
	for _, p := range r.problems {
		at := r.place(dir, p.diag.Pos, p.diag.End)
		fmt.Fprintf(out, "%s:%d:%d: %s (%s)\n", at.File, at.Line, at.Column, oneLine(p.diag.Message), p.rule)
		for _, rel := range p.diag.Related {
			at := r.place(dir, rel.Pos, rel.End)
			fmt.Fprintf(out, "\t%s:%d:%d: %s\n", at.File, at.Line, at.Column, oneLine(rel.Message))
		}
	}
	return out.Flush()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// jsonProblem is one line of the JSON output. Its fields are a promise to users.
type jsonProblem struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	place
	Message string    `json:"message"`
	URL     string    `json:"url"`
	Fixes   []jsonFix `json:"fixes"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	place
	NewText string `json:"newText"`
}

// writeJSON writes one object a line.
func (r *report) writeJSON(w io.Writer, dir string) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, p := range r.problems {
		line := jsonProblem{
			Rule: p.rule, Severity: string(p.severity), place: r.place(dir, p.diag.Pos, p.diag.End),
			Message: p.diag.Message, URL: p.diag.URL, Fixes: []jsonFix{},
		}
		for _, f := range p.diag.SuggestedFixes {
			line.Fixes = append(line.Fixes, r.jsonFix(dir, f))
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (r *report) jsonFix(dir string, f analysis.SuggestedFix) jsonFix {
	out := jsonFix{Message: f.Message, Edits: []jsonEdit{}}
	for _, e := range f.TextEdits {
		out.Edits = append(out.Edits, jsonEdit{r.place(dir, e.Pos, e.End), string(e.NewText)})
	}
	return out
}
