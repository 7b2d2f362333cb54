// The sentinel: a file that proves to the process which started OpenCode that this plugin
// loaded whole, for this run, with these hooks. OpenCode drops a plugin that does not load
// without a trace and goes on ungated (HOST.md section 1), so the proof must be the last
// step of the start and must never appear half done.

import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ENTRY_FILE } from "./env.js";
import { createExclusive, readRegular, writeOnce } from "./files.js";

/** Version of the contract with Go; see plugin.Version. */
export const PLUGIN_VERSION = "1";

/** The hooks that the plugin registers, in registration order. */
export const HOOK_NAMES = Object.freeze([
  "tool.execute.before",
  "tool.execute.after",
  "command.execute.before",
  "permission.ask",
  "event",
  "experimental.session.compacting",
  "experimental.compaction.autocontinue",
]);

/** Value of the sentinel's key v. */
export const SENTINEL_FORMAT = 1;

/** Bytes above which a file is not read as a sentinel. */
export const SENTINEL_MAX_BYTES = 64 * 1024;

/**
 * Writes the sentinel of this run. Call it last, with the keys of the hooks object that
 * is really returned to the host.
 *
 * Without nonce and sentinel path there is no handshake and nothing is done: a run inside
 * a run inherits neither (see takeRunEnv) and must still be gated. A sentinel that this
 * run has written already is left as it is. Everything else throws.
 *
 * @param {Readonly<import("./env.js").RunEnv>} env
 * @param {readonly string[]} hookNames
 * @returns {void}
 */
export function writeSentinel(env, hookNames) {
  if (env.nonce === "" && env.sentinel === "") return;
  requireComplete(env);
  requireOwnEntry(env.pluginPath);
  const content = sentinel(env.nonce, hookNames);
  if (isWritten(env.sentinel, content)) return;
  replaceFile(env.sentinel, JSON.stringify(content) + "\n");
}

/** @param {string} nonce @param {readonly string[]} hookNames */
function sentinel(nonce, hookNames) {
  return {
    v: SENTINEL_FORMAT,
    nonce,
    plugin_version: PLUGIN_VERSION,
    hooks: [...hookNames],
    pid: process.pid,
    ts: new Date().toISOString(),
  };
}

function requireComplete(env) {
  const names = { nonce: env.nonce, "sentinel path": env.sentinel, "plugin path": env.pluginPath };
  const missing = Object.keys(names).filter((name) => names[name] === "");
  if (missing.length > 0) throw new Error(`handshake is incomplete: no ${missing.join(", no ")}`);
  if (!path.isAbsolute(env.sentinel)) {
    throw new Error(`sentinel path is not absolute: ${env.sentinel}`);
  }
}

// Another copy of the plugin, such as one in the operator's own configuration, may load
// first and see the same environment. It must not answer for the tree of this run.
function requireOwnEntry(pluginPath) {
  const own = fs.realpathSync(fileURLToPath(new URL(`../${ENTRY_FILE}`, import.meta.url)));
  const expected = fs.realpathSync(pluginPath);
  if (own !== expected) throw new Error(`plugin path is ${expected}, this plugin is ${own}`);
}

/** Reports whether the sentinel is there with this content; throws when another one is. */
function isWritten(file, content) {
  if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return false;
  const found = JSON.parse(readRegular(file, SENTINEL_MAX_BYTES).toString("utf8"));
  for (const key of ["v", "nonce", "plugin_version", "hooks"]) {
    if (JSON.stringify(found?.[key]) !== JSON.stringify(content[key])) {
      throw new Error(`sentinel ${file} exists with another ${key}`);
    }
  }
  return true;
}

// A rename makes the file appear whole. The random name, made exclusively, cannot have
// been planted.
function replaceFile(file, text) {
  const temp = `${file}.${randomBytes(8).toString("hex")}.tmp`;
  const fd = createExclusive(temp);
  try {
    try {
      writeOnce(fd, Buffer.from(text));
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temp, file);
  } catch (err) {
    fs.rmSync(temp, { force: true });
    throw err;
  }
}
