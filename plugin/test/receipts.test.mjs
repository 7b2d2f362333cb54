// Receipts: a judged call is on disk before the gate answers, or the writer throws.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { createReceiptWriter, receiptID, receiptsFileName, RECEIPT_LINE_MAX_BYTES, RECEIPTS_MAX_BYTES } from "../nightgauge/receipts.js";
import { tempDir } from "./fake_hooks.mjs";

const onWindows = process.platform === "win32";
const JUDGED = Object.freeze({ sessionID: "ses_1", callID: "call_1", tool: "bash", decision: "allow", code: "policy_allow" });

function newRun(t, changes = {}) {
  const dir = tempDir(t);
  const env = { outputFile: path.join(dir, "out.json"), runID: "r1", nonce: "", sentinel: "", pluginPath: "", hookBin: "", ...changes };
  return { dir, env, file: path.join(dir, receiptsFileName("r1")) };
}

// An empty line is no line: a writer that sees the first page of another one's write takes it for torn.
const lines = (file) =>
  fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("a receipt says what was decided about which call", (t) => {
  const { env, file } = newRun(t);
  createReceiptWriter(env)(JUDGED);
  const [{ ts, ...rest }] = lines(file);
  assert.deepEqual(rest, { v: 1, session_id: "ses_1", call_id: "call_1", tool: "bash", decision: "allow", code: "policy_allow" });
  assert.match(ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("names become what the shared table says", () => {
  const { names } = JSON.parse(fs.readFileSync(new URL("receipt_ids.json", import.meta.url), "utf8"));
  for (const { name, id } of names) assert.equal(receiptID(name), id, JSON.stringify(name));
});

test("free text never reaches the file, and the longest line stays in its bound", (t) => {
  const { env, file } = newRun(t);
  const text = "delete everything ".repeat(1000);
  const write = createReceiptWriter(env);
  write({ ...JUDGED, sessionID: text, callID: text, tool: text });
  write({ sessionID: "s".repeat(128), callID: "c".repeat(128), tool: "t".repeat(128), decision: "allow", code: "x".repeat(64) });
  const content = fs.readFileSync(file, "utf8");
  assert.ok(!content.includes("delete"));
  for (const line of content.split("\n")) assert.ok(line.length < RECEIPT_LINE_MAX_BYTES);
});

test("outside a run there are no receipts", (t) => {
  const { dir, env } = newRun(t);
  createReceiptWriter({ ...env, outputFile: "" })(JUDGED);
  createReceiptWriter({ ...env, runID: "" })(JUDGED);
  assert.deepEqual(fs.readdirSync(dir), []);
});

for (const [name, changes] of [
  ["relative output file", { outputFile: "out.json" }],
  ["output file with dots", { outputFile: "/tmp/../out.json" }],
  ["run id that leaves the directory", { runID: "../r1" }],
  ["run id of dots", { runID: ".." }],
]) {
  test(`a run without a usable place denies: ${name}`, (t) => {
    const { dir, env } = newRun(t, changes);
    assert.throws(() => createReceiptWriter(env)(JUDGED), /no place for receipts/);
    assert.deepEqual(fs.readdirSync(dir), []);
  });
}

for (const [name, changes, message] of [
  ["no session", { sessionID: undefined }, /without session, id or tool/],
  ["empty call id", { callID: "" }, /without session, id or tool/],
  ["call id that is no string", { callID: 7 }, /without session, id or tool/],
  ["no tool", { tool: null }, /without session, id or tool/],
  ["no decision", { decision: undefined }, /a decision is one of allow, deny/],
  ["another decision", { decision: "ask" }, /a decision is one of allow, deny/],
  ["free text as code", { code: "denied: rm -rf /" }, /snake case/],
  ["no code", { code: undefined }, /snake case/],
  ["code that looks right", { code: ["ok"] }, /snake case/],
]) {
  test(`a judgement that cannot be recorded throws: ${name}`, (t) => {
    const { dir, env } = newRun(t);
    assert.throws(() => createReceiptWriter(env)({ ...JUDGED, ...changes }), message);
    assert.deepEqual(fs.readdirSync(dir), []);
  });
}

test("receipts are the owner's alone, also when the file was not", { skip: onWindows && "no such modes" }, (t) => {
  const { env, file } = newRun(t);
  const write = createReceiptWriter(env);
  write(JUDGED);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  fs.chmodSync(file, 0o644);
  write(JUDGED);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal(lines(file).length, 2);
});

test("a torn tail costs nobody else's receipt", (t) => {
  const { env, file } = newRun(t);
  fs.writeFileSync(file, '{"v":1,"ts":"2026');
  createReceiptWriter(env)(JUDGED);
  const [torn, whole] = fs.readFileSync(file, "utf8").split("\n");
  assert.equal(torn, '{"v":1,"ts":"2026');
  assert.equal(JSON.parse(whole).call_id, "call_1");
});

for (const [name, plant] of [
  ["directory", (file) => fs.mkdirSync(file)],
  ["link", (file) => (fs.writeFileSync(`${file}.victim`, "keep"), fs.symlinkSync(`${file}.victim`, file))],
  ["pipe", (file) => execFileSync("mkfifo", [file])],
]) {
  test(`a place that cannot hold receipts throws: ${name}`, { skip: onWindows && "not on Windows" }, (t) => {
    const { env, file } = newRun(t);
    plant(file);
    assert.throws(() => createReceiptWriter(env)(JUDGED));
    if (name === "link") assert.equal(fs.readFileSync(`${file}.victim`, "utf8"), "keep");
  });
}

test("a file that is full throws and does not grow", (t) => {
  const { env, file } = newRun(t);
  fs.writeFileSync(file, "\n");
  fs.truncateSync(file, RECEIPTS_MAX_BYTES - 10);
  assert.throws(() => createReceiptWriter(env)(JUDGED), /no room/);
  assert.equal(fs.statSync(file).size, RECEIPTS_MAX_BYTES - 10);
});

test("a write that was cut short throws", (t) => {
  const { env } = newRun(t);
  t.mock.method(fs, "writeSync", () => 3);
  assert.throws(() => createReceiptWriter(env)(JUDGED), /wrote 3 of/);
});

test("parallel processes lose no receipt", async (t) => {
  const { env, file } = newRun(t);
  const module = new URL("../nightgauge/receipts.js", import.meta.url).href;
  const start = (sessionID) =>
    new Promise((resolve) => {
      const script = `import { createReceiptWriter } from ${JSON.stringify(module)};
        const write = createReceiptWriter(${JSON.stringify(env)});
        for (let i = 0; i < 200; i++) write({ ...${JSON.stringify(JUDGED)}, sessionID: "${sessionID}", callID: "call_" + i });`;
      spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" }).on("exit", resolve);
    });
  assert.deepEqual(await Promise.all([start("a"), start("b"), start("c")]), [0, 0, 0]);
  const calls = new Set(lines(file).map((r) => `${r.session_id} ${r.call_id}`));
  assert.equal(calls.size, 600);
});
