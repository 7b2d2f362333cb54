package nightgauge

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/ngvet/ngvet/ngcore/stage"
)

// runReport prints a run for people.
//
// Its rules: one line for each thing that happened, what the agent did indented below its
// step; what the gate refused stands out; text of the model or the host is cut to one line
// and loses its control characters, so that it cannot steer the terminal.
type runReport struct {
	w      io.Writer
	colour bool
}

func newRunReport(w io.Writer, getenv func(string) string) *runReport {
	file, ok := w.(*os.File)
	if !ok || getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return &runReport{w: w}
	}
	info, err := file.Stat()
	return &runReport{w: w, colour: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

const (
	red    = "31"
	green  = "32"
	yellow = "33"
	faint  = "2"
)

func (r *runReport) paint(colour, text string) string {
	if !r.colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// update prints one thing as it happens. A failure to print shows at the summary.
func (r *runReport) update(u stage.Update) {
	line := ""
	switch u.Kind {
	case stage.UpdateStart:
		line = fmt.Sprintf("OpenCode %s, evidence in %s", oneLine(u.Version), u.Root)
	case stage.UpdateStep:
		line = fmt.Sprintf("step %d", u.Step)
	case stage.UpdateText:
		line = "  " + r.paint(faint, "says: "+oneLine(u.Text))
	case stage.UpdateCall:
		line = "  " + oneLine(u.Tool) + ": " + r.callState(u)
	case stage.UpdateCompaction:
		line = "  compaction"
	case stage.UpdatePermission:
		line = "  " + r.paint(yellow, "permission asked for and refused: nobody is there to answer")
	case stage.UpdateError:
		line = r.paint(red, "OpenCode: "+oneLine(u.Text))
	case stage.UpdateVerify:
		line = "OpenCode has ended; waiting for the verdict"
	}
	if line != "" {
		fmt.Fprintln(r.w, line)
	}
}

func (r *runReport) callState(u stage.Update) string {
	switch {
	case u.Denied:
		return r.paint(yellow, "denied: "+oneLine(u.Text))
	case u.Status == "completed":
		return "done"
	}
	return "failed: " + oneLine(u.Text)
}

// summary prints what the run was.
func (r *runReport) summary(result stage.Result) error {
	colour := red
	if result.Class == stage.OK {
		colour = green
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n%s: %s\n\n", r.paint(colour, string(result.Class)), oneParagraph(result.Reason))
	tw := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "  duration\t%s\n", (time.Duration(result.DurationMS) * time.Millisecond).Round(100*time.Millisecond))
	fmt.Fprintf(tw, "  steps\t%d\n", result.Steps)
	fmt.Fprintf(tw, "  tokens\t%d in, %d out, %d from the cache\n", result.Tokens.Input, result.Tokens.Output, result.Tokens.CacheRead)
	fmt.Fprintf(tw, "  cost\t$%.4f\n", result.Cost)
	fmt.Fprintf(tw, "  tool calls\t%d allowed, %d denied\n", result.Allowed, result.Denied)
	fmt.Fprintf(tw, "  compactions\t%d\n", result.Compactions)
	fmt.Fprintf(tw, "  verdict\t%s\n", describeVerdict(result.Verdict))
	for _, note := range result.Notes {
		fmt.Fprintf(tw, "  note\t%s\n", oneParagraph(note))
	}
	fmt.Fprintf(tw, "  evidence\t%s\n", result.Files.Root)
	tw.Flush()
	_, err := r.w.Write(b.Bytes())
	if err != nil {
		return fmt.Errorf("print the summary: %w", err)
	}
	return nil
}

func describeVerdict(v *stage.Verdict) string {
	if v == nil {
		return "none"
	}
	text := fmt.Sprintf("%s (%s)", v.Verdict, v.Code)
	if v.Open+v.Done > 0 {
		text += fmt.Sprintf(", %d of %d boxes open", v.Open, v.Open+v.Done)
	}
	if v.Exit != nil {
		text += fmt.Sprintf(", exit status %d", *v.Exit)
	}
	return text
}

// oneLine shortens text to what fits beside a label.
func oneLine(text string) string {
	const width = 160
	text = oneParagraph(text)
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return text
}

// oneParagraph takes line breaks and everything that a terminal would act on out of text.
func oneParagraph(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return ' '
		}
		if !unicode.IsGraphic(c) {
			return unicode.ReplacementChar
		}
		return c
	}, text)), " ")
}
