package ngvet_test

import "slices"

// invariant is a fact of this repository that a directive or a rule holds. docs/invariants.md
// lists them all.
type invariant struct {
	what      string
	holder    string // the directive's target, or the rule
	mutations []mutation
}

// mutation changes one side of one invariant.
type mutation struct {
	name string
	edit
	rule   string
	where  string   // the file that the finding is in, if not the one that changed
	sides  []string // other places that the report must name
	before []edit   // harmless by themselves
	count  int      // of findings of the rule
	also   []string // other rules that find it, each once
}

// edit changes one file.
type edit struct {
	file     string // relative to the module
	old, new string // of the first occurrence; without old the file is new
}

// change returns the mutation that replaces old by new.
func change(name, file, old, new, rule string, sides ...string) mutation {
	return mutation{name: name, edit: edit{file, old, new}, rule: rule, sides: sides, count: 1}
}

// times is the mutation with n findings.
func (m mutation) times(n int) mutation {
	m.count = n
	return m
}

// at is the mutation that is found in another file.
func (m mutation) at(place string) mutation {
	m.where = place
	return m
}

// foundBy is the mutation that another rule finds as well.
func (m mutation) foundBy(rule string) mutation {
	m.also = append(m.also, rule)
	return m
}

// after is the mutation of a copy with edits that are harmless by themselves.
func (m mutation) after(edits ...edit) mutation {
	m.before = edits
	return m
}

// mirrored is an invariant between a Go file and a module of plugin/nightgauge, with one
// mutation of each.
func mirrored(what, holder string, goSide, jsSide [3]string) invariant {
	goFile, jsFile := "plugin/"+goSide[0], "plugin/nightgauge/"+jsSide[0]
	return invariant{what, holder, []mutation{
		change(what+" in Go", goFile, goSide[1], goSide[2], "mirror/differs", jsFile+":"),
		change(what+" in JS", jsFile, jsSide[1], jsSide[2], "mirror/differs", goFile+":"),
	}}
}

// and adds mutations to an invariant.
func (i invariant) and(more ...mutation) invariant {
	i.mutations = append(i.mutations, more...)
	return i
}

// inJSFoundBy says that another rule finds the mutation in JS as well.
func (i invariant) inJSFoundBy(rule string) invariant {
	i.mutations[1] = i.mutations[1].foundBy(rule)
	return i
}

// invariants are all of them, those of rules in contracts_rules_test.go.
var invariants = slices.Concat(mirrors, ruled)

// mirrors are held by directives.
var mirrors = []invariant{
	mirrored("version of the contract", "nightgauge/handshake.js#PLUGIN_VERSION",
		[3]string{"handshake.go", `Version = "1"`, `Version = "2"`},
		[3]string{"handshake.js", `PLUGIN_VERSION = "1"`, `PLUGIN_VERSION = "l"`}),
	mirrored("hook names", "nightgauge/handshake.js#HOOK_NAMES",
		[3]string{"handshake.go", `"permission.ask"`, `"permission.asked"`},
		[3]string{"handshake.js", `  "tool.execute.after",`, `  "tool.execute.After",`}).and(
		change("hook order in Go", "plugin/handshake.go", "\t\"tool.execute.before\",\n\t\"tool.execute.after\",", "\t\"tool.execute.after\",\n\t\"tool.execute.before\",", "mirror/differs", "plugin/nightgauge/handshake.js:"),
		change("hook order in JS", "plugin/nightgauge/handshake.js", "  \"tool.execute.before\",\n  \"tool.execute.after\",", "  \"tool.execute.after\",\n  \"tool.execute.before\",", "mirror/differs", "plugin/handshake.go:").foundBy("hookname/declared")).inJSFoundBy("hookname/declared"),
	mirrored("format of the sentinel", "nightgauge/handshake.js#SENTINEL_FORMAT",
		[3]string{"handshake.go", `SentinelFormat = 1`, `SentinelFormat = 2`},
		[3]string{"handshake.js", `SENTINEL_FORMAT = 1`, `SENTINEL_FORMAT = "1"`}).and(
		change("renamed constant in JS", "plugin/nightgauge/handshake.js", `export const SENTINEL_FORMAT`, `export const SENTINEL_FORMATS`, "mirror/missing", "plugin/handshake.go:"),
		change("constant in JS that is only known at run time", "plugin/nightgauge/handshake.js", `SENTINEL_FORMAT = 1`, `SENTINEL_FORMAT = Number(process.argv[2])`, "mirror/notconst", "plugin/handshake.go:")),
	mirrored("size of the sentinel", "nightgauge/handshake.js#SENTINEL_MAX_BYTES",
		[3]string{"handshake.go", `SentinelMaxBytes = 64 << 10`, `SentinelMaxBytes = 64 << 11`},
		[3]string{"handshake.js", `SENTINEL_MAX_BYTES = 64 * 1024`, `SENTINEL_MAX_BYTES = 64 * 1000`}),
	mirrored("keys of the sentinel", "nightgauge/handshake.js#returned(sentinel)",
		[3]string{"handshake.go", `json:"plugin_version"`, `json:"pluginVersion"`},
		[3]string{"handshake.js", `    pid: process.pid,`, `    processID: process.pid,`}),

	mirrored("format of an event", "nightgauge/events.js#EVENT_FORMAT",
		[3]string{"events.go", `EventFormat = 1`, `EventFormat = 2`},
		[3]string{"events.js", `EVENT_FORMAT = 1`, `EVENT_FORMAT = 2`}),
	mirrored("kinds of events", "nightgauge/events.js#EVENT_KINDS",
		[3]string{"events.go", `"stop_verify", "permission_ask"`, `"stop_verified", "permission_ask"`},
		[3]string{"events.js", `"compaction", "idle"`, `"compactions", "idle"`}),
	{"kinds that the session module writes", "nightgauge/session.js#calls(appendEvent)", []mutation{
		change("event kind of a call in JS", "plugin/nightgauge/session.js", `appendEvent("idle"`, `appendEvent("Idle"`, "mirror/differs", "plugin/events.go:").foundBy("eventdetail/unknownkind"),
	}},
	mirrored("kind of the verdict", "nightgauge/events.js#VERDICT_KIND",
		[3]string{"events.go", `EventVerdictKind = "stop_verify"`, `EventVerdictKind = "verdict"`},
		[3]string{"events.js", `VERDICT_KIND = "stop_verify"`, `VERDICT_KIND = "stop-verify"`}),
	mirrored("kind of the marker", "nightgauge/events.js#TRUNCATED_KIND",
		[3]string{"events.go", `EventTruncatedKind = "truncated"`, `EventTruncatedKind = "truncate"`},
		[3]string{"events.js", `TRUNCATED_KIND = "truncated"`, `TRUNCATED_KIND = "Truncated"`}),
	mirrored("banned keys", "nightgauge/events.js#BANNED_KEYS",
		[3]string{"events.go", `"text", "title",`, `"text", "titles",`},
		[3]string{"events.js", "  \"summary\",\n", ""}),
	mirrored("size of the events file", "nightgauge/append.js#EVENTS_MAX_BYTES",
		[3]string{"events.go", `EventsMaxBytes = 1 << 20`, `EventsMaxBytes = 1 << 21`},
		[3]string{"append.js", `EVENTS_MAX_BYTES = 1024 * 1024`, `EVENTS_MAX_BYTES = 1024 * 1025`}),
	// In Go the room for the verdict is derived from it, so a change of the value breaks two.
	{"length of an event's line", "nightgauge/events.js#EVENT_LINE_MAX_BYTES", []mutation{
		change("length of an event's line, named in Go", "plugin/events.go", `#EVENT_LINE_MAX_BYTES`, `#EVENT_LINE_MAX_BYTE`, "mirror/missing", "plugin/nightgauge/events.js:"),
		change("length of an event's line in JS", "plugin/nightgauge/events.js", `EVENT_LINE_MAX_BYTES = 4 * 1024`, `EVENT_LINE_MAX_BYTES = 4 * 1023`, "mirror/differs", "plugin/events.go:"),
	}},
	mirrored("zone in which writers take turns", "nightgauge/append.js#EVENTS_LOCK_ZONE_BYTES",
		[3]string{"events.go", `EventsLockZoneBytes = 64 << 10`, `EventsLockZoneBytes = 32 << 10`},
		[3]string{"append.js", `EVENTS_LOCK_ZONE_BYTES = 64 * 1024`, `EVENTS_LOCK_ZONE_BYTES = 64 << 11`}),
	mirrored("length of a line without a turn", "nightgauge/append.js#EVENT_UNLOCKED_LINE_MAX_BYTES",
		[3]string{"events.go", `EventUnlockedLineMaxBytes = 512`, `EventUnlockedLineMaxBytes = 513`},
		[3]string{"append.js", `EVENT_UNLOCKED_LINE_MAX_BYTES = 512`, `EVENT_UNLOCKED_LINE_MAX_BYTES = 0o512`}),
	mirrored("room for the verdict", "nightgauge/append.js#EVENTS_VERDICT_RESERVE_BYTES",
		[3]string{"events.go", `EventsVerdictReserveBytes = EventLineMaxBytes`, `EventsVerdictReserveBytes = EventLineMaxBytes - 1`},
		[3]string{"append.js", `EVENTS_VERDICT_RESERVE_BYTES = 4 * 1024`, `EVENTS_VERDICT_RESERVE_BYTES = 4 * 1000`}),
	mirrored("room for the marker", "nightgauge/append.js#EVENTS_MARKER_RESERVE_BYTES",
		[3]string{"events.go", `EventsMarkerReserveBytes = 128`, `EventsMarkerReserveBytes = 127`},
		[3]string{"append.js", `EVENTS_MARKER_RESERVE_BYTES = 128`, `EVENTS_MARKER_RESERVE_BYTES = 12.8`}),
	mirrored("length of an id", "nightgauge/events.js#EVENT_ID_MAX_BYTES",
		[3]string{"events.go", `EventIDMaxBytes = 128`, `EventIDMaxBytes = 129`},
		[3]string{"events.js", `EVENT_ID_MAX_BYTES = 128`, `EVENT_ID_MAX_BYTES = 0x128`}),
	mirrored("length of a code", "nightgauge/events.js#EVENT_CODE_MAX_BYTES",
		[3]string{"events.go", `EventCodeMaxBytes = 256`, `EventCodeMaxBytes = 255`},
		[3]string{"events.js", `EVENT_CODE_MAX_BYTES = 256`, `EVENT_CODE_MAX_BYTES = 2_56_0`}),
	mirrored("largest count", "nightgauge/events.js#EVENT_COUNT_MAX",
		[3]string{"events.go", `EventCountMax = 1<<53 - 1`, `EventCountMax = 1<<53 + 1`},
		[3]string{"events.js", `EVENT_COUNT_MAX = 2 ** 53 - 1`, `EVENT_COUNT_MAX = (1 << 53) - 1`}),
	mirrored("length of a run id", "nightgauge/events.js#RUN_ID_MAX_BYTES",
		[3]string{"events.go", `RunIDMaxBytes = 128`, `RunIDMaxBytes = 64`},
		[3]string{"events.js", `RUN_ID_MAX_BYTES = 128`, `RUN_ID_MAX_BYTES = 128n + 1n`}),
	mirrored("wait for a turn", "nightgauge/turn.js#TURN_WAIT",
		[3]string{"events.go", `EventsTurnWait = 5 * time.Second`, `EventsTurnWait = 5 * time.Minute`},
		[3]string{"turn.js", `TURN_WAIT = 5000`, `TURN_WAIT = 5`}),
	mirrored("takeover of a turn", "nightgauge/turn.js#TURN_TAKEOVER",
		[3]string{"events.go", `EventsTurnTakeover = time.Second`, `EventsTurnTakeover = time.Millisecond`},
		[3]string{"turn.js", `TURN_TAKEOVER = 1000`, `TURN_TAKEOVER = 1_001`}),
	mirrored("name of the events file", "nightgauge/events.js#eventsFileName",
		[3]string{"events.go", `"opencode-events-"`, `"opencode-event-"`},
		[3]string{"events.js", "`opencode-events-${runID}.jsonl`", "`opencode-events-${runID}.json`"}),
	mirrored("name of the lock", "nightgauge/turn.js#lockName",
		[3]string{"events.go", `eventsFile + ".lock"`, `eventsFile + ".lck"`},
		[3]string{"turn.js", "`${file}.lock`", "`.${file}.lock`"}),
	mirrored("name of the seal", "nightgauge/seal.js#sealName",
		[3]string{"events.go", `eventsFile + ".sealed"`, `"sealed." + eventsFile`},
		[3]string{"seal.js", "`${file}.sealed`", "`${file}.seal`"}),

	mirrored("environment names", "nightgauge/env.js#env",
		[3]string{"env.go", `"NIGHTGAUGE_RUN_ID"`, `"NIGHTGAUGE_RUNID"`},
		[3]string{"env.js", `process.env.NIGHTGAUGE_RUN_ID`, `process.env.NIGHTGAUGE_RUN`}).and(
		change("removed environment name in JS", "plugin/nightgauge/env.js", `delete process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONCE`, `delete process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONSE`, "mirror/differs", "plugin/env.go:"),
		change("environment name that Go does not know", "plugin/nightgauge/env.js", `hookBin: process.env.NIGHTGAUGE_HOOK_BIN ?? "",`, `hookBin: process.env.NIGHTGAUGE_HOOK_BIN ?? process.env.NIGHTGAUGE_BIN ?? "",`, "mirror/differs", "plugin/env.go:")),
	mirrored("entry file", "nightgauge/env.js#ENTRY_FILE",
		[3]string{"embed.go", `EntryFile = "nightgauge.js"`, `EntryFile = "nightgauges.js"`},
		[3]string{"env.js", `ENTRY_FILE = "nightgauge.js"`, `ENTRY_FILE = "nightgauge.mjs"`}).inJSFoundBy("embedtree/missing"),

	mirrored("command line of the gate", "nightgauge/judge.js#GATE_VERB",
		[3]string{"gate.go", `{"hook", "gate"}`, `{"hooks", "gate"}`},
		[3]string{"judge.js", `["hook", "gate"]`, `["gate", "hook"]`}),
	mirrored("timeout of the gate", "nightgauge/judge.js#GATE_TIMEOUT_MS",
		[3]string{"gate.go", `GateTimeout = 10 * time.Second`, `GateTimeout = 10 * time.Millisecond`},
		[3]string{"judge.js", `GATE_TIMEOUT_MS = 10_000`, `GATE_TIMEOUT_MS = 1_000`}),
	mirrored("output of the gate", "nightgauge/judge.js#GATE_OUTPUT_MAX_BYTES",
		[3]string{"gate.go", `GateOutputMaxBytes = 64 << 10`, `GateOutputMaxBytes = 64 << 12`},
		[3]string{"judge.js", `GATE_OUTPUT_MAX_BYTES = 64 * 1024`, `GATE_OUTPUT_MAX_BYTES = 64`}),
	mirrored("format of a gate call", "nightgauge/judge.js#GATE_FORMAT",
		[3]string{"gate.go", `GateFormat = 1`, `GateFormat = 3`},
		[3]string{"judge.js", `GATE_FORMAT = 1`, `GATE_FORMAT = 1.5`}),
	mirrored("keys of a gate call", "nightgauge/judge.js#returned(gateCall)",
		[3]string{"gate.go", `json:"worktree"`, `json:"work_tree"`},
		[3]string{"judge.js", `    session_id: call.sessionID,`, `    sessionID: call.sessionID,`}),
	mirrored("harmless tools", "nightgauge/gates.js#HARMLESS_TOOLS",
		[3]string{"gate.go", `"todoread", "todowrite"}`, `"todoread"}`},
		[3]string{"gates.js", `"todoread", "todowrite"]`, `"todoread", "todowrite", "write"]`}),
	mirrored("code of a harmless tool", "nightgauge/gates.js#HARMLESS_CODE",
		[3]string{"gate.go", `HarmlessCode = "harmless"`, `HarmlessCode = "harmles"`},
		[3]string{"gates.js", `HARMLESS_CODE = "harmless"`, `HARMLESS_CODE = "Harmless"`}),
	mirrored("command line of stop-verify", "nightgauge/stop_verify.js#STOP_VERIFY_VERB",
		[3]string{"stop_verify.go", `"stop-verify"}`, `"stop_verify"}`},
		[3]string{"stop_verify.js", `"stop-verify"]`, `"verify"]`}),
	mirrored("flags of stop-verify", "nightgauge/stop_verify.js#STOP_VERIFY_FLAGS",
		[3]string{"stop_verify.go", `"--workdir"`, `"--work-dir"`},
		[3]string{"stop_verify.js", `"--session-id"`, `"--session"`}),

	mirrored("format of a receipt", "nightgauge/receipts.js#RECEIPT_FORMAT",
		[3]string{"receipts.go", `ReceiptFormat = 1`, `ReceiptFormat = 0`},
		[3]string{"receipts.js", `RECEIPT_FORMAT = 1`, `RECEIPT_FORMAT = -1`}),
	mirrored("size of the receipts", "nightgauge/receipts.js#RECEIPTS_MAX_BYTES",
		[3]string{"receipts.go", `ReceiptsMaxBytes = 16 << 20`, `ReceiptsMaxBytes = 16 << 10`},
		[3]string{"receipts.js", `RECEIPTS_MAX_BYTES = 16 * 1024 * 1024`, `RECEIPTS_MAX_BYTES = 16 * 1024`}),
	mirrored("decisions", "nightgauge/receipts.js#DECISIONS",
		[3]string{"receipts.go", `DecisionDeny  = "deny"`, `DecisionDeny  = "denied"`},
		[3]string{"receipts.js", `DECISIONS = Object.freeze(["allow", "deny"])`, `DECISIONS = Object.freeze(["allow", "deny", "ask"])`}),
	mirrored("pattern of a code", "nightgauge/receipts.js#RECEIPT_CODE",
		[3]string{"receipts.go", `[a-z0-9_]{0,63}`, `[a-z0-9_]{0,64}`},
		[3]string{"receipts.js", `RECEIPT_CODE = "^[a-z]`, `RECEIPT_CODE = "^[a-zA-Z]`}),
	mirrored("keys of a receipt", "nightgauge/receipts.js#returned(receipt)",
		[3]string{"receipts.go", `json:"call_id"`, `json:"callID"`},
		[3]string{"receipts.js", "    decision,\n    code,\n  };", "    decision,\n    why: code,\n  };"}),
	mirrored("name of the receipts", "nightgauge/receipts.js#receiptsFileName",
		[3]string{"receipts.go", `"opencode-gate-"`, `"opencode-gates-"`},
		[3]string{"receipts.js", "`opencode-gate-${runID}.jsonl`", "`opencode-gate_${runID}.jsonl`"}),
	mirrored("length of a receipt's line", "nightgauge/receipts.js#RECEIPT_LINE_MAX_BYTES",
		[3]string{"receipts.go", `ReceiptLineMaxBytes = 1 << 10`, `ReceiptLineMaxBytes = 1 << 9`},
		[3]string{"receipts.js", `RECEIPT_LINE_MAX_BYTES = 1024`, `RECEIPT_LINE_MAX_BYTES = "1024"`}),

	{"version of the embedded package", "deps/opencode-plugin-1.18.30.txtar!nightgauge-deps.json#default.version", []mutation{
		change("archive version in Go", "ngcore/deps.go", `DepsVersion = "1.18.30"`, `DepsVersion = "1.18.31"`, "mirror/differs", "ngcore/deps/opencode-plugin-1.18.30.txtar:"),
	}},
	{"version that the tables of the host were measured on", "opencode.json#default.measured", []mutation{
		change("measured version in Go", "ngcore/host/host.go", `Default = "1.18.30"`, `Default = "1.18.33"`, "mirror/differs", "ngcore/host/opencode.json:"),
		change("measured version in the tables", "ngcore/host/opencode.json", `"measured": "1.18.30"`, `"measured": "1.18.33"`, "mirror/differs", "ngcore/host/host.go:"),
	}},
}
