package ngvet_test

// ruled are held by rules.
var ruled = []invariant{
	{"hooks that are registered are those declared", "hookname/declared", []mutation{
		change("registered hook in JS", "plugin/nightgauge.js", `    event: report`, `    events: report`, "hookname/declared").foundBy("hookname/unknown"),
	}},
	{"kinds of written events are known", "eventdetail/unknownkind", []mutation{
		change("unknown kind of a call in JS", "plugin/nightgauge/session.js", `appendEvent("compaction"`, `appendEvent("Compaction"`, "eventdetail/unknownkind").foundBy("mirror/differs"),
	}},
	{"events have no key that names text", "eventdetail/bannedkey", []mutation{
		change("text key of a call in JS", "plugin/nightgauge/session.js", `detail: { source: "command",`, `detail: { text: command, source: "command",`, "eventdetail/bannedkey"),
		change("text key in Go", "ngcore/detail_mutant.go", "", "package ngcore\n\nfunc mutant(msg string) Event {\n\treturn Event{Kind: \"idle\", Detail: map[string]any{\"text\": msg}}\n}\n", "eventdetail/bannedkey"),
	}},
	{"events have no free text", "eventdetail/freetext", []mutation{
		change("model text of a call in JS", "plugin/nightgauge/session.js", `skill: sanitizeEventID(args?.name)`, `skill: args?.name`, "eventdetail/freetext"),
		change("free text in Go", "ngcore/detail_mutant.go", "", "package ngcore\n\nfunc mutant(msg string) Event {\n\treturn Event{Kind: \"idle\", Detail: map[string]any{\"cause\": msg}}\n}\n", "eventdetail/freetext"),
	}},
	{"events have scalars only", "eventdetail/nonscalar", []mutation{
		change("list in Go", "ngcore/detail_mutant.go", "", "package ngcore\n\nfunc mutant(ids []string) Event {\n\treturn Event{Kind: \"idle\", Detail: map[string]any{\"ids\": ids}}\n}\n", "eventdetail/nonscalar"),
	}},
	{"the plugin prints nothing over the host's screen", "pluginhost/stdout", []mutation{
		change("console.log in JS", "plugin/nightgauge.js", `  return hooks;`, "  console.log(\"ready\");\n  return hooks;", "pluginhost/stdout"),
	}},
	{"the factory returns its hooks", "pluginload/returnsnothing", []mutation{
		change("return in JS", "plugin/nightgauge.js", `  return hooks;`, `  if (isFirst) return hooks;`, "pluginload/returnsnothing"),
	}},

	{"the plugin is whole where the binary writes it", "embedtree/missing", []mutation{
		change("pattern that leaves out the modules", "plugin/embed.go", `//go:embed nightgauge.js all:nightgauge`, `//go:embed nightgauge.js`, "embedtree/missing").times(2).at("plugin/nightgauge.js:"),
		change("import of a module that is not there", "plugin/nightgauge/runs.js", `"./breaker.js"`, `"./braker.js"`, "embedtree/missing"),
		change("import from outside of the tree", "plugin/nightgauge/runs.js", `"./breaker.js"`, `"../../ngcore/breaker.js"`, "embedtree/missing"),
		change("name of the entry in a URL", "plugin/nightgauge/handshake.js", "`../${ENTRY_FILE}`", "`./${ENTRY_FILE}`", "embedtree/missing"),
	}},
	{"hidden files of the tree are embedded", "embedtree/hidden", []mutation{
		change("pattern without all:", "plugin/embed.go", `all:nightgauge`, `nightgauge`, "embedtree/hidden").after(
			edit{"plugin/nightgauge/_limit.js", "", "export const RUNS_MAX = 64;\n"},
			edit{"plugin/nightgauge/runs.js", `export const RUNS_MAX = 64;`, `export { RUNS_MAX } from "./_limit.js";` + "\n" + `import { RUNS_MAX } from "./_limit.js";`}),
	}},
	{"the plugin needs nothing but Node and itself", "embedtree/outside", []mutation{
		change("bare import", "plugin/nightgauge/hook_bin.js", `from "node:path"`, `from "pathe"`, "embedtree/outside"),
		change("import of a variable", "plugin/nightgauge.js", `  return hooks;`, "  if (input.extra) await import(input.extra);\n  return hooks;", "embedtree/outside"),
	}},
	{"the embedded bytes are the same on every platform", "embedtree/eol", []mutation{
		change("line ends of the modules", ".gitattributes", "*.js        text eol=lf\n", "", "embedtree/eol").times(2).at("plugin/embed.go:"),
		change("line ends of the modules but the entry", ".gitattributes", "*.js        text eol=lf\n", "nightgauge.js text eol=lf\n", "embedtree/eol").at("plugin/embed.go:"),
		change("line ends left to git", ".gitattributes", "*.js        text eol=lf\n", "*.js text=auto\n", "embedtree/eol").times(2).at("plugin/embed.go:"),
		change("line ends taken back below", "plugin/.gitattributes", "", "nightgauge.js -text\nnightgauge/** !eol\n", "embedtree/eol").at("plugin/embed.go:"),
	}},

	{"every verdict of the handshake counts", "handshake/dropped", []mutation{
		change("verdict at the first step", "ngcore/stage/supervise.go", `return s.handshake.StepStart()`, "s.handshake.StepStart()", "handshake/dropped"),
		change("verdict at a call", "ngcore/stage/supervise.go", `return s.handshake.ToolUse(ev.Start)`, "_ = s.handshake.ToolUse(ev.Start)\n\treturn nil", "handshake/dropped"),
		change("verdict at exit", "ngcore/stage/judge.go", "if !errors.As(s.handshake.Exit(), &incompatible) {\n\t\t\treturn\n\t\t}", "s.handshake.Exit()\n\t\treturn", "handshake/dropped"),
		change("verdict of a helper", "ngcore/stage/supervise.go", "if err := s.take(ev); err != nil {\n\t\t\ts.cancel(err)\n\t\t}", "s.take(ev)", "handshake/dropped"),
	}},
	{"a run is proven at its start and at its end", "handshake/half", []mutation{
		change("no check at exit", "ngcore/stage/judge.go", "if !errors.As(s.handshake.Exit(), &incompatible) {\n\t\t\treturn\n\t\t}", "return", "handshake/half").times(4),
	}},
	{"every run has its own nonce", "handshake/nonce", []mutation{
		change("constant nonce", "ngcore/stage/prepare.go", "nonce, err := ngcore.NewNonce()\n\tif err != nil {\n\t\treturn err\n\t}", `const nonce = "0123456789abcdef"`, "handshake/nonce"),
		change("nonce of the process", "ngcore/stage/prepare.go", "nonce, err := ngcore.NewNonce()\n\tif err != nil {\n\t\treturn err\n\t}", "nonce := processNonce", "handshake/nonce").after(
			edit{"ngcore/stage/nonce_mutant.go", "", "package stage\n\nimport \"github.com/ngvet/ngvet/ngcore\"\n\nvar processNonce, _ = ngcore.NewNonce()\n"}),
	}},
	{"no run starts with an old sentinel", "handshake/stale", []mutation{
		change("old sentinel", "ngcore/stage/prepare.go", `return ngcore.DeleteStaleSentinel(p.files.Sentinel)`, `return nil`, "handshake/stale").at("ngcore/stage/stage.go:"),
	}},

	{"nobody who holds OpenCode's output open holds the run", "runexit/waitdelay", []mutation{
		change("delay of the probe", "scripts/reprobe/run.go", "\tcmd.WaitDelay = 2 * time.Second\n", "", "runexit/waitdelay"),
	}},
	{"an output that was held open is no failure", "runexit/waitdelayerr", []mutation{
		change("error of the question for the version", "ngcore/stage/stage.go", `errors.Is(err, exec.ErrWaitDelay)`, `errors.Is(err, context.Canceled)`, "runexit/waitdelayerr"),
		change("error of the probe", "scripts/reprobe/run.go", `errors.Is(err, exec.ErrWaitDelay)`, `errors.Is(err, context.Canceled)`, "runexit/waitdelayerr"),
	}},
	{"every run of OpenCode has an end", "runexit/nodeadline", []mutation{
		change("probe without a context", "scripts/reprobe/run.go", `exec.CommandContext(ctx, opencode, "run"`, `exec.CommandContext(context.Background(), opencode, "run"`, "runexit/nodeadline").after(
			edit{"scripts/reprobe/run.go", "\tcmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }\n", ""}),
	}},
	{"the verdict is waited for", "runexit/earlyread", []mutation{
		change("events at the end of the process", "ngcore/stage/supervise.go", "\terr = cmd.Wait()\n\trelease()", "\terr = cmd.Wait()\n\tevents, _ := ngcore.ReadRunEvents(s.files.Events)\n\ts.result.Verdict = s.verdictIn(events)\n\trelease()", "runexit/earlyread"),
	}},
	{"the hook binary is never a test binary", "runexit/testbinary", []mutation{
		change("own executable as hook binary", "internal/nightgauge/run.go", `o.HookBin = inv.Executable`, `o.HookBin, _ = os.Executable()`, "runexit/testbinary"),
	}},

	{"a file is replaced from beside it", "statefile/tempelsewhere", []mutation{
		change("copy of the events file elsewhere", "ngcore/events_seal.go", `staged := name + ".new"`, `staged := os.TempDir() + "/events.new"`, "statefile/tempelsewhere"),
	}},
	{"long lines of a record are read", "statefile/scanner", []mutation{
		change("scanner of the probe", "scripts/reprobe/run.go", "\tin.Buffer(nil, 16<<20)", "\t", "statefile/scanner"),
	}},
	{"a directory beside the work tree is not in it", "statefile/prefix", []mutation{
		change("root of the run", "ngcore/stage/prepare.go", `if rel, err := filepath.Rel(workDir, dir); err == nil && filepath.IsLocal(rel) {`, `if strings.HasPrefix(filepath.Clean(dir), filepath.Clean(workDir)) {`, "statefile/prefix"),
	}},

	{"the event handler does not throw at the host", "hookasync/syncevent", []mutation{
		change("event handler that is not async", "plugin/nightgauge.js", `    event: report(run.session.event),`, `    event: ({ event }) => { JSON.parse(event.type); },`, "hookasync/syncevent"),
	}},
	{"the plugin does not end the host", "pluginhost/hostexit", []mutation{
		change("exit in a hook", "plugin/nightgauge/session.js", `    if (text === "") return;`, `    if (text === "") process.exit(0);`, "pluginhost/hostexit"),
	}},
	{"the plugin runs in Node", "pluginhost/bunonly", []mutation{
		change("sleep of Bun", "plugin/nightgauge/turn.js", `  Atomics.wait(cell, 0, 0, ms);`, `  Bun.sleepSync(ms);`, "pluginhost/bunonly"),
	}},
	{"the entry is a plugin of version 1", "pluginload/v1shape", []mutation{
		change("id of the plugin", "plugin/nightgauge.js", `{ id: "nightgauge", server }`, `{ server }`, "pluginload/v1shape"),
		change("start of the plugin", "plugin/nightgauge.js", `{ id: "nightgauge", server }`, `{ id: "nightgauge", server: 1 }`, "pluginload/v1shape").foundBy("ngvet/unused"),
	}},
	{"the start of the plugin does not fail", "pluginload/throwsatinit", []mutation{
		change("start that throws", "plugin/nightgauge.js", `  const { run, isFirst }`, "  if (!input.directory) throw new Error(\"no directory\");\n  const { run, isFirst }", "pluginload/throwsatinit"),
	}},
	{"hooks have the names of the host", "hookname/unknown", []mutation{
		change("hook of a later call", "plugin/nightgauge.js", `    "tool.execute.before": run.gate,`, `    "tool.execute.befor": run.gate,`, "hookname/unknown").foundBy("hookname/declared"),
	}},
	{"hooks are functions", "hookname/notfunction", []mutation{
		change("hook that is none", "plugin/nightgauge.js", `    event: report(run.session.event),`, `    event: { on: report(run.session.event) },`, "hookname/notfunction"),
	}},
	{"temporary files of two processes differ", "pluginstate/weaktemp", []mutation{
		change("temporary sentinel that is not exclusive", "plugin/nightgauge/handshake.js", "const temp = `${file}.${randomBytes(8).toString(\"hex\")}.tmp`;\n  const fd = createExclusive(temp);", "const temp = `${file}.tmp`;\n  const fd = fs.openSync(temp, \"w\");", "pluginstate/weaktemp"),
	}},
}
