// What the gate lets through and what it stops, with hook binaries that fail in every way.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { createGate, HARMLESS_CODE, HARMLESS_TOOLS } from "../nightgauge/gates.js";
import { GATE_OUTPUT_MAX_BYTES } from "../nightgauge/judge.js";
import { ALLOW, endPipe, hookScript, tempDir } from "./fake_hooks.mjs";

const READ = "cat >/dev/null";
const place = Object.freeze({ directory: "/w/sub", worktree: "/w", protectedPaths: ["/w/secret"] });

/** A gate over fake surroundings, which keeps its receipts. */
function gateOver(hookBin, deps = {}) {
  const receipts = [];
  const denials = [];
  const gate = createGate({
    hook: { bin: hookBin, env: () => process.env },
    place,
    isChild: () => false,
    writeReceipt: (receipt) => receipts.push(receipt),
    noteDenial: (tool, code) => denials.push([tool, code]),
    refusal: () => "",
    ...deps,
  });
  return { gate, receipts, denials };
}

function input(tool = "bash") {
  return { tool, sessionID: "ses_1", callID: "call_1" };
}

function receipt(decision, code, tool = "bash") {
  return { sessionID: "ses_1", callID: "call_1", tool, decision, code };
}

const denied = (code) => ({ name: "Error", message: new RegExp(`^nightgauge denied .*\\(${code}\\): .+`) });

test("an explicit allow lets the call run", async (t) => {
  const { gate, receipts, denials } = gateOver(hookScript(t, `${READ}; echo '${ALLOW}'`));
  await gate(input(), { args: { command: "ls" } });
  assert.deepEqual(receipts, [receipt("allow", "read_only")]);
  assert.deepEqual(denials, []);
});

test("an explicit deny throws code and reason", async (t) => {
  const deny = '{"v":1,"decision":"deny","code":"rm_recursive","reason":"delete named files instead"}';
  const { gate, receipts, denials } = gateOver(hookScript(t, `${READ}; echo '${deny}'`));
  await assert.rejects(gate(input(), { args: { command: "rm -rf ." } }), {
    message: "nightgauge denied bash (rm_recursive): delete named files instead",
  });
  assert.deepEqual(receipts, [receipt("deny", "rm_recursive")]);
  assert.deepEqual(denials, [["bash", "rm_recursive"]]);
});

test("the child is asked with the whole call on standard input", async (t) => {
  const hook = hookScript(t, `echo "$@" >"$0.argv"; cat >"$0.stdin"; echo '${ALLOW}'`);
  const { gate } = gateOver(hook, { isChild: (id) => id === "ses_1" });
  await gate(input(), { args: { command: "echo 'ü' \ud800" } });
  assert.equal(fs.readFileSync(`${hook}.argv`, "utf8"), "hook gate\n");
  assert.deepEqual(JSON.parse(fs.readFileSync(`${hook}.stdin`, "utf8")), {
    v: 1,
    tool: "bash",
    args: { command: "echo 'ü' \ud800" },
    session_id: "ses_1",
    call_id: "call_1",
    child: true,
    directory: "/w/sub",
    worktree: "/w",
    protected: ["/w/secret"],
  });
});

const verdictLine = (fields) => `${READ}; echo '${JSON.stringify({ v: 1, decision: "allow", code: "ok", reason: "", ...fields })}'`;

const failures = [
  { name: "exits 1 without a word", script: `${READ}; exit 1`, code: "exit_status" },
  { name: "allows and exits 1", script: `${READ}; echo '${ALLOW}'; exit 1`, code: "exit_status" },
  { name: "allows and is killed", script: `${READ}; echo '${ALLOW}'; kill -9 $$`, code: "exit_status" },
  { name: "prints nothing", script: READ, code: "garbage" },
  { name: "prints prose", script: `${READ}; echo allow`, code: "garbage" },
  { name: "prints half a verdict", script: `${READ}; printf '{"v":1,"decision":"allow"'`, code: "garbage" },
  { name: "prints a verdict without a line end", script: `${READ}; printf '%s' '${ALLOW}'`, code: "garbage" },
  { name: "prints a verdict and more", script: `${READ}; echo '${ALLOW}'; echo '${ALLOW}'`, code: "garbage" },
  { name: "prints a line before the verdict", script: `${READ}; echo note; echo '${ALLOW}'`, code: "garbage" },
  { name: "prints bytes that are no UTF-8", script: `${READ}; printf '${ALLOW.replace('""', '"\\377"')}\\n'`, code: "garbage" },
  { name: "prints a byte order mark", script: `${READ}; printf '\\357\\273\\277%s\\n' '${ALLOW}'`, code: "garbage" },
  { name: "prints null", script: `${READ}; echo null`, code: "garbage" },
  { name: "prints a list", script: `${READ}; echo '[${ALLOW}]'`, code: "garbage" },
  { name: "decides neither way", script: verdictLine({ decision: "ask" }), code: "garbage" },
  { name: "spells its decision otherwise", script: verdictLine({ decision: "Allow" }), code: "garbage" },
  { name: "decides with a list", script: verdictLine({ decision: ["allow"] }), code: "garbage" },
  { name: "speaks another version", script: verdictLine({ v: 2 }), code: "garbage" },
  { name: "names no code", script: verdictLine({ code: undefined }), code: "garbage" },
  { name: "names a code with spaces", script: verdictLine({ code: "all is well" }), code: "garbage" },
  { name: "names no reason", script: verdictLine({ reason: undefined }), code: "garbage" },
  { name: "allows at too great length", script: verdictLine({ reason: "x".repeat(GATE_OUTPUT_MAX_BYTES) }), code: "garbage" },
  { name: "floods its output", script: `${READ}; yes`, code: "garbage" },
];

for (const { name, script, code } of failures) {
  test(`a child that ${name} denies with ${code}`, async (t) => {
    const { gate, receipts, denials } = gateOver(hookScript(t, script));
    await assert.rejects(gate(input(), { args: { command: "ls" } }), denied(code));
    assert.deepEqual(receipts, [receipt("deny", code)]);
    assert.deepEqual(denials, [["bash", code]]);
  });
}

test("a hook binary that cannot be run denies with no_bin", async (t) => {
  const dir = tempDir(t);
  const plain = path.join(dir, "plain");
  fs.writeFileSync(plain, "no program", { mode: 0o644 });
  const relative = path.relative(process.cwd(), hookScript(t, `${READ}; echo '${ALLOW}'`));
  const binaries = [path.join(dir, "missing"), plain, dir, "", "sh", relative, "/bin/x.test", "/bin/X.test.EXE", "/bin/a\0b"];
  for (const hookBin of binaries) {
    const { gate, receipts } = gateOver(hookBin);
    await assert.rejects(gate(input(), { args: { command: "ls" } }), denied("no_bin"), `hook binary ${hookBin}`);
    assert.deepEqual(receipts, [receipt("deny", "no_bin")]);
  }
});

test("a child that hangs is killed with its group and denies with timeout", async (t) => {
  const pipe = endPipe(t);
  const hook = hookScript(t, `exec 9>'${pipe.file}'; trap '' TERM INT HUP; sleep 600 & wait; sleep 600`);
  const { gate, receipts } = gateOver(hook, { timeoutMs: 500 });
  await assert.rejects(gate(input(), { args: { command: "ls" } }), denied("timeout"));
  assert.deepEqual(receipts, [receipt("deny", "timeout")]);
  await pipe.ended();
});

test("an allow whose output a grandchild keeps open denies with timeout", async (t) => {
  const pipe = endPipe(t);
  const hook = hookScript(t, `${READ}; exec 9>'${pipe.file}'; sleep 600 & echo '${ALLOW}'`);
  const { gate } = gateOver(hook, { timeoutMs: 500 });
  await assert.rejects(gate(input(), { args: { command: "ls" } }), denied("timeout"));
  await pipe.ended();
});

test("a slow allow holds the call and not the event loop", async (t) => {
  const { gate } = gateOver(hookScript(t, `${READ}; sleep 0.2; echo '${ALLOW}'`));
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  t.after(() => clearInterval(ticking));
  await gate(input(), { args: { command: "ls" } });
  assert.ok(turns > 1, `expected the event loop to turn meanwhile, it turned ${turns} times`);
});

test("a child that does not read its input cannot hurt the host", async (t) => {
  const args = { content: "x".repeat(1 << 20) };
  const early = gateOver(hookScript(t, `exec <&-; echo '${ALLOW}'`));
  await early.gate(input("write"), { args });
  const silent = gateOver("/bin/true");
  await assert.rejects(silent.gate(input("write"), { args }), denied("garbage"));
});

test("ten failures in a row still deny, and a working child is asked again", async (t) => {
  const hook = hookScript(t, `${READ}; exit 1`);
  const { gate, receipts } = gateOver(hook);
  for (let i = 0; i < 10; i++) {
    await assert.rejects(gate(input(), { args: { command: "ls" } }), denied("exit_status"));
  }
  assert.equal(receipts.length, 10);
  fs.writeFileSync(hook, `#!/bin/sh\n${READ}; echo '${ALLOW}'\n`);
  await gate(input(), { args: { command: "ls" } });
});

test("parallel calls are judged each on its own", async (t) => {
  const hook = hookScript(t, `case $(cat) in *forbidden*) exit 1;; *) echo '${ALLOW}';; esac`);
  const { gate, receipts } = gateOver(hook);
  const calls = ["ls", "forbidden", "pwd"].map((command, i) =>
    gate({ tool: "bash", sessionID: "ses_1", callID: `call_${i}` }, { args: { command } }));
  const results = await Promise.allSettled(calls);
  assert.deepEqual(results.map((result) => result.status), ["fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual(receipts.map(({ callID, decision }) => [callID, decision]).sort(),
    [["call_0", "allow"], ["call_1", "deny"], ["call_2", "allow"]]);
});

test("harmless tools run without a child and leave a receipt", async () => {
  for (const tool of HARMLESS_TOOLS) {
    const { gate, receipts } = gateOver("");
    await gate(input(tool), { args: undefined });
    assert.deepEqual(receipts, [receipt("allow", HARMLESS_CODE, tool)]);
  }
});

test("a call without arguments denies with no_args", async () => {
  for (const output of [undefined, null, 42, {}, { args: undefined }, { args: null }, { args: "ls" }, { args: [] }, Object.freeze({})]) {
    const { gate, receipts } = gateOver("");
    await assert.rejects(gate(input("github_create_issue"), output), denied("no_args"));
    assert.deepEqual(receipts, [receipt("deny", "no_args", "github_create_issue")]);
  }
});

test("arguments that are no JSON deny with bad_args", async (t) => {
  const cycle = {};
  cycle.self = cycle;
  for (const args of [cycle, { size: 1n }, { get command() { throw new Error("no"); } }]) {
    const { gate } = gateOver(hookScript(t, `${READ}; echo '${ALLOW}'`));
    await assert.rejects(gate(input(), { args }), denied("bad_args"));
  }
});

test("a call that the host does not name denies with bad_call", async (t) => {
  const throwing = new Proxy({}, { get() { throw new Error("no"); } });
  const hook = hookScript(t, `${READ}; echo '${ALLOW}'`);
  const inputs = [undefined, null, 42, "bash", throwing, {}, { tool: "bash" }, { tool: "bash", sessionID: "ses_1" },
    { tool: 7, sessionID: "ses_1", callID: "call_1" }, { tool: "skill", sessionID: "", callID: "call_1" }];
  for (const hostInput of inputs) {
    for (const output of [undefined, null, 42, throwing, { args: { command: "ls" } }]) {
      const { gate } = gateOver(hook);
      await assert.rejects(gate(hostInput, output), denied("bad_call"));
    }
  }
});

test("an allow without a receipt denies with receipt_failed", async (t) => {
  const writeReceipt = () => { throw new Error("disk is full"); };
  const { gate, denials } = gateOver(hookScript(t, `${READ}; echo '${ALLOW}'`), { writeReceipt });
  for (const tool of ["bash", "skill"]) {
    await assert.rejects(gate(input(tool), { args: { command: "ls" } }), denied("receipt_failed"));
  }
  assert.deepEqual(denials, [["bash", "receipt_failed"], ["skill", "receipt_failed"]]);
});

test("a deny stays the deny it is when its receipt fails", async () => {
  const { gate } = gateOver("", { writeReceipt() { throw new Error("disk is full"); } });
  await assert.rejects(gate(input(), { args: { command: "ls" } }), denied("no_bin"));
});

test("a run without its handshake denies every tool", async (t) => {
  const { gate, receipts } = gateOver(hookScript(t, `${READ}; echo '${ALLOW}'`), { refusal: () => "no proof" });
  for (const tool of ["bash", ...HARMLESS_TOOLS]) {
    await assert.rejects(gate(input(tool), { args: { command: "ls" } }), denied("handshake_failed"));
  }
  assert.equal(receipts.length, 1 + HARMLESS_TOOLS.length);
});

test("one call that reaches the gate twice is judged once", async (t) => {
  const hook = hookScript(t, `${READ}; echo run >>"$0.runs"; echo '${ALLOW}'`);
  const { gate, receipts } = gateOver(hook);
  const [call, output] = [input(), { args: { command: "ls" } }];
  await Promise.all([gate(call, output), gate(call, output)]);
  assert.equal(fs.readFileSync(`${hook}.runs`, "utf8"), "run\n");
  assert.equal(receipts.length, 1);
  await gate(input(), output); // another call, though the host used the object again
  assert.equal(receipts.length, 2);
});

test("arguments that changed between two loads of the plugin are judged again", async (t) => {
  const hook = hookScript(t, `case $(cat) in *forbidden*) exit 1;; *) echo '${ALLOW}';; esac`);
  const { gate } = gateOver(hook);
  const [call, output] = [input(), { args: { command: "ls" } }];
  await gate(call, output);
  output.args.command = "forbidden";
  await assert.rejects(gate(call, output), denied("exit_status"));
});
