package nightgauge

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ngvet/ngvet/ngcore/stage"
	"github.com/ngvet/ngvet/plugin"
)

const runUsage = `Usage: nightgauge run [flags] -- PROMPT

Runs OpenCode once, unattended, with the nightgauge plugin in it, and proves that the plugin
loaded and judged every tool call. OpenCode gets private HOME, XDG and TMPDIR directories:
credentials come from environment variables or from --config.

  --opencode PATH      the opencode program (default: the one on PATH)
  --dir DIR            where the agent works (default: the current directory)
  --model ID           provider/model (default: the configuration's)
  --config FILE        an opencode.json; all of its keys are kept
  --policy FILE        the gate's policy (default: the built-in one)
  --stage NAME         the stage whose rules of the policy apply
  --plan FILE          Markdown file, relative to DIR: no task box "- [ ]" may be open at the end
  --verify COMMAND     command that must exit 0 at the end, split into words but not expanded
  --verify-shell       run the command of --verify through sh -c
  --timeout D          end the run after this time, such as 30m (default: no limit)
  --idle-timeout D     end the run when OpenCode prints nothing for so long, which a single
                       tool call must stay under (default: %s)
  --run-root DIR       directory for the run's files, outside of DIR (default: a new one)
  --run-id ID          name of the run (default: a new one)
  --any-version        run a version of OpenCode that has not been tested
  --json               print nothing but the result, as one JSON object

What happens is printed as it happens, then a summary with the place of the evidence. The
first word of the summary, and "class" in JSON, says how the run ended:

  ok            loaded, gated, ended well, and verified as complete
  blocked       the work is not done: open boxes, or the command of --verify failed
  no_verdict    ended well, but the verification left no result
  host_error    OpenCode ended with an error
  plugin_fatal  OpenCode ended with an error while it loaded the plugin
  hung          nothing was printed for the idle timeout
  interrupted   ended from outside, or by --timeout
  incompatible  the version of OpenCode or of the plugin does not fit
  ungated       the plugin did not load, or did not judge every tool call: do not use the work

A tool call that the gate denied is no failure of the run: the agent is told why and goes on.

Exit status: 0 ok, 1 any other class, 2 usage or environment (OpenCode was not started).
`

func runCommand() command {
	return command{
		name:    "run",
		args:    "[flags] -- PROMPT",
		summary: "run OpenCode supervised and report what the run was",
		run:     runRun,
	}
}

// runOptions are the command line of run.
type runOptions struct {
	stage.Config
	configFile string
	asJSON     bool
}

func runRun(ctx context.Context, inv Invocation) int {
	options, err := parseRun(inv)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(inv.Stdout, runUsage, stage.DefaultIdleTimeout)
		return ExitOK
	}
	if err != nil {
		return runFault(inv.Stderr, err, "nightgauge run -h shows how it is used")
	}
	if err := options.resolve(inv); err != nil {
		return runFault(inv.Stderr, err, "nothing was started; nightgauge run -h explains each flag")
	}
	report := newRunReport(inv.Stdout, inv.Getenv)
	if !options.asJSON {
		options.Observe = report.update
	}
	result, err := stage.Run(ctx, options.Config)
	if foreign := (*stage.ForeignCodeError)(nil); errors.As(err, &foreign) {
		return runFault(inv.Stderr, err, "OpenCode was not started; remove these from the work tree, or give what is trusted with --config")
	}
	if err != nil {
		return runFault(inv.Stderr, err, "OpenCode was not started")
	}
	if err := printResult(inv.Stdout, report, result, options.asJSON); err != nil {
		return runFault(inv.Stderr, err, "the evidence is in "+result.Files.Root)
	}
	if result.Class != stage.OK {
		return ExitFail
	}
	return ExitOK
}

func runFault(stderr io.Writer, err error, hint string) int {
	fmt.Fprintf(stderr, "error: %v\nhint: %s\n", err, hint)
	return ExitUsage
}

func printResult(stdout io.Writer, report *runReport, result stage.Result, asJSON bool) error {
	if !asJSON {
		return report.summary(result)
	}
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(result)
}

func parseRun(inv Invocation) (runOptions, error) {
	var o runOptions
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.OpenCode, "opencode", "opencode", "")
	flags.StringVar(&o.WorkDir, "dir", ".", "")
	flags.StringVar(&o.Model, "model", "", "")
	flags.StringVar(&o.configFile, "config", "", "")
	flags.StringVar(&o.GatePolicy, "policy", "", "")
	flags.StringVar(&o.StageName, "stage", "", "")
	flags.StringVar(&o.Plan, "plan", "", "")
	flags.StringVar(&o.StopVerify, "verify", "", "")
	flags.BoolVar(&o.StopVerifyShell, "verify-shell", false, "")
	flags.DurationVar(&o.Timeout, "timeout", 0, "")
	flags.DurationVar(&o.IdleTimeout, "idle-timeout", stage.DefaultIdleTimeout, "")
	flags.StringVar(&o.RunRoot, "run-root", "", "")
	flags.StringVar(&o.RunID, "run-id", "", "")
	flags.BoolVar(&o.AnyVersion, "any-version", false, "")
	flags.BoolVar(&o.asJSON, "json", false, "")
	if err := flags.Parse(inv.Args); err != nil {
		return o, err
	}
	o.HookBin = inv.Executable
	o.Prompt = strings.Join(flags.Args(), " ")
	switch {
	case strings.TrimSpace(o.Prompt) == "":
		return o, errors.New("expected a prompt, found none")
	case o.IdleTimeout <= 0:
		return o, fmt.Errorf("--idle-timeout: expected more than zero, found %s", o.IdleTimeout)
	case o.Timeout < 0:
		return o, fmt.Errorf("--timeout: expected no less than zero, found %s", o.Timeout)
	}
	return o, nil
}

// resolve turns what the command line names into what stage.Run wants: absolute paths, the
// content of the configuration, and a policy that the gate will be able to read.
func (o *runOptions) resolve(inv Invocation) (err error) {
	if o.OpenCode, err = exec.LookPath(o.OpenCode); err != nil {
		return fmt.Errorf("find OpenCode: %w", err)
	}
	for _, path := range []*string{&o.OpenCode, &o.WorkDir, &o.GatePolicy, &o.RunRoot} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if o.configFile != "" {
		if o.HostConfig, err = os.ReadFile(o.configFile); err != nil {
			return fmt.Errorf("read the OpenCode configuration: %w", err)
		}
	}
	_, _, err = loadGatePolicy(func(name string) string {
		return map[string]string{plugin.EnvGatePolicy: o.GatePolicy, plugin.EnvStage: o.StageName}[name]
	})
	return err
}
