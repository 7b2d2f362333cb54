package mirror

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"time"
)

// directive is one parsed //ngvet:mirror comment.
type directive struct {
	comment *ast.Comment

	file    string    // FILE as written
	path    string    // PATH, the part after '#'
	filePos token.Pos // of FILE
	pathPos token.Pos // of PATH
	argEnd  token.Pos // end of FILE#PATH

	view      view
	extent    extent
	unordered bool
	unit      time.Duration // of the JS number, for a Go time.Duration; 0 when not given
	fromJS    bool          // source=js: the JS side is the truth
}

// view selects what of a map or object takes part.
type view string

const (
	wholeView  view = ""
	keysView   view = "keys"
	valuesView view = "values"
)

// extent says which side may have more than the other.
type extent string

const (
	sameExtent     extent = ""
	subsetExtent   extent = "subset"   // every Go element is in JS
	supersetExtent extent = "superset" // every JS element is in Go
)

// malformed is a fault of the directive itself.
type malformed struct {
	pos, end token.Pos
	msg      string
}

func (e *malformed) Error() string { return e.msg }

// parseDirective parses a comment. It returns nil, nil when the comment is no mirror
// directive, and a *malformed error when it is a wrong one.
func parseDirective(c *ast.Comment) (*directive, error) {
	d, ok := ast.ParseDirective(c.Pos(), c.Text)
	if !ok || d.Tool != "ngvet" || d.Name != "mirror" {
		return nil, nil
	}
	args, err := d.ParseArgs()
	if err != nil {
		return nil, &malformed{c.Pos(), c.End(), err.Error()}
	}
	if len(args) == 0 {
		return nil, &malformed{c.Pos(), c.End(), "the directive needs a target: //ngvet:mirror FILE#PATH"}
	}
	out := &directive{comment: c}
	if err := out.setTarget(args[0]); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for _, arg := range args[1:] {
		name, _, _ := strings.Cut(arg.Arg, "=")
		if seen[name] {
			return nil, argError(arg, "option %q is given twice", name)
		}
		seen[name] = true
		if err := out.setOption(arg); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (d *directive) setTarget(arg ast.DirectiveArg) error {
	file, path, ok := strings.Cut(arg.Arg, "#")
	if !ok || file == "" || path == "" {
		return argError(arg, "target %q is not FILE#PATH", arg.Arg)
	}
	d.file, d.path = file, path
	d.filePos, d.argEnd = arg.Pos, arg.Pos+token.Pos(len(arg.Arg))
	d.pathPos = arg.Pos + token.Pos(len(file)+1)
	return nil
}

func (d *directive) setOption(arg ast.DirectiveArg) error {
	switch arg.Arg {
	case "subset", "superset":
		if d.extent != sameExtent {
			return argError(arg, "subset and superset exclude each other")
		}
		d.extent = extent(arg.Arg)
	case "keys", "values":
		if d.view != wholeView {
			return argError(arg, "keys and values exclude each other")
		}
		d.view = view(arg.Arg)
	case "unordered":
		d.unordered = true
	case "as=ms":
		d.unit = time.Millisecond
	case "as=s":
		d.unit = time.Second
	case "as=us":
		d.unit = time.Microsecond
	case "source=js":
		d.fromJS = true
	default:
		options := []string{"subset", "superset", "keys", "values", "unordered", "as=ms", "as=s", "as=us", "source=js"}
		return argError(arg, "option %q is none of %s", arg.Arg, strings.Join(options, ", "))
	}
	return nil
}

func argError(arg ast.DirectiveArg, format string, args ...any) error {
	return &malformed{arg.Pos, arg.Pos + token.Pos(len(arg.Arg)), fmt.Sprintf(format, args...)}
}

// isSetPath reports whether a path names things that the module does in no particular
// order, such as the environment names that it reads.
func isSetPath(path string) bool {
	head, _, _ := strings.Cut(path, "(")
	return slices.Contains([]string{"env", "calls", "argv"}, head)
}

// describePath names what a path denotes, for a message.
func describePath(path string) string {
	inner := func(prefix string) string {
		return strings.TrimSuffix(strings.TrimPrefix(path, prefix), ")")
	}
	switch {
	case path == "env":
		return "process.env of the module"
	case path == "default":
		return "the default export"
	case strings.HasPrefix(path, "calls("):
		return "the calls of " + inner("calls(")
	case strings.HasPrefix(path, "argv("):
		return "the argument vectors of " + inner("argv(")
	case strings.HasPrefix(path, "returned("):
		return "the result of " + inner("returned(")
	}
	return path
}
