// Package runexit finds Go code that goes wrong at the end of a run of OpenCode.
//
// The process of the run ends before its work does: the plugin leaves a child behind that
// writes the stop_verify event seconds later, and shells, language servers and MCP servers
// may hold the pipes of the run for as long as they live. Code that takes the end of the
// process for the end of the run loses the verdict, hangs, or fails a run that went well.
//
// The check follows values and the flow of control within one package and into its helpers.
// What a helper in another package of the main module, or of a module that is replaced by a
// directory, does comes from facts about that package. It speaks about commands that are
// OpenCode: the name is the constant "opencode" or ends in it, comes from
// exec.LookPath("opencode"), or the arguments are "run" with "--format", "json". A command
// whose name is a plain variable is not known to be one, and is left alone, as are verbs
// other than run, which print something and end.
//
// # runexit/earlyread
//
// The events of a run are read after its process has ended, and nothing waits for the
// verdict. The stop_verify event is written by a detached child, often after the exit of
// the CLI: the run counts as unverified now and then, mostly on a busy machine.
//
// Bad:
//
//	err := cmd.Wait()
//	events, readErr := ngcore.ReadRunEvents(path)
//
// Good:
//
//	err := cmd.Wait()
//	events, readErr := ngcore.WaitForRunEvent(path, "stop_verify", 30*time.Second)
//
// A read is fine when every way from the end of the process to it waits. The end, the wait
// and the read may be in helpers; the rule wants a function that has all of them, itself or
// by what it calls. A wait that happens before that function is called is not seen.
//
// # runexit/waitdelay
//
// OpenCode runs with its output going to a writer that is not a file, and without a
// WaitDelay. Then Wait copies until the last process that inherited the pipe has closed it,
// not until OpenCode ends: one child left behind holds a finished run for its whole life,
// and killing OpenCode at a deadline does not help.
//
// Bad:
//
//	cmd := exec.CommandContext(ctx, "opencode", "run", prompt)
//	cmd.Stdout = &buf
//	err := cmd.Run()
//
// Good:
//
//	cmd := exec.CommandContext(ctx, "opencode", "run", prompt)
//	cmd.Stdout = &buf
//	cmd.WaitDelay = 5 * time.Second
//	err := cmd.Run()
//
// A command that leaves the function, or is handed to another, is left alone.
//
// # runexit/waitdelayerr
//
// A command has a WaitDelay, and its error is tested without regard to exec.ErrWaitDelay,
// which says that the command exited with 0 while another process still held its output.
// A run that went well counts as failed, with a complete result in hand.
//
// Bad:
//
//	cmd.Stdout, cmd.WaitDelay = &out, time.Second
//	if err := cmd.Run(); err != nil {
//		return err
//	}
//
// Good:
//
//	cmd.Stdout, cmd.WaitDelay = &out, time.Second
//	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
//		return err
//	}
//
// Silent where the function mentions exec.ErrWaitDelay, asks the process state, or hands the
// error to a function that does or to one that is neither of this package nor of the standard
// library; and where input and outputs are files or none, so that nothing is copied. The rule
// looks at any command, not only at OpenCode: the delay says that children are expected.
//
// # runexit/nodeadline
//
// OpenCode is run without anything that ends it. A provider that never answers, or a prompt
// that waits for a person, keeps it, and whoever waits for it, for ever.
//
// Bad:
//
//	out, err := exec.Command("opencode", "run", prompt).Output()
//
// Good:
//
//	ctx, cancel := context.WithTimeout(ctx, time.Hour)
//	defer cancel()
//	cmd := exec.CommandContext(ctx, "opencode", "run", prompt)
//
// A context that comes from elsewhere is taken to end. So is a command whose process the
// function, or a literal in it, kills or signals.
//
// # runexit/testbinary
//
// A library takes its own executable for the hook binary. In a test that is the test binary: it runs every test
// again, which start it again, each without a time limit and orphaned.
//
// Bad:
//
//	self, err := os.Executable()
//	return exec.Command(self, "hook", "stop-verify").Start()
//
// Good:
//
//	return exec.Command(cfg.HookBin, "hook", "stop-verify").Start()
//
// Outside of package main, for os.Executable and os.Args[0] that run a hook (the first argument
// is "hook") or become the HookBin of a stage. A program may well start itself otherwise. Silent
// where the function asks testing.Testing, looks for the suffix ".test", or passes a "-test."
// flag, and in tests of a package with a TestMain.
package runexit
