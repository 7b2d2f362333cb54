// The sentinel: written last, whole, once per run, and never over somebody else's.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { takeRunEnv } from "../nightgauge/env.js";
import { HOOK_NAMES, PLUGIN_VERSION, SENTINEL_MAX_BYTES, writeSentinel } from "../nightgauge/handshake.js";
import { tempDir } from "./fake_hooks.mjs";

const ENTRY = fileURLToPath(new URL("../nightgauge.js", import.meta.url));
const NONCE = "0123456789abcdef0123456789abcdef";
const onWindows = process.platform === "win32";

/** A run's environment, in a directory of its own. */
function newEnv(t, changes = {}) {
  const dir = tempDir(t);
  return {
    outputFile: path.join(dir, "out.json"),
    runID: "r1",
    nonce: NONCE,
    sentinel: path.join(dir, ".opencode-plugin-r1.json"),
    pluginPath: ENTRY,
    hookBin: "",
    ...changes,
  };
}

const read = (env) => JSON.parse(fs.readFileSync(env.sentinel, "utf8"));
const listed = (env) => fs.readdirSync(path.dirname(env.sentinel));

test("the sentinel says who answered", (t) => {
  const env = newEnv(t);
  const before = Date.now();
  writeSentinel(env, HOOK_NAMES);
  const { ts, ...rest } = read(env);
  assert.deepEqual(rest, {
    v: 1,
    nonce: NONCE,
    plugin_version: PLUGIN_VERSION,
    hooks: [...HOOK_NAMES],
    pid: process.pid,
  });
  assert.match(ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Date.parse(ts) >= before);
  assert.deepEqual(listed(env), [path.basename(env.sentinel)]);
});

test("the sentinel names the hooks that were registered, not those that should be", (t) => {
  const env = newEnv(t);
  writeSentinel(env, ["event"]);
  assert.deepEqual(read(env).hooks, ["event"]);
});

test("only the owner can read the sentinel, whatever the umask", { skip: onWindows && "no such modes" }, (t) => {
  for (const umask of [0o000, 0o077, 0o777]) {
    const env = newEnv(t);
    const old = process.umask(umask);
    try {
      writeSentinel(env, HOOK_NAMES);
    } finally {
      process.umask(old);
    }
    assert.equal(fs.statSync(env.sentinel).mode & 0o777, 0o600, `umask ${umask.toString(8)}`);
  }
});

test("two starts in one process leave one sentinel", (t) => {
  const env = newEnv(t);
  writeSentinel(env, HOOK_NAMES);
  const first = fs.statSync(env.sentinel);
  writeSentinel(env, HOOK_NAMES);
  const second = fs.statSync(env.sentinel);
  assert.deepEqual([second.ino, second.mtimeMs], [first.ino, first.mtimeMs]);
  assert.deepEqual(listed(env), [path.basename(env.sentinel)]);
});

test("without nonce and sentinel there is no handshake", (t) => {
  const env = newEnv(t);
  writeSentinel({ ...env, nonce: "", sentinel: "" }, HOOK_NAMES);
  writeSentinel({ ...env, nonce: "", sentinel: "", pluginPath: "" }, HOOK_NAMES);
  assert.deepEqual(listed(env), []);
});

for (const [name, changes, message] of [
  ["no nonce", { nonce: "" }, /no nonce/],
  ["no sentinel path", { sentinel: "" }, /no sentinel path/],
  ["no plugin path", { pluginPath: "" }, /no plugin path/],
  ["nonce alone", { sentinel: "", pluginPath: "" }, /no sentinel path, no plugin path/],
  ["relative sentinel path", { sentinel: "sentinel.json" }, /not absolute/],
  ["plugin path of another file", { pluginPath: fileURLToPath(import.meta.url) }, /this plugin is/],
  ["plugin path of no file", { pluginPath: `${ENTRY}.none` }, /ENOENT/],
]) {
  test(`a partial handshake throws: ${name}`, (t) => {
    const env = newEnv(t);
    assert.throws(() => writeSentinel({ ...env, ...changes }, HOOK_NAMES), message);
    assert.deepEqual(listed(env), []);
  });
}

test("the plugin path may lead through a link", { skip: onWindows && "links need rights" }, (t) => {
  const env = newEnv(t);
  const link = path.join(tempDir(t), "tree");
  fs.symlinkSync(path.dirname(ENTRY), link);
  writeSentinel({ ...env, pluginPath: path.join(link, "nightgauge.js") }, HOOK_NAMES);
  assert.equal(read(env).nonce, NONCE);
});

test("a directory that is missing throws", (t) => {
  const env = newEnv(t);
  assert.throws(() => writeSentinel({ ...env, sentinel: path.join(env.sentinel, "none", "s.json") }, HOOK_NAMES), /ENOENT/);
});

for (const [name, content, message] of [
  ["another run's", JSON.stringify({ v: 1, nonce: "f".repeat(32), plugin_version: "1", hooks: HOOK_NAMES }), /another nonce/],
  ["one with other hooks", JSON.stringify({ v: 1, nonce: NONCE, plugin_version: "1", hooks: ["event"] }), /another hooks/],
  ["one of another version", JSON.stringify({ v: 1, nonce: NONCE, plugin_version: "2", hooks: HOOK_NAMES }), /another plugin_version/],
  ["one of another format", JSON.stringify({ v: 2, nonce: NONCE, plugin_version: "1", hooks: HOOK_NAMES }), /another v/],
  ["null", "null", /another v/],
  ["no JSON", "loaded\n", /JSON/],
  ["empty", "", /JSON/],
  ["too long", " ".repeat(SENTINEL_MAX_BYTES + 1), /bytes/],
]) {
  test(`a sentinel that is there is not replaced: ${name}`, (t) => {
    const env = newEnv(t);
    fs.writeFileSync(env.sentinel, content);
    assert.throws(() => writeSentinel(env, HOOK_NAMES), message);
    assert.equal(fs.readFileSync(env.sentinel, "utf8"), content);
    assert.deepEqual(listed(env), [path.basename(env.sentinel)]);
  });
}

for (const [name, plant] of [
  ["a directory", (file) => fs.mkdirSync(file)],
  ["a link to a file", (file) => (fs.writeFileSync(`${file}.victim`, "keep"), fs.symlinkSync(`${file}.victim`, file))],
  ["a link to nothing", (file) => fs.symlinkSync(`${file}.victim`, file)],
  ["a pipe", (file) => execFileSync("mkfifo", [file])],
]) {
  test(`what is no file is left alone: ${name}`, { skip: onWindows && "not on Windows" }, (t) => {
    const env = newEnv(t);
    plant(env.sentinel);
    const before = listed(env);
    assert.throws(() => writeSentinel(env, HOOK_NAMES));
    assert.deepEqual(listed(env), before);
    if (before.length > 1) assert.equal(fs.readFileSync(`${env.sentinel}.victim`, "utf8"), "keep");
  });
}

test("a write that fails leaves nothing behind", (t) => {
  const env = newEnv(t);
  t.mock.method(fs, "renameSync", () => {
    throw new Error("no space left");
  });
  assert.throws(() => writeSentinel(env, HOOK_NAMES), /no space left/);
  assert.deepEqual(listed(env), []);
});

test("a run inside the run inherits neither nonce nor sentinel", (t) => {
  const env = newEnv(t);
  const names = ["NIGHTGAUGE_OPENCODE_PLUGIN_NONCE", "NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL"];
  process.env[names[0]] = NONCE;
  process.env[names[1]] = env.sentinel;
  t.after(() => names.forEach((name) => delete process.env[name]));
  assert.equal(takeRunEnv().nonce, NONCE);
  const script = `console.log(${JSON.stringify(names)}.filter((name) => name in process.env).length)`;
  assert.equal(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }).trim(), "0");
  assert.deepEqual([takeRunEnv().nonce, takeRunEnv().sentinel], ["", ""]);
});

test("many processes that start at once leave one whole sentinel", async (t) => {
  const env = newEnv(t);
  const module = new URL("../nightgauge/handshake.js", import.meta.url).href;
  const script = `import { HOOK_NAMES, writeSentinel } from ${JSON.stringify(module)};
    writeSentinel(${JSON.stringify(env)}, HOOK_NAMES);`;
  const start = () =>
    new Promise((resolve) => {
      spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" }).on("exit", resolve);
    });
  assert.deepEqual(await Promise.all([start(), start(), start()]), [0, 0, 0]);
  assert.equal(read(env).nonce, NONCE);
  assert.deepEqual(listed(env), [path.basename(env.sentinel)]);
});
