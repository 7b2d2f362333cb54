// Events: the writer never throws, never blocks, and holds no text. What it has in common
// with the writer in Go is tested from there (ngcore/testdata/append_cases.json); here is
// what only JavaScript can do to it, and a writer that wakes up late.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { EVENTS_LOCK_ZONE_BYTES, EVENTS_MAX_BYTES } from "../nightgauge/append.js";
import { createEventWriter, EVENT_KINDS, eventsPath, sanitizeEventID } from "../nightgauge/events.js";
import { sealName } from "../nightgauge/seal.js";
import { lockName } from "../nightgauge/turn.js";
import { tempDir } from "./fake_hooks.mjs";

const onWindows = process.platform === "win32";
const LOCK_ZONE_START = EVENTS_MAX_BYTES - EVENTS_LOCK_ZONE_BYTES;

const newFile = (t) => path.join(tempDir(t), "events.jsonl");
const linesOf = (file) => fs.readFileSync(file, "utf8").split("\n").slice(0, -1);

// Appends until the file has reached the size, or is full.
function fill(file, size) {
  const appendEvent = createEventWriter(file);
  for (let i = 0; ; i++) {
    const status = appendEvent("skill", { detail: { i, pad: "x".repeat(200) } });
    if (status === "truncated" || fs.statSync(file).size >= size) return;
    assert.equal(status, "written");
  }
}

test("every kind is written", (t) => {
  const file = newFile(t);
  const appendEvent = createEventWriter(file);
  for (const kind of EVENT_KINDS) assert.equal(appendEvent(kind), "written");
  assert.deepEqual(linesOf(file).map((line) => JSON.parse(line).kind), EVENT_KINDS);
});

test("no path, no events", () => {
  assert.equal(createEventWriter("")("idle", {}), "disabled");
});

test("whatever it is given, the writer refuses it and leaves no trace", (t) => {
  const file = newFile(t);
  const appendEvent = createEventWriter(file);
  const throwing = {
    get a() {
      throw new Error("no");
    },
  };
  const hostile = new Proxy({}, { ownKeys: () => assert.fail("no") });
  const details = [NaN, Infinity, -Infinity, 1n, Symbol("s"), undefined, null, () => 1, new Date(), [], {}, new String("x"), "\ud800"];
  for (const value of details) assert.equal(appendEvent("idle", { detail: { a: value } }), "refused", String(value?.constructor?.name));
  for (const detail of [throwing, hostile, [1], "text", 5, true, Symbol("s")]) assert.equal(appendEvent("idle", { detail }), "refused");
  for (const fields of [throwing, hostile]) assert.notEqual(appendEvent("idle", { get detail() { return fields; } }), "written");
  for (const kind of [undefined, null, 5, {}, [], ["idle"], "truncated", "Idle", Symbol("s")]) assert.equal(appendEvent(kind), "refused");
  assert.equal(appendEvent("idle", { get sessionID() { throw new Error("no"); } }), "refused");
  assert.equal(fs.existsSync(file), false);
});

test("missing fields are left out", (t) => {
  const file = newFile(t);
  const appendEvent = createEventWriter(file);
  for (const fields of [undefined, null, {}, { sessionID: undefined, child: undefined, detail: undefined }, { sessionID: {}, child: 1, detail: null }]) {
    assert.equal(appendEvent("idle", fields), "written");
  }
  for (const line of linesOf(file)) assert.match(line, /^\{"v":1,"ts":"[^"]+","kind":"idle"\}$/);
});

test("only an opaque id passes", () => {
  for (const id of ["a", "ses_1", "A.b:c-d", "9".repeat(128)]) assert.equal(sanitizeEventID(id), id);
  for (const id of ["", " a", "a b", "a\n", "_a", "a/b", "\u202ea", "a\ud83d", "a".repeat(129), 5, null, undefined, {}, ["a"], new String("a")]) {
    assert.equal(sanitizeEventID(id), "");
  }
});

test("the path is beside the output file, or there is none", { skip: onWindows && "paths are spelled for POSIX" }, () => {
  const run = (outputFile, runID) => eventsPath({ outputFile, runID });
  assert.equal(run("/runs/7/out.jsonl", "r 7.b"), "/runs/7/opencode-events-r 7.b.jsonl");
  assert.equal(run("/a..b/..c", "r"), "/a..b/opencode-events-r.jsonl");
  for (const outputFile of ["", "out", "./out", "/a/../b", "/a/.."]) assert.equal(run(outputFile, "r"), "", outputFile);
  for (const runID of ["", ".", "..", "a/b", "a\\b", "a\0b", "a\nb", "a\ud800", "r".repeat(129)]) assert.equal(run("/o", runID), "", runID);
});

test("a file that cannot be written is a status, not an exception", (t) => {
  const dir = tempDir(t);
  assert.equal(createEventWriter(path.join(dir, "none", "events.jsonl"))("idle"), "failed");
  assert.equal(createEventWriter(dir)("idle"), "failed");
  assert.equal(createEventWriter("a\0b")("idle"), "failed");
});

test("a short write is a failure, and its torn line is healed", (t) => {
  const file = newFile(t);
  const appendEvent = createEventWriter(file);
  const { writeSync } = fs;
  t.mock.method(fs, "writeSync", (fd, bytes, offset) => writeSync(fd, bytes, offset, 7, null), { times: 1 });
  assert.equal(appendEvent("idle"), "failed");
  assert.equal(appendEvent("skill"), "written");
  const [torn, whole] = linesOf(file);
  assert.equal(torn.length, 7);
  assert.equal(JSON.parse(whole).kind, "skill");
});

// The writer looks at the file; then others do something; then it writes.
function lateAppend(t, file, meanwhile) {
  const { writeSync } = fs;
  const late = t.mock.method(fs, "writeSync", (...args) => {
    late.mock.restore();
    meanwhile();
    return writeSync(...args);
  });
  return createEventWriter(file)("idle", { sessionID: "late" });
}

for (const { name, size, status, lines } of [
  { name: "before the lock zone", size: LOCK_ZONE_START / 2, status: "written", lines: 1 },
  { name: "and seal the file", size: LOCK_ZONE_START + 2000, status: "written", lines: 1 },
  { name: "and fill it", size: EVENTS_MAX_BYTES, status: "truncated", lines: 0 },
]) {
  test(`a late writer while others append ${name}`, (t) => {
    const file = newFile(t);
    fill(file, 1);
    assert.equal(lateAppend(t, file, () => fill(file, size)), status);
    const kinds = linesOf(file).map((line) => JSON.parse(line));
    assert.equal(kinds.filter(({ session_id }) => session_id === "late").length, lines);
    assert.ok(fs.statSync(file).size <= EVENTS_MAX_BYTES);
    const marker = kinds.findIndex(({ kind }) => kind === "truncated");
    assert.ok(marker === -1 || marker === kinds.length - 1);
  });
}

test("a line that lands on a new torn tail is written again", (t) => {
  const file = newFile(t);
  fill(file, 1);
  assert.equal(lateAppend(t, file, () => fs.appendFileSync(file, '{"v":1,"ki')), "written");
  assert.equal(JSON.parse(linesOf(file).at(-1)).session_id, "late");
});

test("once told that the file is full, a writer still reports the verdict", (t) => {
  const file = newFile(t);
  fill(file, EVENTS_MAX_BYTES);
  const appendEvent = createEventWriter(file);
  assert.deepEqual([appendEvent("idle"), appendEvent("idle"), appendEvent("stop_verify"), appendEvent("idle")], ["truncated", "truncated", "written", "truncated"]);
  assert.deepEqual(linesOf(file).slice(-2).map((line) => JSON.parse(line).kind), ["truncated", "stop_verify"]);
});

test("a turn that a dead process held is taken over, and nothing is left behind", { skip: onWindows && "locks are files there" }, (t) => {
  const file = newFile(t);
  fill(file, LOCK_ZONE_START);
  const namespace = fs.existsSync("/proc/self/ns/pid") ? fs.readlinkSync("/proc/self/ns/pid").replace(/\D/g, "") : "";
  for (const suffix of ["", "~"]) fs.symlinkSync(`4194305:1:${namespace}:x`, lockName(file) + suffix);
  assert.equal(createEventWriter(file)("idle"), "written");
  const left = fs.readdirSync(path.dirname(file)).map((name) => path.join(path.dirname(file), name));
  assert.deepEqual(left.sort(), [file, sealName(file)].sort());
});

test("a turn of an owner that cannot be judged is taken over after a while", { skip: onWindows && "locks are files there" }, (t) => {
  const file = newFile(t);
  fill(file, LOCK_ZONE_START);
  fs.writeFileSync(lockName(file), "not a lock of ours");
  assert.equal(createEventWriter(file)("idle"), "written");
  assert.equal(fs.existsSync(lockName(file)), false);
});

test("whoever leaves a dead owner's lock again and again cannot hold the plugin up", { skip: onWindows && "locks are files there" }, (t) => {
  const file = newFile(t);
  fill(file, LOCK_ZONE_START);
  const { rmSync } = fs;
  const leave = () => fs.symlinkSync("4194305:1:other-namespace:x", lockName(file));
  t.mock.method(fs, "rmSync", (name, options) => {
    rmSync(name, options);
    if (name === lockName(file)) leave();
  });
  let now = 0;
  t.mock.method(performance, "now", () => (now += 600)); // past TURN_TAKEOVER at the third look
  leave();
  assert.equal(createEventWriter(file)("idle"), "failed");
});
