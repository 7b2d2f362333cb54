// What the observing hooks report, and that nothing the host hands over makes them throw.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BREAKER_FAILURES, BREAKER_PROBE_EVERY, withBreaker } from "../nightgauge/breaker.js";
import { COMPACTION_CONTEXT_MAX_BYTES, createDenialLog, DENIALS_MAX } from "../nightgauge/context.js";
import { createSession, SESSIONS_MAX } from "../nightgauge/session.js";

/** A session over fake surroundings, which keeps what it reports and verifies. */
function observed({ reminder = () => "" } = {}) {
  const events = [];
  const verified = [];
  const session = createSession({
    appendEvent(kind, fields) {
      events.push({ kind, ...fields });
      return "written";
    },
    stopVerify: (sessionID) => verified.push(sessionID),
    reminder,
  });
  const publish = (type, properties) => session.event({ event: { id: "evt_1", type, properties } });
  return {
    session,
    events,
    verified,
    publish,
    created: (id, parentID) => publish("session.created", { sessionID: id, info: { id, parentID } }),
    idle: (sessionID) => publish("session.idle", { sessionID }),
    busy: (sessionID) => publish("session.status", { sessionID, status: { type: "busy" } }),
  };
}

test("only the root's idle starts the verification, and only once", async () => {
  const run = observed();
  await run.created("ses_root");
  await run.created("ses_child", "ses_root");
  await run.idle("ses_child");
  await run.idle("ses_root");
  await run.idle("ses_root");
  assert.deepEqual(run.events, [
    { kind: "idle", sessionID: "ses_child", child: true },
    { kind: "idle", sessionID: "ses_root", child: false },
  ]);
  assert.deepEqual(run.verified, ["ses_root"]);
});

test("the idle of a session that was never announced is no end of the run", async () => {
  const run = observed();
  await run.idle("ses_unknown");
  assert.deepEqual(run.events, [{ kind: "idle", sessionID: "ses_unknown", child: false }]);
  assert.deepEqual(run.verified, []);
});

test("a session that works again can become idle again", async () => {
  const run = observed();
  await run.publish("session.updated", { info: { id: "ses_resumed" } });
  await run.idle("ses_resumed");
  await run.publish("session.status", { sessionID: "ses_resumed", status: { type: "idle" } });
  await run.idle("ses_resumed");
  await run.busy("ses_resumed");
  await run.idle("ses_resumed");
  assert.deepEqual(run.verified, ["ses_resumed", "ses_resumed"]);
  assert.equal(run.events.length, 2);
});

test("a sub-agent's session stays one", async () => {
  const run = observed();
  await run.created("ses_1");
  await run.publish("session.updated", { info: { id: "ses_1", parentID: "ses_root" } });
  await run.publish("session.updated", { info: { id: "ses_1" } });
  await run.idle("ses_1");
  assert.equal(run.session.isChild("ses_1"), true);
  assert.deepEqual(run.verified, []);
});

test("many sub-agents push out neither the root nor what is known of the latest", async () => {
  const run = observed();
  await run.created("ses_root");
  for (let i = 0; i <= SESSIONS_MAX; i++) await run.created(`ses_${i}`, "ses_root");
  assert.equal(run.session.isChild("ses_0"), false, "the oldest is forgotten");
  assert.equal(run.session.isChild(`ses_${SESSIONS_MAX}`), true);
  await run.idle("ses_0");
  await run.idle("ses_root");
  assert.deepEqual(run.verified, ["ses_root"]);
});

test("a compaction is one event", async () => {
  const run = observed();
  await run.created("ses_child", "ses_root");
  await run.session.compacting({ sessionID: "ses_child" }, { context: [] });
  await run.session.autocontinue({ sessionID: "ses_child" }, { enabled: true });
  await run.publish("session.compacted", { sessionID: "ses_child" });
  assert.deepEqual(run.events, [{ kind: "compaction", sessionID: "ses_child", child: true }]);
});

test("a permission request reports ids and none of its text", async () => {
  const run = observed();
  await run.publish("permission.asked", {
    id: "per_1",
    sessionID: "ses_1",
    permission: "external_directory",
    patterns: ["cat /etc/shadow"],
    metadata: { command: "cat /etc/shadow" },
    always: [],
    tool: { messageID: "msg_1", callID: "call_1" },
  });
  await run.publish("permission.asked", { id: "two words", sessionID: "ses_1", permission: 7 });
  assert.deepEqual(run.events, [
    {
      kind: "permission_ask",
      sessionID: "ses_1",
      child: false,
      detail: { permission: "external_directory", request_id: "per_1" },
    },
    { kind: "permission_ask", sessionID: "ses_1", child: false, detail: { permission: "", request_id: "" } },
  ]);
});

test("a skill is reported by its id, whether a tool or a command started it", async () => {
  const run = observed();
  const call = { sessionID: "ses_1", callID: "call_1" };
  await run.session.toolAfter({ ...call, tool: "skill", args: { name: "pdf-forms" } }, undefined);
  await run.session.toolAfter({ ...call, tool: "skill", args: { name: "please leak this" } }, undefined);
  await run.session.toolAfter({ ...call, tool: "bash", args: { command: "ls" } }, {});
  await run.session.commandBefore({ command: "review", sessionID: "ses_1", arguments: "of all" }, { parts: [] });
  assert.deepEqual(run.events.map(({ kind, detail }) => [kind, detail]), [
    ["skill", { source: "tool", skill: "pdf-forms", call_id: "call_1" }],
    ["skill", { source: "tool", skill: "", call_id: "call_1" }],
    ["skill", { source: "command", skill: "review" }],
  ]);
});

test("autocontinue is switched off, however often the host asks", async () => {
  const { session } = observed();
  const output = { enabled: true };
  await session.autocontinue({ sessionID: "ses_1" }, output);
  await session.autocontinue({ sessionID: "ses_1" }, output);
  assert.deepEqual(output, { enabled: false });
});

test("a compaction is reminded of denials, beside what other plugins add", async () => {
  const log = createDenialLog();
  const { session } = observed({ reminder: log.reminder });
  const untouched = { context: ["theirs"] };
  await session.compacting({}, untouched);
  assert.deepEqual(untouched, { context: ["theirs"] });

  log.note("bash", "rm_recursive");
  log.note("bash", "rm_recursive");
  log.note("two words", "unknown_tool");
  const output = { context: ["theirs"] };
  await session.compacting({}, output);
  assert.equal(output.context.length, 2);
  assert.match(output.context[1], /\n- bash \(rm_recursive\): 2\n- unnamed \(unknown_tool\): 1$/);

  const garbled = { context: "no list" };
  await session.compacting({}, garbled);
  assert.deepEqual(garbled.context, [log.reminder()]);
});

test("the reminder is bounded and holds whole lines", () => {
  const log = createDenialLog();
  for (let i = 0; i < 10 * DENIALS_MAX; i++) log.note("t".repeat(128), `code_${"c".repeat(50)}_${i}`);
  const reminder = log.reminder();
  assert.ok(Buffer.byteLength(reminder) <= COMPACTION_CONTEXT_MAX_BYTES);
  assert.match(reminder, /\): 1$/);
});

test("no hook throws, whatever the host hands over", async () => {
  const throwing = new Proxy({}, { get() { throw new Error("no"); }, set() { throw new Error("no"); } });
  const nested = (properties) => ({ event: { type: "session.idle", properties } });
  const values = [undefined, null, 42, "text", [], {}, throwing, Object.freeze({}), { event: null }, { event: throwing },
    nested(null), nested(throwing), nested({ sessionID: throwing }),
    { event: { type: "session.created", properties: { info: null } } },
    { event: { type: "session.status", properties: { sessionID: "ses_1" } } }];
  const run = observed();
  for (const hook of ["toolAfter", "commandBefore", "permissionAsk", "event", "compacting", "autocontinue"]) {
    for (const input of values) {
      for (const output of values) await run.session[hook](input, output);
    }
  }
  const output = { enabled: true };
  await run.session.autocontinue({}, output);
  assert.deepEqual(output, { enabled: false }, "and it still does its work afterwards");
});

test("the breaker skips after failures in a row and tries again now and then", () => {
  let calls = 0;
  let status = "failed";
  const append = withBreaker(() => (calls++, status), (result) => result === "failed");
  for (let i = 0; i < BREAKER_FAILURES; i++) assert.equal(append(), "failed");
  for (let i = 1; i < BREAKER_PROBE_EVERY; i++) assert.equal(append(), "skipped");
  assert.equal(append(), "failed", "the probe");
  assert.equal(calls, BREAKER_FAILURES + 1);
  status = "written";
  for (let i = 1; i < BREAKER_PROBE_EVERY; i++) assert.equal(append(), "skipped");
  assert.equal(append(), "written", "the next probe");
  assert.equal(append(), "written", "and it is closed again");
});
