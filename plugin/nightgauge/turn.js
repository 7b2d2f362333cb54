// Turns: one process at a time, for the end of the events file. The lock is a name that
// only one process can make. It tells its owner, so that the next one can see at once that
// the owner was killed; a process id alone would not do, because ids are used again
// (BUGS.md B46).

import { randomBytes } from "node:crypto";
import fs from "node:fs";

/** Milliseconds that a writer waits for its turn before it gives the event up. */
export const TURN_WAIT = 5000;

/** Milliseconds that a turn whose owner cannot be judged stays unquestioned. */
export const TURN_TAKEOVER = 1000;

/** Locks of locks: how many owners may die in a row, each while it removed the one before. */
const DEPTH_MAX = 5;

const FIRST_PAUSE = 0.2; // milliseconds
const LAST_PAUSE = 5;

/** @param {string} file @returns {string} name that is held during a turn on file */
export function lockName(file) {
  return `${file}.lock`;
}

/**
 * Waits for the turn on file. It throws when the turn does not come within TURN_WAIT.
 *
 * @param {string} file
 * @returns {() => void} ends the turn
 */
export function takeTurn(file) {
  return acquire(lockName(file), performance.now() + TURN_WAIT, 1);
}

function acquire(lock, deadline, depth) {
  if (depth > DEPTH_MAX) throw new Error(`${lock}: its owners died`);
  const mine = newOwner();
  let seen = { owner: undefined, since: 0 };
  for (let pause = FIRST_PAUSE; !tryCreate(lock, mine); pause = Math.min(pause * 2, LAST_PAUSE)) {
    const owner = readOwner(lock);
    const now = performance.now();
    if (owner !== seen.owner) seen = { owner, since: now };
    // First: the agent can leave dead owners' locks for ever.
    if (now > deadline) throw new Error(`${lock}: waited ${TURN_WAIT} ms, now held by ${owner}`);
    if (owner === undefined) continue; // the turn has just ended
    if (isAbandoned(owner, now - seen.since)) remove(lock, owner, deadline, depth);
    else sleep(pause);
  }
  return () => release(lock, mine);
}

// Of several that see the same dead owner only one may remove it, or the second would
// remove the turn of the first: they take turns, with the same rules.
function remove(lock, owner, deadline, depth) {
  const done = acquire(`${lock}~`, deadline, depth + 1);
  try {
    release(lock, owner);
  } finally {
    done();
  }
}

function release(lock, owner) {
  if (readOwner(lock) === owner) fs.rmSync(lock, { force: true });
}

// A symbolic link is made together with its text: there is no moment at which the lock has
// no owner. Windows lets only administrators make links.
const onWindows = process.platform === "win32";

function tryCreate(lock, owner) {
  try {
    if (onWindows) fs.writeFileSync(lock, owner, { flag: "wx", mode: 0o600 });
    else fs.symlinkSync(owner, lock);
    return true;
  } catch (err) {
    if (err.code === "EEXIST") return false;
    throw err;
  }
}

/** @returns {string | undefined} undefined when nobody holds the lock */
function readOwner(lock) {
  try {
    return onWindows ? fs.readFileSync(lock, "utf8") : fs.readlinkSync(lock);
  } catch (err) {
    if (err.code === "ENOENT") return undefined;
    if (err.code === "EINVAL") return ""; // not a link, so nobody's turn
    throw err;
  }
}

// An owner is PID:START:NAMESPACE:TOKEN. START and NAMESPACE tell two processes with one
// id apart and are empty where the system does not show them.
function newOwner() {
  const self = processStat("self");
  return [process.pid, self?.start ?? "", pidNamespace(), randomBytes(8).toString("hex")].join(":");
}

/** @param {string} owner @param {number} age milliseconds since it was first seen */
function isAbandoned(owner, age) {
  const [pid, start, namespace] = owner.split(":");
  const judgement = namespace === pidNamespace() ? judge(Number(pid), start) : "unknown";
  return judgement === "dead" || (judgement === "unknown" && age > TURN_TAKEOVER);
}

function judge(pid, start) {
  if (!Number.isInteger(pid) || pid <= 0) return "unknown";
  if (!exists(pid)) return "dead";
  const stat = processStat(pid);
  if (stat === undefined || start === "") return "unknown";
  return stat.start === start && !stat.ended ? "alive" : "dead";
}

function exists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err.code !== "ESRCH";
  }
}

// Fields 3, 20 and 22 of proc_pid_stat(5). Field 2, the command, may hold anything but ends
// at the last parenthesis. A killed process stays in state Z until its parent waits for it;
// that is the state of its first thread, and another one may still be in a system call.
function processStat(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ended = (fields[0] === "Z" || fields[0] === "X") && Number(fields[17]) <= 1;
    return { ended, start: fields[19] };
  } catch {
    return undefined;
  }
}

function pidNamespace() {
  try {
    return fs.readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
  } catch {
    return "";
  }
}

const cell = new Int32Array(new SharedArrayBuffer(4));

function sleep(ms) {
  Atomics.wait(cell, 0, 0, ms);
}
