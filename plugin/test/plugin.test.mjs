// The plugin as a host loads it: from the entry, with the run's environment.

import assert from "node:assert/strict";
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { BREAKER_FAILURES, BREAKER_PROBE_EVERY } from "../nightgauge/breaker.js";
import { HOOK_NAMES } from "../nightgauge/handshake.js";
import { ALLOW, hookScript, tempDir } from "./fake_hooks.mjs";

const TREE = fileURLToPath(new URL("..", import.meta.url));
const NONCE = "0123456789abcdef0123456789abcdef";

/** Starts of children, as long as the test runs. The binding is the one the plugin imports. */
function countSpawns(t) {
  const spawns = [];
  const { spawn } = childProcess;
  childProcess.spawn = (file, args, options) => {
    const { env: _, ...how } = options;
    const start = { args, options: how, unref: false };
    spawns.push(start);
    const child = spawn(file, args, options);
    const { unref } = child;
    child.unref = () => {
      start.unref = true;
      unref.call(child);
    };
    return child;
  };
  syncBuiltinESMExports();
  t.after(() => {
    childProcess.spawn = spawn;
    syncBuiltinESMExports();
  });
  return spawns;
}

/** Copies the tree to a path of its own and returns the path of its entry. */
function copyTree(dir) {
  fs.cpSync(path.join(TREE, "nightgauge.js"), path.join(dir, "nightgauge.js"));
  fs.cpSync(path.join(TREE, "nightgauge"), path.join(dir, "nightgauge"), { recursive: true });
  return path.join(dir, "nightgauge.js");
}

/** A run directory with a tree of its own, and the environment that names both. */
function newRun(t, { runID = "run-1", hookBody = `cat >/dev/null; echo '${ALLOW}'`, ...overrides } = {}) {
  const dir = tempDir(t);
  fs.mkdirSync(path.join(dir, "tree"));
  const run = {
    dir,
    entry: copyTree(path.join(dir, "tree")),
    sentinel: path.join(dir, `.opencode-plugin-${runID}.json`),
    events: path.join(dir, `opencode-events-${runID}.jsonl`),
    receipts: path.join(dir, `opencode-gate-${runID}.jsonl`),
  };
  setEnv(t, {
    NIGHTGAUGE_OUTPUT_FILE: path.join(dir, "output.json"),
    NIGHTGAUGE_RUN_ID: runID,
    NIGHTGAUGE_OPENCODE_PLUGIN_NONCE: NONCE,
    NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL: run.sentinel,
    NIGHTGAUGE_OPENCODE_PLUGIN_PATH: run.entry,
    NIGHTGAUGE_HOOK_BIN: hookScript(t, hookBody),
    ...overrides,
  });
  return run;
}

function setEnv(t, variables) {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
    t.after(() => delete process.env[name]);
  }
}

async function load(entry, input) {
  const module = await import(pathToFileURL(entry).href);
  return module.default.server(input);
}

const readLines = (file) => fs.readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const bash = (callID) => [{ tool: "bash", sessionID: "ses_1", callID }, { args: { command: "ls" } }];
const publish = (hooks, type, properties) => hooks.event({ event: { id: "evt_1", type, properties } });

test("the entry exports the plugin object and nothing else", async () => {
  const module = await import("../nightgauge.js");
  assert.deepEqual(Object.keys(module), ["default"]);
  assert.deepEqual(Object.keys(module.default), ["id", "server"]);
  assert.equal(module.default.id, "nightgauge");
});

test("the hooks are functions, in the order that the sentinel names", async (t) => {
  const run = newRun(t);
  const hooks = await load(run.entry, { directory: run.dir, worktree: run.dir });
  assert.deepEqual(Object.keys(hooks), HOOK_NAMES);
  for (const hook of Object.values(hooks)) assert.equal(typeof hook, "function");
  const sentinel = JSON.parse(fs.readFileSync(run.sentinel, "utf8"));
  assert.deepEqual([sentinel.nonce, sentinel.hooks], [NONCE, [...HOOK_NAMES]]);
});

test("a run inside the run inherits neither nonce nor sentinel", async (t) => {
  const run = newRun(t);
  await load(run.entry, { directory: run.dir });
  assert.equal(process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONCE, undefined);
  assert.equal(process.env.NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL, undefined);
});

test("a tree that lacks a module leaves no sentinel", async (t) => {
  const run = newRun(t);
  fs.rmSync(path.join(path.dirname(run.entry), "nightgauge", "gates.js"));
  await assert.rejects(load(run.entry, { directory: run.dir }), { code: "ERR_MODULE_NOT_FOUND" });
  assert.equal(fs.existsSync(run.sentinel), false);
});

const brokenHandshakes = [
  { name: "without a nonce", overrides: { NIGHTGAUGE_OPENCODE_PLUGIN_NONCE: undefined } },
  { name: "without a sentinel path", overrides: { NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL: undefined } },
  { name: "without a plugin path", overrides: { NIGHTGAUGE_OPENCODE_PLUGIN_PATH: undefined } },
  { name: "whose sentinel has no directory", overrides: { NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL: "/nonexistent/s.json" } },
  { name: "that names another tree", overrides: { NIGHTGAUGE_OPENCODE_PLUGIN_PATH: path.join(TREE, "nightgauge.js") } },
];

for (const [i, { name, overrides }] of brokenHandshakes.entries()) {
  test(`a handshake ${name} leaves no sentinel and denies every call`, async (t) => {
    const run = newRun(t, { runID: `broken-${i}`, ...overrides });
    const hooks = await load(run.entry, { directory: run.dir });
    assert.equal(fs.existsSync(run.sentinel), false);
    await assert.rejects(hooks["tool.execute.before"](...bash("call_1")), /\(handshake_failed\)/);
    assert.deepEqual(readLines(run.receipts).map(({ decision, code }) => [decision, code]), [["deny", "handshake_failed"]]);
  });
}

test("without a handshake calls are gated all the same", async (t) => {
  const run = newRun(t, {
    NIGHTGAUGE_OPENCODE_PLUGIN_NONCE: undefined,
    NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL: undefined,
    hookBody: "cat >/dev/null; exit 1",
  });
  const hooks = await load(run.entry, { directory: run.dir });
  await assert.rejects(hooks["tool.execute.before"](...bash("call_1")), /\(exit_status\)/);
});

test("without any run the gate denies for want of a judge", async (t) => {
  const run = newRun(t);
  setEnv(t, Object.fromEntries(Object.keys(process.env).filter((name) => name.startsWith("NIGHTGAUGE_")).map((name) => [name, undefined])));
  const hooks = await load(run.entry, { directory: run.dir });
  await assert.rejects(hooks["tool.execute.before"](...bash("call_1")), /\(no_bin\)/);
  await publish(hooks, "session.created", { info: { id: "ses_1" } });
  await publish(hooks, "session.idle", { sessionID: "ses_1" });
  assert.deepEqual(fs.readdirSync(run.dir), ["tree"]);
});

test("the gate is told what no tool may change", async (t) => {
  const run = newRun(t, { hookBody: `cat >"$0.stdin"; echo '${ALLOW}'` });
  const hooks = await load(run.entry, { directory: run.dir, worktree: "/" });
  await hooks["tool.execute.before"](...bash("call_1"));
  const hookBin = process.env.NIGHTGAUGE_HOOK_BIN;
  const call = JSON.parse(fs.readFileSync(`${hookBin}.stdin`, "utf8"));
  assert.equal(call.directory, run.dir);
  assert.equal(call.worktree, run.dir, "the root of the file system is no work tree");
  assert.deepEqual([...call.protected].sort(), [
    path.join(path.dirname(run.entry), "nightgauge"),
    run.entry,
    run.sentinel,
    path.join(run.dir, "output.json"),
    run.events,
    `${run.events}.lock`,
    `${run.events}.sealed`,
    run.receipts,
    hookBin,
  ].sort());
});

test("the run's variables cannot be changed once the plugin has loaded", async (t) => {
  const show = 'echo "$NIGHTGAUGE_GATE_POLICY $NIGHTGAUGE_STAGE $NIGHTGAUGE_RUN_ID $OTHER"';
  const run = newRun(t, {
    hookBody: `${show} >"$0.env"; cat >/dev/null; echo '${ALLOW}'`,
    NIGHTGAUGE_GATE_POLICY: "/operator/policy.json",
    NIGHTGAUGE_STAGE: undefined,
    OTHER: "before",
  });
  const hookBin = process.env.NIGHTGAUGE_HOOK_BIN;
  const hooks = await load(run.entry, { directory: run.dir });
  setEnv(t, {
    NIGHTGAUGE_GATE_POLICY: "/agent/policy.json",
    NIGHTGAUGE_STAGE: "lax",
    NIGHTGAUGE_RUN_ID: "other",
    OTHER: "after",
  });
  await hooks["tool.execute.before"](...bash("call_1"));
  assert.equal(fs.readFileSync(`${hookBin}.env`, "utf8"), "/operator/policy.json  run-1 after\n");
});

test("the gate knows sub-agents, and a compaction is told what the gate denied", async (t) => {
  const deny = '{"v":1,"decision":"deny","code":"no_child","reason":"no"}';
  const run = newRun(t, { hookBody: `case $(cat) in *'"child":true'*) echo '${deny}';; *) echo '${ALLOW}';; esac` });
  const hooks = await load(run.entry, { directory: run.dir });
  await hooks["tool.execute.before"](...bash("call_1"));
  await publish(hooks, "session.created", { info: { id: "ses_1", parentID: "ses_root" } });
  await assert.rejects(hooks["tool.execute.before"](...bash("call_2")), /\(no_child\)/);
  const output = { context: [] };
  await hooks["experimental.session.compacting"]({ sessionID: "ses_root" }, output);
  assert.match(output.context.join(), /bash \(no_child\): 1$/);
});

test("an events file that cannot be written is left alone for a while", async (t) => {
  const run = newRun(t);
  const hooks = await load(run.entry, { directory: run.dir });
  const compact = async (times) => {
    for (let i = 0; i < times; i++) await publish(hooks, "session.compacted", { sessionID: "ses_1" });
  };
  fs.mkdirSync(run.events);
  await compact(BREAKER_FAILURES);
  fs.rmdirSync(run.events);
  await compact(BREAKER_PROBE_EVERY - 1);
  assert.equal(fs.existsSync(run.events), false);
  await compact(1);
  assert.equal(readLines(run.events).length, 1);
});

test("a verdict leaves no timer behind that would kill somebody later", async (t) => {
  const run = newRun(t);
  const hooks = await load(run.entry, { directory: run.dir });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  await hooks["tool.execute.before"](...bash("call_1"));
  assert.equal(timers(), before);
});

test("the root's idle is written and starts one detached child", async (t) => {
  const run = newRun(t);
  const spawns = countSpawns(t);
  const hooks = await load(run.entry, { directory: run.dir });
  await publish(hooks, "session.created", { info: { id: "ses_root" } });
  await publish(hooks, "session.idle", { sessionID: "ses_root" });
  assert.deepEqual(readLines(run.events).map(({ kind, session_id }) => [kind, session_id]), [["idle", "ses_root"]]);
  assert.deepEqual(spawns, [{
    args: ["hook", "stop-verify", "--emit-event", "--workdir", run.dir, "--session-id", "ses_root"],
    options: { detached: true, stdio: "ignore", windowsHide: true },
    unref: true,
  }]);
});

test("a hook binary that is missing or a test binary starts no child and hurts nothing", async (t) => {
  const spawns = countSpawns(t);
  for (const [i, hookBin] of ["/nonexistent/nightgauge", "/bin/nightgauge.test", ""].entries()) {
    const run = newRun(t, { runID: `no-bin-${i}`, NIGHTGAUGE_HOOK_BIN: hookBin });
    const hooks = await load(run.entry, { directory: run.dir });
    await publish(hooks, "session.created", { info: { id: "ses_root" } });
    await publish(hooks, "session.idle", { sessionID: "ses_root" });
    assert.deepEqual(readLines(run.events).map(({ kind }) => kind), ["idle"]);
  }
  assert.equal(spawns.length, 1, "only the missing one was tried");
});

test("two loads of one tree, from two paths, report once and judge once", async (t) => {
  const run = newRun(t, { hookBody: `cat >/dev/null; echo "$2" >>"$0.runs"; echo '${ALLOW}'` });
  const hookBin = process.env.NIGHTGAUGE_HOOK_BIN;
  const other = copyTree(tempDir(t));
  const spawns = countSpawns(t);
  const input = { directory: run.dir, worktree: run.dir };
  // The foreign copy comes first and takes the nonce, which it may not use. When it comes
  // again it cannot revoke the proof that there is.
  const loads = [];
  for (const entry of [other, run.entry, run.entry, other]) loads.push(await load(entry, input));

  const [call, output] = bash("call_1");
  for (const hooks of loads) await hooks["tool.execute.before"](call, output);
  assert.equal(fs.readFileSync(`${hookBin}.runs`, "utf8"), "gate\n");
  assert.deepEqual(readLines(run.receipts).map(({ call_id, decision }) => [call_id, decision]), [["call_1", "allow"]]);

  for (const hooks of loads) await publish(hooks, "session.created", { info: { id: "ses_root" } });
  for (const hooks of loads) await publish(hooks, "session.idle", { sessionID: "ses_root" });
  for (const hooks of loads) await publish(hooks, "session.compacted", { sessionID: "ses_root" });
  assert.deepEqual(readLines(run.events).map(({ kind }) => kind), ["idle", "compaction"]);
  assert.equal(spawns.filter(({ args }) => args[1] === "stop-verify").length, 1);

  assert.equal(JSON.parse(fs.readFileSync(run.sentinel, "utf8")).nonce, NONCE);
});

test("a foreign copy that is loaded first does not judge for the run's own tree", async (t) => {
  const run = newRun(t, { hookBody: "cat >/dev/null; exit 1" });
  const foreign = copyTree(tempDir(t));
  const lenient = path.join(path.dirname(foreign), "nightgauge", "gates.js");
  fs.writeFileSync(lenient, "export function createGate() { return async () => {}; }");
  const loads = [await load(foreign, { directory: run.dir }), await load(run.entry, { directory: run.dir })];
  await assert.rejects(loads[1]["tool.execute.before"](...bash("call_1")), /\(exit_status\)/);
  await assert.rejects(loads[0]["tool.execute.before"](...bash("call_2")), /\(exit_status\)/);
});

test("a second load denies what the first one denies", async (t) => {
  const run = newRun(t, { hookBody: "cat >/dev/null; exit 1" });
  const loads = [await load(run.entry, { directory: run.dir }), await load(run.entry, { directory: run.dir })];
  const [call, output] = bash("call_1");
  for (const hooks of loads) await assert.rejects(hooks["tool.execute.before"](call, output), /\(exit_status\)/);
  assert.equal(readLines(run.receipts).length, 1);
});

test("runs in one process do not mix", async (t) => {
  const first = newRun(t, { runID: "first" });
  const firstHooks = await load(first.entry, { directory: first.dir });
  const second = newRun(t, { runID: "second" });
  const secondHooks = await load(second.entry, { directory: second.dir });
  await publish(firstHooks, "session.compacted", { sessionID: "ses_1" });
  await publish(secondHooks, "session.compacted", { sessionID: "ses_2" });
  assert.deepEqual(readLines(first.events).map(({ session_id }) => session_id), ["ses_1"]);
  assert.deepEqual(readLines(second.events).map(({ session_id }) => session_id), ["ses_2"]);
});

test("paths of every kind load", async (t) => {
  for (const name of ["a b", "a%20b", "a#b", "ü", "a'b"]) {
    const dir = path.join(tempDir(t), name);
    fs.mkdirSync(dir);
    const run = newRun(t, { runID: "paths", NIGHTGAUGE_OPENCODE_PLUGIN_PATH: path.join(dir, "nightgauge.js") });
    await load(copyTree(dir), { directory: run.dir });
    assert.equal(JSON.parse(fs.readFileSync(run.sentinel, "utf8")).nonce, NONCE, name);
  }
});

test("whatever the host gives to server, the gate stands", async (t) => {
  const throwing = new Proxy({}, { get() { throw new Error("no"); } });
  for (const [i, input] of [undefined, null, 42, {}, throwing, { directory: 7, worktree: "relative" }].entries()) {
    const run = newRun(t, { runID: `input-${i}` });
    const hooks = await load(run.entry, input);
    assert.deepEqual(Object.keys(hooks), HOOK_NAMES);
    await assert.rejects(hooks["tool.execute.before"](null, 42), /\(bad_call\)/);
    for (const name of HOOK_NAMES.slice(1)) {
      for (const value of [undefined, null, 42, throwing]) await hooks[name](value, value);
    }
  }
});
