// What one run's loads of this plugin share. OpenCode can load the same tree twice in one
// process, even from two paths (BUGS.md B05); without a common place every event would be
// written twice and the run verified twice.

import path from "node:path";
import { fileURLToPath } from "node:url";

import { createBoundedMap } from "./bounded.js";
import { withBreaker } from "./breaker.js";
import { createDenialLog } from "./context.js";
import { ENTRY_FILE, hookEnv } from "./env.js";
import { createEventWriter, eventsPath, sanitizeEventID } from "./events.js";
import { createGate } from "./gates.js";
import { PLUGIN_VERSION, writeSentinel } from "./handshake.js";
import { createReceiptWriter, receiptsFileName } from "./receipts.js";
import { sealName } from "./seal.js";
import { createSession } from "./session.js";
import { spawnStopVerify } from "./stop_verify.js";
import { lockName } from "./turn.js";

/** Runs that one process remembers. */
export const RUNS_MAX = 64;

/**
 * @typedef {object} Run
 * @property {Readonly<import("./env.js").RunEnv>} env as the first load took it
 * @property {boolean} proven its handshake has succeeded
 * @property {string} refusal why the gate denies every call, "" when it does not
 * @property {Run | undefined} successor took over before this one was proven
 * @property {(input: unknown, output: unknown) => Promise<void>} gate
 * @property {ReturnType<typeof createSession>} session
 */

/**
 * Returns the run of this environment and directory, and whether this load made it. A load
 * joins a run that is proven. One that is not may be that of a foreign copy, whose code must
 * not judge for this one: it is succeeded.
 *
 * @param {Readonly<import("./env.js").RunEnv>} env
 * @param {unknown} input what the host gave to server
 * @returns {{ run: Run, isFirst: boolean }}
 */
export function joinRun(env, input) {
  const runs = (globalThis[Symbol.for(`nightgauge.runs.${PLUGIN_VERSION}`)] ??= createBoundedMap(RUNS_MAX));
  const place = readPlace(input);
  const key = JSON.stringify([env.outputFile, env.runID, place.directory]);
  const known = runs.get(key);
  // The first load took the nonce out of the environment.
  const isSame = known !== undefined && (env.nonce === "" || env.nonce === known.env.nonce);
  if (isSame && known.proven) return { run: known, isFirst: false };
  const run = createRun(isSame ? known.env : env, place);
  if (isSame) known.successor = run;
  runs.set(key, run);
  return { run, isFirst: true };
}

/**
 * Proves that this load registers hookNames, the last step before they are returned. When
 * that fails the gate denies every call: to throw would leave the run without any gate, as
 * the host drops a plugin that throws and goes on. One proof is enough; a copy from another
 * path cannot revoke it.
 *
 * @param {Run} run
 * @param {readonly string[]} hookNames
 * @returns {void}
 */
export function proveRun(run, hookNames) {
  try {
    writeSentinel(run.env, hookNames);
    run.proven = true;
    run.refusal = "";
  } catch (err) {
    if (!run.proven) run.refusal = `the handshake failed: ${err?.message}`;
  }
}

function createRun(env, { directory, worktree }) {
  const run = { env, proven: false, refusal: UNPROVEN, successor: undefined };
  const denials = createDenialLog();
  const events = eventsPath(env);
  const hook = { bin: env.hookBin, env: () => hookEnv(env) };
  run.session = createSession({
    appendEvent: withBreaker(createEventWriter(events), (status) => status === "failed"),
    stopVerify(sessionID) {
      const id = sanitizeEventID(sessionID);
      if (events !== "" && id !== "") spawnStopVerify(hook, directory, id);
    },
    reminder: denials.reminder,
  });
  const gate = createGate({
    hook,
    place: { directory, worktree, protectedPaths: protectedPaths(env, events) },
    isChild: run.session.isChild,
    writeReceipt: createReceiptWriter(env),
    noteDenial: denials.note,
    refusal: () => run.refusal,
  });
  run.gate = (input, output) => (run.successor?.gate ?? gate)(input, output);
  return run;
}

const UNPROVEN = "the handshake has not taken place";

/** What a tool call could use to switch the gate off or to forge what it reported. */
function protectedPaths(env, events) {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const entries = [path.join(here, "..", ENTRY_FILE), env.pluginPath];
  const paths = [here, ...entries, env.sentinel, env.outputFile, events, env.hookBin];
  if (env.pluginPath !== "") paths.push(path.join(path.dirname(env.pluginPath), path.basename(here)));
  if (events !== "") {
    paths.push(lockName(events), sealName(events));
    paths.push(path.join(path.dirname(events), receiptsFileName(env.runID)));
  }
  return [...new Set(paths.filter((file) => path.isAbsolute(file)))];
}

/** @returns {{ directory: string, worktree: string }} */
function readPlace(input) {
  const directory = absolute(input, "directory") ?? process.cwd();
  const worktree = absolute(input, "worktree") ?? directory;
  // Outside a git repository the host calls the file system's root the work tree.
  return { directory, worktree: worktree === path.parse(worktree).root ? directory : worktree };
}

function absolute(input, key) {
  try {
    const value = input?.[key];
    return typeof value === "string" && path.isAbsolute(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
